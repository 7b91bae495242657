//! An application whose definition reads `context.cluster`: the checker finds out by itself what each cluster should have.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use tidegate_model::object::ObjectKey;
use tidegate_model::progress::ClusterState;
use tidegate_plan::PlacementMode;
use tidegate_simulation::accident::Accident;
use tidegate_simulation::agents::{Conduct, Nature};
use tidegate_simulation::revision::{Form, Policy, Revision, Selects};

use super::world::{Event, Fate, World};

/// Returns a revision with an object that has a label of its cluster. This many clusters start at once.
fn revision(most: u32) -> Revision {
    let template = json!({
        "apiVersion": "v1", "kind": "ConfigMap", "metadata": { "name": "${context.name}" },
        "data": { "tier": "${context.cluster.labels.?zone.orValue('none')}" },
    });
    let definition = json!({
        "apiVersion": "core.oam.dev/v1beta1", "kind": "ComponentDefinition",
        "metadata": { "name": "place", "namespace": "fleet" },
        "spec": { "schematic": { "tidegate": { "objects": [{ "name": "place", "template": template }] } } },
    });
    let strategy = json!({ "type": "Progressive", "progressive": { "maxConcurrency": most } });
    let application = json!({
        "apiVersion": "core.oam.dev/v1beta1", "kind": "Application",
        "metadata": { "name": "hello", "namespace": "fleet" },
        "spec": {
            "components": [{ "name": "place", "type": "place" }],
            "policies": [{ "name": "all", "type": "placement", "properties": {
                "name": "everywhere", "rolloutStrategy": strategy,
            } }],
        },
    });
    // Its own application is left out.
    Revision {
        form: Form::Application,
        selects: Selects::Nobody,
        files: [("application.yaml", application), ("definition.yaml", definition)].into(),
        ..Revision::simple(1, Policy::all_at_once())
    }
}

/// Returns a revision whose object needs a label, with a canary group. This cluster is in quarantine.
fn strict_revision(version: u8, quarantined: Option<&str>) -> Revision {
    let mut revision = revision(2);
    revision.version = version;
    let definition = revision.files.get_mut("definition.yaml").unwrap();
    let template = &mut definition["spec"]["schematic"]["tidegate"]["objects"][0]["template"];
    template["data"]["tier"] = json!("${context.cluster.labels.zone}");
    let application = revision.files.get_mut("application.yaml").unwrap();
    let strategy = &mut application["spec"]["policies"][0]["properties"]["rolloutStrategy"];
    strategy["progressive"]["mandatoryDecisionGroups"] = json!([{ "groupName": "canary" }]);
    let control = quarantined.map(|cluster| {
        json!({
            "apiVersion": "tidegate.io/v1alpha1", "kind": "Control",
            "quarantine": [{ "clusters": [cluster], "reason": "no zone" }],
        })
    });
    revision.files.extend(control.map(|control| ("control/applications/fleet/hello.yaml", control)));
    revision
}

#[test]
fn c2_a_cluster_whose_content_cannot_be_rendered_holds_later_groups_until_it_is_in_quarantine() {
    let well = Nature { conduct: Conduct::Well, delay: 2 };
    let join = Event::Happens(Accident::Join { cluster: 2, in_eu: true, is_canary: false, nature: well });
    let mut world = World::new(strict_revision(1, None), vec![(0, join)]);
    let _ = world.run_for(1, &[]);
    for cluster in ["c0", "c2"] {
        let key = ObjectKey::new("cluster.open-cluster-management.io", "ManagedCluster", "", cluster);
        world.hub.patch(&key, &json!({ "metadata": { "labels": { "zone": cluster } } }));
    }
    let plan = world.run(&[]);
    assert_eq!(tiers(&world), ["c0"]);
    let held = &plan.report.addons[Form::Application.unit()].clusters["c1"];
    assert_eq!(held.state, ClusterState::Waiting);
    assert!(held.reason.contains("context.cluster.labels.zone"), "{}", held.reason);
    world.take(Event::Commit(Box::new(strict_revision(1, Some("c1")))));
    let _ = world.run(&[]);
    world.check();
    assert_eq!(tiers(&world), ["c0", "c2"]);
}

fn installed() -> World {
    let mut world = World::new(revision(1), Vec::new());
    let _ = world.run(&[]);
    assert_eq!(tiers(&world), ["none", "none"]);
    world
}

fn tiers(world: &World) -> Vec<String> {
    let tier = |work: &Value| work["spec"]["workload"]["manifests"][0]["data"]["tier"].as_str().unwrap().to_owned();
    world.hub.of_kind("ManifestWork").map(|(_, work)| tier(work)).collect()
}

fn label(world: &mut World, labels: &Value) {
    for cluster in ["c0", "c1"] {
        let key = ObjectKey::new("cluster.open-cluster-management.io", "ManagedCluster", "", cluster);
        world.hub.patch(&key, &json!({ "metadata": { "labels": labels } }));
    }
}

#[test]
fn c2_changed_labels_start_one_cluster_after_the_other() {
    let mut world = installed();
    label(&mut world, &json!({ "zone": "gold" }));
    let plan = world.plan(PlacementMode::Builtin);
    let lanes = plan.lanes.clone();
    world.carry_out(&lanes, Fate::Made);
    assert_eq!(tiers(&world).iter().filter(|tier| *tier == "gold").count(), 1);
    let plan = world.run(&[]);
    let clusters = &plan.report.addons[Form::Application.unit()].clusters;
    assert!(clusters.values().all(|cluster| cluster.state == ClusterState::Succeeded), "{clusters:#?}");
    assert_eq!(tiers(&world), ["gold", "gold"]);
    // A label that nothing reads changes nothing.
    label(&mut world, &json!({ "colour": "blue" }));
    assert_eq!(world.plan(PlacementMode::Builtin).lanes, []);
}

#[test]
fn c2_content_for_other_labels_than_those_of_the_cluster_is_a_violation() {
    let mut world = installed();
    world.check();
    world.mistaken =
        Some(BTreeMap::from([("zone".to_owned(), "gold".to_owned()), ("env".to_owned(), "prod".to_owned())]));
    let fleet = world.hub.fleet().clusters.values().next().unwrap().metadata.labels.clone().unwrap();
    world.mistaken.as_mut().unwrap().extend(fleet);
    let lanes = world.plan(PlacementMode::Builtin).lanes;
    assert!(!lanes.is_empty());
    world.carry_out(&lanes, Fate::Made);
    let violations = world.violations().join("\n");
    assert!(violations.contains("hello@"), "{violations}");
}

#[test]
fn c2_changed_labels_that_start_all_clusters_at_once_are_a_violation() {
    let mut world = installed();
    label(&mut world, &json!({ "zone": "gold" }));
    world.check();
    let declared = world.repository.clone();
    world.commit(&revision(2));
    let lanes = world.plan(PlacementMode::Builtin).lanes;
    world.repository = declared;
    world.carry_out(&lanes, Fate::Made);
    assert_eq!(tiers(&world), ["gold", "gold"]);
    let violations = world.violations().join("\n");
    assert!(violations.contains("allows only 1 cluster in flight at once"), "{violations}");
}
