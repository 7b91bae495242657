//! Tests of what becomes of an add-on whose digest was rejected.

use serde_json::{Value, json};
use tidegate_model::followed::{LastGood, Rejection};
use tidegate_model::name::UnitName;
use tidegate_model::tree::Tree;
use tidegate_repository::{Repository, roll_back};

use super::fixture::{good, load_plain};

/// Returns the good repository, whose add-on has other manifests.
fn repository(manifests: &Value) -> Repository {
    let template = json!({
        "apiVersion": "addon.open-cluster-management.io/v1alpha1", "kind": "AddOnTemplate",
        "metadata": { "name": "hello-1" },
        "spec": { "addonName": "hello", "agentSpec": { "workload": { "manifests": manifests } } },
    });
    let mut tree: Tree = good();
    tree.files.insert("template.yaml".to_owned(), template.to_string().into_bytes());
    let loaded = load_plain(&tree);
    assert!(loaded.repository.addons.contains_key(&hello()), "{:?}", loaded.complaints);
    loaded.repository
}

fn hello() -> UnitName {
    "hello".parse().unwrap()
}

/// Returns the rejection of the digest in force, after a good digest.
fn rejection(failed: &Repository, good: Option<&Repository>) -> Rejection {
    let good = good.map(|good| LastGood {
        digest: good.digest(&hello()).unwrap().clone(),
        commit: "0123456789abcdef0123456789abcdef01234567".parse().unwrap(),
    });
    Rejection {
        digest: failed.digest(&hello()).unwrap().clone(),
        at: "2026-11-21T10:00:00Z".parse().unwrap(),
        reason: "one canary failed".to_owned(),
        policy: "RolloutPolicy safety".to_owned(),
        good,
    }
}

/// Returns why an add-on does not go back from `new` to `old`, after checking that it then is as before, and otherwise is as `old`.
fn refused(new: &Value, old: &Value) -> Vec<String> {
    let (mut current, old) = (repository(new), repository(old));
    let new = current.clone();
    let rejected = rejection(&new, Some(&old));
    roll_back(&mut current, &hello(), &rejected, Some(&old));
    let refused = current.rollbacks[&hello()].refused.clone();
    let in_force = if refused.is_empty() { &old } else { &new };
    assert_eq!(current.digest(&hello()), in_force.digest(&hello()), "{refused:?}");
    refused
}

fn definition(versions: &[(&str, bool)]) -> Value {
    let version = |(name, stores): &(&str, bool)| {
        let schema = json!({ "openAPIV3Schema": { "type": "object" } });
        json!({ "name": name, "served": true, "storage": stores, "schema": schema })
    };
    json!({
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
        "metadata": { "name": "widgets.example.com" },
        "spec": {
            "group": "example.com", "scope": "Namespaced", "names": { "plural": "widgets", "kind": "Widget" },
            "versions": versions.iter().map(version).collect::<Vec<_>>(),
        },
    })
}

fn claim(size: &Value) -> Value {
    json!({
        "apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": { "name": "data", "namespace": "hello" },
        "spec": { "resources": { "requests": { "storage": size } } },
    })
}

fn stateful_set(size: &str) -> Value {
    let mut template = claim(&json!(size));
    template["metadata"] = json!({ "name": "logs" });
    json!({
        "apiVersion": "apps/v1", "kind": "StatefulSet", "metadata": { "name": "db", "namespace": "hello" },
        "spec": { "serviceName": "db", "volumeClaimTemplates": [template] },
    })
}

fn config_map(value: &str) -> Value {
    json!({ "apiVersion": "v1", "kind": "ConfigMap", "metadata": { "name": "c", "namespace": "hello" }, "data": { "a": value } })
}

#[test]
fn an_add_on_goes_back_if_nothing_would_be_lost() {
    let none: [&str; 0] = [];
    assert_eq!(refused(&json!([config_map("2")]), &json!([config_map("1")])), none);
    // A claim that grows again, one that is new, and a definition that the new version does not have.
    let large = json!([claim(&json!("2Gi")), stateful_set("1Gi"), definition(&[("v1", true)])]);
    assert_eq!(refused(&json!([claim(&json!("1024Mi"))]), &large), none);
    assert_eq!(refused(&json!([claim(&json!("1Gi"))]), &json!([claim(&json!("1024Mi"))])), none);
    assert_eq!(refused(&json!([claim(&json!("1Gi"))]), &json!([config_map("1")])), none);
}

#[test]
fn a_rollback_that_deletes_a_custom_resource_definition_is_refused() {
    let new = json!([config_map("1"), definition(&[("v1", true)])]);
    let why = "CustomResourceDefinition widgets.example.com would be deleted, and with it all its objects";
    assert_eq!(refused(&new, &json!([config_map("1")])), [why]);
}

#[test]
fn a_rollback_that_removes_a_version_of_a_custom_resource_definition_is_refused() {
    let old = json!([definition(&[("v1", true)])]);
    let stored = refused(&json!([definition(&[("v1", false), ("v2", true)])]), &old);
    assert_eq!(
        stored,
        ["CustomResourceDefinition widgets.example.com would lose version v2, in which objects are stored"]
    );
    let served = refused(&json!([definition(&[("v1", true), ("v1beta1", false)])]), &old);
    assert_eq!(
        served,
        ["CustomResourceDefinition widgets.example.com would lose version v1beta1, which clients may use"]
    );
}

#[test]
fn a_rollback_that_shrinks_a_volume_is_refused() {
    let shrunk = refused(&json!([claim(&json!("2Gi"))]), &json!([claim(&json!("1Gi"))]));
    assert_eq!(shrunk, ["PersistentVolumeClaim data cannot shrink from 2Gi to 1Gi"]);
    let number = refused(&json!([claim(&json!(2_000_000))]), &json!([claim(&json!("1M"))]));
    assert_eq!(number, ["PersistentVolumeClaim data cannot shrink from 2000000 to 1M"]);
    let set = refused(&json!([stateful_set("10Gi")]), &json!([stateful_set("9Gi")]));
    assert_eq!(set, ["volume logs of StatefulSet db cannot shrink from 10Gi to 9Gi"]);
}

#[test]
fn an_add_on_without_a_good_digest_stays_as_it_is() {
    let (new, old) = (repository(&json!([config_map("2")])), repository(&json!([config_map("1")])));
    let refused = |rejected: &Rejection, good: Option<&Repository>| {
        let mut current = new.clone();
        roll_back(&mut current, &hello(), rejected, good);
        assert_eq!(current.digest(&hello()), new.digest(&hello()));
        current.rollbacks.get(&hello()).map(|rollback| rollback.refused.concat())
    };
    let first = rejection(&new, None);
    assert_eq!(refused(&first, None).unwrap(), "no digest of the add-on has completed yet");
    let after = rejection(&new, Some(&old));
    let gone = "the revision of the last good digest is not available, or means something else today";
    assert_eq!(refused(&after, None).unwrap(), gone);
    assert_eq!(refused(&after, Some(&new)).unwrap(), gone);
    // The rejected digest is no longer declared.
    assert_eq!(refused(&rejection(&old, None), Some(&old)), None);
}
