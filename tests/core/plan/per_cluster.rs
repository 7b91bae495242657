//! An application whose definition reads `context.cluster`: what its cluster gets, and when a changed fact reaches it.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use tidegate_model::progress::ClusterState;
use tidegate_repository::{Repository, hold, load};

use super::application_world::{World, holds};

const NAME: &str = "application/fleet-addons/shop";

const SHOP: &str = "\
apiVersion: core.oam.dev/v1beta1
kind: Application
metadata: {name: shop, namespace: fleet-addons}
spec:
  components:
    - {name: place, type: place}
  policies:
    - {name: fleet, type: placement, properties: {name: fleet}}
";

const PLACE: &str = "\
apiVersion: core.oam.dev/v1beta1
kind: ComponentDefinition
metadata: {name: place, namespace: vela-system}
spec:
  schematic:
    tidegate:
      objects:
        - name: place
          template:
            apiVersion: v1
            kind: ConfigMap
            metadata: {name: '${context.name}'}
            data: {region: '${context.cluster.labels.region}'}
";

fn repository(definition: &str, control: &str) -> Repository {
    let mut tree = crate::example_tree::tree();
    let files = [("fleet/shop.yaml", SHOP), ("fleet/place.yaml", definition), ("control/shop.yaml", control)];
    for (file, text) in files.into_iter().filter(|(_, text)| !text.is_empty()) {
        let file = if file.starts_with("control") { "control/applications/fleet-addons/shop.yaml" } else { file };
        tree.files.insert(file.to_owned(), text.as_bytes().to_vec());
    }
    tree.files.get_mut("tidegate.toml").unwrap().extend(b"\n[applications]\nenabled = true\n");
    let loaded = load(&tree, "");
    let errors: Vec<String> =
        loaded.complaints.iter().filter(|complaint| complaint.is_error()).map(ToString::to_string).collect();
    assert_eq!(errors, [""; 0]);
    hold(loaded, &BTreeMap::default(), None)
}

fn answer(work: &mut Value) {
    work["status"] = json!({ "conditions": [holds(work, "Applied"), holds(work, "Available")] });
}

/// Returns the region in the ConfigMap of each work.
fn regions(world: &World) -> Vec<String> {
    let region = |work: &Value| {
        let region = work.pointer("/spec/workload/manifests/0/data/region")?;
        region.as_str().map(str::to_owned)
    };
    world.works.values().filter_map(region).collect()
}

fn in_region(region: &str) -> World {
    let mut world = World::new(NAME, "cluster1");
    world.labels = json!({ "fleet": "demo", "region": region });
    world
}

fn until_done(world: &mut World, repository: &Repository) {
    let done = (0..8).map(|_| world.step(repository, answer)).find(|report| report.state == ClusterState::Succeeded);
    assert!(done.is_some(), "the cluster is not done");
}

#[test]
fn c2_a_changed_label_that_is_read_starts_the_cluster_and_another_one_changes_nothing() {
    let repository = repository(PLACE, "");
    let mut world = in_region("eu");
    until_done(&mut world, &repository);
    assert_eq!(regions(&world), ["eu"]);
    world.labels["team"] = json!("blue");
    for _ in 0..3 {
        let (report, writes) = world.tick(&repository);
        assert_eq!((report.state, writes), (ClusterState::Succeeded, 0));
    }
    world.labels["region"] = json!("us");
    let (report, writes) = world.tick(&repository);
    assert_eq!((report.state, writes), (ClusterState::Progressing, 1), "{}", report.reason);
    assert_eq!(regions(&world), ["us"]);
    until_done(&mut world, &repository);
}

#[test]
fn c2_a_changed_label_waits_behind_a_pause_and_the_works_are_repaired_with_the_old_value() {
    let mut world = in_region("eu");
    until_done(&mut world, &repository(PLACE, ""));
    let paused = repository(PLACE, "apiVersion: tidegate.io/v1alpha1\nkind: Control\npause: {reason: closed}\n");
    world.labels["region"] = json!("us");
    let (report, writes) = world.tick(&paused);
    assert_eq!((report.state, writes), (ClusterState::Waiting, 0), "{}", report.reason);
    assert!(report.reason.contains("closed"), "{}", report.reason);
    // Somebody changes the work.
    let work = world.works.values_mut().next().unwrap();
    work["spec"]["workload"]["manifests"][0]["data"]["region"] = json!("nowhere");
    work["metadata"]["resourceVersion"] = json!("other");
    world.tick(&paused);
    assert_eq!(regions(&world), ["eu"]);
    until_done(&mut world, &repository(PLACE, ""));
    assert_eq!(regions(&world), ["us"]);
}

#[test]
fn c2_a_cluster_without_the_label_is_held_with_the_place_and_keeps_what_it_has() {
    let repository = repository(PLACE, "");
    let mut bare = World::new(NAME, "cluster1");
    let (report, writes) = bare.tick(&repository);
    assert_eq!((report.state, writes), (ClusterState::Waiting, 0));
    assert!(report.reason.contains("fleet/place.yaml:13:28"), "{}", report.reason);
    let mut world = in_region("eu");
    until_done(&mut world, &repository);
    world.labels = json!({ "fleet": "demo" });
    for _ in 0..3 {
        let (report, writes) = world.tick(&repository);
        assert_eq!((report.state, writes), (ClusterState::Waiting, 0), "{}", report.reason);
    }
    assert_eq!(regions(&world), ["eu"]);
    world.labels["region"] = json!("eu");
    let (report, writes) = world.tick(&repository);
    assert_eq!((report.state, writes), (ClusterState::Succeeded, 0), "{}", report.reason);
}
