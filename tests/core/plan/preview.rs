//! What a cluster would get, compared with what a plan delivers.

use std::sync::Arc;

use serde_json::{Value, json};
use tidegate_api::fleet::Fleet;
use tidegate_consent::Approvals;
use tidegate_delivery::upstream::Delivery;
use tidegate_model::action::Write;
use tidegate_model::time::Timestamp;
use tidegate_plan::{Input, Memo, Past, PlacementMode, plan, preview};
use tidegate_repository::{Archive, Repository, Source};
use tidegate_rollout::gate::checks::Observations;

use super::{examples, hub_with_addon, read};

fn input<'a>(repository: &'a Repository, fleet: &'a Fleet, given: &'a Given) -> Input<'a> {
    Input {
        repository,
        fleet,
        unobserved: &given.unobserved,
        placement_mode: PlacementMode::Builtin,
        delivery: Delivery::Native,
        instance: &given.instance,
        revision: None,
        past: &given.past,
        archive: &given.archive,
        approvals: Approvals::none(),
        observations: Observations::none(),
        now: Timestamp::UNIX_EPOCH,
    }
}

struct Given {
    unobserved: std::collections::BTreeSet<tidegate_model::object::GroupKind>,
    instance: tidegate_model::instance::Instance,
    past: Past,
    archive: Archive,
}

fn given() -> Given {
    let instance = crate::instance::instance();
    Given { unobserved: Default::default(), instance, past: Past::default(), archive: Archive::default() }
}

/// A hub with a cluster that has these labels, and without the add-on on it.
fn hub(repository: &Repository, labels: Value) -> Fleet {
    let mut fleet = hub_with_addon(
        json!({ "labels": { "tidegate.io/owned": "true", "tidegate.io/instance": "0123456789abcdef" } }),
    );
    fleet.cluster_sets = repository.cluster_sets.clone();
    fleet.cluster_set_bindings = repository.cluster_set_bindings.clone();
    let cluster = json!({ "metadata": { "name": "c1", "labels": labels }, "spec": { "hubAcceptsClient": true } });
    fleet.clusters.insert("c1".parse().unwrap(), read(cluster));
    fleet
}

/// Returns the objects that a preview contains for cluster `c1`; `None` if it would not get the add-on.
fn previewed(repository: &Repository, fleet: &Fleet) -> Option<Vec<Value>> {
    let (name, given) = ("hello-template".parse().unwrap(), given());
    let input = input(repository, fleet, &given);
    let preview = preview(&input, &name, &repository.addons["hello-template"], &"c1".parse().unwrap()).unwrap()?;
    Some(preview.rendered.deploy().map(|object| serde_json::to_value(object).unwrap()).collect())
}

#[test]
fn a_preview_has_the_manifests_that_a_plan_delivers() {
    let repository = examples();
    let mut fleet = hub(&repository, json!({ "fleet": "demo", "tier": "canary" }));
    let mut preview = previewed(&repository, &fleet).unwrap();
    assert!(!preview.is_empty());

    let metadata = json!({ "name": "hello-template", "namespace": "c1", "uid": "u", "resourceVersion": "1" });
    let addons = fleet.cluster_addons.entry("hello-template".parse().unwrap()).or_default();
    addons.insert("c1".parse().unwrap(), read(json!({ "metadata": metadata, "spec": {} })));
    let given = given();
    let plan = plan(&input(&repository, &fleet, &given), &mut Memo::default());
    let writes = plan.lanes.iter().flat_map(|lane| &lane.writes);
    let works = writes.filter_map(|write| match write {
        Write::Create { object } => Some(object.json.value()).filter(|object| object["kind"] == "ManifestWork"),
        _ => None,
    });
    let mut delivered: Vec<Value> =
        works.flat_map(|work| work["spec"]["workload"]["manifests"].as_array().unwrap().clone()).collect();
    // Works have an order of their own.
    delivered.sort_by_key(ToString::to_string);
    preview.sort_by_key(ToString::to_string);
    assert_eq!(preview, delivered);
}

#[test]
fn own_configurations_do_not_select_a_cluster() {
    let mut repository = examples();
    let own = json!({ "metadata": { "name": "hello-template", "namespace": "c1" }, "spec": {} });
    let addon = repository.addons.get_mut("hello-template").unwrap();
    addon.overrides.insert("c1".parse().unwrap(), read(own));
    let fleet = hub(&repository, json!({ "fleet": "other" }));
    assert_eq!(previewed(&repository, &fleet), None);

    // Without placements, they do.
    let addon = repository.addons.get_mut("hello-template").unwrap();
    let Source::AddOn { declaration, .. } = &mut addon.source else { panic!("an add-on") };
    Arc::make_mut(declaration).spec.install_strategy = None;
    assert!(previewed(&repository, &fleet).is_some());
}
