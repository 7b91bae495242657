//! The checks of a RolloutPolicy: what is measured after a group, and what its results mean.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::schema;

/// A check of the clusters of a group. Exactly one of `cel`, `http`, `prometheus` and `compare` says what is checked.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct CheckSpec {
    /// Name of the check, unique in its policy.
    #[schemars(schema_with = "schema::name")]
    pub name: String,
    /// The groups after which it must pass, by name, or by index if they have no name. If empty, after every group.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(schema_with = "schema::texts")]
    pub groups: Vec<String>,
    /// `After` (the default): it must pass once, after all clusters of the group are done. `Soak`: it must pass as long as clusters of the
    /// group are under way or soak, and afterwards as long as clusters of later groups wait.
    #[schemars(schema_with = "schema::when")]
    pub when: When,
    /// An expression over the clusters of the group.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cel: Option<CelCheck>,
    /// A request to an HTTP server.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub http: Option<HttpCheck>,
    /// A query to a Prometheus server.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prometheus: Option<PrometheusCheck>,
    /// A comparison of the clusters of the group with those that wait.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub compare: Option<Compare>,
    /// How long one request may take; `10s` by default, at most `1m`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "schema::duration")]
    pub timeout: Option<String>,
    /// Time between two measurements; `30s` by default, at least `1s`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "schema::duration")]
    pub interval: Option<String>,
    /// How many measurements in a row must fail before the check counts as failed; 3 by default.
    #[schemars(schema_with = "schema::count")]
    pub failures: u32,
    /// What it means if the check gives no result: `Hold` (the default): no further cluster starts until it gives one. `Fail`: it counts
    /// as failed. `Pass`: it counts as passed, unless it failed before.
    #[schemars(schema_with = "schema::when_unreachable")]
    pub unreachable: WhenUnreachable,
}

impl Default for CheckSpec {
    fn default() -> Self {
        Self {
            name: String::new(),
            groups: Vec::new(),
            when: When::After,
            cel: None,
            http: None,
            prometheus: None,
            compare: None,
            timeout: None,
            interval: None,
            failures: 3,
            unreachable: WhenUnreachable::Hold,
        }
    }
}

/// When a check must pass.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum When {
    /// Once all clusters of the group are done.
    #[default]
    After,
    /// As long as clusters of the group are under way or soak, and afterwards.
    Soak,
}

/// What a missing result means.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum WhenUnreachable {
    /// No further cluster starts until there is a result.
    #[default]
    Hold,
    /// The check failed.
    Fail,
    /// The check passed.
    Pass,
}

/// An expression over the clusters of the group.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct CelCheck {
    /// A CEL expression that must be true. Its variable `clusters` is the list of the clusters of the group, `cluster` each of them:
    /// with `cluster`, it must be true for each.
    #[schemars(schema_with = "schema::name")]
    pub expression: String,
}

/// A request to an HTTP server.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct HttpCheck {
    /// The address. It is requested with GET; redirects are not followed. The configuration of the daemon must allow it.
    #[schemars(schema_with = "schema::url")]
    pub url: String,
    /// The status that it must answer with; 200 by default.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "schema::count")]
    pub status: Option<u32>,
    /// A CEL expression over `body`, the answer as JSON, that must be true.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "schema::text")]
    pub expression: Option<String>,
}

/// A query to a Prometheus server.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct PrometheusCheck {
    /// The address of the server, without `/api/v1/query`. The configuration of the daemon must allow it.
    #[schemars(schema_with = "schema::url")]
    pub url: String,
    /// A PromQL query whose result is one number.
    #[schemars(schema_with = "schema::name")]
    pub query: String,
    /// What the number must be: a comparison such as `< 0.01`.
    #[schemars(schema_with = "schema::threshold_text")]
    pub threshold: String,
}

/// A comparison of the clusters of the group with those that wait.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Compare {
    /// A CEL expression over `cluster` that gives a number.
    #[schemars(schema_with = "schema::name")]
    pub value: String,
    /// What the difference between the mean of the upgraded and that of the waiting clusters must be: a comparison such as `< 5`.
    #[schemars(schema_with = "schema::threshold_text")]
    pub difference: String,
}
