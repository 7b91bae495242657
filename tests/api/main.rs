//! Tests of the public API of `api`: conversion between versions, schemas and the CRDs.

#![expect(clippy::unwrap_used, reason = "a test that panics is a test that fails")]

mod builtin;
mod crds;
mod defaults;
#[cfg(feature = "kubernetes-schemas")]
mod kubernetes_schemas;

#[path = "../support/root.rs"]
mod root;
mod work_name;

use serde_json::{Value, json};
use tidegate_api::ocm::convert::{AddonVersion, convert};
use tidegate_api::ocm::crds as definitions;
use tidegate_api::schema::check::{Violation, violations};
use tidegate_api::schema::{Schema, defaulting, pruning};

fn schema(kind: &str, version: &str) -> Schema {
    let crd = definitions::all().unwrap().into_iter().find(|crd| crd.spec.names.kind == kind).unwrap();
    let version = crd.spec.versions.into_iter().find(|v| v.name == version).unwrap();
    Schema::compile(&serde_json::to_value(version.schema.unwrap().open_api_v3_schema.unwrap()).unwrap())
}

fn addon(version: &str, spec: Value) -> Value {
    json!({ "apiVersion": format!("addon.open-cluster-management.io/{version}"), "kind": "ClusterManagementAddOn", "metadata": { "name": "x" }, "spec": spec })
}

#[test]
fn supported_configs_become_default_configs_and_back() {
    let alpha = addon(
        "v1alpha1",
        json!({ "supportedConfigs": [
            { "group": "g", "resource": "r" },
            { "group": "g", "resource": "r2", "defaultConfig": { "namespace": "m", "name": "n" } },
        ], "nobodyKnows": 1 }),
    );
    let mut object = alpha.clone();
    convert(&mut object, AddonVersion::V1Beta1);
    let expected = json!([
        { "group": "g", "resource": "r", "name": "__reserved_no_default__" },
        { "group": "g", "resource": "r2", "namespace": "m", "name": "n" },
    ]);
    assert_eq!(object["spec"]["defaultConfigs"], expected);
    assert_eq!(object["apiVersion"], "addon.open-cluster-management.io/v1beta1");
    convert(&mut object, AddonVersion::V1Alpha1);
    assert_eq!(object, alpha, "an unknown field survives the round trip");
}

#[test]
fn registrations_and_the_driver_are_converted_and_back() {
    let alpha = json!({
        "apiVersion": "addon.open-cluster-management.io/v1alpha1", "kind": "ManagedClusterAddOn",
        "metadata": { "name": "x", "namespace": "c" },
        "spec": { "installNamespace": "ns" },
        "status": {
            "kubeClientDriver": "token",
            "configReferences": [{ "group": "g", "resource": "r", "name": "n", "desiredConfig": { "name": "n", "specHash": "h" } }],
            "registrations": [
                { "signerName": "kubernetes.io/kube-apiserver-client", "subject": { "user": "u", "groups": ["g"], "organizationUnit": ["o"] } },
                { "signerName": "ex.com/s", "subject": { "user": "u", "organizationUnit": ["o"] } },
            ],
        },
    });
    let mut object = alpha.clone();
    convert(&mut object, AddonVersion::V1Beta1);
    assert_eq!(object["metadata"]["annotations"]["addon.open-cluster-management.io/v1alpha1-install-namespace"], "ns");
    let expected = json!([
        { "type": "kubeClient", "kubeClient": { "subject": { "user": "u", "groups": ["g"] }, "driver": "token" } },
        { "type": "customSigner", "customSigner": { "signerName": "ex.com/s", "subject": { "user": "u", "organizationUnits": ["o"] } } },
    ]);
    assert_eq!(object["status"]["registrations"], expected);
    assert_eq!(object["status"]["configReferences"][0].get("name"), None);
    convert(&mut object, AddonVersion::V1Alpha1);
    assert_eq!(object["spec"]["installNamespace"], "ns");
    assert_eq!(object["status"]["kubeClientDriver"], "token");
    assert_eq!(object["status"]["configReferences"], alpha["status"]["configReferences"]);
    assert_eq!(object["status"]["registrations"][1], alpha["status"]["registrations"][1]);
}

#[test]
fn a_rollout_strategy_gets_the_upstream_defaults() {
    let mut object = addon(
        "v1beta1",
        json!({ "installStrategy": { "type": "Placements", "placements": [
            { "namespace": "n", "name": "a" },
            { "namespace": "n", "name": "b", "rolloutStrategy": { "type": "Progressive", "progressive": {} } },
        ] } }),
    );
    defaulting::fill(&mut object, &schema("ClusterManagementAddOn", "v1beta1"));
    let placements = &object["spec"]["installStrategy"]["placements"];
    assert_eq!(placements[0]["rolloutStrategy"], json!({ "type": "All" }));
    let progressive = json!({ "minSuccessTime": "0", "progressDeadline": "None", "maxFailures": 0 });
    assert_eq!(placements[1]["rolloutStrategy"]["progressive"], progressive);
}

#[test]
fn a_deployment_config_gets_the_default_namespace_unless_it_is_explicitly_empty() {
    let schema = schema("AddOnDeploymentConfig", "v1beta1");
    let mut absent = json!({ "spec": {} });
    defaulting::fill(&mut absent, &schema);
    assert_eq!(absent["spec"], json!({ "agentInstallNamespace": "open-cluster-management-agent-addon" }));
    let mut empty = json!({ "spec": { "agentInstallNamespace": "" } });
    defaulting::fill(&mut empty, &schema);
    assert_eq!(empty["spec"], json!({ "agentInstallNamespace": "" }));
}

#[test]
fn pruning_removes_unknown_fields_but_not_in_manifests() {
    let mut template = json!({
        "apiVersion": "v", "kind": "K", "metadata": { "name": "x" }, "stray": 1,
        "spec": { "addonName": "a", "stray": 1, "agentSpec": { "workload": { "manifests": [{ "kind": "Any", "own": { "deep": 1 } }] } } },
    });
    let pruned = json!({
        "apiVersion": "v", "kind": "K", "metadata": { "name": "x" },
        "spec": { "addonName": "a", "agentSpec": { "workload": { "manifests": [{ "kind": "Any", "own": { "deep": 1 } }] } } },
    });
    pruning::prune(&mut template, &schema("AddOnTemplate", "v1beta1"), true);
    assert_eq!(template, pruned);
}

#[test]
fn validation_errors_have_a_path() {
    let object = addon(
        "v1beta1",
        json!({ "defaultConfig": [], "installStrategy": { "type": "Placement", "placements": [
            { "namespace": "n", "name": "a", "rolloutStrategy": { "type": "Progresive", "progressive": { "maxConcurrency": "ten", "minSuccessTime": 5 } } },
            { "namespace": "n", "name": "a" },
            { "name": "b" },
        ] } }),
    );
    let found = violations(&object, &schema("ClusterManagementAddOn", "v1beta1"));
    let places: Vec<String> = found.iter().map(|(path, _)| path.to_string()).collect();
    let expected = [
        "spec.defaultConfig",
        "spec.installStrategy.placements[0].rolloutStrategy.progressive.maxConcurrency",
        "spec.installStrategy.placements[0].rolloutStrategy.progressive.minSuccessTime",
        "spec.installStrategy.placements[0].rolloutStrategy.type",
        "spec.installStrategy.placements[2].namespace",
        "spec.installStrategy.placements[1]",
        "spec.installStrategy.type",
    ];
    assert_eq!(places, expected);
    assert!(matches!(&found[0].1, Violation::Unknown { known } if known.contains(&"defaultConfigs".to_owned())));
    assert!(matches!(&found[2].1, Violation::Type { expected } if expected == "string"));
    assert!(matches!(&found[5].1, Violation::DuplicateKey { .. }));
}

#[test]
fn every_addon_kind_is_served_in_both_versions_and_stored_as_v1alpha1() {
    for crd in definitions::all().unwrap() {
        let versions: Vec<_> = crd.spec.versions.iter().map(|v| (v.name.as_str(), v.served, v.storage)).collect();
        if crd.spec.group == "addon.open-cluster-management.io" {
            assert_eq!(versions, [("v1alpha1", true, true), ("v1beta1", true, false)], "{:?}", crd.metadata.name);
        } else {
            assert_eq!(versions.len(), 1);
        }
    }
}
