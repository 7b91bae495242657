//! ManifestWork: manifests that the agent of a cluster applies there.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use serde_json::Value;

use crate::condition::Condition;
use crate::ocm::field_schema;
use tidegate_model::json_text::JsonText;
use tidegate_model::object::ObjectKey;

/// Represents manifests to apply on a cluster. The work is in the namespace of that cluster.
#[derive(CustomResource, Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[kube(
    group = "work.open-cluster-management.io",
    version = "v1",
    kind = "ManifestWork",
    plural = "manifestworks",
    namespaced,
    status = "ManifestWorkStatus",
    derive = "PartialEq",
    derive = "Default"
)]
#[serde(rename_all = "camelCase", default)]
pub struct ManifestWorkSpec {
    /// The manifests.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub workload: Option<ManifestsTemplate>,
    /// What happens to the applied objects when the work is deleted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub delete_option: Option<DeleteOption>,
    /// How individual manifests are applied and what is reported about them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub manifest_configs: Vec<ManifestConfigOption>,
    /// The identity used to apply the manifests.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub executor: Option<Executor>,
}

/// A list of manifests.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct ManifestsTemplate {
    /// The manifests.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(schema_with = "field_schema::manifests")]
    pub manifests: Vec<JsonText>,
}

impl ManifestsTemplate {
    /// Returns the manifests as objects.
    pub fn objects(&self) -> Vec<Value> {
        self.manifests.iter().map(JsonText::value).collect()
    }
}

/// What happens to the applied objects when a work is deleted.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct DeleteOption {
    /// `Foreground` (the default), `Orphan` or `SelectivelyOrphan`.
    #[serde(skip_serializing_if = "String::is_empty")]
    #[schemars(schema_with = "field_schema::propagation_policy")]
    pub propagation_policy: String,
    /// The objects to keep, for `SelectivelyOrphan`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub selectively_orphans: Option<SelectivelyOrphan>,
    /// Seconds after which a completed work is removed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ttl_seconds_after_finished: Option<i64>,
}

/// The objects to keep when a work is deleted.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct SelectivelyOrphan {
    /// The objects.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub orphaning_rules: Vec<ResourceIdentifier>,
}

/// Identifies one applied object.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ResourceIdentifier {
    /// API group; empty for the core group.
    #[serde(default)]
    #[schemars(schema_with = "field_schema::plain_string", transform = field_schema::without_default)]
    pub group: String,
    /// Plural resource name.
    pub resource: String,
    /// Name.
    pub name: String,
    /// Namespace; empty for a cluster-scoped object.
    #[serde(default)]
    #[schemars(schema_with = "field_schema::plain_string", transform = field_schema::without_default)]
    pub namespace: String,
}

/// How one manifest is applied and what is reported about it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ManifestConfigOption {
    /// The manifest.
    pub resource_identifier: ResourceIdentifier,
    /// The parts of its status to report.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub feedback_rules: Vec<FeedbackRule>,
    /// How it is applied.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub update_strategy: Option<UpdateStrategy>,
    /// Conditions derived from it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(extend("x-kubernetes-list-type" = "map", "x-kubernetes-list-map-keys" = ["condition"]))]
    pub condition_rules: Vec<ConditionRule>,
    /// `Poll` (the default) or `Watch`.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    #[schemars(schema_with = "field_schema::feedback_scrape_type")]
    pub feedback_scrape_type: String,
}

/// The parts of the status of a manifest to report.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FeedbackRule {
    /// `WellKnownStatus` or `JSONPaths`.
    #[serde(rename = "type")]
    #[schemars(schema_with = "field_schema::feedback_type")]
    pub type_: String,
    /// The paths, for `JSONPaths`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(extend("x-kubernetes-list-type" = "map", "x-kubernetes-list-map-keys" = ["name"]))]
    pub json_paths: Vec<JsonPath>,
}

/// One path into a status, and the name of its value.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct JsonPath {
    /// Name of the value.
    pub name: String,
    /// Version of the object to read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// The path.
    pub path: String,
}

/// How a manifest is applied.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct UpdateStrategy {
    /// `Update` (the default), `CreateOnly`, `ServerSideApply` or `ReadOnly`.
    #[serde(rename = "type")]
    #[schemars(schema_with = "field_schema::update_strategy_type")]
    pub type_: String,
    /// Settings of server-side apply.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub server_side_apply: Option<ServerSideApply>,
}

/// Settings of server-side apply on the cluster.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct ServerSideApply {
    /// Takes over fields from other managers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub force: Option<bool>,
    /// The field manager; must start with `work-agent`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "field_schema::work_field_manager")]
    pub field_manager: Option<String>,
    /// Fields to ignore.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(extend("x-kubernetes-list-type" = "map", "x-kubernetes-list-map-keys" = ["condition"]))]
    pub ignore_fields: Vec<IgnoreField>,
}

/// Fields that server-side apply ignores.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct IgnoreField {
    /// `OnSpokePresent` (the default) or `OnSpokeChange`.
    #[schemars(schema_with = "field_schema::ignore_condition")]
    pub condition: String,
    /// JSON paths.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub json_paths: Vec<String>,
    /// JSON pointers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub json_pointers: Vec<String>,
    /// jq expressions.
    #[serde(default, rename = "jqPathExpressions", skip_serializing_if = "Vec::is_empty")]
    pub jq_path_expressions: Vec<String>,
}

/// A condition derived from a manifest.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(extend("x-kubernetes-validations" = [{"rule": "self.type != 'CEL' || self.condition != \"\"", "message": "Condition is required for CEL rules"}]))]
pub struct ConditionRule {
    /// The condition type.
    pub condition: String,
    /// `WellKnownConditions` or `CEL`.
    #[serde(rename = "type")]
    #[schemars(schema_with = "field_schema::condition_rule_type")]
    pub type_: String,
    /// The expressions, for `CEL`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cel_expressions: Vec<String>,
    /// Message of the condition.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// Message of the condition, as a CEL expression.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message_expression: Option<String>,
}

/// The identity used to apply manifests.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Executor {
    /// The subject.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub subject: Option<ExecutorSubject>,
}

/// The subject that applies manifests.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ExecutorSubject {
    /// `ServiceAccount`.
    #[serde(rename = "type")]
    #[schemars(schema_with = "field_schema::executor_type")]
    pub type_: String,
    /// The service account.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub service_account: Option<ExecutorServiceAccount>,
}

/// A service account on the cluster.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ExecutorServiceAccount {
    /// Namespace of the service account.
    #[schemars(schema_with = "field_schema::dns_name")]
    pub namespace: String,
    /// Name of the service account.
    #[schemars(schema_with = "field_schema::dns_name")]
    pub name: String,
}

/// Status reported by the agent.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct ManifestWorkStatus {
    /// `Applied`, `Available` and others, each with `observedGeneration`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(schema_with = "field_schema::conditions")]
    pub conditions: Vec<Condition>,
    /// Status of each manifest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resource_status: Option<ManifestResourceStatus>,
}

/// Status of the manifests of a work.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct ManifestResourceStatus {
    /// One entry for each manifest.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub manifests: Vec<ManifestCondition>,
}

/// Status of one manifest.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ManifestCondition {
    /// The manifest, identified by its object.
    pub resource_meta: ManifestResourceMeta,
    /// Values from its status.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status_feedback: Option<StatusFeedback>,
    /// Its conditions.
    #[serde(default)]
    #[schemars(schema_with = "field_schema::required_conditions")]
    pub conditions: Vec<Condition>,
}

/// Identifies a manifest of a work.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ManifestResourceMeta {
    /// Index in the list of manifests, from 0.
    pub ordinal: i32,
    /// API group.
    #[serde(default)]
    #[schemars(schema_with = "field_schema::plain_string")]
    pub group: String,
    /// API version.
    #[serde(default)]
    #[schemars(schema_with = "field_schema::plain_string")]
    pub version: String,
    /// Kind.
    #[serde(default)]
    #[schemars(schema_with = "field_schema::plain_string")]
    pub kind: String,
    /// Plural resource name.
    #[serde(default)]
    #[schemars(schema_with = "field_schema::plain_string")]
    pub resource: String,
    /// Name.
    #[serde(default)]
    #[schemars(schema_with = "field_schema::plain_string")]
    pub name: String,
    /// Namespace.
    #[serde(default)]
    #[schemars(schema_with = "field_schema::plain_string")]
    pub namespace: String,
}

impl ManifestResourceMeta {
    /// Returns the identity of the object. It has the kind, which agents take from the manifest, and not the resource: that is empty if the
    /// cluster does not know the kind, and cannot be derived from the kind.
    pub fn key(&self) -> ObjectKey {
        ObjectKey::new(&self.group, &self.kind, &self.namespace, &self.name)
    }
}

/// Values from the status of an applied object.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct StatusFeedback {
    /// The values.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(extend("x-kubernetes-list-type" = "map", "x-kubernetes-list-map-keys" = ["name"]))]
    pub values: Vec<FeedbackValue>,
}

/// One named value.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FeedbackValue {
    /// Name of the value, such as `ReadyReplicas`.
    pub name: String,
    /// The value.
    pub field_value: FieldValue,
}

/// A value of one of four types.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FieldValue {
    /// `Integer`, `String`, `Boolean` or `JsonRaw`.
    #[serde(rename = "type")]
    #[schemars(schema_with = "field_schema::field_value_type")]
    pub type_: String,
    /// For `Integer`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub integer: Option<i64>,
    /// For `String`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub string: Option<String>,
    /// For `Boolean`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub boolean: Option<bool>,
    /// For `JsonRaw`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "field_schema::json_raw")]
    pub json_raw: Option<String>,
}
