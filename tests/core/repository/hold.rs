//! Tests of what is kept while a revision has errors.

use std::collections::BTreeMap;
use std::sync::Arc;

use tidegate_model::name::{NamespacedName, UnitName};
use tidegate_model::object::ObjectKey;
use tidegate_model::tree::Tree;
use tidegate_repository::{Repository, hold, in_force, load};

use super::fixture::{edit, edited, good, shown, with};

const ADDON_GROUP: &str = "addon.open-cluster-management.io";
const CLUSTER_GROUP: &str = "cluster.open-cluster-management.io";

/// Returns the good repository, and the last good repository of each add-on.
fn before() -> (Arc<Repository>, BTreeMap<UnitName, Arc<Repository>>) {
    let repository = Arc::new(hold(load(&good(), ""), &BTreeMap::new(), None));
    let good = repository.addons.keys().map(|name| (name.clone(), Arc::clone(&repository))).collect();
    (repository, good)
}

fn held(tree: &Tree) -> Repository {
    let (last, good) = before();
    hold(load(tree, ""), &good, Some(&last))
}

fn names<V>(map: &BTreeMap<UnitName, V>) -> Vec<&str> {
    map.keys().map(UnitName::as_str).collect()
}

/// Checks that everything except the record of held add-ons is as in the good repository.
fn assert_unchanged(repository: &Repository) {
    let (last, _) = before();
    assert_eq!(repository.addons, last.addons);
    assert_eq!(repository.placements, last.placements);
    assert_eq!(repository.cluster_sets, last.cluster_sets);
    assert_eq!(repository.cluster_set_bindings, last.cluster_set_bindings);
    assert_eq!(repository.clusters, last.clusters);
    assert_eq!(repository.settings, last.settings);
    assert_eq!(repository.objects, last.objects);
    assert!(!repository.may_prune);
}

#[test]
fn a_sound_revision_is_used_unchanged() {
    let loaded = load(&good(), "");
    assert_eq!(held(&good()), loaded.repository);
}

#[test]
fn objects_removed_in_a_sound_revision_are_gone() {
    let mut tree = good();
    tree.files.remove("other.yaml");
    let repository = held(&tree);
    assert_eq!(names(&repository.addons), ["hello"]);
    assert!(repository.may_prune);
}

#[test]
fn malformed_yaml_changes_nothing() {
    for file in good().files.keys() {
        let mut tree = good();
        tree.files.insert(file.clone(), b"{".to_vec());
        assert_unchanged(&held(&tree));
    }
}

#[test]
fn a_revision_of_which_only_a_part_was_read_changes_nothing() {
    let mut cut = Tree { is_cut: true, ..good() };
    cut.files.retain(|file, _| file.starts_with("addon"));
    cut.skipped
        .insert("zoo.png".to_owned(), "too many bytes: this one and all that come after it are left out".to_owned());
    assert_unchanged(&held(&cut));
    let loaded = load(&cut, "");
    assert!(loaded.repository.addons.is_empty() && loaded.repository.plan_policies.is_none());
    insta::assert_snapshot!(
        shown(&loaded).join("\n"),
        @r"
    .:1:1: the revision is larger than what is read, so nothing of it is used; remove what does not belong here, or split the repository
    zoo.png:1:1: this is not read: too many bytes: this one and all that come after it are left out
    "
    );
}

#[test]
fn an_error_in_one_object_changes_nothing() {
    let edits = [
        ("addon.yaml", "displayName", "dispName"),
        ("addon.yaml", "kind: ClusterManagementAddOn", "kind: ClusterManagmentAddOn"),
        ("addon.yaml", "  name: hello\n", "  name: Hello\n"),
        ("config.yaml", "value", "vale"),
        ("template.yaml", "addonName", "adonName"),
        ("override.yaml", "installNamespace", "installNamspace"),
        ("placement.yaml", "clusterSets", "clusterSet"),
        ("placement.yaml", "  clusterSet: global", "  clusterSets: global"),
        ("placement.yaml", "selectorType", "selectrType"),
        ("plain.yaml", "hubAcceptsClient", "hubAcceptClient"),
        ("plain.yaml", "kind: Namespace", "kinds: Namespace"),
    ];
    for (file, from, to) in edits {
        assert_unchanged(&held(&edited(file, from, to)));
    }
}

#[test]
fn wrong_settings_change_nothing() {
    let repository = held(&with("tidegate.toml", "[rolout]\n"));
    assert_unchanged(&repository);
    assert_eq!(names(&repository.held), ["hello", "other"]);
    assert_unchanged(&held(&Tree::default()));
}

#[test]
fn wrong_settings_after_a_restart_keep_the_good_addons() {
    let (_, good) = before();
    let repository = hold(load(&with("tidegate.toml", "[rolout]\n"), ""), &good, None);
    assert_eq!(names(&repository.addons), ["hello", "other"]);
    assert!(repository.placements.contains_key(&NamespacedName::new("fleet", "everywhere")));
}

#[test]
fn a_blocked_addon_is_held_while_the_others_proceed() {
    let mut tree = edited("addon.yaml", "displayName", "dispName");
    edit(&mut tree, "other.yaml", "type: Placements", "type: Manual");
    let repository = held(&tree);
    let (last, _) = before();
    assert_eq!(repository.addons["hello"], last.addons["hello"]);
    assert_ne!(repository.addons["other"], last.addons["other"]);
    assert_eq!(names(&repository.held), ["hello"]);
    assert_eq!(repository.held["hello"].complaints, repository.blocked["hello"]);
}

#[test]
fn a_held_addon_keeps_its_old_configurations() {
    let mut tree = edited("addon.yaml", "displayName", "dispName");
    edit(&mut tree, "config.yaml", "value: '4'", "value: '5'");
    edit(&mut tree, "addon.yaml", "name: hello-1", "name: hello-2");
    edit(&mut tree, "template.yaml", "name: hello-1", "name: hello-2");
    let repository = held(&tree);
    let (last, _) = before();
    assert_eq!(repository.addons["hello"], last.addons["hello"]);
    let config = ObjectKey::new(ADDON_GROUP, "AddOnDeploymentConfig", "fleet", "hello-config");
    let old = ObjectKey::new(ADDON_GROUP, "AddOnTemplate", "", "hello-1");
    for key in [&config, &old] {
        assert_eq!(repository.objects[key], last.objects[key]);
        assert!(repository.held["hello"].objects.contains(key));
    }
    let new = ObjectKey::new(ADDON_GROUP, "AddOnTemplate", "", "hello-2");
    assert!(repository.objects.contains_key(&new), "a template without errors is declared");
}

#[test]
fn an_object_that_other_addons_refer_to_is_not_held() {
    let mut tree = edited("addon.yaml", "displayName", "dispName");
    edit(&mut tree, "placement.yaml", "spec:\n", "spec:\n  numberOfClusters: 3\n");
    let repository = held(&tree);
    let placement = &repository.placements[&NamespacedName::new("fleet", "everywhere")];
    assert_eq!(placement.spec.number_of_clusters, Some(3));
    let key = ObjectKey::new(CLUSTER_GROUP, "Placement", "fleet", "everywhere");
    assert_eq!(repository.objects[&key].object["spec"]["numberOfClusters"], 3);
    assert!(!repository.held["hello"].objects.contains(&key));
}

#[test]
fn a_removed_placement_stays_for_the_held_addon() {
    let mut tree = good();
    tree.files.remove("placement.yaml");
    tree.files.remove("other.yaml");
    let repository = held(&tree);
    assert_eq!(names(&repository.held), ["hello"]);
    assert!(repository.placements.contains_key(&NamespacedName::new("fleet", "everywhere")));
    assert_eq!(names(&repository.addons), ["hello"]);
}

#[test]
fn overrides_of_a_held_addon_stay_as_they_were() {
    let mut tree = edited("addon.yaml", "displayName", "dispName");
    edit(&mut tree, "override.yaml", "namespace: east-1", "namespace: west-1");
    let repository = held(&tree);
    assert_unchanged(&repository);
}

#[test]
fn a_blocked_addon_without_a_good_revision_is_absent_and_listed() {
    let repository = hold(load(&edited("addon.yaml", "displayName", "dispName"), ""), &BTreeMap::new(), None);
    assert_eq!(names(&repository.addons), ["other"]);
    assert_eq!(names(&repository.blocked), ["hello"]);
    assert_eq!(names(&repository.held), Vec::<&str>::new());
    assert!(repository.objects.keys().all(|key| key.kind == "ClusterManagementAddOn" || key.name != "hello"));
    assert!(!repository.objects.contains_key(&ObjectKey::new(ADDON_GROUP, "ClusterManagementAddOn", "", "hello")));
}

#[test]
fn a_directory_that_git_left_out_keeps_its_objects() {
    let mut tree = good();
    let other = tree.files.remove("other.yaml").unwrap();
    tree.files.insert("more/other.yaml".into(), other);
    let last = Arc::new(hold(load(&tree, ""), &BTreeMap::new(), None));
    let good = last.addons.keys().map(|name| (name.clone(), Arc::clone(&last))).collect();
    tree.files.remove("more/other.yaml");
    tree.skipped.insert("more".into(), "it is a symbolic link".into());
    let repository = hold(load(&tree, ""), &good, Some(&last));
    assert_eq!(repository.addons, last.addons);
    assert_eq!(repository.objects, last.objects);
    assert_eq!(repository.blocked["other"][0].diagnostic.place.file, "more");
    assert!(!repository.may_prune);
}

#[test]
fn holding_a_held_repository_changes_nothing_more() {
    let tree = edited("addon.yaml", "displayName", "dispName");
    let once = held(&tree);
    let (_, good) = before();
    assert_eq!(hold(load(&tree, ""), &good, Some(&once)), once);
}

#[test]
fn what_is_in_force_has_each_add_on_on_its_last_good_revision() {
    let (first, good_at_first) = before();
    assert_eq!(in_force(Some(&first), &good_at_first).addons, first.addons);
    let next = Arc::new(hold(
        load(&edited("addon.yaml", "displayName: Hello", "displayName: Hi"), ""),
        &BTreeMap::new(),
        None,
    ));
    let all_next = next.addons.keys().map(|name| (name.clone(), Arc::clone(&next))).collect();
    let restored = in_force(Some(&first), &all_next);
    assert_eq!(restored.digest(&"hello".parse().unwrap()), next.digest(&"hello".parse().unwrap()));
    assert!(restored.blocked.is_empty() && restored.held.is_empty());
    let none = in_force(Some(&first), &BTreeMap::new());
    assert!(none.addons.is_empty(), "an add-on without a good revision was never followed");
    assert_eq!(in_force(None, &all_next).addons, next.addons);
}
