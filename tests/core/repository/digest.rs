//! Tests of the digests of add-ons: which changes of the files change them, and which do not.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use proptest::prelude::*;
use serde_json::Value;
use tidegate_model::digest::Digest;
use tidegate_model::name::UnitName;
use tidegate_model::tree::Tree;
use tidegate_repository::{Repository, hold, load};

use super::fixture::{edit, shown, with};
use super::layout::Layout;

/// An add-on with placements and a cluster set of its own.
const APART: &str = "\
apiVersion: addon.open-cluster-management.io/v1beta1
kind: ClusterManagementAddOn
metadata: {name: apart}
spec:
  installStrategy:
    type: Placements
    placements:
      - {namespace: apart, name: first}
      - {namespace: apart, name: second}
---
apiVersion: cluster.open-cluster-management.io/v1beta1
kind: Placement
metadata: {name: first, namespace: apart}
spec:
  predicates:
    - requiredClusterSelector: {labelSelector: {matchLabels: {cloud: aws}}}
---
apiVersion: cluster.open-cluster-management.io/v1beta1
kind: Placement
metadata: {name: second, namespace: apart}
spec: {clusterSets: [apart]}
---
apiVersion: cluster.open-cluster-management.io/v1beta2
kind: ManagedClusterSetBinding
metadata: {name: apart, namespace: apart}
spec: {clusterSet: apart}
---
apiVersion: cluster.open-cluster-management.io/v1beta2
kind: ManagedClusterSet
metadata: {name: apart}
spec: {clusterSelector: {selectorType: LabelSelector, labelSelector: {matchLabels: {region: eu}}}}
---
apiVersion: cluster.open-cluster-management.io/v1beta2
kind: ManagedClusterSet
metadata: {name: unused}
spec: {clusterSelector: {selectorType: LabelSelector, labelSelector: {matchLabels: {region: us}}}}
";

/// The configurations of the only cluster with its own.
const OWN_CONFIGS: &str = "  configs:
    - group: addon.open-cluster-management.io
      resource: addondeploymentconfigs
      namespace: fleet
      name: hello-config
";

/// The end of the reference to a placement without a rollout strategy.
const EVERYWHERE: &str = "        name: everywhere";

fn base() -> Tree {
    with("apart.yaml", APART)
}

/// Returns the digests of a tree without errors.
fn digests(tree: &Tree) -> BTreeMap<UnitName, Digest> {
    let loaded = load(tree, "");
    let errors: Vec<_> = loaded.complaints.iter().filter(|complaint| complaint.is_error()).collect();
    assert!(errors.is_empty(), "{:?}", shown(&loaded));
    of(&loaded.repository)
}

fn of(repository: &Repository) -> BTreeMap<UnitName, Digest> {
    repository.addons.keys().map(|name| (name.clone(), repository.digest(name).unwrap().clone())).collect()
}

/// Returns the add-ons whose digests differ.
fn changed(tree: &Tree) -> BTreeSet<String> {
    let (before, after) = (digests(&base()), digests(tree));
    let names: BTreeSet<_> = before.keys().chain(after.keys()).collect();
    names.into_iter().filter(|name| before.get(*name) != after.get(*name)).map(ToString::to_string).collect()
}

fn set<const N: usize>(names: [&str; N]) -> BTreeSet<String> {
    names.map(str::to_owned).into()
}

#[test]
fn a_change_changes_the_digests_of_the_addons_that_it_affects() {
    let shared = set(["hello", "other"]);
    let cases = [
        ("config.yaml", "value: '4'", "value: '5'", set(["hello"])),
        ("template.yaml", "'{{CLUSTER_NAME}}'", "'{{HUB_KUBECONFIG}}'", set(["hello"])),
        ("addon.yaml", "maxConcurrency: 25%", "maxConcurrency: 30%", set(["hello"])),
        ("addon.yaml", "minSuccessTime: 5m", "minSuccessTime: 6m", set(["hello"])),
        ("addon.yaml", "              - groupName: canary", "              - groupIndex: 0", set(["hello"])),
        ("override.yaml", "installNamespace: hello-system", "installNamespace: hello", set(["hello"])),
        ("override.yaml", OWN_CONFIGS, "", set(["hello"])),
        ("override.yaml", "namespace: east-1", "namespace: east-2", set(["hello"])),
        (
            "other.yaml",
            EVERYWHERE,
            "        name: everywhere
        rolloutStrategy: {type: Progressive}",
            set(["other"]),
        ),
        (
            "other.yaml",
            EVERYWHERE,
            "        name: everywhere
        rolloutStrategy: {type: All}",
            set([]),
        ),
        ("placement.yaml", "spec:\n", "spec:\n  numberOfClusters: 3\n", shared.clone()),
        ("placement.yaml", "tier: canary", "tier: gold", shared.clone()),
        (
            "placement.yaml",
            "    groupStrategy:\n",
            "    groupStrategy:\n      clustersPerDecisionGroup: 10\n",
            shared.clone(),
        ),
        ("placement.yaml", "labelSelector: {}", "labelSelector: {matchLabels: {a: b}}", shared.clone()),
        ("apart.yaml", "cloud: aws", "cloud: gcp", set(["apart"])),
        ("apart.yaml", "region: eu", "region: ap", set(["apart"])),
        ("apart.yaml", "region: us", "region: ap", set([])),
        ("addon.yaml", "displayName: Hello", "displayName: Goodbye", set([])),
        ("addon.yaml", "  annotations:\n", "  annotations:\n    example.com/owner: team-a\n", set([])),
        ("addon.yaml", "  annotations:\n", "  annotations:\n    tidegate.io/anything: x\n", set(["hello"])),
        ("plain.yaml", "tier: canary", "tier: gold", set([])),
    ];
    for (file, from, to, expected) in cases {
        let mut tree = base();
        edit(&mut tree, file, from, to);
        assert_eq!(changed(&tree), expected, "{file}: {from} -> {to}");
    }
    let all = set(["apart", "hello", "other"]);
    let settings = [
        ("[rollout]\nsemantics = 'compat'\n", all.clone()),
        ("[prune]\nmax_clusters = 3\n", all.clone()),
        ("[prune]\nconfirm = ['0123456789']\n", set([])),
        ("[journal]\nbranch = 'elsewhere'\n", set([])),
    ];
    for (text, expected) in settings {
        let mut tree = base();
        tree.files.insert("tidegate.toml".to_owned(), text.into());
        assert_eq!(changed(&tree), expected, "{text}");
    }
}

#[test]
fn the_order_of_placements_and_new_objects_count() {
    let mut tree = base();
    let lines = "      - {namespace: apart, name: first}\n      - {namespace: apart, name: second}\n";
    let reversed = "      - {namespace: apart, name: second}\n      - {namespace: apart, name: first}\n";
    edit(&mut tree, "apart.yaml", lines, reversed);
    assert_eq!(changed(&tree), set(["apart"]));

    // Only a placement that names no sets chooses from a new binding of its namespace.
    for (namespace, expected) in [("apart", set(["apart"])), ("fleet", set([]))] {
        let binding = format!(
            "apiVersion: cluster.open-cluster-management.io/v1beta2\nkind: ManagedClusterSetBinding\n\
             metadata: {{name: unused, namespace: {namespace}}}\nspec: {{clusterSet: unused}}\n"
        );
        let mut tree = base();
        tree.files.insert("binding.yaml".to_owned(), binding.into());
        assert_eq!(changed(&tree), expected, "{namespace}");
    }
}

#[test]
fn a_held_addon_keeps_the_digest_of_the_revision_at_which_it_is_held() {
    let last = Arc::new(load(&base(), "").repository);
    let good = last.addons.keys().map(|name| (name.clone(), Arc::clone(&last))).collect();
    let mut tree = base();
    edit(&mut tree, "addon.yaml", "maxConcurrency: 25%", "maxConcurency: 30%");
    edit(&mut tree, "apart.yaml", "cloud: aws", "cloud: gcp");
    let held = hold(load(&tree, ""), &good, Some(&last));
    let (before, after) = (of(&last), of(&held));
    assert_eq!(before["hello"], after["hello"]);
    assert_eq!(before["other"], after["other"]);
    assert_ne!(before["apart"], after["apart"]);
}

#[test]
fn a_digest_is_the_same_in_every_version_of_tidegate() {
    let digests: Vec<String> = digests(&base()).iter().map(|(name, digest)| format!("{name} {digest}")).collect();
    insta::assert_snapshot!(digests.join("
"), @r"
    apart 7bddfd22bbafac3d233a18334e195a3c2e463b6156ea799d56e9c5700492fac4
    hello 5b531233d662e95bcaed29b8d468ebd295b79fbfa113398a9606bd0bcc64657f
    other 4f8e7353a87ebde11c7523977f398321a54f6a6b09ec0253f390d7043e361356
    ");
}

/// Returns the objects of a tree.
fn objects(tree: &Tree) -> Vec<Value> {
    let texts = tree.files.values().map(|bytes| String::from_utf8(bytes.clone()).unwrap());
    texts.flat_map(|text| serde_saphyr::from_multiple::<Value>(&text).unwrap()).collect()
}

#[test]
fn an_overlay_with_a_patch_has_the_digests_of_what_it_renders() {
    let mut tree = Tree::default();
    let settings = "[repository]\npath = 'prod'\n";
    for (file, bytes) in base().files {
        tree.files.insert(format!("base/{file}"), bytes);
    }
    edit(&mut tree, "base/config.yaml", "value: '4'", "value: '3'");
    let names: Vec<String> = base().files.into_keys().collect();
    tree.files.insert("base/kustomization.yaml".to_owned(), format!("resources: [{}]\n", names.join(", ")).into());
    let patch = "resources: [../base]\npatches:\n  - target: {kind: AddOnDeploymentConfig}\n    patch: |-\n      \
                 - {op: replace, path: /spec/customizedVariables/0/value, value: '4'}\n";
    tree.files.insert("prod/kustomization.yaml".to_owned(), patch.into());
    tree.files.insert("tidegate.toml".to_owned(), settings.into());
    assert_eq!(digests(&tree), digests(&base()));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn the_layout_of_the_files_changes_no_digest(seed in any::<u64>()) {
        let tree = Layout::new(seed).tree(objects(&base()));
        prop_assert_eq!(digests(&tree), digests(&base()), "{:?}", tree);
    }
}
