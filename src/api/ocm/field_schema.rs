//! Schemas of single fields where the Rust type lacks details of upstream's CRD: enums, patterns, bounds, defaults.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

/// Keyword that carries a default of upstream's CRD through a generator that drops unknown keywords. The plain keyword
/// holds defaults that serde adds on its own; they are dropped.
pub(super) const DEFAULT: &str = "example";
/// Keyword that carries one of the marks below in the same way.
pub(super) const MARK: &str = "id";
/// Mark of a field that may be null. The `nullable` of every `Option` is dropped.
pub(super) const NULLABLE: &str = "nullable";
/// Mark of a field that upstream's CRD requires, although parsing here is lenient.
pub(super) const REQUIRED: &str = "required";

/// Upstream's pattern for values such as `1` and `10%`.
const THRESHOLD: &str = r"^((100|[0-9]{1,2})%|[0-9]+)$";
const LABEL_KEY: &str =
    r"^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$";
const TOPOLOGY_KEY: &str =
    r"^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$";
const SIGNER: &str = r"^([a-z0-9][a-z0-9-]*[a-z0-9]\.)+[a-z]+\/[a-z0-9-\.]+$";
const DNS_NAME: &str = r"^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*)$";
const DNS_LABEL: &str = r"^[a-z0-9]([-a-z0-9]*[a-z0-9])?$";
const CONTAINER_ID: &str = r"^(deployments|daemonsets|statefulsets|replicasets|jobs|cronjobs|pods|\*):.+:.+$";

macro_rules! field_schemas {
    ($($(#[$doc:meta])* $name:ident => $schema:tt;)*) => {
        $($(#[$doc])* pub(super) fn $name(_: &mut SchemaGenerator) -> Schema { json_schema!($schema) })*
    };
}

field_schemas! {
    /// A string without a default.
    plain_string => { "type": "string" };
    /// A list of strings without a default.
    plain_strings => { "type": "array", "items": { "type": "string" } };
    /// A boolean without a default.
    plain_bool => { "type": "boolean" };
    /// A 32-bit integer without a default.
    plain_int32 => { "type": "integer", "format": "int32" };
    /// An integer without a default and without a width.
    plain_integer => { "type": "integer" };
    /// A 32-bit integer that is 0 unless given.
    zero_int32 => { "type": "integer", "format": "int32", "example": 0 };
    /// A string that is not empty.
    min_one => { "type": "string", "minLength": 1 };
    /// `minSuccessTime`.
    min_success_time => { "type": "string", "example": "0" };
    /// `progressDeadline`.
    progress_deadline => { "type": "string", "example": "None", "pattern": r"^(([0-9])+[h|m|s])|None$" };
    /// `maxFailures`.
    max_failures => { "anyOf": [{ "type": "integer" }, { "type": "string" }], "x-kubernetes-int-or-string": true, "example": 0, "pattern": THRESHOLD };
    /// `maxConcurrency`.
    threshold => { "anyOf": [{ "type": "integer" }, { "type": "string" }], "x-kubernetes-int-or-string": true, "pattern": THRESHOLD };
    /// `clustersPerDecisionGroup`.
    clusters_per_group => { "anyOf": [{ "type": "integer" }, { "type": "string" }], "x-kubernetes-int-or-string": true, "example": "100%", "pattern": r"^((100|[1-9][0-9]{0,1})%|[1-9][0-9]*)$" };
    /// `rolloutStrategy.type`.
    rollout_type => { "type": "string", "enum": ["All", "Progressive", "ProgressivePerGroup"], "example": "All" };
    /// `installStrategy.type`.
    install_type => { "type": "string", "enum": ["Manual", "Placements"], "example": "Manual" };
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
    health_mode => { "type": "string", "enum": ["Lease", "Customized"], "example": "Lease" };
    /// `agentInstallNamespace`.
    agent_install_namespace => { "type": "string", "maxLength": 63, "example": "open-cluster-management-agent-addon", "pattern": r"^([a-z0-9]([-a-z0-9]*[a-z0-9])?)?$" };
    /// `installNamespace` of v1alpha1.
    install_namespace => { "type": "string", "maxLength": 63, "example": "open-cluster-management-agent-addon", "pattern": DNS_LABEL };
    /// `customizedVariables[].value`.
    variable_value => { "type": "string", "maxLength": 1024 };
    /// `resourceRequirements[].containerID`.
    container_id => { "type": "string", "pattern": CONTAINER_ID };
    /// Bytes in base64.
    ca_bundle => { "type": "string", "format": "byte" };
    /// `deleteOption.propagationPolicy`.
    propagation_policy => { "type": "string", "enum": ["Foreground", "Orphan", "SelectivelyOrphan"], "example": "Foreground" };
    /// `feedbackScrapeType`.
    feedback_scrape_type => { "type": "string", "enum": ["Poll", "Watch"], "example": "Poll" };
    /// `feedbackRules[].type`.
    feedback_type => { "type": "string", "enum": ["WellKnownStatus", "JSONPaths"] };
    /// `updateStrategy.type`.
    update_strategy_type => { "type": "string", "enum": ["Update", "CreateOnly", "ServerSideApply", "ReadOnly"], "example": "Update" };
    /// `serverSideApply.fieldManager`.
    work_field_manager => { "type": "string", "example": "work-agent", "pattern": "^work-agent" };
    /// `ignoreFields[].condition`.
    ignore_condition => { "type": "string", "enum": ["OnSpokePresent", "OnSpokeChange"], "example": "OnSpokePresent" };
    /// `conditionRules[].type`.
    condition_rule_type => { "type": "string", "enum": ["WellKnownConditions", "CEL"] };
    /// `executor.subject.type`.
    executor_type => { "type": "string", "enum": ["ServiceAccount"] };
    /// A required string.
    required_string => { "type": "string", "id": "required" };
    /// The API group of a configuration kind.
    group => { "type": "string", "example": "" };
    /// A DNS subdomain.
    dns_name => { "type": "string", "minLength": 1, "maxLength": 253, "pattern": DNS_NAME };
    /// A DNS label.
    dns_label => { "type": "string", "maxLength": 63, "pattern": DNS_LABEL };
    /// `fieldValue.type`.
    field_value_type => { "type": "string", "enum": ["Integer", "String", "Boolean", "JsonRaw"] };
    /// `fieldValue.jsonRaw`.
    json_raw => { "type": "string", "maxLength": 1024 };
    /// `cascadeDeletionPolicy`.
    cascade_policy => { "type": "string", "id": "required", "enum": ["Background", "Foreground"], "example": "Background" };
    /// An object whose fields are never pruned.
    open_object => { "type": "object", "x-kubernetes-preserve-unknown-fields": true };
    /// Manifests, whose fields are never pruned.
    manifests => { "type": "array", "items": { "type": "object", "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true } };
    /// `leaseDurationSeconds`.
    lease_duration => { "type": "integer", "format": "int32", "example": 60 };
    /// A key of a taint.
    label_key => { "type": "string", "maxLength": 316, "pattern": LABEL_KEY };
    /// A value of a taint.
    taint_value => { "type": "string", "maxLength": 1024 };
    /// An effect of a taint.
    taint_effect => { "type": "string", "enum": ["NoSelect", "PreferNoSelect", "NoSelectIfNew"] };
    /// A time that may be null.
    nullable_time => { "type": "string", "format": "date-time", "id": "nullable" };
    /// A time.
    plain_time => { "type": "string", "format": "date-time" };
    /// `scores[].value`.
    score_value => { "type": "integer", "format": "int32", "minimum": -100, "maximum": 100 };
    /// `clusterClaims[].name`.
    claim_name => { "type": "string", "minLength": 1, "maxLength": 253 };
    /// `clusterClaims[].value`.
    claim_value => { "type": "string", "minLength": 1, "maxLength": 1024 };
    /// `clusterSelector.selectorType`.
    selector_type => { "type": "string", "enum": ["ExclusiveClusterSetLabel", "LabelSelector"], "example": "ExclusiveClusterSetLabel" };
    /// `sortBy`.
    sort_by => { "type": "string", "enum": ["ClusterName", "Score"], "example": "ClusterName" };
    /// `scoreRateLimit`.
    score_rate_limit => { "type": "string", "example": "1m", "pattern": "^[0-9]+[hms]$" };
    /// `prioritizerPolicy.mode`.
    prioritizer_mode => { "type": "string", "example": "Additive" };
    /// `configurations[].weight`.
    weight => { "type": "integer", "format": "int32", "example": 1, "minimum": -10, "maximum": 10 };
    /// `scoreCoordinate.type`.
    score_type => { "type": "string", "id": "required", "enum": ["BuiltIn", "AddOn"], "example": "BuiltIn" };
    /// `topologyKey`.
    topology_key => { "type": "string", "maxLength": 316, "pattern": TOPOLOGY_KEY };
    /// `topologyKeyType`.
    topology_key_type => { "type": "string", "enum": ["Label", "Claim"] };
    /// `maxSkew`.
    max_skew => { "type": "integer", "format": "int32", "example": 1, "minimum": 1 };
    /// `whenUnsatisfiable`.
    when_unsatisfiable => { "type": "string", "enum": ["DoNotSchedule", "ScheduleAnyway"], "example": "ScheduleAnyway" };
    /// `tolerations[].operator`.
    toleration_operator => { "type": "string", "example": "Equal" };
    /// `decisionGroups[].groupName`.
    group_name => { "type": "string", "pattern": "^[a-zA-Z0-9][-A-Za-z0-9_.]{0,61}[a-zA-Z0-9]$" };
}

/// Removes a default that the Rust type has but upstream's CRD does not: filling it in would change spec hashes.
pub(super) fn without_default(schema: &mut Schema) {
    schema.remove("default");
}

/// A list of objects with unique keys.
pub(super) fn list_map<T: JsonSchema>(generator: &mut SchemaGenerator, keys: &[&str]) -> Schema {
    let items = generator.subschema_for::<T>();
    json_schema!({ "type": "array", "items": items, "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": keys })
}

/// A type with a default.
pub(super) fn with_default<T: JsonSchema>(generator: &mut SchemaGenerator, default: serde_json::Value) -> Schema {
    let mut schema = T::json_schema(generator);
    schema.insert(DEFAULT.to_owned(), default);
    schema
}

/// Conditions, keyed by their type, with the bounds of `metav1.Condition`.
pub(super) fn conditions(_: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "type": "array",
        "x-kubernetes-list-type": "map",
        "x-kubernetes-list-map-keys": ["type"],
        "items": condition(),
    })
}

/// Conditions as a plain list, as in ManagedClusterSet.
pub(super) fn plain_conditions(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "array", "items": condition() })
}

fn condition() -> serde_json::Value {
    serde_json::json!({
        "type": "object",
        "description": "One aspect of the state of an object.",
        "required": ["lastTransitionTime", "message", "reason", "status", "type"],
        "properties": {
            "lastTransitionTime": { "type": "string", "format": "date-time", "description": "When the status last changed." },
            "message": { "type": "string", "maxLength": 32768, "description": "Human-readable details." },
            "observedGeneration": { "type": "integer", "format": "int64", "minimum": 0, "description": "The generation that the condition is based on." },
            "reason": { "type": "string", "minLength": 1, "maxLength": 1024, "pattern": "^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$", "description": "The reason, in CamelCase." },
            "status": { "type": "string", "enum": ["True", "False", "Unknown"], "description": "True, False or Unknown." },
            "type": { "type": "string", "maxLength": 316, "pattern": LABEL_KEY, "description": "The aspect." },
        },
    })
}

/// A type that is required.
pub(super) fn required<T: JsonSchema>(generator: &mut SchemaGenerator) -> Schema {
    let mut schema = T::json_schema(generator);
    schema.insert(MARK.to_owned(), REQUIRED.into());
    schema
}

/// `manifests[].conditions`.
pub(super) fn required_conditions(generator: &mut SchemaGenerator) -> Schema {
    let mut schema = conditions(generator);
    schema.insert(MARK.to_owned(), REQUIRED.into());
    schema
}
