//! Published revisions contain the definitions that they use.

use serde_json::Value;
use tidegate_model::name::{ApplicationName, NamespacedName};
use tidegate_model::tree::Tree;
use tidegate_repository::load;
use tidegate_repository::revisions::{Side, publish, rendered};

use super::{add, complaints, example};
use crate::applications::tree;
use crate::fixture::{edit, shown};

/// As it is written for KubeVela.
const APPLICATION: &str = "\
apiVersion: core.oam.dev/v1beta1
kind: Application
metadata:
  name: cluster-test-app-cloneset
  namespace: default
  annotations:
    app.oam.dev/revision-only: \"true\"
spec:
  components:
    - name: helloworld-cloneset
      type: cloneset
      properties:
        image: oamdev/helloworld-python:v1
        env:
          - name: \"TARGET\"
            value: \"KubeVela-v1\"
        port: 8080
      traits:
        - type: expose-nodeport
          properties:
            ports:
              - protocol: \"TCP\"
                port: 80
";

const DEPLOYMENT: &str = "\
apiVersion: core.oam.dev/v1beta1
kind: AppDeployment
metadata: {name: cross-cluster-app, namespace: default}
spec:
  appRevisions:
    - revisionName: cluster-test-app-v1
      placement: [{clusterSelector: {name: prod-cluster-1}, distribution: {replicas: 3}}]
";

fn application() -> ApplicationName {
    "application/default/cluster-test-app-cloneset".to_owned().try_into().unwrap()
}

/// Returns a repository with the application and the definitions that it uses.
fn declared() -> Tree {
    let mut tree = tree(APPLICATION);
    for name in ["cloneset", "expose-nodeport", "init-container"] {
        add(&mut tree, &format!("definitions/{name}.yaml"), &example(name));
    }
    assert_eq!(complaints(&tree), "");
    tree
}

/// Returns the repository with a revision, and its file.
fn published() -> (Tree, String) {
    let mut tree = declared();
    let publication = publish(&tree, "", &application(), Some("cluster-test-app-v1")).unwrap();
    add(&mut tree, &publication.file, &publication.text.unwrap());
    assert_eq!(complaints(&tree), "");
    (tree, publication.file)
}

fn of_revision(tree: &Tree) -> Vec<Value> {
    rendered(tree, "", &Side::Named(NamespacedName::new("default", "cluster-test-app-v1"))).unwrap()
}

#[test]
fn e1_renders_with_the_example_definitions() {
    let objects = rendered(&declared(), "", &Side::Application(application())).unwrap();
    insta::assert_snapshot!("e1", serde_json::to_string_pretty(&objects).unwrap());
}

#[test]
fn c8_a_revision_renders_with_the_definitions_that_it_was_published_with() {
    let (mut tree, file) = published();
    let text = String::from_utf8(tree.files[&file].clone()).unwrap();
    assert!(text.contains("  componentDefinitions:\n    cloneset:\n") && !text.contains("init-container"), "{text}");
    let before = of_revision(&tree);
    edit(&mut tree, "definitions/cloneset.yaml", "replicas: 1", "replicas: 2");
    assert_eq!(of_revision(&tree), before);
    // The application has other content now, and gets another revision.
    let next = publish(&tree, "", &application(), None).unwrap();
    assert!(next.text.is_some());
    for file in ["web.yaml", "definitions/cloneset.yaml", "definitions/expose-nodeport.yaml"] {
        tree.files.remove(file);
    }
    assert_eq!((complaints(&tree), of_revision(&tree)), (String::new(), before));
}

#[test]
fn an_app_deployment_sets_the_replicas_of_a_defined_workload() {
    let (mut tree, _) = published();
    add(&mut tree, "deployment.yaml", DEPLOYMENT);
    let loaded = load(&tree, "");
    assert_eq!(shown(&loaded), [""; 0]);
    let unit = &loaded.repository.addons["application/default/cross-cluster-app"];
    let object = &crate::applications::objects(unit)[0];
    assert_eq!((&object["kind"], &object["spec"]["replicas"]), (&"CloneSet".into(), &3.into()));
}

#[test]
fn a_change_of_a_definition_in_a_revision_is_found() {
    let wrong = |from: &str, to: &str| {
        let (mut tree, file) = published();
        edit(&mut tree, &file, from, to);
        complaints(&tree)
    };
    let found = [
        wrong("replicas: 1", "replicas: 2"),
        wrong("${parameters.image}", "${parameters.imgae}"),
        wrong("kind: ComponentDefinition", "kind: TraitDefinition"),
        wrong("      objects:\n", "      objekts:\n"),
        wrong("    cloneset:\n", "    clonesets:\n"),
    ];
    insta::assert_snapshot!("mistakes_in_definitions_of_revisions", found.join("\n\n"));
}

#[test]
fn a_definition_that_reads_the_cluster_cannot_be_published() {
    let mut tree = declared();
    edit(&mut tree, "definitions/cloneset.yaml", "${parameters.image}", "${parameters.image + context.cluster.name}");
    let refused = publish(&tree, "", &application(), None).unwrap_err().to_string();
    assert!(refused.contains("reads context.cluster"), "{refused}");
}
