//! Candidates: applications with the annotation revision-only, which are checked and not rolled out.

use std::sync::Arc;

use tidegate_model::tree::Tree;
use tidegate_repository::{Repository, hold, load};

use super::{WEB, edited_tree, tree, web};
use crate::fixture::{edit, shown};

const NAMED: &str = "namespace: shop\n";
const REVISION_ONLY: &str = "namespace: shop\n  annotations: {app.oam.dev/revision-only: \"true\"}\n";

/// A candidate needs no policies.
fn candidate() -> Tree {
    let (components, _) = WEB.split_once("  policies:\n").unwrap();
    let mut tree = tree(components);
    edit(&mut tree, "web.yaml", NAMED, REVISION_ONLY);
    tree
}

fn is_only_a_candidate(repository: &Repository) -> bool {
    repository.candidates.contains_key(&web())
        && !repository.addons.contains_key(&web())
        && !repository.held.contains_key(&web())
}

#[test]
fn c7_a_candidate_is_sound_and_is_not_a_unit() {
    for tree in [candidate(), edited_tree(NAMED, REVISION_ONLY)] {
        let loaded = load(&tree, "");
        assert_eq!(shown(&loaded), [""; 0]);
        assert!(is_only_a_candidate(&loaded.repository) && loaded.repository.may_prune);
        assert_eq!(loaded.repository.candidates[&web()].to_string(), "web.yaml:1:1");
    }
}

#[test]
fn only_the_string_true_makes_a_candidate() {
    for value in ["\"false\"", "\"TRUE\"", "\"\""] {
        let loaded = load(&edited_tree(NAMED, &REVISION_ONLY.replace("\"true\"", value)), "");
        assert!(loaded.repository.addons.contains_key(&web()) && loaded.repository.candidates.is_empty(), "{value}");
    }
    let loaded = load(&edited_tree(NAMED, &REVISION_ONLY.replace("\"true\"", "yes please")), "");
    insta::assert_snapshot!(
        shown(&loaded).join("\n"),
        @r#"web.yaml:6:44: metadata.annotations.app.oam.dev/revision-only is "yes please", which has no effect, so the application is rolled out; write "true" to keep it a candidate, or remove it"#
    );
    let (components, _) = WEB.split_once("  policies:\n").unwrap();
    insta::assert_snapshot!(
        shown(&load(&tree(components), "")).join("\n"),
        @r#"web.yaml:7:3: the application selects no clusters; add a policy of type topology or placement, or the annotation app.oam.dev/revision-only: "true""#
    );
}

#[test]
fn the_components_of_a_candidate_are_checked_although_no_cluster_gets_them() {
    let mut tree = candidate();
    edit(&mut tree, "web.yaml", "name: server\n", "name: 1server\n");
    insta::assert_snapshot!(
        shown(&load(&tree, "")).join("\n"),
        @"web.yaml:9:7: spec.components[0] renders Service shop/1server, but the name of a Service begins with a letter; rename it"
    );
}

#[test]
fn a_candidate_with_a_mistake_is_not_held_at_what_was_rolled_out_before() {
    let before = Arc::new(load(&tree(WEB), "").repository);
    let good = [(web(), Arc::clone(&before))].into();
    for (from, to) in [("type: webservice", "type: webservise"), ("spec:\n", "spec: [\n"), ("shop\n", "{}\n")] {
        let mut candidate = candidate();
        let first = Arc::new(hold(load(&candidate, ""), &good, Some(&before)));
        assert!(is_only_a_candidate(&first));
        edit(&mut candidate, "web.yaml", from, to);
        for good in [good.clone(), [].into()] {
            let loaded = load(&candidate, "");
            assert!(!loaded.repository.may_prune, "{from} -> {to}");
            let second = hold(loaded, &good, Some(&first));
            assert!(is_only_a_candidate(&second), "{from} -> {to}");
        }
    }
}

#[test]
fn a_candidate_is_a_unit_again_without_the_annotation() {
    let first = hold(load(&edited_tree(NAMED, REVISION_ONLY), ""), &[].into(), None);
    let second = hold(load(&tree(WEB), ""), &[].into(), Some(&first));
    assert!(second.addons.contains_key(&web()) && second.candidates.is_empty());
}

#[test]
fn a_candidate_with_the_name_of_a_unit_holds_the_unit() {
    let good = Arc::new(load(&tree(WEB), "").repository);
    let mut doubled = tree(WEB);
    doubled.files.insert("again.yaml".to_owned(), WEB.replace(NAMED, REVISION_ONLY).into_bytes());
    let held = hold(load(&doubled, ""), &[(web(), Arc::clone(&good))].into(), Some(&good));
    assert!(held.candidates.is_empty() && held.held.contains_key(&web()), "{:?}", held.blocked);
    assert_eq!(held.addons[&web()], good.addons[&web()]);
}
