//! Filling in hashes and generations.

use serde_json::json;
use tidegate_api::ocm::cluster_management_addon::{
    ClusterManagementAddOnStatus, DefaultConfigReference, InstallProgression,
};
use tidegate_api::ocm::config_reference::ConfigReference;
use tidegate_api::ocm::managed_cluster_addon::ManagedClusterAddOnStatus;
use tidegate_delivery::status::hash::{Found, Lookup, fill_addon, fill_cluster_addon};
use tidegate_delivery::status::progression;
use tidegate_delivery::status::supported::{by_templates, first_unsupported};
use tidegate_go::canonical::sha256_hex;
use tidegate_model::name::NamespacedName;

use super::fixture::{desired, entries, one, read, references, shown};

/// Kind `a` is supported, and its objects `x` and `y` exist.
fn look_up(reference: &ConfigReference) -> Lookup {
    match (reference.group.as_str(), reference.name.as_str()) {
        ("a", "x" | "y") => Lookup::Found(Found { generation: 7, spec_hash: format!("new-{}", reference.name) }),
        ("a", _) => Lookup::Missing,
        _ => Lookup::Unsupported,
    }
}

#[test]
fn generation_and_spec_hash_are_read_from_an_object() {
    let object = json!({ "kind": "K", "metadata": { "generation": 3 }, "spec": {} });
    assert_eq!(Found::of(&object), Found { generation: 3, spec_hash: sha256_hex(br#"{"spec":{}}"#) });
    assert_eq!(Found::of(&json!({})).generation, 0);
}

#[test]
fn an_addon_gets_every_hash_and_an_empty_one_for_a_missing_object() {
    let default = |text: &str| -> DefaultConfigReference {
        let told = one(text);
        read(json!({ "group": told.reference.group, "resource": "things", "desiredConfig": told.config() }))
    };
    let placement = NamespacedName::new("n", "p");
    let mut status = ClusterManagementAddOnStatus {
        default_config_references: ["a/x=1", "a/z=2", "b/x=3"].map(default).to_vec(),
        install_progressions: vec![progression::strict(&[], &placement, &desired("a/y=1 a/z=2 b/x=3"))],
    };
    status.default_config_references.push(DefaultConfigReference { desired_config: None, ..default("a/x") });
    fill_addon(&mut status, look_up);
    let hashes =
        status.default_config_references.iter().map(|r| r.desired_config.as_ref().map(|c| c.spec_hash.as_str()));
    assert_eq!(hashes.collect::<Vec<_>>(), [Some("new-x"), Some(""), Some("3"), None]);
    let InstallProgression { config_references, .. } = &status.install_progressions[0];
    let hashes = config_references.iter().map(|r| r.desired_config.as_ref().map(|c| c.spec_hash.as_str()));
    assert_eq!(hashes.collect::<Vec<_>>(), [Some("new-y"), Some(""), Some("3")]);
}

#[test]
fn a_cluster_gets_generations_and_only_the_hashes_of_its_own_configurations() {
    let config_references = entries("a/x=1<1 a/y=2<2 a/z=3<3 b/x=4<4 a/?<5");
    let mut status = ManagedClusterAddOnStatus { config_references, ..Default::default() };
    fill_cluster_addon(&mut status, &references("a/y a/z b/x"), look_up);
    assert_eq!(
        shown(&status.config_references),
        "a/x=1<1 a/y=new-y<2 a/z=3<3 b/x=4<4 a/?<5",
        "entries of missing objects stay"
    );
    let generations = status.config_references.iter().map(|r| r.last_observed_generation);
    assert_eq!(generations.collect::<Vec<_>>(), [Some(7), Some(7), None, None, None]);
}

#[test]
fn the_first_kind_that_is_not_supported_is_named() {
    let supported = by_templates();
    assert!(supported.is_sorted());
    assert_eq!(first_unsupported(&[], &supported), None);
    let own = references("addon.open-cluster-management.io/x b/y");
    assert_eq!(first_unsupported(&own, &supported), Some(&own[0]), "the group alone does not make the kind");
}
