//! A good repository, and edited copies of it.

use std::sync::Arc;

use tidegate_model::tree::Tree;
use tidegate_repository::{AllowedKind, Loaded, OperatorRules, load_with};

pub(crate) const ADDON: &str = "\
apiVersion: addon.open-cluster-management.io/v1beta1
kind: ClusterManagementAddOn
metadata:
  name: hello
  annotations:
    addon.open-cluster-management.io/lifecycle: self
spec:
  addOnMeta:
    displayName: Hello
  defaultConfigs:
    - group: addon.open-cluster-management.io
      resource: addontemplates
      name: hello-1
  installStrategy:
    type: Placements
    placements:
      - namespace: fleet
        name: everywhere
        configs:
          - group: addon.open-cluster-management.io
            resource: addondeploymentconfigs
            namespace: fleet
            name: hello-config
        rolloutStrategy:
          type: Progressive
          progressive:
            minSuccessTime: 5m
            progressDeadline: 10m
            maxFailures: 1
            maxConcurrency: 25%
            mandatoryDecisionGroups:
              - groupName: canary
";

pub(crate) const PLACEMENT: &str = "\
apiVersion: cluster.open-cluster-management.io/v1beta1
kind: Placement
metadata:
  name: everywhere
  namespace: fleet
spec:
  clusterSets: [global]
  decisionStrategy:
    groupStrategy:
      decisionGroups:
        - groupName: canary
          groupClusterSelector:
            labelSelector:
              matchLabels:
                tier: canary
---
apiVersion: cluster.open-cluster-management.io/v1beta2
kind: ManagedClusterSetBinding
metadata:
  name: global
  namespace: fleet
spec:
  clusterSet: global
---
apiVersion: cluster.open-cluster-management.io/v1beta2
kind: ManagedClusterSet
metadata:
  name: global
spec:
  clusterSelector:
    selectorType: LabelSelector
    labelSelector: {}
";

pub(crate) const TEMPLATE: &str = "\
apiVersion: addon.open-cluster-management.io/v1alpha1
kind: AddOnTemplate
metadata:
  name: hello-1
spec:
  addonName: hello
  agentSpec:
    workload:
      manifests:
        - apiVersion: v1
          kind: ConfigMap
          metadata:
            name: hello
            namespace: default
          data:
            cluster: '{{CLUSTER_NAME}}'
";

pub(crate) const CONFIG: &str = "\
apiVersion: addon.open-cluster-management.io/v1alpha1
kind: AddOnDeploymentConfig
metadata:
  name: hello-config
  namespace: fleet
spec:
  customizedVariables:
    - name: LOG_LEVEL
      value: '4'
";

pub(crate) const OVERRIDE: &str = "\
apiVersion: addon.open-cluster-management.io/v1alpha1
kind: ManagedClusterAddOn
metadata:
  name: hello
  namespace: east-1
spec:
  installNamespace: hello-system
  configs:
    - group: addon.open-cluster-management.io
      resource: addondeploymentconfigs
      namespace: fleet
      name: hello-config
";

pub(crate) const OTHER: &str = "\
apiVersion: addon.open-cluster-management.io/v1beta1
kind: ClusterManagementAddOn
metadata:
  name: other
spec:
  installStrategy:
    type: Placements
    placements:
      - namespace: fleet
        name: everywhere
";

pub(crate) const PLAIN: &str = "\
apiVersion: v1
kind: List
items:
  - apiVersion: v1
    kind: Namespace
    metadata:
      name: fleet
  - apiVersion: cluster.open-cluster-management.io/v1
    kind: ManagedCluster
    metadata:
      name: east-1
      labels:
        tier: canary
    spec:
      hubAcceptsClient: true
";

/// Returns the good repository.
pub(crate) fn good() -> Tree {
    tree(&[
        ("addon.yaml", ADDON),
        ("config.yaml", CONFIG),
        ("other.yaml", OTHER),
        ("override.yaml", OVERRIDE),
        ("placement.yaml", PLACEMENT),
        ("plain.yaml", PLAIN),
        ("template.yaml", TEMPLATE),
    ])
}

pub(crate) fn tree(files: &[(&str, &str)]) -> Tree {
    let files = files.iter().map(|(path, text)| ((*path).to_owned(), text.as_bytes().to_vec())).collect();
    Tree { files, ..Tree::default() }
}

/// Returns the good repository with one string in one file replaced; panics if the file does not contain it.
pub(crate) fn edited(file: &str, from: &str, to: &str) -> Tree {
    let mut tree = good();
    edit(&mut tree, file, from, to);
    tree
}

pub(crate) fn edit(tree: &mut Tree, file: &str, from: &str, to: &str) {
    let text = String::from_utf8(tree.files[file].clone()).expect("the fixtures are UTF-8");
    assert!(text.contains(from), "{file} does not contain {from:?}");
    tree.files.insert(file.to_owned(), text.replacen(from, to, 1).into_bytes());
}

/// Returns the good repository with one file added.
pub(crate) fn with(file: &str, text: &str) -> Tree {
    let mut tree = good();
    tree.files.insert(file.to_owned(), text.as_bytes().to_vec());
    tree
}

pub(crate) fn shown(loaded: &Loaded) -> Vec<String> {
    loaded.complaints.iter().map(ToString::to_string).collect()
}

/// Returns the complaints about a tree, as strings.
pub(crate) fn complaints(tree: &Tree) -> Vec<String> {
    shown(&load_plain(tree))
}

/// Kinds that no add-on of the fixtures uses.
const PLAIN_KINDS: [(&str, &str); 11] = [
    ("", "ConfigMap"),
    ("", "Deployment"),
    ("", "Service"),
    ("batch", "Workflow"),
    ("example.com", "ConfigMapp"),
    ("example.com", "T"),
    ("example.com", "Thing"),
    ("example.com", "Widget"),
    ("example.io", "Numbers"),
    ("example.io", "Scalars"),
    ("rbac.authorization.k8s.io", "Role"),
];

/// Returns the rules of an operator who allows some plain kinds.
pub(crate) fn plain_kinds() -> Arc<OperatorRules> {
    let kind = |(group, kind): (&str, &str)| AllowedKind {
        group: group.to_owned(),
        kind: kind.to_owned(),
        ..AllowedKind::default()
    };
    Arc::new(OperatorRules { kinds: PLAIN_KINDS.map(kind).into(), ..OperatorRules::default() })
}

/// Loads a tree of which the operator allows some plain kinds.
pub(crate) fn load_plain(tree: &Tree) -> Loaded {
    load_with(tree, "", &plain_kinds())
}
