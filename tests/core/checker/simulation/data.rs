//! What users have stored: it stays when an application leaves a cluster.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use tidegate_api::key::DELETE_WITH_UNIT;
use tidegate_model::progress::ClusterState;
use tidegate_simulation::revision::Revision;

use super::moved::works;
use super::ordered::{silence, with};
use super::world::{Event, World};

/// An application with a claim, or none at all.
fn claiming(has_claim: bool) -> Revision {
    let claim = json!({
        "apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": { "name": "data" },
        "spec": { "accessModes": ["ReadWriteOnce"], "resources": { "requests": { "storage": "1Gi" } } },
    });
    let component = json!({ "name": "data", "type": "k8s-objects", "properties": { "objects": [claim] } });
    let settings = "[prune]\nmax_percent = 100\nsettle_seconds = 0\n";
    let mut revision = Revision { settings, ..with(1, &[component]) };
    if !has_claim {
        revision.files = BTreeMap::new();
    }
    revision
}

#[test]
fn a_claim_that_a_policy_deletes_holds_nothing_up() {
    let rule = json!({ "selector": { "resourceTypes": ["PersistentVolumeClaim"] }, "strategy": "onAppUpdate" });
    let mut deleted = claiming(true);
    let policies = deleted.files.get_mut("application.yaml").unwrap()["spec"]["policies"].as_array_mut().unwrap();
    policies.push(json!({ "name": "gone", "type": "garbage-collect", "properties": { "rules": [rule] } }));
    let mut world = World::new(deleted, Vec::new());
    let _ = world.run(&[]);
    let (_, work) = works(&world, "app-hello").remove(0);
    let annotations = &work["spec"]["workload"]["manifests"][0]["metadata"]["annotations"];
    assert_eq!((annotations, &work["spec"]["deleteOption"]), (&json!({ DELETE_WITH_UNIT: "true" }), &Value::Null));
    world.take(silence());
    world.take(Event::Commit(Box::new(claiming(false))));
    let _ = world.run(&[]);
    world.check();
    assert_eq!(world.hub.of_kind("ManifestWork").count(), 0);
}

/// A world with the claim, in which a person has removed the marks from the work on `c0`.
fn unmarked() -> World {
    let mut world = World::new(claiming(true), Vec::new());
    let _ = world.run(&[]);
    let (key, work) = works(&world, "app-hello").remove(0);
    assert_eq!(work["spec"]["deleteOption"]["propagationPolicy"], "SelectivelyOrphan");
    world.take(Event::Commit(Box::new(claiming(false))));
    world.hub.patch(&key, &json!({ "spec": { "deleteOption": null } }));
    world
}

#[test]
fn a_claim_without_its_mark_stays_until_the_agent_reports_that_it_is_kept() {
    let mut world = unmarked();
    world.take(silence());
    let plan = world.run(&[]);
    world.check();
    let (_, work) = works(&world, "app-hello").remove(0);
    let rules = &work["spec"]["deleteOption"]["selectivelyOrphans"]["orphaningRules"];
    assert_eq!(rules[0]["resource"], "persistentvolumeclaims", "{work}");
    let report = plan.report.addons.values().find_map(|unit| unit.clusters.get("c0")).unwrap();
    let why = "keeps the application until its agent reports that PersistentVolumeClaim fleet/data stays: it would be deleted";
    assert_eq!((report.state, report.reason.as_str()), (ClusterState::Leaving, why));
    // The other cluster is not held up.
    assert!(world.hub.of_kind("ManifestWork").all(|(key, _)| key.namespace == "c0"));
}

#[test]
fn a_claim_whose_mark_was_written_again_and_seen_does_not_hold_the_application() {
    let mut world = unmarked();
    let _ = world.run(&[]);
    world.check();
    assert_eq!(world.hub.of_kind("ManifestWork").count(), 0);
}

#[test]
fn a_claim_that_the_cluster_refused_and_does_not_have_does_not_hold_the_application() {
    let mut world = unmarked();
    world.take(silence());
    let _ = world.run(&[]);
    let (key, work) = works(&world, "app-hello").remove(0);
    let condition = |type_: &str, reason: &str| {
        json!({
            "type": type_, "status": "False", "reason": reason, "message": "", "lastTransitionTime": "2026-01-01T00:00:00Z",
            "observedGeneration": work["metadata"]["generation"],
        })
    };
    let conditions = [condition("Applied", "AppliedManifestFailed"), condition("Available", "ResourceNotAvailable")];
    let meta = json!({
        "ordinal": 0, "group": "", "version": "v1", "kind": "PersistentVolumeClaim", "resource": "persistentvolumeclaims",
        "namespace": "fleet", "name": "data",
    });
    let manifests = json!([{ "resourceMeta": meta, "statusFeedback": {}, "conditions": conditions }]);
    let status = json!({ "conditions": conditions, "resourceStatus": { "manifests": manifests } });
    world.hub.patch(&key, &json!({ "status": status }));
    let _ = world.run(&[]);
    world.check();
    assert_eq!(world.hub.of_kind("ManifestWork").count(), 0);
}

#[test]
#[should_panic(
    expected = "a work of application/fleet/hello on c0 was deleted before the cluster was known to keep PersistentVolumeClaim fleet/data"
)]
fn a_work_with_an_unmarked_claim_that_is_deleted_is_a_violation() {
    let mut world = unmarked();
    world.check();
    let (key, _) = works(&world, "app-hello").remove(0);
    world.hub.delete(&key);
    world.check();
}
