//! Validation of the OCM kinds by their schemas, with every cause; and pruning and defaulting.

use serde_json::{Value, json};

use super::support::*;

const ADDONS: &str = "/apis/addon.open-cluster-management.io/v1alpha1/clustermanagementaddons";
const WORKS: &str = "/apis/work.open-cluster-management.io/v1/namespaces/default/manifestworks";
const PLACEMENTS: &str = "/apis/cluster.open-cluster-management.io/v1beta1/namespaces/default/placements";
const CONFIGS: &str = "/apis/addon.open-cluster-management.io/v1alpha1/namespaces/default/addondeploymentconfigs";
const SETS: &str = "/apis/work.open-cluster-management.io/v1alpha1/namespaces/default/manifestworkreplicasets";
const PROFILES: &str = "/apis/multicluster.x-k8s.io/v1alpha1/namespaces/default/clusterprofiles";
const CLAIMS: &str = "/apis/cluster.open-cluster-management.io/v1alpha1/clusterclaims";

/// The reason, field and message of a cause.
type Told<'c> = (&'c str, &'c str, &'c str);

const UNASKED: Told = (
    "FieldValueInvalid",
    "<nil>",
    "Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors \
     to complete validation",
);

fn named(spec: Value) -> Value {
    json!({ "metadata": { "name": "a" }, "spec": spec })
}

fn causes(refused: &Answer) -> Vec<Told<'_>> {
    fn text<'c>(cause: &'c Value, name: &str) -> &'c str {
        cause[name].as_str().unwrap_or_default()
    }
    let causes = refused.body["details"]["causes"].as_array().into_iter().flatten();
    causes.map(|cause| (text(cause, "reason"), text(cause, "field"), text(cause, "message"))).collect()
}

#[tokio::test]
async fn every_error_has_the_causes_of_a_real_server() {
    let hub = hub();
    let long = "x".repeat(1025);
    let rollout = |strategy: Value| {
        let placement = json!({ "name": "p", "namespace": "n", "rolloutStrategy": strategy });
        named(json!({ "installStrategy": { "type": "Placements", "placements": [placement] } }))
    };
    let cases: Vec<(&str, Value, Vec<Told>)> = vec![
        (
            CLUSTERS,
            named(json!({ "hubAcceptsClient": "yes", "leaseDurationSeconds": "60" })),
            vec![
                (
                    "FieldValueTypeInvalid",
                    "spec.hubAcceptsClient",
                    r#"Invalid value: "string": spec.hubAcceptsClient in body must be of type boolean: "string""#,
                ),
                (
                    "FieldValueTypeInvalid",
                    "spec.leaseDurationSeconds",
                    r#"Invalid value: "string": spec.leaseDurationSeconds in body must be of type integer: "string""#,
                ),
            ],
        ),
        (
            CLUSTERS,
            named(json!({ "leaseDurationSeconds": true })),
            vec![(
                "FieldValueTypeInvalid",
                "spec.leaseDurationSeconds",
                r#"Invalid value: "": spec.leaseDurationSeconds in body must be of type int32: """#,
            )],
        ),
        (
            CLUSTERS,
            named(json!({ "leaseDurationSeconds": 1.5 })),
            vec![
                (
                    "FieldValueTypeInvalid",
                    "spec.leaseDurationSeconds",
                    r#"Invalid value: "float64": spec.leaseDurationSeconds in body must be of type int32: "float64""#,
                ),
                (
                    "FieldValueInvalid",
                    "<nil>",
                    r#"Invalid value: "": Checked value must be of type integer with format int32 in spec.leaseDurationSeconds"#,
                ),
            ],
        ),
        (
            CLUSTERS,
            named(json!({ "leaseDurationSeconds": 3_000_000_000_u64 })),
            vec![(
                "FieldValueInvalid",
                "<nil>",
                r#"Invalid value: "": Checked value must be of type integer with format int32 in spec.leaseDurationSeconds"#,
            )],
        ),
        (
            CLUSTERS,
            named(json!({ "taints": [{ "key": "a b", "effect": "Never", "value": long, "timeAdded": "soon" }] })),
            vec![
                (
                    "FieldValueNotSupported",
                    "spec.taints[0].effect",
                    r#"Unsupported value: "Never": supported values: "NoSelect", "PreferNoSelect", "NoSelectIfNew""#,
                ),
                (
                    "FieldValueInvalid",
                    "spec.taints[0].key",
                    r#"Invalid value: "a b": spec.taints[0].key in body should match '^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$'"#,
                ),
                (
                    "FieldValueTypeInvalid",
                    "spec.taints[0].timeAdded",
                    r#"Invalid value: "soon": spec.taints[0].timeAdded in body must be of type date-time: "soon""#,
                ),
                ("FieldValueTooLong", "spec.taints[0].value", "Too long: may not be more than 1024 bytes"),
            ],
        ),
        (
            CLUSTERS,
            named(json!({ "taints": [{}] })),
            vec![
                ("FieldValueRequired", "spec.taints[0].effect", "Required value"),
                ("FieldValueRequired", "spec.taints[0].key", "Required value"),
            ],
        ),
        (
            CLUSTERS,
            named(json!([])),
            vec![(
                "FieldValueTypeInvalid",
                "spec",
                r#"Invalid value: "array": spec in body must be of type object: "array""#,
            )],
        ),
        (ADDONS, json!({ "metadata": { "name": "a" } }), vec![("FieldValueRequired", "spec", "Required value")]),
        (
            ADDONS,
            rollout(json!({ "type": "All", "all": { "maxFailures": true } })),
            vec![
                (
                    "FieldValueTypeInvalid",
                    "spec.installStrategy.placements[0].rolloutStrategy.all.maxFailures",
                    r#"Invalid value: "boolean": spec.installStrategy.placements[0].rolloutStrategy.all.maxFailures in body must be of type integer,string: "boolean""#,
                ),
                (
                    "FieldValueInvalid",
                    "<nil>",
                    r#"Invalid value: "": "spec.installStrategy.placements[0].rolloutStrategy.all.maxFailures" must validate at least one schema (anyOf)"#,
                ),
                (
                    "FieldValueTypeInvalid",
                    "spec.installStrategy.placements[0].rolloutStrategy.all.maxFailures",
                    r#"Invalid value: "boolean": spec.installStrategy.placements[0].rolloutStrategy.all.maxFailures in body must be of type integer: "boolean""#,
                ),
            ],
        ),
        (
            ADDONS,
            rollout(json!({ "type": "All", "all": { "maxFailures": "101%" } })),
            vec![(
                "FieldValueInvalid",
                "spec.installStrategy.placements[0].rolloutStrategy.all.maxFailures",
                r#"Invalid value: "101%": spec.installStrategy.placements[0].rolloutStrategy.all.maxFailures in body should match '^((100|[0-9]{1,2})%|[0-9]+)$'"#,
            )],
        ),
        (
            ADDONS,
            named(
                json!({ "supportedConfigs": [{ "group": "g", "resource": "r" }, { "group": "g", "resource": "r" }, { "resource": "" }] }),
            ),
            vec![
                (
                    "FieldValueInvalid",
                    "spec.supportedConfigs[2].resource",
                    r#"Invalid value: "": spec.supportedConfigs[2].resource in body should be at least 1 chars long"#,
                ),
                ("FieldValueDuplicate", "spec.supportedConfigs[1]", r#"Duplicate value: {"group":"g","resource":"r"}"#),
            ],
        ),
        (
            WORKS,
            named(
                json!({ "workload": { "manifests": [{ "metadata": { "name": "x" } }, { "apiVersion": "", "kind": 1 }] } }),
            ),
            vec![
                ("FieldValueRequired", "spec.workload.manifests[0].apiVersion", "Required value"),
                ("FieldValueRequired", "spec.workload.manifests[0].kind", "Required value"),
                (
                    "FieldValueInvalid",
                    "spec.workload.manifests[1].apiVersion",
                    r#"Invalid value: "": must not be empty"#,
                ),
                ("FieldValueInvalid", "spec.workload.manifests[1].kind", "Invalid value: 1: must be a string"),
                UNASKED,
            ],
        ),
        (
            WORKS,
            named(
                json!({ "manifestConfigs": [{ "resourceIdentifier": { "name": "x", "resource": "y" }, "feedbackRules": [{ "type": "Nothing" }] }] }),
            ),
            vec![
                (
                    "FieldValueNotSupported",
                    "spec.manifestConfigs[0].feedbackRules[0].type",
                    r#"Unsupported value: "Nothing": supported values: "WellKnownStatus", "JSONPaths""#,
                ),
                UNASKED,
            ],
        ),
        (
            PLACEMENTS,
            named(
                json!({ "spreadPolicy": { "spreadConstraints": (0..9).map(|n| json!({ "topologyKey": format!("k{n}"), "topologyKeyType": "Label" })).collect::<Vec<_>>() } }),
            ),
            vec![(
                "FieldValueTooMany",
                "spec.spreadPolicy.spreadConstraints",
                "Too many: 9: must have at most 8 items",
            )],
        ),
        (
            SETS,
            named(json!({ "placementRefs": [] })),
            vec![(
                "FieldValueInvalid",
                "spec.placementRefs",
                "Invalid value: 0: spec.placementRefs in body should have at least 1 items",
            )],
        ),
        (
            PROFILES,
            json!({ "metadata": { "name": "a" } }),
            vec![("FieldValueRequired", "spec", "Required value"), UNASKED],
        ),
        (
            CLAIMS,
            named(json!({ "value": "" })),
            vec![(
                "FieldValueInvalid",
                "spec.value",
                r#"Invalid value: "": spec.value in body should be at least 1 chars long"#,
            )],
        ),
        (
            CONFIGS,
            named(json!({ "customizedVariables": [{ "name": "1a", "value": 1 }], "agentInstallNamespace": "UP" })),
            vec![
                (
                    "FieldValueInvalid",
                    "spec.agentInstallNamespace",
                    r#"Invalid value: "UP": spec.agentInstallNamespace in body should match '^([a-z0-9]([-a-z0-9]*[a-z0-9])?)?$'"#,
                ),
                (
                    "FieldValueInvalid",
                    "spec.customizedVariables[0].name",
                    r#"Invalid value: "1a": spec.customizedVariables[0].name in body should match '^[a-zA-Z_][_a-zA-Z0-9]*$'"#,
                ),
                (
                    "FieldValueTypeInvalid",
                    "spec.customizedVariables[0].value",
                    r#"Invalid value: "integer": spec.customizedVariables[0].value in body must be of type string: "integer""#,
                ),
            ],
        ),
    ];
    for (path, body, expected) in cases {
        let refused = ask(&hub, "POST", path, body.clone()).await;
        assert_eq!(refused.refusal(), (422, "Invalid"), "{body}: {:?}", refused.body);
        assert_eq!(causes(&refused), expected, "{body}");
    }
}

#[tokio::test]
async fn a_status_is_validated_like_a_separate_object() {
    let hub = hub();
    ask(&hub, "POST", CLUSTERS, cluster("a")).await;
    let condition = json!({ "type": "T", "status": "Maybe", "reason": "", "message": "m", "lastTransitionTime": "2026-08-11T12:00:00Z" });
    let patch = json!({ "status": { "conditions": [condition, { "type": "T" }] } });
    let refused = ask(&hub, "PATCH merge", &format!("{CLUSTERS}/a/status"), patch).await;
    let required =
        |name: &str| ("FieldValueRequired", format!("status.conditions[1].{name}"), "Required value".to_owned());
    let mut expected = vec![
        (
            "FieldValueInvalid",
            "status.conditions[0].reason".to_owned(),
            r#"Invalid value: "": conditions[0].reason in body should be at least 1 chars long"#.to_owned(),
        ),
        (
            "FieldValueNotSupported",
            "status.conditions[0].status".to_owned(),
            r#"Unsupported value: "Maybe": supported values: "True", "False", "Unknown""#.to_owned(),
        ),
    ];
    expected.extend(["lastTransitionTime", "message", "reason", "status"].map(required));
    expected.push((
        "FieldValueDuplicate",
        "status.conditions[1]".to_owned(),
        r#"Duplicate value: {"type":"T"}"#.to_owned(),
    ));
    let found: Vec<_> = causes(&refused).into_iter().map(|(r, f, m)| (r, f.to_owned(), m.to_owned())).collect();
    assert_eq!(found, expected, "{:?}", refused.body);
}

#[tokio::test]
async fn accepted_objects_are_pruned_and_defaulted() {
    let hub = hub();
    let metadata = json!({ "name": "x", "creationTimestamp": null, "labels": {}, "odd": 1 });
    let written = json!({ "apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata });
    let kept = json!({ "apiVersion": "v1", "kind": "ConfigMap", "metadata": { "name": "x" } });
    let manifest =
        json!({ "apiVersion": "v1", "kind": "ConfigMap", "metadata": { "name": "x" }, "data": { "a": null } });
    let cases = [
        (WORKS, json!({ "workload": { "manifests": [written] } }), json!({ "workload": { "manifests": [kept] } })),
        (
            CLUSTERS,
            json!({ "taints": [{ "key": "a", "effect": "NoSelect", "timeAdded": null, "value": null }] }),
            json!({ "leaseDurationSeconds": 60, "taints": [{ "key": "a", "effect": "NoSelect", "timeAdded": null }] }),
        ),
        (
            CLUSTERS,
            json!({ "leaseDurationSeconds": null, "nosuch": { "a": 1 }, "managedClusterClientConfigs": [{ "url": "u", "x": 1 }] }),
            json!({ "leaseDurationSeconds": 60, "managedClusterClientConfigs": [{ "url": "u" }] }),
        ),
        (WORKS, json!({ "workload": { "manifests": [manifest] } }), json!({ "workload": { "manifests": [manifest] } })),
        (
            WORKS,
            json!({ "deleteOption": {}, "executor": { "subject": { "type": "ServiceAccount", "serviceAccount": { "name": "n", "namespace": "m", "x": 1 } } } }),
            json!({ "deleteOption": { "propagationPolicy": "Foreground" }, "executor": { "subject": { "type": "ServiceAccount", "serviceAccount": { "name": "n", "namespace": "m" } } } }),
        ),
        (
            SETS,
            json!({ "placementRefs": [{ "name": "p" }] }),
            json!({ "cascadeDeletionPolicy": "Background", "placementRefs": [{ "name": "p", "rolloutStrategy": { "type": "All", "all": { "maxFailures": 0, "minSuccessTime": "0", "progressDeadline": "None" } } }] }),
        ),
    ];
    for (index, (path, spec, stored)) in cases.into_iter().enumerate() {
        let body = json!({ "metadata": { "name": format!("a{index}") }, "spec": spec });
        let taken = ask(&hub, "POST", path, body).await;
        assert_eq!(taken.code, 201, "{:?}", taken.body);
        assert_eq!(taken.body["spec"], stored);
    }
}

#[tokio::test]
async fn every_kind_accepts_valid_objects_and_refuses_invalid_ones() {
    let hub = hub();
    let cluster = "/apis/cluster.open-cluster-management.io";
    let cases = [
        (
            format!("{cluster}/v1beta2/managedclustersets"),
            "ManagedClusterSet",
            json!({}),
            json!({ "clusterSelector": { "selectorType": "Odd" } }),
        ),
        (
            format!("{cluster}/v1beta2/namespaces/default/managedclustersetbindings"),
            "ManagedClusterSetBinding",
            json!({ "clusterSet": "a" }),
            json!({ "clusterSet": "" }),
        ),
        (
            "/apis/addon.open-cluster-management.io/v1beta1/addontemplates".to_owned(),
            "AddOnTemplate",
            json!({ "addonName": "a", "agentSpec": {} }),
            json!({ "agentSpec": {} }),
        ),
        (
            "/apis/addon.open-cluster-management.io/v1beta1/namespaces/default/managedclusteraddons".to_owned(),
            "ManagedClusterAddOn",
            json!({ "configs": [{ "resource": "r", "name": "n" }] }),
            json!({ "configs": [{ "resource": "r" }] }),
        ),
        (
            "/apis/addon.open-cluster-management.io/v1alpha1/namespaces/default/managedclusteraddons".to_owned(),
            "ManagedClusterAddOn",
            json!({ "installNamespace": "a" }),
            json!({ "installNamespace": "-a" }),
        ),
        (
            "/apis/work.open-cluster-management.io/v1/appliedmanifestworks".to_owned(),
            "AppliedManifestWork",
            json!({ "hubHash": "h", "manifestWorkName": "w" }),
            json!({ "hubHash": "h" }),
        ),
        (
            format!("{cluster}/v1beta1/namespaces/default/placements"),
            "Placement",
            json!({ "numberOfClusters": 1 }),
            json!({ "numberOfClusters": "1" }),
        ),
    ];
    for (index, (path, kind, right, wrong)) in cases.into_iter().enumerate() {
        let segments: Vec<&str> = path.split('/').collect();
        let object = |spec: &Value| {
            json!({
                "apiVersion": segments[2..4].join("/"), "kind": kind, "metadata": { "name": format!("a{index}") }, "spec": spec,
            })
        };
        let refused = ask(&hub, "POST", &path, object(&wrong)).await;
        assert_eq!(refused.refusal(), (422, "Invalid"), "{kind}: {:?}", refused.body);
        let taken = ask(&hub, "POST", &path, object(&right)).await;
        assert_eq!(taken.code, 201, "{kind}: {:?}", taken.body);
    }
}
