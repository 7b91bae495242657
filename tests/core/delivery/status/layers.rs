//! Layers: the configurations that a cluster should have.

use serde_json::json;
use tidegate_api::ocm::cluster_management_addon::ClusterManagementAddOn;
use tidegate_api::ocm::managed_cluster_addon::ManagedClusterAddOn;
use tidegate_delivery::status::Layers;
use tidegate_delivery::status::layer::{assigned_defaults, assigned_own, first, repeats};

use super::fixture::{desired, read, references, told};

#[test]
fn a_kind_is_replaced_as_a_whole_and_kinds_are_sorted() {
    let table = [
        ("nothing", "", "", ""),
        ("a lower layer alone", "b/x=1 a/y=2", "", "a/y=2 b/x=1"),
        ("a higher layer alone", "", "b/x=1 a/y=2", "a/y=2 b/x=1"),
        ("another object", "a/x=1", "a/y=2", "a/y=2"),
        ("the same object with another hash", "a/x=1", "a/x=2", "a/x=2"),
        ("fewer objects", "a/x=1 a/y=2 a/z=3", "a/y=4", "a/y=4"),
        ("another kind stays", "a/x=1 b/y=2", "a/z=3", "a/z=3 b/y=2"),
        ("within a kind the given order is kept", "a/x", "a/z=1 b/m=2 a/y=3", "a/z=1 a/y=3 b/m=2"),
        ("an object listed twice counts once, with its first hash", "", "a/x=1 a/y=2 a/x=3", "a/x=1 a/y=2"),
    ];
    for (what, lower, higher, expected) in table {
        let layers = Layers::default().overlaid(desired(lower)).overlaid(desired(higher));
        assert_eq!(told(layers.iter()), expected, "{what}");
    }
}

#[test]
fn a_layer_over_itself_changes_nothing() {
    let layers = Layers::default().overlaid(desired("b/x=1 a/y=2 a/z=3"));
    assert_eq!(layers.overlaid(layers.to_vec()), layers);
}

#[test]
fn only_defaults_that_name_an_object_are_defaults() {
    let declared = references("a/x b/__reserved_no_default__ c/ a/y a/x");
    let layers = Layers::defaults(&declared, |reference| format!("hash-of-{}", reference.name));
    assert_eq!(told(layers.iter()), "a/x=hash-of-x a/y=hash-of-y");
}

#[test]
fn the_hashes_of_defaults_come_from_the_status_of_the_addon() {
    let config = |name: &str, hash: &str| json!({ "group": "a", "resource": "things", "desiredConfig": { "name": name, "specHash": hash } });
    let addon: ClusterManagementAddOn = read(json!({
        "metadata": { "name": "hello" },
        "spec": { "defaultConfigs": references("a/x a/y b/x") },
        "status": { "defaultConfigReferences": [config("x", "1"), config("gone", "2"), config("x", "3")] },
    }));
    assert_eq!(told(assigned_defaults(&addon).iter()), "a/x=3 a/y= b/x=", "of two entries, the last one counts");
}

#[test]
fn the_hashes_of_own_configurations_come_from_the_status_of_the_cluster() {
    let addon: ManagedClusterAddOn = read(json!({
        "metadata": { "name": "hello", "namespace": "east" },
        "spec": { "configs": references("a/x a/y") },
        "status": { "configReferences": [
            { "group": "a", "resource": "things", "desiredConfig": null },
            { "group": "a", "resource": "things", "desiredConfig": { "name": "x", "specHash": "1" } },
            { "group": "b", "resource": "things", "desiredConfig": { "name": "y", "specHash": "2" } },
        ] },
    }));
    assert_eq!(told(&assigned_own(&addon)), "a/x=1 a/y=");
}

#[test]
fn a_list_that_repeats_a_configuration_is_detected() {
    for (own, expected) in [("", false), ("a/x b/x a/y", false), ("a/x b/x a/x", true)] {
        assert_eq!(repeats(&references(own)), expected, "{own}");
    }
}

#[test]
fn the_first_object_of_a_resource_is_the_one_in_use() {
    let own = "addon.open-cluster-management.io";
    let desired = desired(&format!("{own}/x=1 other/y=2 {own}/z=3"));
    assert_eq!(first(&desired, "things").unwrap().reference.name, "x");
    assert!(first(&desired, "gadgets").is_none());
}
