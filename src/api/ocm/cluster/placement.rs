//! Placement and PlacementDecision: which clusters are chosen, in which groups.

use k8s_openapi::apimachinery::pkg::apis::meta::v1::{LabelSelector, LabelSelectorRequirement};
use k8s_openapi::apimachinery::pkg::util::intstr::IntOrString;
use kube::CustomResource;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

use crate::condition::{Condition, Time};
use crate::kubernetes;
use crate::ocm::field_schema;

/// Represents a choice of clusters, from the sets that are bound to its namespace.
#[derive(CustomResource, Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[kube(
    group = "cluster.open-cluster-management.io",
    version = "v1beta1",
    kind = "Placement",
    plural = "placements",
    namespaced,
    status = "PlacementStatus",
    derive = "PartialEq",
    derive = "Default",
    printcolumn = r#"{"name":"Succeeded","type":"string","jsonPath":".status.conditions[?(@.type==\"PlacementSatisfied\")].status"}"#,
    printcolumn = r#"{"name":"Reason","type":"string","jsonPath":".status.conditions[?(@.type==\"PlacementSatisfied\")].reason"}"#,
    printcolumn = r#"{"name":"SelectedClusters","type":"integer","jsonPath":".status.numberOfSelectedClusters"}"#
)]
#[serde(rename_all = "camelCase", default)]
pub struct PlacementSpec {
    /// Sets to choose from; empty means every set that is bound to the namespace.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub cluster_sets: Vec<String>,
    /// How many clusters to choose; all matching ones if omitted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub number_of_clusters: Option<i32>,
    /// Conditions; a cluster must meet at least one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub predicates: Vec<ClusterPredicate>,
    /// Which clusters are preferred.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prioritizer_policy: Option<PrioritizerPolicy>,
    /// How clusters are spread over topologies. Upstream accepts and ignores it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spread_policy: Option<SpreadPolicy>,
    /// Taints that are tolerated.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tolerations: Vec<ClusterToleration>,
    /// How the chosen clusters are divided into groups.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decision_strategy: Option<DecisionStrategy>,
    /// `ClusterName` (the default) or `Score`. Upstream accepts and ignores it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "field_schema::sort_by")]
    pub sort_by: Option<String>,
    /// How often scores are read. Upstream accepts and ignores it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "field_schema::score_rate_limit")]
    pub score_rate_limit: Option<String>,
}

/// A condition on clusters.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct ClusterPredicate {
    /// The selectors that a cluster must match.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub required_cluster_selector: Option<ClusterSelector>,
}

/// Selectors that must all match.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct ClusterSelector {
    /// By label.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<kubernetes::LabelSelector>", extend("x-kubernetes-map-type" = "atomic"))]
    pub label_selector: Option<LabelSelector>,
    /// By claim.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub claim_selector: Option<ClusterClaimSelector>,
    /// By CEL expression.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cel_selector: Option<ClusterCelSelector>,
}

/// A selector on the claims of a cluster.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct ClusterClaimSelector {
    /// Requirements that must all be met.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(with = "Vec<kubernetes::LabelSelectorRequirement>")]
    pub match_expressions: Vec<LabelSelectorRequirement>,
}

/// A selector in CEL.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct ClusterCelSelector {
    /// Expressions that must all be true.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub cel_expressions: Vec<String>,
}

/// Which clusters are preferred.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct PrioritizerPolicy {
    /// `Additive` (the default) adds to the built-in weights, `Exact` replaces them.
    #[serde(skip_serializing_if = "String::is_empty")]
    #[schemars(schema_with = "field_schema::prioritizer_mode")]
    pub mode: String,
    /// The prioritizers and their weights.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub configurations: Vec<PrioritizerConfig>,
}

/// A prioritizer and its weight.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PrioritizerConfig {
    /// The score to use.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "score_coordinate")]
    pub score_coordinate: Option<ScoreCoordinate>,
    /// Weight from -10 to 10; 0 switches the prioritizer off. Default 1. Always written, because an omitted 0 would become 1.
    #[serde(default = "default_weight")]
    #[schemars(schema_with = "field_schema::weight")]
    pub weight: i32,
}

fn default_weight() -> i32 {
    1
}

/// Identifies a score.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct ScoreCoordinate {
    /// `BuiltIn` (the default) or `AddOn`.
    #[serde(rename = "type", skip_serializing_if = "String::is_empty")]
    #[schemars(schema_with = "field_schema::score_type")]
    pub type_: String,
    /// Name of a built-in prioritizer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub built_in: Option<String>,
    /// A score that an add-on reports.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub add_on: Option<AddOnScore>,
}

/// A score that an add-on reports.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AddOnScore {
    /// Name of the AddOnPlacementScore.
    pub resource_name: String,
    /// Name of the score in it.
    pub score_name: String,
}

/// How clusters are spread over topologies.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct SpreadPolicy {
    /// The constraints.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 8))]
    pub spread_constraints: Vec<SpreadConstraint>,
}

/// One constraint on how clusters are spread.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SpreadConstraint {
    /// A label key or a claim name.
    #[schemars(schema_with = "field_schema::topology_key")]
    pub topology_key: String,
    /// `Label` or `Claim`.
    #[schemars(schema_with = "field_schema::topology_key_type")]
    pub topology_key_type: String,
    /// By how much topologies may differ. Default 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "field_schema::max_skew")]
    pub max_skew: Option<i32>,
    /// `ScheduleAnyway` (the default) or `DoNotSchedule`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "field_schema::when_unsatisfiable")]
    pub when_unsatisfiable: Option<String>,
}

/// A taint that is tolerated.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct ClusterToleration {
    /// Key of the taint; empty for all keys, with operator `Exists`.
    #[serde(skip_serializing_if = "String::is_empty")]
    #[schemars(schema_with = "field_schema::label_key")]
    pub key: String,
    /// `Equal` (the default) or `Exists`.
    #[serde(skip_serializing_if = "String::is_empty")]
    #[schemars(schema_with = "field_schema::toleration_operator")]
    pub operator: String,
    /// Value of the taint.
    #[serde(skip_serializing_if = "String::is_empty")]
    #[schemars(schema_with = "field_schema::taint_value")]
    pub value: String,
    /// Effect of the taint; empty for all effects.
    #[serde(skip_serializing_if = "String::is_empty")]
    #[schemars(schema_with = "field_schema::taint_effect")]
    pub effect: String,
    /// How many seconds the taint is tolerated after it was added; forever if omitted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub toleration_seconds: Option<i64>,
}

/// How the chosen clusters are divided.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct DecisionStrategy {
    /// The groups.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub group_strategy: Option<GroupStrategy>,
}

/// How the chosen clusters are divided into groups.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct GroupStrategy {
    /// Named groups, in order; the remaining clusters go into unnamed groups.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub decision_groups: Vec<DecisionGroup>,
    /// Maximum size of a group, as a number or a percentage of the chosen clusters. Default `100%`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "field_schema::clusters_per_group")]
    pub clusters_per_decision_group: Option<IntOrString>,
}

/// A named group of clusters.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DecisionGroup {
    /// Name of the group.
    #[schemars(schema_with = "field_schema::group_name")]
    pub group_name: String,
    /// Which of the chosen clusters belong to it.
    #[serde(default)]
    #[schemars(schema_with = "group_cluster_selector")]
    pub group_cluster_selector: GroupClusterSelector,
}

/// Selectors that must all match.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct GroupClusterSelector {
    /// By label.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<kubernetes::LabelSelector>", extend("x-kubernetes-map-type" = "atomic"))]
    pub label_selector: Option<LabelSelector>,
    /// By claim.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub claim_selector: Option<ClusterClaimSelector>,
}

/// Observed state of a Placement.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct PlacementStatus {
    /// How many clusters were chosen.
    #[schemars(schema_with = "field_schema::plain_int32")]
    pub number_of_selected_clusters: i32,
    /// The groups, in order.
    #[serde(deserialize_with = "null_as_empty")]
    #[schemars(schema_with = "decision_group_statuses")]
    pub decision_groups: Vec<DecisionGroupStatus>,
    /// `PlacementSatisfied` and `PlacementMisconfigured`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(schema_with = "field_schema::conditions")]
    pub conditions: Vec<Condition>,
    /// When scores were last read. No controller sets it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "field_schema::plain_time")]
    pub last_score_update_time: Option<Time>,
}

fn null_as_empty<'de, D, T>(from: D) -> Result<Vec<T>, D::Error>
where
    D: serde::Deserializer<'de>,
    T: Deserialize<'de>,
{
    Option::<Vec<T>>::deserialize(from).map(Option::unwrap_or_default)
}

/// Observed state of one group.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct DecisionGroupStatus {
    /// Index of the group, from 0.
    #[schemars(schema_with = "field_schema::plain_int32")]
    pub decision_group_index: i32,
    /// Name of the group; empty for an unnamed group.
    #[schemars(schema_with = "field_schema::plain_string")]
    pub decision_group_name: String,
    /// Names of the PlacementDecisions of the group.
    #[schemars(schema_with = "field_schema::plain_strings")]
    pub decisions: Vec<String>,
    /// Number of clusters in the group.
    #[serde(rename = "clusterCount")]
    #[schemars(schema_with = "field_schema::zero_int32")]
    pub clusters_count: i32,
}

/// Represents up to 100 chosen clusters of one group. It has no spec.
#[derive(CustomResource, Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[kube(
    group = "cluster.open-cluster-management.io",
    version = "v1beta1",
    kind = "PlacementDecision",
    plural = "placementdecisions",
    namespaced,
    status = "PlacementDecisionStatus",
    derive = "PartialEq",
    derive = "Default"
)]
#[serde(default)]
pub struct PlacementDecisionSpec {}

/// The chosen clusters.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PlacementDecisionStatus {
    /// The chosen clusters, by name; at most 100.
    #[serde(default, deserialize_with = "null_as_empty")]
    #[schemars(schema_with = "decisions")]
    pub decisions: Vec<ClusterDecision>,
}

/// One chosen cluster.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ClusterDecision {
    /// Name of the cluster.
    pub cluster_name: String,
    /// Why it was chosen; upstream leaves it empty.
    #[serde(default)]
    #[schemars(schema_with = "field_schema::required_string")]
    pub reason: String,
    /// Its score; upstream omits it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<i64>,
}

/// `status.decisionGroups`.
fn decision_group_statuses(generator: &mut SchemaGenerator) -> Schema {
    let items = generator.subschema_for::<DecisionGroupStatus>();
    json_schema!({ "type": "array", "items": items })
}

/// `status.decisions` of a PlacementDecision.
fn decisions(generator: &mut SchemaGenerator) -> Schema {
    let items = generator.subschema_for::<ClusterDecision>();
    json_schema!({ "type": "array", "items": items, "id": "required" })
}

/// `groupClusterSelector`.
fn group_cluster_selector(generator: &mut SchemaGenerator) -> Schema {
    field_schema::required::<GroupClusterSelector>(generator)
}

/// `scoreCoordinate`.
fn score_coordinate(generator: &mut SchemaGenerator) -> Schema {
    field_schema::required::<ScoreCoordinate>(generator)
}
