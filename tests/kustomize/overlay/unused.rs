//! Files that nothing uses.

use tidegate_kustomize::overlay;

use super::{config_map, rendered, tree, warnings};

const UNUSED: &str = "nothing in this overlay uses this file; list it in the kustomization.yaml, or remove it";

#[test]
fn unused_yaml_files_next_to_used_ones_are_a_warning() {
    let map = config_map("web");
    let files = [
        ("prod/kustomization.yaml", "resources: [../base]\n"),
        ("prod/forgotten.yaml", "]"),
        ("prod/notes.txt", ""),
        ("prod/.hidden.yaml", ""),
        ("base/kustomization.yaml", "resources: [a.yaml, more/b.yaml]\n"),
        ("base/a.yaml", &map),
        ("base/more/b.yaml", &config_map("other")),
        ("base/more/c.yml", &map),
        ("base/elsewhere/d.yaml", ""),
        ("other/kustomization.yaml", "resources: [e.yaml]\n"),
        ("other/f.yaml", ""),
    ];
    let expected = format!("base/more/c.yml:1:1: {UNUSED}\nprod/forgotten.yaml:1:1: {UNUSED}");
    assert_eq!(warnings(&overlay::render(&tree(&files), "prod")), expected);
}

#[test]
fn directories_of_other_overlays_are_ignored() {
    let map = config_map("web");
    let files = [
        ("kustomization.yaml", "resources: [base/a.yaml]\n"),
        ("base/kustomization.yaml", "resources: [a.yaml, b.yaml]\n"),
        ("base/a.yaml", &map),
        ("base/b.yaml", &map),
    ];
    assert_eq!(warnings(&rendered(&files)), "");
}

#[test]
fn a_failed_rendering_reports_no_unused_files() {
    assert_eq!(warnings(&rendered(&[("kustomization.yaml", "resources: [a.yaml]\n"), ("b.yaml", "")])), "");
}

#[test]
fn unused_files_without_objects_are_not_reported() {
    let map = config_map("web");
    let files = [
        ("kustomization.yaml", "resources: [a.yaml]\n"),
        ("a.yaml", map.as_str()),
        ("values.yaml", "image: {tag: 1}\n"),
        ("empty.yaml", "# nothing\n"),
        ("patch.yaml", "- {op: remove, path: /data}\n"),
    ];
    assert_eq!(warnings(&rendered(&files)), format!("patch.yaml:1:1: {UNUSED}"));
}
