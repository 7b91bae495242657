//! Components that render an overlay of the repository.

use serde_json::Value;
use tidegate_model::tree::Tree;
use tidegate_repository::revisions::publish;
use tidegate_repository::{Unit, load};

use super::types::application;
use super::{WEB, web};
use crate::fixture::{edit, shown, with};

const COMPONENT: &str = "name: server\ntype: kustomize\nproperties: {path: apps/web/prod}\ntraits: [{type: labels, properties: {team: shop}}]\n";

/// Returns a repository with its declarations in a directory, and two layers of an overlay beside it.
fn tree(web: &str) -> Tree {
    let base = with("web.yaml", web);
    let mut tree = Tree::default();
    for (file, bytes) in base.files {
        tree.files.insert(format!("fleet/{file}"), bytes);
    }
    let files = [
        ("tidegate.toml", "[repository]\npath = \"fleet\"\n\n[applications]\nenabled = true\n"),
        ("apps/web/base/kustomization.yaml", "resources: [deployment.yaml]\n"),
        (
            "apps/web/base/deployment.yaml",
            "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec:\n  replicas: 1\n  selector: {matchLabels: {app: web}}\n  template:\n    metadata: {labels: {app: web}}\n    spec: {containers: [{name: web, image: example.com/web:1}]}\n",
        ),
        (
            "apps/web/prod/kustomization.yaml",
            "resources: [../base]\nnamePrefix: prod-\nreplicas: [{name: web, count: 4}]\nconfigMapGenerator: [{name: texts, literals: [a=b]}]\n",
        ),
    ];
    for (file, text) in files {
        tree.files.insert(file.to_owned(), text.as_bytes().to_vec());
    }
    tree
}

fn unit(tree: &Tree) -> Unit {
    let loaded = load(tree, "");
    assert_eq!(shown(&loaded), [""; 0]);
    loaded.repository.addons[&web()].clone()
}

fn objects(unit: &Unit) -> Vec<Value> {
    super::objects(unit)
}

#[test]
fn the_objects_of_an_overlay_are_those_of_the_component() {
    let unit = unit(&tree(&application(&[COMPONENT])));
    let objects = objects(&unit);
    let named: Vec<(&str, &str, &str)> = objects
        .iter()
        .map(|object| {
            let text = |pointer: &str| object.pointer(pointer).and_then(Value::as_str).unwrap();
            (text("/kind"), text("/metadata/name"), text("/metadata/namespace"))
        })
        .collect();
    assert_eq!(named.len(), 2, "{named:?}");
    assert!(named[0].0 == "ConfigMap" && named[0].1.starts_with("prod-texts-") && named[0].2 == "shop", "{named:?}");
    assert_eq!(named[1], ("Deployment", "prod-web", "shop"));
    assert_eq!(objects[1]["spec"]["replicas"], 4);
    assert_eq!(objects[1]["metadata"]["labels"]["app.oam.dev/component"], "server");
    assert_eq!(objects[0]["metadata"]["labels"]["team"], "shop", "the first object is the workload of traits");
}

#[test]
fn a_change_in_the_overlay_is_a_change_of_the_application() {
    let before = tree(&application(&[COMPONENT]));
    let mut after = before.clone();
    edit(&mut after, "apps/web/base/deployment.yaml", "example.com/web:1", "example.com/web:2");
    assert_ne!(unit(&before).digest, unit(&after).digest);
    let repository = load(&before, "").repository;
    assert_eq!(repository.may_change("apps/web/base/deployment.yaml"), Some(true));
    assert_eq!(repository.may_change("apps/web/base/kustomization.yml"), Some(true), "another name of the file");
    assert_eq!(repository.may_change("apps/other/deployment.yaml"), None);
    let mut comment = before.clone();
    edit(&mut comment, "apps/web/base/kustomization.yaml", "resources", "# as usual\nresources");
    assert_eq!(unit(&before).digest, unit(&comment).digest);
}

#[test]
fn a_published_revision_does_not_need_the_overlay() {
    let mut tree = tree(&application(&[COMPONENT]));
    let name = "application/shop/web".to_owned().try_into().unwrap();
    let publication = publish(&tree, "", &name, Some("web-v1")).unwrap();
    tree.files.retain(|file, _| !file.starts_with("apps/"));
    tree.files.remove("fleet/web.yaml");
    tree.files.insert(publication.file, publication.text.unwrap().into_bytes());
    let deployment = "\
apiVersion: core.oam.dev/v1beta1
kind: AppDeployment
metadata: {name: web, namespace: shop}
spec:
  appRevisions:
    - revisionName: web-v1
      placement: [{clusterSelector: {name: a}}]
";
    tree.files.insert("fleet/deployment.yaml".to_owned(), deployment.as_bytes().to_vec());
    let loaded = load(&tree, "");
    let errors: Vec<String> =
        loaded.complaints.iter().filter(|found| found.is_error()).map(ToString::to_string).collect();
    assert_eq!(errors, [""; 0]);
    assert_eq!(objects(&loaded.repository.addons[&web()])[1]["metadata"]["name"], "prod-web");
}

#[test]
fn mistakes_in_overlays_of_components() {
    let wrong = |tree: &Tree| {
        let loaded = load(tree, "");
        let found = shown(&loaded);
        assert!(!loaded.repository.addons.contains_key(&web()), "{found:#?}");
        assert!(loaded.complaints.iter().all(|complaint| complaint.addons.contains(&web())), "{found:#?}");
        found.join("\n    ")
    };
    let of = |properties: &str| {
        wrong(&tree(&application(&[&format!("name: server\ntype: kustomize\nproperties: {properties}\n")])))
    };
    let edited = |file: &str, from: &str, to: &str| {
        let mut tree = tree(&application(&[COMPONENT]));
        edit(&mut tree, file, from, to);
        wrong(&tree)
    };
    let over = |change: &str| {
        let policy = format!("    - name: other\n      type: override\n      properties: {{components: [{change}]}}\n");
        wrong(&tree(&(application(&[COMPONENT]) + &policy)))
    };
    let cases = [
        ("no path", of("{}")),
        ("no such directory", of("{path: apps/web/production}")),
        ("no kustomization", of("{path: apps/web}")),
        ("outside of the repository", of("{path: ../web}")),
        ("remote", of("{repoType: git, url: 'https://example.com/web', path: apps/web/prod}")),
        ("written objects", of("{path: apps/web/prod, objects: []}")),
        ("an error in the overlay", edited("apps/web/prod/kustomization.yaml", "../base", "../bas")),
        (
            "an error in an object",
            edited("apps/web/base/deployment.yaml", "  template:\n", "  minReadySeconds: soon\n  template:\n"),
        ),
        ("an override of the path", over("{name: server, properties: {path: apps/web/base}}")),
        ("objects in an override", over("{name: server, properties: {objects: [], objectsOf: apps/web/prod}}")),
        ("objects in an override of a type", over("{type: kustomize, properties: {objects: []}}")),
        (
            "an overlay with objects in an override",
            over("{name: more, type: kustomize, properties: {path: a, objectsOf: a, objects: []}}"),
        ),
        ("an overlay in an override", over("{name: more, type: kustomize, properties: {path: apps/web/base}}")),
        (
            "no objects",
            edited(
                "apps/web/prod/kustomization.yaml",
                "resources: [../base]\nnamePrefix: prod-\nreplicas: [{name: web, count: 4}]\nconfigMapGenerator: [{name: texts, literals: [a=b]}]",
                "namePrefix: prod-",
            ),
        ),
    ];
    let found: String = cases.iter().map(|(what, found)| format!("{what}\n    {found}\n")).collect();
    insta::assert_snapshot!("mistakes_in_overlays", found);
}

#[test]
fn an_error_in_an_overlay_blocks_only_the_applications_that_use_it() {
    let other =
        application(&["name: server\ntype: worker\nproperties: {image: a}\n"]).replace("name: web", "name: other");
    let mut tree = tree(&application(&[COMPONENT]));
    tree.files.insert("fleet/other.yaml".to_owned(), other.into_bytes());
    edit(&mut tree, "apps/web/prod/kustomization.yaml", "../base", "../bas");
    let loaded = load(&tree, "");
    let units: Vec<String> =
        loaded.repository.addons.keys().map(ToString::to_string).filter(|unit| unit.contains("application")).collect();
    assert_eq!(units, ["application/shop/other"]);
    assert!(WEB.contains("name: web"));
}
