//! An application with a Job: its cluster is done when the Job is complete, and fails at once when the Job has failed.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use tidegate_model::progress::ClusterState;
use tidegate_plan::report::ClusterReport;
use tidegate_repository::{Repository, hold, load};

use super::application_world::{World, holds};

const NAME: &str = "application/fleet-addons/shop";

const SHOP: &str = "\
apiVersion: core.oam.dev/v1beta1
kind: Application
metadata: {name: shop, namespace: fleet-addons}
spec:
  components:
    - {name: migrate, type: task, properties: {image: 'example.com/migrate:1'}}
  policies:
    - {name: fleet, type: placement, properties: {name: fleet}}
";

pub(super) fn repository(shop: &str) -> Repository {
    let mut tree = crate::example_tree::tree();
    tree.files.insert("fleet/shop.yaml".to_owned(), shop.as_bytes().to_vec());
    let settings = tree.files.get_mut("tidegate.toml").unwrap();
    settings.extend(b"\n[applications]\nenabled = true\n");
    hold(load(&tree, ""), &BTreeMap::default(), None)
}

fn step(world: &mut World, repository: &Repository, condition: Option<&str>) -> ClusterReport {
    world.step(repository, |work| answer(work, condition))
}

/// Writes the status of a work, with this condition of each Job in it.
fn answer(work: &mut Value, condition: Option<&str>) {
    let text = |name: String| json!({ "name": name, "fieldValue": { "type": "String", "string": "True" } });
    let report = |(ordinal, job): (usize, &Value)| {
        let generation = json!({ "name": "TidegateGeneration", "fieldValue": { "type": "Integer", "integer": 1 } });
        let condition = condition.map(|condition| text(format!("TidegateJob{condition}")));
        let values: Vec<Value> = [generation].into_iter().chain(condition).collect();
        json!({
            "resourceMeta": {
                "ordinal": ordinal, "group": "batch", "version": "v1", "kind": "Job", "resource": "jobs",
                "name": job["metadata"]["name"], "namespace": job["metadata"]["namespace"],
            },
            "statusFeedback": { "values": values },
            "conditions": [],
        })
    };
    let jobs = work["spec"]["workload"]["manifests"].as_array().cloned().unwrap_or_default();
    work["status"] = json!({
        "conditions": [holds(work, "Applied"), holds(work, "Available")],
        "resourceStatus": { "manifests": jobs.iter().enumerate().map(report).collect::<Vec<_>>() },
    });
}

pub(super) fn world() -> World {
    World::new(NAME, "c1")
}

#[test]
fn a_cluster_is_done_when_its_job_is_complete() {
    let (repository, mut world) = (repository(SHOP), world());
    let running = [(); 4].map(|()| step(&mut world, &repository, None).state);
    assert_eq!(running, [ClusterState::Progressing; 4]);
    let complete = [(); 3].map(|()| step(&mut world, &repository, Some("Complete")).state);
    assert_eq!(complete.last(), Some(&ClusterState::Succeeded), "{complete:?}");
}

#[test]
fn a_cluster_whose_job_has_failed_fails_at_once_and_starts_again_with_another_job() {
    let (first, mut world) = (repository(SHOP), world());
    step(&mut world, &first, None);
    step(&mut world, &first, Some("Failed"));
    let failed = step(&mut world, &first, Some("Failed"));
    let failed = [failed, step(&mut world, &first, Some("Failed"))];
    assert_eq!(failed.last().unwrap().state, ClusterState::Failed, "{failed:?}");
    assert!(failed.last().unwrap().reason.contains("has failed"), "{failed:?}");
    // It stays failed, even if the Job is complete after all.
    assert_eq!(step(&mut world, &first, Some("Complete")).state, ClusterState::Failed);
    let second = repository(&SHOP.replace("migrate:1", "migrate:2"));
    let states = [None, Some("Complete"), Some("Complete"), Some("Complete")]
        .map(|condition| step(&mut world, &second, condition).state);
    assert_eq!(states.last(), Some(&ClusterState::Succeeded), "{states:?}");
}
