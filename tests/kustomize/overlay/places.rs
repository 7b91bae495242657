//! Where each value comes from, step by step.

use tidegate_kustomize::overlay::{self, Rendered};
use tidegate_kustomize::yaml::Node;
use tidegate_model::diagnostic::Place;

use super::{config_map, errors, tree};

/// Returns the location of a value, and the fields that set it with the locations before, latest first.
fn history(rendered: &Rendered, path: &[&str]) -> Vec<String> {
    let node: &Node = rendered.objects[0].node.find(path).unwrap();
    let place = |origin| rendered.provenance.place(origin).to_string();
    let mut lines = vec![place(node.origin)];
    for step in rendered.provenance.steps(node.origin) {
        let before = step.before.map_or("nothing".to_owned(), place);
        lines.push(format!("{} at {}, before: {before}", step.field, place(step.at)));
    }
    lines
}

#[test]
fn a_name_records_its_base_and_all_layers() {
    let map = config_map("web");
    let files = tree(&[
        ("base/cm.yaml", &map),
        ("base/kustomization.yaml", "resources: [cm.yaml]\nnamePrefix: base-\n"),
        ("kustomization.yaml", "nameSuffix: -v2\nresources: [base]\n"),
    ]);
    let rendered = overlay::render(&files, ".");
    let expected = [
        "kustomization.yaml:1:13",
        "nameSuffix at kustomization.yaml:1:13, before: base/kustomization.yaml:2:13",
        "namePrefix at base/kustomization.yaml:2:13, before: base/cm.yaml:4:9",
    ];
    assert_eq!(history(&rendered, &["metadata", "name"]), expected);
    let place = Place { file: "base/cm.yaml".into(), line: 1, column: 1 };
    assert_eq!(rendered.objects[0].place, place);
}

#[test]
fn labels_patches_and_images_record_what_they_replaced() {
    let pod = "apiVersion: v1\nkind: Pod\nmetadata:\n  name: web\n  labels:\n    app: web\nspec:\n  containers:\n  - name: a\n    image: busybox:1\n";
    let kustomization = "resources: [pod.yaml]\npatches:\n- patch: |-\n    apiVersion: v1\n    kind: Pod\n    metadata:\n      name: web\n      labels:\n        app: patched\nlabels:\n- pairs:\n    app: labeled\n    team: a\nimages:\n- name: busybox\n  newTag: \"2\"\n";
    let rendered = overlay::render(&tree(&[("pod.yaml", pod), ("kustomization.yaml", kustomization)]), ".");
    assert_eq!(errors(&rendered), "");
    let app = [
        "kustomization.yaml:12:10",
        "labels[0].app at kustomization.yaml:12:5, before: kustomization.yaml:9:14",
        "patches[0] at kustomization.yaml:3:3, before: pod.yaml:6:10",
    ];
    assert_eq!(history(&rendered, &["metadata", "labels", "app"]), app);
    let team = ["kustomization.yaml:13:11", "labels[0].team at kustomization.yaml:13:5, before: nothing"];
    assert_eq!(history(&rendered, &["metadata", "labels", "team"]), team);
    let containers = rendered.objects[0].node.find(&["spec", "containers"]).unwrap().as_sequence().unwrap();
    let image = containers[0].get("image").unwrap();
    assert_eq!(rendered.provenance.place(image.origin).to_string(), "kustomization.yaml:16:11");
    let step = rendered.provenance.steps(image.origin).next().unwrap();
    assert_eq!(&*step.field, "images[0]");
    assert_eq!(rendered.provenance.place(step.before.unwrap()).to_string(), "pod.yaml:10:12");
}

#[test]
fn generated_values_have_the_locations_of_their_sources() {
    let kustomization = "configMapGenerator:\n- name: web\n  literals: [a=b]\n  envs: [x.env]\n  files: [f.txt]\n";
    let files = tree(&[("kustomization.yaml", kustomization), ("x.env", "# first\nK=v\n"), ("f.txt", "text")]);
    let rendered = overlay::render(&files, ".");
    assert_eq!(errors(&rendered), "");
    assert_eq!(history(&rendered, &["data", "a"])[0], "kustomization.yaml:3:14");
    assert_eq!(history(&rendered, &["data", "K"])[0], "x.env:2:1");
    assert_eq!(history(&rendered, &["data", "f.txt"])[0], "f.txt:1:1");
    let name = history(&rendered, &["metadata", "name"]);
    assert_eq!(name[0], "kustomization.yaml:2:9");
    assert_eq!(name[1], "hash of the data at kustomization.yaml:2:9, before: kustomization.yaml:2:9");
}
