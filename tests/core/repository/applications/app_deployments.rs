//! AppDeployments: which clusters get which revision.

mod limits;
mod mistakes;
mod published;
mod required;
mod sized;

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Value, json};
use tidegate_model::name::UnitName;
use tidegate_model::object::ObjectKey;
use tidegate_model::tree::Tree;
use tidegate_repository::revisions::publish;
use tidegate_repository::{Overlap, Repository, hold, load};

use super::SETTINGS;
use crate::fixture::{edit, shown, with};

/// As it is written for KubeVela.
const DEPLOYMENT: &str = "\
apiVersion: core.oam.dev/v1beta1
kind: AppDeployment
metadata:
  name: cross-cluster-app
  namespace: default
spec:
  appRevisions:
    - revisionName: cluster-test-app-v1
      placement:
        - clusterSelector:
            labels:
              env: stage
            name: prod-cluster-1
          distribution:
            replicas: 3

    - revisionName: cluster-test-app-v2
      placement:
        - clusterSelector:
            labels:
              env: production
            name: prod-cluster-2
          distribution:
            replicas: 4
";

/// As it is written for KubeVela, with types that are built in.
const CANDIDATE: &str = "\
apiVersion: core.oam.dev/v1beta1
kind: Application
metadata:
  name: cluster-test-app-cloneset
  namespace: default
  annotations:
    app.oam.dev/revision-only: \"true\"
spec:
  components:
    - name: helloworld
      type: webservice
      properties:
        image: oamdev/helloworld-python:v1
        env:
          - name: \"TARGET\"
            value: \"KubeVela-v1\"
        port: 8080
      traits:
        - type: expose
          properties:
            port: [8080]
";

fn deployment() -> UnitName {
    "application/default/cross-cluster-app".parse().unwrap()
}

/// Returns a repository with the candidate, and its revisions as they are published.
pub(super) fn published() -> Tree {
    let mut tree = with("apps/app.yaml", CANDIDATE);
    tree.files.insert("tidegate.toml".to_owned(), SETTINGS.as_bytes().to_vec());
    for version in ["v1", "v2"] {
        let image = format!("helloworld-python:{version}");
        let text = String::from_utf8(tree.files["apps/app.yaml"].clone()).unwrap();
        let text = text.replace("helloworld-python:v1", &image).replace("KubeVela-v1", &format!("KubeVela-{version}"));
        tree.files.insert("apps/app.yaml".to_owned(), text.into_bytes());
        publish_as(&mut tree, &format!("cluster-test-app-{version}"));
    }
    tree
}

fn publish_as(tree: &mut Tree, name: &str) {
    let application = "application/default/cluster-test-app-cloneset".to_owned().try_into().unwrap();
    let publication = publish(tree, "", &application, Some(name)).unwrap();
    tree.files.insert(publication.file, publication.text.unwrap().into_bytes());
}

fn tree() -> Tree {
    let mut tree = published();
    tree.files.insert("deployment.yaml".to_owned(), DEPLOYMENT.as_bytes().to_vec());
    tree
}

fn edited(file: &str, from: &str, to: &str) -> Tree {
    let mut tree = tree();
    edit(&mut tree, file, from, to);
    tree
}

fn loaded(tree: &Tree) -> Repository {
    let loaded = load(tree, "");
    assert_eq!(shown(&loaded), [""; 0]);
    loaded.repository
}

/// Returns what the clusters of each entry get.
fn entries(repository: &Repository) -> Vec<Value> {
    let unit = &repository.addons[&deployment()];
    let entry = |(index, part): (usize, &tidegate_api::ocm::cluster_management_addon::PlacementStrategy)| {
        let content = &unit.configurations[&part.configs[0]].object["spec"]["agentSpec"]["workload"]["manifests"];
        let objects = content.as_array().unwrap().iter().map(|object| {
            let image = &object["spec"]["template"]["spec"]["containers"][0]["image"];
            let key = ObjectKey::of(object).unwrap();
            format!("{key} {image} {} {}", object["spec"]["replicas"], object["metadata"]["labels"])
        });
        let placement = &repository.placements[&part.reference()];
        json!({
            "placement": part.reference().to_string(),
            "selector": placement.spec.predicates,
            "step": unit.turn(index).step,
            "content": part.configs[0].name,
            "strategy": part.rollout_strategy,
            "objects": objects.collect::<Vec<_>>(),
        })
    };
    unit.parts().iter().enumerate().map(entry).collect()
}

#[test]
fn c9_each_entry_is_a_step_with_a_revision_clusters_and_replicas() {
    let repository = loaded(&tree());
    assert_eq!(repository.addons[&deployment()].overlap(), Overlap::Neither);
    assert!(repository.objects.keys().all(|key| key.group != "core.oam.dev"));
    let text = serde_json::to_string_pretty(&entries(&repository)).unwrap();
    insta::assert_snapshot!("each_entry_is_a_step_with_a_revision_clusters_and_replicas", text);
}

#[test]
fn names_of_objects_are_those_of_the_application_in_all_revisions() {
    let manifests = |repository: &Repository| -> Vec<Vec<String>> {
        let unit = &repository.addons[&deployment()];
        let of_content = |content: &Value| {
            let manifests = content["spec"]["agentSpec"]["workload"]["manifests"].as_array().unwrap();
            manifests.iter().map(|object| ObjectKey::of(object).unwrap().to_string()).collect()
        };
        unit.configurations.values().map(|configuration| of_content(&configuration.object)).collect()
    };
    let found = manifests(&loaded(&tree()));
    assert_eq!((found.len(), &found[0]), (2, &found[1]));
}

#[test]
fn an_entry_keeps_its_placement_if_entries_before_it_come_or_go() {
    let names = |tree: &Tree| -> Vec<String> {
        loaded(tree).addons[&deployment()].parts().iter().map(|part| part.name.clone()).collect()
    };
    let before = names(&tree());
    let first =
        "    - revisionName: cluster-test-app-v2\n      placement:\n        - clusterSelector: {labels: {env: test}}\n";
    let after = names(&edited("deployment.yaml", "  appRevisions:\n", &format!("  appRevisions:\n{first}")));
    assert_eq!((after.len(), &after[1..]), (3, before.as_slice()));
    assert!(after[0].starts_with("app-cross-cluster-app-"), "{after:?}");
}

#[test]
fn the_strategy_of_an_app_deployment_is_that_of_each_entry() {
    let strategy = "spec:\n  rolloutStrategy: {type: All, all: {progressDeadline: 10m}}\n";
    let repository = loaded(&edited("deployment.yaml", "spec:\n", strategy));
    let types = repository.addons[&deployment()].parts().iter().map(|part| part.rollout_strategy.type_.clone());
    assert_eq!(types.collect::<Vec<_>>(), ["All", "All"]);
}

#[test]
fn a_deleted_or_changed_revision_holds_the_app_deployments_that_use_it() {
    let before = Arc::new(hold(load(&tree(), ""), &[].into(), None));
    let good = [(deployment(), Arc::clone(&before))].into();
    let mut deleted = tree();
    deleted.files.remove("apps/cluster-test-app-v2.yaml");
    let changed = edited("apps/cluster-test-app-v2.yaml", "helloworld-python:v2", "helloworld-python:v3");
    for tree in [deleted, changed] {
        let held = hold(load(&tree, ""), &good, Some(&before));
        assert!(held.held.contains_key(&deployment()) && !held.may_prune);
        assert_eq!(held.digest(&deployment()), before.digest(&deployment()));
        assert_eq!(entries(&held), entries(&before));
    }
}

#[test]
fn a_revision_cannot_be_published_again_with_another_content() {
    let first = Arc::new(hold(load(&tree(), ""), &[].into(), None));
    let mut good: BTreeMap<_, _> = [(deployment(), Arc::clone(&first))].into();
    let mut again = tree();
    again.files.remove("apps/cluster-test-app-v2.yaml");
    let without = hold(load(&again, ""), &good, Some(&first));
    edit(&mut again, "apps/app.yaml", "helloworld-python:v2", "helloworld-python:v3");
    publish_as(&mut again, "cluster-test-app-v2");
    assert_eq!(shown(&load(&again, "")), [""; 0]);
    // After a restart, the last good revisions are known, and the newest one without errors.
    let newest = Arc::new(hold(load(&again, ""), &[].into(), None));
    good.insert("hello".parse().unwrap(), Arc::clone(&newest));
    for last in [Some(&*first), Some(&without), Some(&newest), None] {
        let held = hold(load(&again, ""), &good, last);
        assert_eq!(held.digest(&deployment()), first.digest(&deployment()));
        assert!(!held.may_prune);
        let found = held.held[&deployment()].complaints[0].to_string();
        assert!(
            found.starts_with(
                "apps/cluster-test-app-v2.yaml:1:1: revision \"cluster-test-app-v2\" was published before"
            ),
            "{found}"
        );
        // It stays so, and ends once the file is as it was.
        let still = hold(load(&again, ""), &good, Some(&held));
        assert!(still.held.contains_key(&deployment()));
        let restored = hold(load(&tree(), ""), &good, Some(&still));
        assert!(restored.held.is_empty() && restored.addons.contains_key(&deployment()) && restored.may_prune);
    }
}

#[test]
fn compat_semantics_have_neither_app_deployments_nor_revisions() {
    let mut tree = tree();
    tree.files.remove("apps/app.yaml");
    tree.files.insert("tidegate.toml".to_owned(), format!("{SETTINGS}[rollout]\nsemantics = 'compat'\n").into_bytes());
    insta::assert_snapshot!(shown(&load(&tree, "")).join("\n"), @r#"
    apps/cluster-test-app-v1.yaml:2:7: the kind ApplicationRevision needs the semantics strict, but tidegate.toml says compat, and upstream has no rules for it; write semantics = "strict"
    apps/cluster-test-app-v2.yaml:2:7: the kind ApplicationRevision needs the semantics strict, but tidegate.toml says compat, and upstream has no rules for it; write semantics = "strict"
    deployment.yaml:2:7: the kind AppDeployment needs the semantics strict, but tidegate.toml says compat, and upstream has no rules for it; write semantics = "strict"
    "#);
}
