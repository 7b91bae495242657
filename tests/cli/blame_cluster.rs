//! The origin of the values that a cluster gets, in a repository of plain objects.

use super::clone::Clone;
use super::session;

const ADDON: &str = "\
apiVersion: addon.open-cluster-management.io/v1beta1
kind: ClusterManagementAddOn
metadata: {name: hello}
spec:
  defaultConfigs:
  - {group: addon.open-cluster-management.io, resource: addontemplates, name: hello-1}
  - {group: addon.open-cluster-management.io, resource: addondeploymentconfigs, namespace: fleet, name: default}
  installStrategy:
    type: Placements
    placements:
    - {namespace: fleet, name: all}
    - namespace: fleet
      name: aws
      configs:
      - {group: addon.open-cluster-management.io, resource: addondeploymentconfigs, namespace: fleet, name: aws}
";

const TEMPLATE: &str = "\
apiVersion: addon.open-cluster-management.io/v1beta1
kind: AddOnTemplate
metadata: {name: hello-1}
spec:
  addonName: hello
  agentSpec:
    workload:
      manifests:
      - apiVersion: apps/v1
        kind: Deployment
        metadata: {name: agent, namespace: hello}
        spec:
          replicas: 2
          selector: {matchLabels: {app: agent}}
          template:
            metadata: {labels: {app: agent}}
            spec:
              containers:
              - name: agent
                image: quay.io/hello/agent:1
                args: ['--level={{LEVEL}}', '--cluster={{CLUSTER_NAME}}', '--fixed']
";

const PLACEMENTS: &str = "\
apiVersion: cluster.open-cluster-management.io/v1beta1
kind: Placement
metadata: {name: all, namespace: fleet}
spec: {}
---
apiVersion: cluster.open-cluster-management.io/v1beta1
kind: Placement
metadata: {name: aws, namespace: fleet}
spec:
  predicates:
  - requiredClusterSelector: {labelSelector: {matchLabels: {cloud: aws}}}
---
apiVersion: cluster.open-cluster-management.io/v1beta2
kind: ManagedClusterSetBinding
metadata: {name: everything, namespace: fleet}
spec: {clusterSet: everything}
---
apiVersion: cluster.open-cluster-management.io/v1beta2
kind: ManagedClusterSet
metadata: {name: everything}
spec: {clusterSelector: {selectorType: LabelSelector, labelSelector: {}}}
";

fn config(name: &str, level: &str, more: &str) -> String {
    format!(
        "apiVersion: addon.open-cluster-management.io/v1beta1\nkind: AddOnDeploymentConfig\n\
         metadata: {{name: {name}, namespace: fleet}}\nspec:\n  customizedVariables:\n  - name: LEVEL\n    value: '{level}'\n{more}"
    )
}

const OWN: &str = "\
apiVersion: addon.open-cluster-management.io/v1beta1
kind: ManagedClusterAddOn
metadata: {name: hello, namespace: special}
spec:
  configs:
  - {group: addon.open-cluster-management.io, resource: addondeploymentconfigs, namespace: fleet, name: special}
";

/// Returns a clone of a repository of plain objects, by two people, one of whose commits is approved.
pub(super) fn plain() -> Clone {
    let clone = Clone::new();
    std::fs::remove_dir_all(std::path::Path::new(clone.root()).join("base")).unwrap();
    std::fs::remove_dir_all(std::path::Path::new(clone.root()).join("overlays")).unwrap();
    for (file, text) in [("addon.yaml", ADDON), ("template.yaml", TEMPLATE), ("placements.yaml", PLACEMENTS)] {
        clone.write(file, text);
    }
    clone.write("default.yaml", &config("default", "1", ""));
    clone.commit("Ada", "hello: install it");
    clone.write(
        "aws.yaml",
        &config("aws", "4", "  registries: [{source: quay.io/hello, mirror: ecr.example.com/hello}]\n"),
    );
    clone.write("special.yaml", &(config("special", "9", "") + "---\n" + OWN));
    clone.commit("Grace", "hello: more levels\n\nApproved-by: Linus <linus@example.com>\nReviewed-by: Margaret");
    clone
}

#[test]
fn blame_works_without_an_overlay() {
    let clone = plain();
    let blame =
        |object: &'static str, pointer: &'static str| session(&[["blame", object, pointer, "--path", clone.root()]]);
    insta::assert_snapshot!(
        [
            blame("AddOnDeploymentConfig/aws", "/spec/registries"),
            blame("placement/fleet/aws", "/spec"),
            blame("Placement/gcp", ""),
            blame("Placement/aws", "/spec/predicate"),
        ]
        .join("\n")
    );
    clone.write("broken.yaml", "a: ]\n");
    insta::assert_snapshot!("broken_file", blame("ConfigMap/a", ""));
}

#[test]
fn blame_shows_what_decides_a_value_of_a_cluster_and_where_that_was_chosen() {
    let clone = plain();
    let blame = |cluster: &'static str, labels: &'static str, pointer: &'static str| {
        let options = ["--cluster", cluster, "--labels", labels, "--path", clone.root()];
        session(&[[&["blame", "Deployment/agent", pointer][..], &options].concat()])
    };
    let container = "/spec/template/spec/containers/0";
    let pointer = |rest: &str| -> &'static str { Box::leak(format!("{container}{rest}").into_boxed_str()) };
    insta::assert_snapshot!(
        [
            blame("c1", "cloud=gcp", "/spec/replicas"),
            blame("c1", "cloud=gcp", "/metadata/namespace"),
            blame("c1", "cloud=gcp", pointer("/args")),
            blame("c1", "cloud=aws", pointer("/args/0")),
            blame("c1", "cloud=aws", pointer("/image")),
            blame("c1", "cloud=aws", pointer("/env")),
            blame("special", "cloud=aws", pointer("/args/0")),
        ]
        .join("\n")
    );
}

#[test]
fn a_cluster_addon_or_object_that_does_not_exist_is_reported_with_what_exists() {
    let clone = plain();
    let blame = |options: &[&'static str]| {
        let root = ["--path", clone.root()];
        session(&[[&["blame"], options, &root].concat()])
    };
    insta::assert_snapshot!(
        [
            blame(&["Deployment/agnt", "--cluster", "c1"]),
            blame(&["Deployment/agent", "--cluster", "c1", "--addon", "helo"]),
            blame(&["Deployment/agent", "--cluster", "C1"]),
            blame(&["Deployment/agent", "/spec/replica", "--cluster", "c1"]),
            blame(&["Deployment/agent", "--cluster", "c1", "--labels", "a"]),
        ]
        .join("\n")
    );
    clone.write(
        "placements.yaml",
        &PLACEMENTS.replace("labelSelector: {}", "labelSelector: {matchLabels: {in: everything}}"),
    );
    insta::assert_snapshot!("not_selected", blame(&["Deployment/agent", "--cluster", "c1"]));
    let render = || session(&[["render", clone.root(), "--cluster", "c1"]]);
    let (placements, _) = PLACEMENTS.split_once("---\napiVersion: cluster.open-cluster-management.io/v1beta2").unwrap();
    clone.write("placements.yaml", placements);
    insta::assert_snapshot!("no_binding", render());
    let (bound, _) = PLACEMENTS.rsplit_once("---").unwrap();
    clone.write("placements.yaml", &bound.replace("everything", "global"));
    let rendered = render();
    assert!(rendered.contains("--cluster=c1"), "the set global is on every hub: {rendered}");
    clone.write("placements.yaml", &bound.replace("everything", "default"));
    assert!(render().contains("--cluster=c1"), "a cluster without a set is in the set default");
}

#[test]
fn a_cluster_that_is_not_declared_has_the_labels_of_the_journal() {
    let clone = plain();
    clone.write(
        "placements.yaml",
        &PLACEMENTS.replace("labelSelector: {}", "labelSelector: {matchLabels: {cloud: aws}}"),
    );
    clone.commit("Ada", "only aws");
    clone.git("Ada", &["checkout", "-q", "--orphan", "tidegate/journal"]);
    clone.git("Ada", &["rm", "-rfq", "."]);
    clone.write(
        "fleet.yaml",
        "apiVersion: tidegate.io/v1alpha1\nkind: Fleet\nasOf: \"2026-03-01T11:00:05Z\"\nclusters:\n  \"aws-1\": {\"labels\": {\"cloud\": \"aws\"}}\n",
    );
    clone.write("sync.yaml", "apiVersion: tidegate.io/v1alpha1\nkind: Sync\n");
    clone.commit("Ada", "the journal");
    clone.git("Ada", &["checkout", "-q", "main"]);
    let render = |cluster| session(&[["render", clone.root(), "--cluster", cluster]]);
    let rendered = render("aws-1");
    assert!(rendered.contains("its labels are those of the journal, as of 2026-03-01T11:00:05Z"), "{rendered}");
    assert!(rendered.contains("--cluster=aws-1"), "{rendered}");
    assert!(render("gcp-1").contains("no placement selects gcp-1"));
    let blamed =
        session(&[["blame", "Deployment/agent", "/spec/replicas", "--cluster", "aws-1", "--path", clone.root()]]);
    assert!(blamed.contains("the journal, as of") && blamed.contains("/spec/replicas"), "{blamed}");
    clone.git("Ada", &["checkout", "-q", "tidegate/journal"]);
    clone.write("fleet.yaml", "kind: [");
    clone.commit("Ada", "half a file");
    clone.git("Ada", &["checkout", "-q", "main"]);
    let rendered = render("aws-1");
    assert!(rendered.contains("warning: fleet.yaml in the journal cannot be read: "), "{rendered}");
    assert!(rendered.contains("aws-1 has no labels but those of --labels"), "{rendered}");
}
