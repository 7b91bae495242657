//! The gates of a RolloutPolicy: approvals, windows, freezes, limits and order.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::schema;

/// Who has to approve a rollout.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Approval {
    /// Name of the rule, for messages.
    #[schemars(schema_with = "schema::name")]
    pub name: String,
    /// How many people have to approve; 1 by default.
    #[schemars(schema_with = "schema::count")]
    pub count: u32,
    /// Who may approve: aliases of `[people]` in `tidegate.toml`, e-mail addresses of trusted keys, or `key:SHA256:...`.
    #[schemars(schema_with = "schema::people")]
    pub of: Vec<String>,
    /// The decision groups that need the approval, by name, or by index if they have no name. If empty, no cluster starts without it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(schema_with = "schema::texts")]
    pub before: Vec<String>,
    /// When it may be given: `Any` (the default) time, or `Reached`: only once all earlier groups are done.
    #[schemars(schema_with = "schema::after")]
    pub after: After,
    /// How old it may be.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "schema::duration")]
    pub max_age: Option<String>,
    /// Whether authors of the change count; `false` by default.
    pub by_author: bool,
}

impl Default for Approval {
    fn default() -> Self {
        Self {
            name: String::new(),
            count: 1,
            of: Vec::new(),
            before: Vec::new(),
            after: After::Any,
            max_age: None,
            by_author: false,
        }
    }
}

/// When an approval may be given.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum After {
    /// At any time.
    #[default]
    Any,
    /// Only once the group's turn has come.
    Reached,
}

/// A time of the week in which clusters may start.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Window {
    /// Name of the window, for messages.
    #[schemars(schema_with = "schema::name")]
    pub name: String,
    /// IANA time zone, such as `Europe/Berlin`; `UTC` by default.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "schema::text")]
    pub time_zone: Option<String>,
    /// Days on which it begins: `Mon` to `Sun`, or ranges such as `Mon-Thu`. If empty, every day.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(schema_with = "schema::days")]
    pub days: Vec<String>,
    /// Local time at which it begins, such as `22:00`.
    #[schemars(schema_with = "schema::time_of_day")]
    pub from: String,
    /// Local time at which it ends. If it is not after `from`, on the next day.
    #[schemars(schema_with = "schema::time_of_day")]
    pub to: String,
}

/// A period in which no cluster starts.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Freeze {
    /// Name of the freeze, for messages.
    #[schemars(schema_with = "schema::name")]
    pub name: String,
    /// IANA time zone; `UTC` by default.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "schema::text")]
    pub time_zone: Option<String>,
    /// Local date, with or without a time, at which it begins, such as `2026-12-20` or `2026-12-20T18:00`.
    #[schemars(schema_with = "schema::local_time")]
    pub from: String,
    /// Local date, with or without a time, at which it ends. A date without a time is included.
    #[schemars(schema_with = "schema::local_time")]
    pub to: String,
}

/// A limit on clusters under way, across all add-ons that the policy selects.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Limit {
    /// Name of the limit, for messages.
    #[schemars(schema_with = "schema::name")]
    pub name: String,
    /// The label whose values are counted separately, such as `region`. Clusters without it share one value. If absent, all clusters are
    /// counted together.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "schema::text")]
    pub label: Option<String>,
    /// Maximum number of clusters under way at once for each value.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "schema::count")]
    pub max_clusters: Option<u32>,
    /// Maximum number of values of the label that have clusters under way at once.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "schema::count")]
    pub max_values: Option<u32>,
    /// Maximum number of add-ons under way at once on each cluster.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "schema::count")]
    pub max_add_ons_per_cluster: Option<u32>,
    /// Maximum number of clusters that start within a minute, for each value.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "schema::count")]
    pub starts_per_minute: Option<u32>,
}

/// An add-on that must be healthy first.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Dependency {
    /// Name of the add-on.
    #[schemars(schema_with = "schema::name")]
    pub after: String,
    /// Where it must be healthy: on the same `Cluster` (the default), or in the whole `Fleet`. A cluster that does not get that add-on does
    /// not wait for it.
    #[schemars(schema_with = "schema::scope")]
    pub scope: Scope,
}

/// Where another add-on must be healthy.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Scope {
    /// On the same cluster.
    #[default]
    Cluster,
    /// On all clusters that have it.
    Fleet,
}
