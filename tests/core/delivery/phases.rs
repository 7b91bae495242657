//! The order of the components of an application, and what a cluster gets until it is the turn of the last ones.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use tidegate_api::ocm::manifest_work::ManifestConfigOption;
use tidegate_delivery::{BUDGET, Hosting, Layout, Order, Partial, Rendered, WorkOwner, partial};
use tidegate_model::name::{ApplicationName, ClusterName};
use tidegate_model::object::ObjectKey;
use tidegate_model::semantics::{Rules, Semantics, SoakDip};

use super::builders::{Existing, existing, objects};

fn order(depends: &Value) -> Order {
    Order::read(&json!({ "spec": { "dependsOn": depends } }))
}

fn phases<const N: usize>(depends: &Value, components: [&str; N]) -> [u32; N] {
    let order = order(depends);
    components.map(|component| order.phase(component))
}

#[test]
fn a_component_is_in_the_phase_after_all_that_it_depends_on() {
    let depends = json!({ "web": ["api", "cache"], "api": ["database"], "report": ["database"] });
    assert_eq!(phases(&depends, ["database", "cache", "api", "report", "web"]), [0, 0, 1, 1, 2]);
    assert_eq!(order(&depends).last(), 2);
}

#[test]
fn content_without_dependencies_has_one_phase() {
    for depends in [json!(null), json!({}), json!({ "api": [] }), json!("api"), json!({ "api": "database" })] {
        assert_eq!(order(&depends).last(), 0, "{depends}");
    }
}

#[test]
fn components_that_depend_on_one_another_do_not_wait_for_ever() {
    let depends = json!({ "a": ["b"], "b": ["a"], "c": ["a"], "d": ["d"], "e": ["f"] });
    assert_eq!(phases(&depends, ["a", "b", "c", "d", "e", "f"]), [0, 0, 0, 0, 1, 0]);
}

#[test]
fn a_long_chain_is_read_in_a_moment() {
    let depends = (1..5_000).map(|n| (format!("c{n}"), json!([format!("c{}", n - 1)])));
    assert_eq!(order(&Value::Object(depends.collect())).last(), 4_999);
}

pub(super) fn object(api_version: &str, kind: &str, component: &str, version: u8) -> Value {
    json!({
        "apiVersion": api_version, "kind": kind,
        "metadata": { "name": component, "namespace": "n", "labels": { "app.oam.dev/component": component } },
        "version": version,
    })
}

fn applied(resource: &str, name: &str, strategy: &str) -> Value {
    json!({
        "resourceIdentifier": { "group": "", "resource": resource, "namespace": "n", "name": name },
        "updateStrategy": { "type": strategy },
    })
}

/// Returns what a cluster with these works gets while a phase is open.
fn partly(works: &Existing, content: (&[Value], &[Value]), open: u32) -> Option<Partial> {
    without(works, content, open, &BTreeSet::new())
}

/// The same, if another unit has some of the objects by now.
fn without(
    works: &Existing,
    content: (&[Value], &[Value]),
    open: u32,
    released: &BTreeSet<ObjectKey>,
) -> Option<Partial> {
    in_order(&order(&json!({ "b": ["a"], "c": ["b"] })), works, content, (open, released))
}

/// Returns what a cluster gets of components in an order.
pub(super) fn in_order(
    order: &Order,
    works: &Existing,
    (manifests, configs): (&[Value], &[Value]),
    (open, released): (u32, &BTreeSet<ObjectKey>),
) -> Option<Partial> {
    let name: ApplicationName = "application/n/shop".to_owned().try_into().unwrap();
    let cluster: ClusterName = "cluster1".parse().unwrap();
    let rendered: Rendered = manifests.iter().cloned().collect();
    let configs: Vec<ManifestConfigOption> =
        configs.iter().map(|config| serde_json::from_value(config.clone()).unwrap()).collect();
    let owner = WorkOwner { prefix: "app-shop-".to_owned(), ..WorkOwner::application(&name, "0") };
    let layout = Layout {
        owner: &owner,
        owner_uid: "",
        cluster: &cluster,
        hosting: Hosting::Unsupported,
        rendered: &rendered,
        config_hashes: None,
        template_configs: &configs,
        existing: works,
        others: &[],
        budget: BUDGET,
        rules: Rules::of(Semantics::Strict, SoakDip::default()),
    };
    partial(&layout, order, open, released)
}

pub(super) fn one_work(name: &str, manifests: &[Value], configs: &[Value]) -> Existing {
    [existing(json!({
        "metadata": { "name": name, "namespace": "cluster1" },
        "spec": { "workload": { "manifests": manifests }, "manifestConfigs": configs },
    }))]
    .into()
}

pub(super) fn map(component: &str, version: u8) -> Value {
    object("v1", "ConfigMap", component, version)
}

#[test]
fn later_objects_are_absent_at_an_installation() {
    let all = [map("c", 1), map("b", 1), map("a", 1)];
    let gets = |open| partly(&Existing::new(), (&all, &[]), open).map(|partial| objects(&partial.rendered));
    assert_eq!(gets(0), Some(vec![map("a", 1)]));
    assert_eq!(gets(1), Some(vec![map("b", 1), map("a", 1)]));
    assert_eq!(gets(2), None);
    assert_eq!(gets(u32::MAX), None);
}

#[test]
fn later_objects_stay_as_they_are_in_an_upgrade_and_so_does_how_they_are_applied() {
    let had = [map("a", 1), object("v1beta1", "Widget", "b", 1), map("gone", 1)];
    let of_had = [
        applied("configmaps", "a", "Update"),
        applied("widgets", "b", "Update"),
        applied("configmaps", "gone", "Update"),
    ];
    let works = one_work("app-shop-0", &had, &of_had);
    let all = [map("a", 2), object("v1", "Widget", "b", 2), map("c", 2)];
    let configs = [
        applied("configmaps", "a", "ServerSideApply"),
        applied("widgets", "b", "ServerSideApply"),
        applied("configmaps", "c", "ServerSideApply"),
    ];
    let partial = partly(&works, (&all, &configs), 0).unwrap();
    assert_eq!(objects(&partial.rendered), [map("a", 2), object("v1beta1", "Widget", "b", 1), map("gone", 1)]);
    let strategy = |config: &ManifestConfigOption| {
        format!("{} {}", config.resource_identifier.name, config.update_strategy.as_ref().unwrap().type_)
    };
    let strategies = |partial: &Partial| -> Vec<String> { partial.configs.iter().map(strategy).collect() };
    // What is about an absent object has no effect.
    assert_eq!(strategies(&partial), ["a ServerSideApply", "b Update", "c ServerSideApply", "gone Update"]);
    // An object is replaced by another version of itself, and is not there twice.
    let partial = partly(&works, (&all, &configs), 1).unwrap();
    assert_eq!(objects(&partial.rendered), [map("a", 2), object("v1", "Widget", "b", 2), map("gone", 1)]);
    assert_eq!(strategies(&partial), ["a ServerSideApply", "b ServerSideApply", "c ServerSideApply", "gone Update"]);
}

#[test]
fn what_another_unit_has_by_now_is_not_kept() {
    let had = [map("a", 1), map("gone", 1), map("moved", 1)];
    let works = one_work("app-shop-0", &had, &[]);
    let released = [ObjectKey::of(&map("moved", 1)).unwrap()].into();
    let partial = without(&works, (&[map("a", 2), map("c", 2)], &[]), 0, &released).unwrap();
    assert_eq!(objects(&partial.rendered), [map("a", 2), map("gone", 1)]);
}

#[test]
fn the_works_of_others_are_not_kept() {
    let works = one_work("app-shop-extra", &[map("a", 1), map("b", 1)], &[]);
    let partial = partly(&works, (&[map("a", 2), map("b", 2)], &[]), 0).unwrap();
    assert_eq!(objects(&partial.rendered), [map("a", 2)]);
}
