//! What an application requires of its clusters.

use tidegate_model::tree::Tree;
use tidegate_repository::load;

use super::{WEB, tree, unit, web};
use crate::fixture::shown;

/// Returns the application with this annotation.
fn requiring(names: &str) -> String {
    WEB.replace("namespace: shop\n", &format!("namespace: shop\n  annotations: {{tidegate.io/requires: '{names}'}}\n"))
}

/// Returns a repository with two applications: `web` with an annotation, and `db` with another one.
fn pair(of_web: &str, of_db: &str) -> Tree {
    let mut tree = tree(&requiring(of_web));
    let db = requiring(of_db).replace("name: web\n", "name: db\n");
    let db = db.replace("name: server", "name: database").replace("name: texts", "name: words");
    tree.files.insert("db.yaml".to_owned(), db.into_bytes());
    tree
}

#[test]
fn c16_what_an_application_requires_is_a_part_of_it() {
    let plain = unit(&tree(WEB));
    let requires = unit(&tree(&requiring(" hello ,other")));
    assert!(plain.requires().is_empty());
    assert_eq!(requires.requires().iter().map(ToString::to_string).collect::<Vec<_>>(), ["hello", "other"]);
    assert_ne!(plain.digest, requires.digest, "an approval is about what is required, too");
}

#[test]
fn c16_units_that_require_each_other_are_refused() {
    assert_eq!(shown(&load(&pair("application/shop/db", "hello"), "")), [""; 0]);
    let loaded = load(&pair("application/shop/db", "application/shop/web"), "");
    insta::assert_snapshot!(shown(&loaded).join("\n"), @r#"
    db.yaml:6:39: metadata.annotations.tidegate.io/requires names "application/shop/web", which makes a circle, so none of these could ever start: application/shop/web after application/shop/db after application/shop/web; remove one
    web.yaml:6:39: metadata.annotations.tidegate.io/requires names "application/shop/db", which makes a circle, so none of these could ever start: application/shop/db after application/shop/web after application/shop/db; remove one
    "#);
    assert!(loaded.repository.blocked.contains_key(&web()));
}

#[test]
fn c16_an_order_of_a_policy_may_close_the_circle() {
    let mut tree = pair("application/shop/db", "hello");
    let policy = "apiVersion: tidegate.io/v1alpha1\nkind: RolloutPolicy\nmetadata: {name: late}\nspec: {selector: {addOns: [hello]}, order: [{after: application/shop/web}]}\n";
    tree.files.insert("late.yaml".to_owned(), policy.as_bytes().to_vec());
    insta::assert_snapshot!(shown(&load(&tree, "")).join("\n"), @r#"
    db.yaml:6:39: metadata.annotations.tidegate.io/requires names "hello", which makes a circle, so none of these could ever start: hello after application/shop/web after application/shop/db after hello; remove one
    late.yaml:4:53: spec.order[0].after makes a circle, so none of these add-ons could ever start: application/shop/web after application/shop/db after hello after application/shop/web; remove one
    web.yaml:6:39: metadata.annotations.tidegate.io/requires names "application/shop/db", which makes a circle, so none of these could ever start: application/shop/db after hello after application/shop/web after application/shop/db; remove one
    "#);
}

#[test]
fn c16_a_candidate_is_never_done() {
    let mut tree = pair("application/shop/db", "hello");
    crate::fixture::edit(&mut tree, "db.yaml", "annotations: {", "annotations: {app.oam.dev/revision-only: \"true\", ");
    insta::assert_snapshot!(
        shown(&load(&tree, "")).join("\n"),
        @r#"web.yaml:6:39: metadata.annotations.tidegate.io/requires names "application/shop/db", which is a candidate, so it is never done; roll it out, or require another unit"#
    );
}
