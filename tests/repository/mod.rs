//! Tests of `repository` through its public face.

mod complaints;
mod good;
mod hold;
mod hostile;

use tidegate::model::tree::Tree;
use tidegate::repository::{Loaded, load};

/// A placement with a canary group, which the add-on below goes to.
const PLACEMENT: &str = "apiVersion: cluster.open-cluster-management.io/v1beta1
kind: Placement
metadata:
  name: fleet
  namespace: ocm
spec:
  decisionStrategy:
    groupStrategy:
      decisionGroups:
        - groupName: canary
          groupClusterSelector: {}
";

const TEMPLATE: &str = "apiVersion: addon.open-cluster-management.io/v1beta1
kind: AddOnTemplate
metadata:
  name: hello-1
spec:
  addonName: hello
  agentSpec:
    workload:
      manifests:
        - {apiVersion: v1, kind: ConfigMap, metadata: {name: hello}}
";

const ADDON: &str = "apiVersion: addon.open-cluster-management.io/v1beta1
kind: ClusterManagementAddOn
metadata:
  name: hello
spec:
  defaultConfigs:
    - group: addon.open-cluster-management.io
      resource: addontemplates
      name: hello-1
  installStrategy:
    type: Placements
    placements:
      - namespace: ocm
        name: fleet
        rolloutStrategy:
          type: Progressive
          progressive:
            maxConcurrency: 10
            minSuccessTime: 5s
            progressDeadline: 10m
            mandatoryDecisionGroups:
              - groupName: canary
";

/// A second add-on, which shares nothing with the first.
const OTHER: &str = "apiVersion: addon.open-cluster-management.io/v1beta1
kind: ClusterManagementAddOn
metadata:
  name: other
spec: {}
";

fn tree(files: &[(&str, &str)]) -> Tree {
    let files = files.iter().map(|(path, text)| ((*path).to_owned(), text.as_bytes().to_vec())).collect();
    Tree { files, ..Tree::default() }
}

/// The good repository, with some files replaced or added.
fn with(files: &[(&str, &str)]) -> Tree {
    let mut tree = tree(&[("a.yaml", ADDON), ("o.yaml", OTHER), ("p.yaml", PLACEMENT), ("t.yaml", TEMPLATE)]);
    tree.files.extend(files.iter().map(|(path, text)| ((*path).to_owned(), text.as_bytes().to_vec())));
    tree
}

fn complaints(loaded: &Loaded) -> Vec<String> {
    loaded.complaints.iter().map(ToString::to_string).collect()
}

fn loaded(files: &[(&str, &str)]) -> Loaded {
    load(&with(files), "")
}
