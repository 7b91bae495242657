//! Replacements in place of vars: the same bytes, or a reason.

use tidegate_kustomize::fix::vars_to_replacements;
use tidegate_kustomize::overlay::render;
use tidegate_model::tree::Tree;

const OBJECTS: &str = "apiVersion: v1
kind: Service
metadata: {name: front, namespace: web}
spec: {ports: [{port: 8080}]}
---
apiVersion: v1
kind: Pod
metadata: {name: p, namespace: web}
spec:
  containers:
    - name: m
      args: ['--service=$(FRONT)', $(FRONT), x/$(PORT)/path]
";

const VARS: &str = "# The web site.
resources: [objects.yaml]
namePrefix: a-
vars:
# The name of the service.
- name: FRONT
  objref: {apiVersion: v1, kind: Service, name: front}
# Its port.
- name: PORT
  objref: {apiVersion: v1, kind: Service, name: front}
  fieldref: {fieldPath: 'spec.ports[0].port'}

# About namespaces.
commonAnnotations: {b: c}
";

fn tree(files: &[(&str, &str)]) -> Tree {
    let mut tree = Tree::default();
    for (path, text) in files {
        tree.files.insert((*path).to_owned(), text.as_bytes().to_vec());
    }
    tree
}

fn yaml(tree: &Tree, directory: &str) -> String {
    let rendered = render(tree, directory);
    assert!(!rendered.is_failed(), "{:?}", rendered.complaints);
    rendered.to_yaml().unwrap()
}

#[test]
fn vars_become_replacements_that_render_the_same() {
    let mut tree = tree(&[
        ("base/kustomization.yaml", VARS),
        ("base/objects.yaml", OBJECTS),
        ("top/kustomization.yaml", "resources: [../base]\nnameSuffix: -z\n"),
    ]);
    let before = [yaml(&tree, "base"), yaml(&tree, "top")];
    assert!(before[0].contains("x/8080/path"));
    let result = vars_to_replacements(&tree, "base/kustomization.yaml");
    // The name in the overlay has a suffix that a replacement in the base does not see.
    let refused = result.unwrap_err();
    assert_eq!(refused.message, "the vars stay: with replacements, top would render to something else");
    assert_eq!(refused.place.to_string(), "base/kustomization.yaml:4:1");

    tree.files
        .insert("top/kustomization.yaml".to_owned(), b"resources: [../base]\nlabels: [{pairs: {d: e}}]\n".to_vec());
    let before = [before[0].clone(), yaml(&tree, "top")];
    let fixed = vars_to_replacements(&tree, "base/kustomization.yaml").unwrap().unwrap();
    tree.files.insert("base/kustomization.yaml".to_owned(), fixed.clone().into_bytes());
    assert_eq!([yaml(&tree, "base"), yaml(&tree, "top")], before);
    insta::assert_snapshot!(fixed);
    assert_eq!(vars_to_replacements(&tree, "base/kustomization.yaml"), Ok(None));
}

#[test]
fn vars_that_replacements_cannot_replace_stay_with_a_reason() {
    for (vars, objects, reason) in [
        (
            VARS.to_owned(),
            OBJECTS.replace("--service=$(FRONT)", "x$(FRONT)y"),
            "only set a part between two equal characters",
        ),
        (VARS.to_owned(), OBJECTS.replace("$(PORT)", "1"), "no field refers to $(PORT)"),
        // A var sets a number here, and a replacement a string.
        (
            VARS.to_owned(),
            OBJECTS.replace("      args:", "      env: [{name: P, value: $(PORT)}]\n      args:"),
            "would render to something else",
        ),
        (VARS.to_owned() + "replacements: []\n", OBJECTS.to_owned(), "there are replacements already"),
        (VARS.replace("name: front}\n#", "name: frnt}\n#"), OBJECTS.to_owned(), "cannot be rendered"),
        (
            "{resources: [objects.yaml], vars: [{name: X}]}".to_owned(),
            OBJECTS.to_owned(),
            "must start a line, and no comment",
        ),
    ] {
        let tree = tree(&[("kustomization.yaml", &vars), ("objects.yaml", &objects)]);
        let refused = vars_to_replacements(&tree, "kustomization.yaml").unwrap_err();
        assert!(refused.message.contains(reason), "{refused:?}");
    }
    for without in ["resources: [objects.yaml]\n", "resources: [objects.yaml]\nvars: []\n", "a: [", ""] {
        let tree = tree(&[("kustomization.yaml", without), ("objects.yaml", OBJECTS)]);
        assert_eq!(vars_to_replacements(&tree, "kustomization.yaml"), Ok(None));
    }
}
