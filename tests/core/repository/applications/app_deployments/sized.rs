//! Revisions of components with a size of their own, by the trait `rollout`.

use tidegate_model::tree::Tree;
use tidegate_repository::load;
use tidegate_repository::revisions::publish;

use super::{CANDIDATE, DEPLOYMENT, publish_as};
use crate::applications::SETTINGS;
use crate::fixture::{edit, shown, with};

const TRAIT: &str = "      traits:\n        - type: rollout\n          properties: {targetSize: 2, rolloutBatches: [{replicas: 1}, {replicas: 1}]}\n";

/// Returns a repository with the candidate, whose component has the trait, and two revisions of it.
fn published() -> Tree {
    let mut tree = with("app.yaml", &CANDIDATE.replace("      traits:\n", TRAIT));
    tree.files.insert("tidegate.toml".to_owned(), SETTINGS.as_bytes().to_vec());
    publish_as(&mut tree, "cluster-test-app-v1");
    edit(&mut tree, "app.yaml", "image: oamdev", "image: example.com/oamdev");
    publish_as(&mut tree, "cluster-test-app-v2");
    tree.files.insert("deployment.yaml".to_owned(), DEPLOYMENT.as_bytes().to_vec());
    tree
}

#[test]
fn a_number_of_replicas_beside_a_target_size_is_a_mistake() {
    let mut tree = published();
    insta::assert_snapshot!(shown(&load(&tree, "")).join("\n"), @r#"
    deployment.yaml:15:23: spec.appRevisions[0].placement[0].distribution.replicas is 3, but the trait rollout of component helloworld of revision "cluster-test-app-v1" has a targetSize; remove one of the two
    deployment.yaml:24:23: spec.appRevisions[1].placement[0].distribution.replicas is 4, but the trait rollout of component helloworld of revision "cluster-test-app-v2" has a targetSize; remove one of the two
    "#);
    edit(&mut tree, "deployment.yaml", "          distribution:\n            replicas: 3\n", "");
    edit(&mut tree, "deployment.yaml", "          distribution:\n            replicas: 4\n", "");
    assert_eq!(shown(&load(&tree, "")), [""; 0]);
}

#[test]
fn a_published_revision_has_no_batches_by_a_controller() {
    let mut tree = published();
    edit(&mut tree, "tidegate.toml", "enabled = true", "enabled = true\nrollout = \"standard.oam.dev\"");
    let why = "is rollout, which is not supported in a published revision while rollout = \"standard.oam.dev\" in section [applications] of \
               tidegate.toml; write the Application with policies or steps instead";
    let found = shown(&load(&tree, ""));
    for (version, complaint) in ["v1", "v2"].into_iter().zip(&found) {
        let place = format!("cluster-test-app-{version}.yaml:25:11: spec.application.spec.components[0].traits[0]");
        assert_eq!(*complaint, format!("{place} {why}"), "{found:?}");
    }
    let application = "application/default/cluster-test-app-cloneset".to_owned().try_into().unwrap();
    edit(&mut tree, "app.yaml", "targetSize: 2", "targetSize: 4");
    edit(&mut tree, "app.yaml", "[{replicas: 1}, {replicas: 1}]", "[{replicas: 4}]");
    let refusal = publish(&tree, "", &application, None).unwrap_err().to_string();
    assert!(refusal.contains(why), "{refusal}");
}
