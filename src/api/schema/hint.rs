//! Schemas of single members, where the Rust type does not say what upstream's CRD says: enums, patterns, bounds, defaults.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use crate::api::condition::Condition;
use crate::api::ocm::cluster_management_addon::{InstallStrategy, PlacementStrategy};
use crate::api::ocm::config_reference::{ConfigReference, GroupResource};
use crate::api::ocm::managed_cluster_set::ManagedClusterSelector;
use crate::api::ocm::placement::DecisionGroupStatus;
use crate::api::ocm::rollout_strategy::RolloutStrategy;
use crate::api::ocm::v1alpha1::ConfigMeta;

/// `1`, `10%` and the like, as upstream's pattern has it.
const THRESHOLD: &str = r"^((100|[0-9]{1,2})%|[0-9]+)$";
const LABEL_KEY: &str =
    r"^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$";
const TOPOLOGY_KEY: &str =
    r"^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$";
const SIGNER: &str = r"^([a-z0-9][a-z0-9-]*[a-z0-9]\.)+[a-z]+\/[a-z0-9-\.]+$";
const DNS_NAME: &str = r"^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*)$";
const DNS_LABEL: &str = r"^[a-z0-9]([-a-z0-9]*[a-z0-9])?$";
const CONTAINER_ID: &str = r"^(deployments|daemonsets|statefulsets|replicasets|jobs|cronjobs|pods|\*):.+:.+$";

macro_rules! hints {
    ($($(#[$doc:meta])* $name:ident => $schema:tt;)*) => {
        $($(#[$doc])* pub fn $name(_: &mut SchemaGenerator) -> Schema { json_schema!($schema) })*
    };
}

hints! {
    /// A string without a default.
    plain_string => { "type": "string" };
    /// A list of strings without a default.
    plain_strings => { "type": "array", "items": { "type": "string" } };
    /// A boolean without a default.
    plain_bool => { "type": "boolean" };
    /// A 32-bit integer without a default.
    plain_int32 => { "type": "integer", "format": "int32" };
    /// A 32-bit integer that is 0 unless given.
    zero_int32 => { "type": "integer", "format": "int32", "default": 0 };
    /// A string that is not empty.
    min_one => { "type": "string", "minLength": 1 };
    /// `minSuccessTime`.
    min_success_time => { "type": "string", "default": "0" };
    /// `progressDeadline`.
    progress_deadline => { "type": "string", "default": "None", "pattern": r"^(([0-9])+[h|m|s])|None$" };
    /// `maxFailures`.
    max_failures => { "anyOf": [{ "type": "integer" }, { "type": "string" }], "x-kubernetes-int-or-string": true, "default": 0, "pattern": THRESHOLD };
    /// `maxConcurrency`.
    threshold => { "anyOf": [{ "type": "integer" }, { "type": "string" }], "x-kubernetes-int-or-string": true, "pattern": THRESHOLD };
    /// `clustersPerDecisionGroup`.
    clusters_per_group => { "anyOf": [{ "type": "integer" }, { "type": "string" }], "x-kubernetes-int-or-string": true, "default": "100%", "pattern": r"^((100|[1-9][0-9]{0,1})%|[1-9][0-9]*)$" };
    /// `rolloutStrategy.type`.
    rollout_type => { "type": "string", "enum": ["All", "Progressive", "ProgressivePerGroup"], "default": "All" };
    /// `installStrategy.type`.
    install_type => { "type": "string", "enum": ["Manual", "Placements"], "default": "Manual" };
    /// `registrations[].type` of ManagedClusterAddOn.
    registration_type => { "type": "string", "enum": ["kubeClient", "customSigner"] };
    /// `registration[].type` of AddOnTemplate.
    template_registration_type => { "type": "string", "enum": ["KubeClient", "CustomSigner"] };
    /// `hubPermissions[].type`.
    hub_permission_type => { "type": "string", "enum": ["CurrentCluster", "SingleNamespace"] };
    /// `kubeClient.driver`.
    client_driver => { "type": "string", "enum": ["csr", "token"] };
    /// `signerName`.
    signer_name => { "type": "string", "minLength": 5, "maxLength": 571, "pattern": SIGNER };
    /// `healthCheck.mode`.
    health_mode => { "type": "string", "enum": ["Lease", "Customized"], "default": "Lease" };
    /// `agentInstallNamespace`.
    agent_install_namespace => { "type": "string", "maxLength": 63, "default": "open-cluster-management-agent-addon", "pattern": r"^([a-z0-9]([-a-z0-9]*[a-z0-9])?)?$" };
    /// `installNamespace` of v1alpha1.
    install_namespace => { "type": "string", "maxLength": 63, "default": "open-cluster-management-agent-addon", "pattern": DNS_LABEL };
    /// `customizedVariables[].value`.
    variable_value => { "type": "string", "maxLength": 1024 };
    /// `resourceRequirements[].containerID`.
    container_id => { "type": "string", "pattern": CONTAINER_ID };
    /// Bytes in base64.
    ca_bundle => { "type": "string", "format": "byte" };
    /// `deleteOption.propagationPolicy`.
    propagation_policy => { "type": "string", "enum": ["Foreground", "Orphan", "SelectivelyOrphan"], "default": "Foreground" };
    /// `feedbackScrapeType`.
    feedback_scrape_type => { "type": "string", "enum": ["Poll", "Watch"], "default": "Poll" };
    /// `feedbackRules[].type`.
    feedback_type => { "type": "string", "enum": ["WellKnownStatus", "JSONPaths"] };
    /// `updateStrategy.type`.
    update_strategy_type => { "type": "string", "enum": ["Update", "CreateOnly", "ServerSideApply", "ReadOnly"], "default": "Update" };
    /// `serverSideApply.fieldManager`.
    work_field_manager => { "type": "string", "default": "work-agent", "pattern": "^work-agent" };
    /// `ignoreFields[].condition`.
    ignore_condition => { "type": "string", "enum": ["OnSpokePresent", "OnSpokeChange"], "default": "OnSpokePresent" };
    /// `conditionRules[].type`.
    condition_rule_type => { "type": "string", "enum": ["WellKnownConditions", "CEL"] };
    /// `executor.subject.type`.
    executor_type => { "type": "string", "enum": ["ServiceAccount"] };
    /// A DNS subdomain.
    dns_name => { "type": "string", "minLength": 1, "maxLength": 253, "pattern": DNS_NAME };
    /// A DNS label.
    dns_label => { "type": "string", "maxLength": 63, "pattern": DNS_LABEL };
    /// `fieldValue.type`.
    field_value_type => { "type": "string", "enum": ["Integer", "String", "Boolean", "JsonRaw"] };
    /// `fieldValue.jsonRaw`.
    json_raw => { "type": "string", "maxLength": 1024 };
    /// Manifests, of which nothing is pruned.
    manifests => { "type": "array", "items": { "type": "object", "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true } };
    /// `leaseDurationSeconds`.
    lease_duration => { "type": "integer", "format": "int32", "default": 60 };
    /// A key of a taint.
    label_key => { "type": "string", "maxLength": 316, "pattern": LABEL_KEY };
    /// A value of a taint.
    taint_value => { "type": "string", "maxLength": 1024 };
    /// An effect of a taint.
    taint_effect => { "type": "string", "enum": ["NoSelect", "PreferNoSelect", "NoSelectIfNew"] };
    /// A time that may be null.
    nullable_time => { "type": "string", "format": "date-time", "nullable": true };
    /// `clusterClaims[].name`.
    claim_name => { "type": "string", "minLength": 1, "maxLength": 253 };
    /// `clusterClaims[].value`.
    claim_value => { "type": "string", "minLength": 1, "maxLength": 1024 };
    /// `clusterSelector.selectorType`.
    selector_type => { "type": "string", "enum": ["ExclusiveClusterSetLabel", "LabelSelector"], "default": "ExclusiveClusterSetLabel" };
    /// `sortBy`.
    sort_by => { "type": "string", "enum": ["ClusterName", "Score"], "default": "ClusterName" };
    /// `scoreRateLimit`.
    score_rate_limit => { "type": "string", "default": "1m", "pattern": "^[0-9]+[hms]$" };
    /// `prioritizerPolicy.mode`.
    prioritizer_mode => { "type": "string", "default": "Additive" };
    /// `configurations[].weight`.
    weight => { "type": "integer", "format": "int32", "default": 1, "minimum": -10, "maximum": 10 };
    /// `scoreCoordinate.type`.
    score_type => { "type": "string", "enum": ["BuiltIn", "AddOn"], "default": "BuiltIn" };
    /// `topologyKey`.
    topology_key => { "type": "string", "maxLength": 316, "pattern": TOPOLOGY_KEY };
    /// `topologyKeyType`.
    topology_key_type => { "type": "string", "enum": ["Label", "Claim"] };
    /// `maxSkew`.
    max_skew => { "type": "integer", "format": "int32", "default": 1, "minimum": 1 };
    /// `whenUnsatisfiable`.
    when_unsatisfiable => { "type": "string", "enum": ["DoNotSchedule", "ScheduleAnyway"], "default": "ScheduleAnyway" };
    /// `tolerations[].operator`.
    toleration_operator => { "type": "string", "default": "Equal" };
    /// `decisionGroups[].groupName`.
    group_name => { "type": "string", "pattern": "^[a-zA-Z0-9][-A-Za-z0-9_.]{0,61}[a-zA-Z0-9]$" };
}

/// Takes away the default that a Rust type has and upstream's CRD has not: filled in, it would change spec hashes.
pub fn without_default(schema: &mut Schema) {
    schema.remove("default");
}

fn list_map<T: JsonSchema>(generator: &mut SchemaGenerator, keys: &[&str]) -> Schema {
    let items = generator.subschema_for::<T>();
    json_schema!({ "type": "array", "items": items, "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": keys })
}

fn with_default<T: JsonSchema>(generator: &mut SchemaGenerator, default: serde_json::Value) -> Schema {
    let mut schema = T::json_schema(generator);
    schema.insert("default".to_owned(), default);
    schema
}

/// Conditions, keyed by their type.
pub fn conditions(generator: &mut SchemaGenerator) -> Schema {
    list_map::<Condition>(generator, &["type"])
}

/// `defaultConfigs`.
pub fn default_configs(generator: &mut SchemaGenerator) -> Schema {
    list_map::<ConfigReference>(generator, &["group", "resource"])
}

/// `status.supportedConfigs`.
pub fn supported_configs(generator: &mut SchemaGenerator) -> Schema {
    list_map::<GroupResource>(generator, &["group", "resource"])
}

/// `spec.supportedConfigs` of v1alpha1.
pub fn supported_configs_v1alpha1(generator: &mut SchemaGenerator) -> Schema {
    list_map::<ConfigMeta>(generator, &["group", "resource"])
}

/// `installStrategy.placements`.
pub fn placement_strategies(generator: &mut SchemaGenerator) -> Schema {
    list_map::<PlacementStrategy>(generator, &["namespace", "name"])
}

/// `installStrategy`, which is Manual unless given.
pub fn install_strategy(generator: &mut SchemaGenerator) -> Schema {
    with_default::<InstallStrategy>(generator, serde_json::json!({ "type": "Manual" }))
}

/// `rolloutStrategy`, which is All unless given.
pub fn rollout_strategy(generator: &mut SchemaGenerator) -> Schema {
    with_default::<RolloutStrategy>(generator, serde_json::json!({ "type": "All" }))
}

/// `clusterSelector`, which goes by the set's label unless given.
pub fn cluster_selector(generator: &mut SchemaGenerator) -> Schema {
    with_default::<ManagedClusterSelector>(generator, serde_json::json!({ "selectorType": "ExclusiveClusterSetLabel" }))
}

/// `status.decisionGroups`.
pub fn decision_group_statuses(generator: &mut SchemaGenerator) -> Schema {
    let items = generator.subschema_for::<DecisionGroupStatus>();
    json_schema!({ "type": "array", "items": items })
}
