//! What is in force while a revision has complaints.

use std::collections::BTreeMap;
use std::sync::Arc;

use tidegate::model::name::AddonName;
use tidegate::model::object::ObjectKey;
use tidegate::repository::{Repository, hold, load};

use super::{ADDON, OTHER, PLACEMENT, TEMPLATE, loaded, with};

/// The good repository in force, and each of its add-ons with it.
fn good() -> (Arc<Repository>, BTreeMap<AddonName, Arc<Repository>>) {
    let repository = Arc::new(hold(loaded(&[]), &BTreeMap::new(), None));
    let by_addon = repository.addons.keys().map(|name| (name.clone(), repository.clone())).collect();
    (repository, by_addon)
}

fn after(files: &[(&str, &str)]) -> Repository {
    let (last, good) = good();
    hold(loaded(files), &good, Some(&last))
}

fn strategy(repository: &Repository) -> String {
    let strategy = repository.addons["hello"].declaration.spec.install_strategy.clone().unwrap();
    format!("{:?}", strategy.placements[0].rollout_strategy.progressive.as_ref().unwrap().max_concurrency)
}

#[test]
fn a_good_revision_is_in_force_as_it_is() {
    let text = ADDON.replace("maxConcurrency: 10", "maxConcurrency: 7");
    let repository = after(&[("a.yaml", &text)]);
    assert!(repository.held.is_empty() && repository.may_prune);
    assert_eq!(strategy(&repository), "Some(Int(7))");
}

#[test]
fn a_blocked_addon_stays_whole_and_the_others_go_on() {
    let broken =
        ADDON.replace("type: Progressive", "type: Progresive").replace("maxConcurrency: 10", "maxConcurrency: 7");
    let changed = OTHER.replace("spec: {}", "spec: {addOnMeta: {displayName: Other}}");
    let repository = after(&[("a.yaml", &broken), ("o.yaml", &changed)]);
    assert_eq!(strategy(&repository), "Some(Int(10))");
    assert!(repository.held["hello"].reason.contains("Progresive"));
    assert!(!repository.may_prune);
    assert!(repository.addons["other"].declaration.spec.add_on_meta.is_some());
}

#[test]
fn an_addon_stays_on_its_configuration_while_that_is_broken() {
    let broken = TEMPLATE.replace("addonName: hello", "addOnName: hello");
    let (last, _) = good();
    let repository = after(&[("t.yaml", &broken)]);
    let hash = |repository: &Repository| {
        repository.addons["hello"].configurations.values().map(|c| c.spec_hash.clone()).collect::<Vec<_>>()
    };
    assert_eq!(hash(&repository), hash(&last));
    assert_eq!(hash(&repository).len(), 1);
}

#[test]
fn a_file_that_cannot_be_read_changes_nothing() {
    for file in ["a.yaml", "p.yaml", "t.yaml", "o.yaml"] {
        let (last, _) = good();
        let repository = after(&[(file, "a: [\n")]);
        let keys = |repository: &Repository| repository.objects.keys().cloned().collect::<Vec<_>>();
        assert_eq!(keys(&repository), keys(&last), "{file}");
        assert_eq!(repository.addons.len(), 2, "{file}");
        assert!(!repository.may_prune);
    }
}

#[test]
fn a_broken_placement_stays_as_it_was() {
    let broken = PLACEMENT.replace("groupName: canary", "groupName: c");
    let repository = after(&[("p.yaml", &broken)]);
    let key = ObjectKey::new("cluster.open-cluster-management.io", "Placement", "ocm", "fleet");
    assert!(repository.objects[&key].object.to_string().contains("canary"));
    assert!(repository.held.contains_key("hello"));
}

#[test]
fn an_addon_that_was_never_good_is_absent_and_named() {
    let broken = ADDON.replace("name: fleet", "name: nowhere");
    let repository = hold(loaded(&[("a.yaml", &broken)]), &BTreeMap::new(), None);
    assert!(!repository.addons.contains_key("hello") && repository.addons.contains_key("other"));
    assert!(repository.blocked["hello"].contains("nowhere"));
    let key = ObjectKey::new("addon.open-cluster-management.io", "ClusterManagementAddOn", "", "hello");
    assert!(!repository.objects.contains_key(&key), "what is blocked is not applied");
}

#[test]
fn what_was_not_read_forbids_pruning() {
    let mut tree = with(&[]);
    tree.skipped.insert("link.yaml".to_owned(), "it is a symbolic link".to_owned());
    let loaded = load(&tree, "");
    assert!(!loaded.repository.may_prune);
}
