//! What an AppDeployment requires of its clusters: with its own annotation, and with those of its revisions.

use tidegate_model::name::ApplicationName;
use tidegate_model::tree::Tree;
use tidegate_repository::load;
use tidegate_repository::revisions::publish;

use super::{DEPLOYMENT, deployment, loaded, publish_as, published, tree};
use crate::fixture::{edit, shown};

const V1: &str = "apps/cluster-test-app-v1.yaml";
const NOTE: &str = "    app.oam.dev/revision-only: \"true\"\n";

/// Returns a repository in which the first revision requires units, and the AppDeployment does.
fn requiring(of_revision: &str, of_deployment: &str) -> Tree {
    let mut tree = published();
    edit(&mut tree, "apps/app.yaml", NOTE, &format!("{NOTE}    tidegate.io/requires: {of_revision}\n"));
    tree.files.remove(V1);
    publish_as(&mut tree, "cluster-test-app-v1");
    let own = format!("  namespace: default\n  annotations: {{tidegate.io/requires: {of_deployment}}}\n");
    let text = DEPLOYMENT.replacen("  namespace: default\n", &own, 1);
    tree.files.insert("deployment.yaml".to_owned(), text.into_bytes());
    tree
}

#[test]
fn c16_an_app_deployment_requires_what_it_and_its_revisions_say() {
    let required = |tree: &Tree| {
        let repository = loaded(tree);
        let unit = &repository.addons[&deployment()];
        (unit.requires().iter().map(ToString::to_string).collect::<Vec<_>>(), unit.digest.clone())
    };
    let (both, of_both) = required(&requiring("hello", "other"));
    assert_eq!(both, ["hello", "other"]);
    let (one, of_one) = required(&requiring("other", "other"));
    assert_eq!(one, ["other"]);
    assert_ne!(of_both, of_one, "an approval is about what is required, too");
}

#[test]
fn what_an_application_requires_is_a_part_of_its_revision() {
    let application: ApplicationName = "application/default/cluster-test-app-cloneset".to_owned().try_into().unwrap();
    let mut tree = published();
    let before = publish(&tree, "", &application, None).unwrap();
    assert_eq!((before.name.as_str(), &before.text), ("cluster-test-app-v2", &None));
    edit(&mut tree, "apps/app.yaml", NOTE, &format!("{NOTE}    tidegate.io/requires: hello\n"));
    let after = publish(&tree, "", &application, None).unwrap();
    assert_ne!(after.digest, before.digest);
    assert!(after.text.unwrap().contains("tidegate.io/requires: hello\n"));

    // It cannot be changed later.
    let mut tree = requiring("hello", "other");
    edit(&mut tree, V1, "tidegate.io/requires: hello", "tidegate.io/requires: other");
    let found = shown(&load(&tree, "")).join("\n");
    assert!(found.contains("was changed after it was published"), "{found}");
}

#[test]
fn c16_what_a_revision_requires_in_vain_is_found_at_its_entry() {
    let mut tree = tree();
    let requires = "    tidegate.io/requires: application/default/cross-cluster-app\n";
    edit(&mut tree, "apps/app.yaml", NOTE, &format!("{NOTE}{requires}"));
    tree.files.remove(V1);
    publish_as(&mut tree, "cluster-test-app-v1");
    let found = load(&tree, "");
    assert!(found.repository.blocked.contains_key(&deployment()));
    insta::assert_snapshot!(shown(&found).join("\n"), @r#"deployment.yaml:8:21: revision "cluster-test-app-v1" requires "application/default/cross-cluster-app", which is the application itself; remove it"#);
}
