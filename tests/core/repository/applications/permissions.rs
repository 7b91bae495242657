//! What work agents lack to apply an application.

use serde_json::{Value, json};
use tidegate_delivery::allowing;
use tidegate_model::tree::Tree;
use tidegate_repository::{Lacking, Rights, load};

use super::types::application;
use super::{SETTINGS, tree, web};
use crate::fixture::{edit, shown};

const ROLLOUT: &str = "\
name: nginx-server
type: k8s-objects
properties:
  objects:
    - apiVersion: standard.oam.dev/v1alpha1
      kind: Rollout
      metadata: {name: nginx-server, namespace: default}
      spec: {targetRevisionName: nginx-server-v1, componentName: nginx-server}
    - apiVersion: apps/v1
      kind: ControllerRevision
      metadata: {name: nginx-server-v1, namespace: default}
      revision: 1
      data: {}
    - apiVersion: v1
      kind: ConfigMap
      metadata: {name: texts}
";

fn of(tree: &Tree) -> Lacking {
    let loaded = load(tree, "");
    assert_eq!(shown(&loaded), [""; 0]);
    Rights::of(&loaded.repository).lacking(&web()).unwrap()
}

fn rules(lacking: &Lacking) -> Value {
    json!(allowing(&lacking.requests()).rules)
}

fn with_grants(granted: &str) -> Tree {
    let mut tree = tree(&application(&[ROLLOUT]));
    tree.files.insert("tidegate.toml".to_owned(), format!("{SETTINGS}granted = {granted}\n").into_bytes());
    tree
}

#[test]
fn e6_needs_two_rules_and_nothing_else() {
    let lacking = of(&tree(&application(&[ROLLOUT])));
    let all = ["create", "delete", "get", "patch", "update"];
    assert_eq!(
        rules(&lacking),
        json!([
            { "apiGroups": ["apps"], "resources": ["controllerrevisions"], "verbs": all },
            { "apiGroups": ["standard.oam.dev"], "resources": ["rollouts"], "verbs": all },
        ])
    );
    assert_eq!(lacking.guessed, [("Rollout.standard.oam.dev".to_owned(), "rollouts".to_owned())].into());
    assert_eq!(
        lacking.notes(&web()),
        [
            "application/shop/web: component nginx-server needs rights that work agents do not have by default: create, delete, patch, update \
          controllerrevisions.apps; create, delete, get, patch, update rollouts.standard.oam.dev; `tidegate app permissions shop/web` prints \
          a role that gives them"
        ]
    );
}

#[test]
fn an_object_that_is_only_read_needs_no_other_right() {
    let policy = "    - name: read\n      type: read-only\n      properties: {rules: [{selector: {resourceTypes: [Rollout, ControllerRevision]}}]}\n";
    let lacking = of(&tree(&(application(&[ROLLOUT]) + policy)));
    let verbs: Vec<(String, String)> =
        lacking.requests().into_iter().map(|access| (access.resource, access.verb)).collect();
    assert_eq!(verbs, [("rollouts".to_owned(), "get".to_owned())]);
}

#[test]
fn an_application_of_built_in_types_needs_nothing() {
    let lacking = of(&tree(super::WEB));
    assert_eq!((lacking.notes(&web()), lacking.guessed.len()), (Vec::new(), 0));
}

#[test]
fn the_resource_of_a_kind_is_that_of_its_definition() {
    let definition = "\
name: definitions
type: k8s-objects
properties:
  objects:
    - apiVersion: apiextensions.k8s.io/v1
      kind: CustomResourceDefinition
      metadata: {name: rollouties.standard.oam.dev}
      spec:
        group: standard.oam.dev
        scope: Namespaced
        names: {kind: Rollout, plural: rollouties}
        versions: [{name: v1alpha1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]
";
    let lacking = of(&tree(&application(&[ROLLOUT, definition])));
    assert_eq!(lacking.guessed.len(), 0);
    let rules = rules(&lacking);
    assert_eq!(rules[2]["resources"], json!(["rollouties"]), "{rules:#}");
    assert_eq!(rules[0]["resourceNames"], json!(["rollouties.standard.oam.dev"]), "{rules:#}");
}

#[test]
fn a_kind_of_kubernetes_itself_cannot_be_defined_again() {
    let quota = "\
name: quota
type: k8s-objects
properties:
  objects:
    - {apiVersion: v1, kind: ResourceQuota, metadata: {name: all}, spec: {hard: {pods: 10}}}
";
    let definition = "\
name: definitions
type: k8s-objects
properties:
  objects:
    - apiVersion: apiextensions.k8s.io/v1
      kind: CustomResourceDefinition
      metadata: {name: pods.core}
      spec:
        group: ''
        scope: Namespaced
        names: {kind: ResourceQuota, plural: pods}
        versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]
";
    let resources = |components: &[&str]| {
        let lacking = of(&tree(&application(components)));
        let requests = lacking.requests().into_iter().map(|access| access.resource);
        requests.collect::<std::collections::BTreeSet<_>>()
    };
    assert!(resources(&[quota]).contains("resourcequotas"));
    assert!(resources(&[quota, definition]).contains("resourcequotas"));
}

#[test]
fn an_aggregated_role_of_any_unit_counts() {
    let role = |label: &str| {
        format!(
            "name: role\ntype: k8s-objects\nproperties:\n  objects:\n    - apiVersion: rbac.authorization.k8s.io/v1\n      kind: \
             ClusterRole\n      metadata: {{name: r, labels: {{{label}: 'true'}}}}\n      rules: [{{apiGroups: ['standard.oam.dev', apps], \
             resources: ['*'], verbs: ['*']}}]\n"
        )
    };
    let aggregated = role("open-cluster-management.io/aggregate-to-work");
    assert_eq!(rules(&of(&tree(&application(&[ROLLOUT, &aggregated])))), json!([]));
    let other = role("rbac.authorization.k8s.io/aggregate-to-admin");
    assert_eq!(rules(&of(&tree(&application(&[ROLLOUT, &other])))).as_array().unwrap().len(), 2);
}

#[test]
fn what_the_settings_grant_counts_for_the_clusters_of_their_set() {
    let rule = "{ groups = [\"standard.oam.dev\", \"apps\"], resources = [\"rollouts\", \"controllerrevisions\"], verbs = [\"*\"]";
    let left = |granted: &str| rules(&of(&with_grants(granted))).as_array().unwrap().len();
    assert_eq!(left(&format!("[{rule} }}]")), 0);
    assert_eq!(left(&format!("[{rule}, cluster_set = \"other\" }}]")), 2);
    assert_eq!(left("[{ groups = [\"*\"], resources = [\"rollouts\"], verbs = [\"get\", \"create\"] }]"), 2);
    // The Placement selects from one set.
    assert_eq!(left(&format!("[{rule}, cluster_set = \"global\" }}]")), 0);
    let mut tree = with_grants(&format!("[{rule}, cluster_set = \"global\" }}]"));
    edit(&mut tree, "placement.yaml", "clusterSets: [global]", "clusterSets: []");
    let sets = |tree: &Tree| rules(&of(tree)).as_array().unwrap().len();
    assert_eq!(sets(&tree), 0, "it selects from all sets that are bound to its namespace");
    let binding = "apiVersion: cluster.open-cluster-management.io/v1beta2\nkind: ManagedClusterSetBinding\nmetadata: {name: default, namespace: \
                   fleet}\nspec: {clusterSet: default}\n";
    tree.files.insert("binding.yaml".to_owned(), binding.as_bytes().to_vec());
    assert_eq!(sets(&tree), 2);
}

#[test]
fn a_rule_of_the_settings_that_cannot_be_read_is_a_mistake_at_its_place() {
    let mistake = |granted: &str| shown(&load(&with_grants(granted), "")).join("\n");
    let found: Vec<String> = [
        "true",
        "[1]",
        "[{ groups = [\"a\"], resources = [\"b\"] }]",
        "[{ group = [\"a\"] }]",
        "[{ groups = \"a\" }]",
        "[{ groups = [1] }]",
        "[{ groups = [\"a\"], resources = [\"b\"], verbs = [\"get\"], cluster_set = [] }]",
    ]
    .map(mistake)
    .into();
    insta::assert_snapshot!(found.join("\n"), @r#"
    tidegate.toml:3:11: applications.granted is not a list; write a list of rules, such as [{ groups = ["argoproj.io"], resources = ["rollouts"], verbs = ["*"] }]
    tidegate.toml:3:12: a rule of applications.granted is not a table; write a list of rules, such as [{ groups = ["argoproj.io"], resources = ["rollouts"], verbs = ["*"] }]
    tidegate.toml:3:12: applications.granted: verbs is missing; a rule without it allows nothing: add it
    tidegate.toml:3:14: applications.granted: "group" is not known; did you mean "groups"?
    tidegate.toml:3:23: applications.granted: groups is not a list of strings; write ["..."]
    tidegate.toml:3:24: applications.granted: a value of groups is not a string; write it in quotes
    tidegate.toml:3:80: applications.granted: a value of cluster_set is not a string; write it in quotes
    "#);
    let many = "{ groups = [\"a\"], resources = [\"b\"], verbs = [\"get\"] }, ".repeat(201);
    assert!(mistake(&format!("[{many}]")).contains("at most 200 are read"), "{}", mistake(&format!("[{many}]")));
}
