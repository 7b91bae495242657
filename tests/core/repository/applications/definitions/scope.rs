//! Which applications depend on a definition, and what happens to them when it changes, has an error or is removed.

use std::collections::BTreeMap;
use std::sync::Arc;

use tidegate_model::name::UnitName;
use tidegate_model::tree::Tree;
use tidegate_repository::{Repository, hold, load};

use super::{GUARD, SERVER, add, complaints, with_definitions};
use crate::applications::web;
use crate::fixture::{edit, shown};

/// Returns a repository with twenty-one applications: `web` uses a type and a trait that the repository defines, `plain-N` none.
fn several() -> Tree {
    let mut tree =
        with_definitions(&["name: front\ntype: server\nproperties: {image: 'web:1'}\ntraits: [{type: guard}]\n"]);
    let plain =
        crate::applications::types::application(&["name: NAME\ntype: webservice\nproperties: {image: 'web:1'}\n"]);
    for number in 0..3 {
        let plain =
            plain.replace("name: web\n", &format!("name: plain-{number}\n")).replace("NAME", &format!("part-{number}"));
        add(&mut tree, &format!("plain-{number}.yaml"), &plain);
    }
    tree
}

fn edited(from: &str, to: &str, file: &str) -> Tree {
    let mut tree = several();
    edit(&mut tree, file, from, to);
    tree
}

fn good(tree: &Tree) -> (Arc<Repository>, BTreeMap<UnitName, Arc<Repository>>) {
    let loaded = load(tree, "");
    assert_eq!(shown(&loaded), [""; 0]);
    let good = Arc::new(loaded.repository);
    let goods = good.addons.keys().map(|name| (name.clone(), Arc::clone(&good))).collect();
    (good, goods)
}

#[test]
fn a_definition_changes_the_digest_of_exactly_the_applications_that_use_it() {
    let (before, _) = good(&several());
    let changed = |tree: &Tree| {
        let (after, _) = good(tree);
        let differs = |(name, unit): (&UnitName, &tidegate_repository::Unit)| {
            (before.digest(name) != Some(&unit.digest)).then(|| name.to_string())
        };
        after.addons.iter().filter_map(differs).collect::<Vec<_>>()
    };
    assert_eq!(changed(&edited("default: 2", "default: 3", "server.yaml")), ["application/shop/web"]);
    assert_eq!(changed(&edited("default: low", "default: high", "guard.yaml")), ["application/shop/web"]);
    // What clusters get stays the same.
    assert_eq!(changed(&edited("message: at most nine", "message: too many", "server.yaml")), [""; 0]);
    assert_eq!(changed(&edited("minLength: 1", "minLength: 2", "server.yaml")), [""; 0]);
}

#[test]
fn a_definition_with_an_error_or_without_a_file_holds_the_applications_that_use_it() {
    let (last, goods) = good(&several());
    let without = |file: &str| {
        let mut tree = several();
        tree.files.remove(file);
        tree
    };
    let two = |text: &str| {
        let mut tree = several();
        add(&mut tree, "again.yaml", text);
        tree
    };
    let broken = [
        without("server.yaml"),
        without("guard.yaml"),
        edited("${parameters.image}", "${parameters.imgae}", "server.yaml"),
        edited("kind: ComponentDefinition", "kind: ComponentDefinitoin", "server.yaml"),
        edited("v1beta1", "v1beta2", "server.yaml"),
        edited("name: server", "name: Server", "server.yaml"),
        edited("spec:\n", "spec: [\n", "guard.yaml"),
        edited("tidegate:\n", "cue: {}\n    tidegate:\n", "guard.yaml"),
        two(SERVER),
        two(&GUARD.replace("default: low", "default: high")),
    ];
    for tree in &broken {
        let loaded = load(tree, "");
        let why = shown(&loaded);
        let held = hold(loaded, &goods, Some(&last));
        assert_eq!(held.addons.get(&web()), last.addons.get(&web()), "{why:?}");
        assert!(held.held.contains_key(&web()) && !held.may_prune, "{why:?}");
        let plain: UnitName = "application/shop/plain-1".parse().unwrap();
        assert!(held.addons.contains_key(&plain) && !held.held.contains_key(&plain), "{why:?}");
    }
}

#[test]
fn a_definition_is_never_applied_to_the_hub() {
    let (repository, _) = good(&several());
    assert!(repository.objects.keys().all(|key| key.group != "core.oam.dev"));
}

#[test]
fn a_shared_definition_is_not_used_while_one_of_the_own_namespace_may_be_unreadable() {
    let mut tree = several();
    add(&mut tree, "own.yaml", &format!("{}  [\n", GUARD.replace("vela-system", "shop")));
    let found = complaints(&tree);
    assert!(
        found.contains("web.yaml:11:23: spec.components[0].traits[0].type is guard: own.yaml, which could not be read, may declare a TraitDefinition of this name in namespace shop; fix that file"),
        "{found}"
    );
    let loaded = load(&tree, "");
    assert_eq!(loaded.repository.blocked.keys().map(UnitName::as_str).collect::<Vec<_>>(), ["application/shop/web"]);
}

#[test]
fn a_shared_definition_is_not_used_while_a_file_is_skipped_that_may_have_another_one() {
    let mut tree = several();
    tree.skipped.insert("own.yaml".to_owned(), "it is a link".to_owned());
    let loaded = load(&tree, "");
    assert!(loaded.repository.blocked.contains_key("application/shop/web"), "{}", complaints(&tree));
}
