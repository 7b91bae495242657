//! Limits of AppDeployments.

use std::fmt::Write as _;

use tidegate_model::tree::Tree;
use tidegate_repository::load;

use super::{CANDIDATE, DEPLOYMENT, deployment, publish_as, tree};
use crate::fixture::shown;

const FILE: &str = "deployment.yaml";

/// Returns an AppDeployment with this many entries, each with a revision, a cluster and a number of replicas of its own.
fn with_entries(count: usize, revision: &str) -> Vec<u8> {
    let mut text = DEPLOYMENT.split_once("    - revisionName").unwrap().0.to_owned();
    for entry in 0..count {
        if entry % 100 == 0 {
            writeln!(text, "    - revisionName: {revision}\n      placement:").unwrap();
        }
        let (cluster, replicas) = (format!("cluster-{entry}"), entry + 1);
        writeln!(text, "        - {{clusterSelector: {{name: {cluster}}}, distribution: {{replicas: {replicas}}}}}")
            .unwrap();
    }
    text.into_bytes()
}

/// Returns what is wrong with a repository, the AppDeployment of which is refused.
fn is_refused(tree: &Tree) -> String {
    let loaded = load(tree, "");
    assert!(loaded.repository.blocked.contains_key(&deployment()), "{:?}", shown(&loaded));
    shown(&loaded).join("\n")
}

#[test]
fn too_many_entries_are_one_mistake_and_nothing_else_is_read() {
    let mut tree = tree();
    tree.files.insert(FILE.to_owned(), with_entries(501, "unknown"));
    insta::assert_snapshot!(is_refused(&tree), @"deployment.yaml:8:5: the AppDeployment has 501 entries; 500 are allowed, so split it");
}

#[test]
fn each_version_of_a_revision_counts_with_all_of_its_components() {
    let mut tree = tree();
    let (before, component) = CANDIDATE.split_once("    - name: helloworld").unwrap();
    let component = component.split_once("      traits:").unwrap().0;
    let components = (0..51).map(|number| format!("    - name: hello-{number}{component}"));
    tree.files.insert("apps/app.yaml".to_owned(), format!("{before}{}", components.collect::<String>()).into_bytes());
    publish_as(&mut tree, "large");
    tree.files.insert(FILE.to_owned(), with_entries(99, "large"));
    insta::assert_snapshot!(is_refused(&tree), @"deployment.yaml:8:5: the AppDeployment has 5049 components, those of each revision counted apart for each number of replicas; 5000 are allowed, so split it, or use fewer revisions or numbers of replicas");
    tree.files.insert(FILE.to_owned(), with_entries(98, "large"));
    assert_eq!(shown(&load(&tree, "")), [""; 0]);
    // The same version on many clusters is one.
    let same: String = String::from_utf8(with_entries(500, "large")).unwrap();
    let same = same.lines().map(|line| line.split(", distribution").next().unwrap());
    let same =
        same.map(|line| if line.contains("clusterSelector") { format!("{line}}}\n") } else { format!("{line}\n") });
    tree.files.insert(FILE.to_owned(), same.collect::<String>().into_bytes());
    assert_eq!(shown(&load(&tree, "")), [""; 0]);
}
