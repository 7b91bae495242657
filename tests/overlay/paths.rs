//! Which files are read, and which ones the result depends on.

use tidegate::model::tree::Tree;
use tidegate::overlay;

use super::{config_map, errors, tree};

#[test]
fn the_result_depends_on_what_was_looked_for() {
    let map = config_map("web");
    let files = tree(&[
        ("base/kustomization.yml", "resources: [cm.yaml]\n"),
        ("base/cm.yaml", &map),
        ("base/other.yaml", "unread"),
        (
            "overlays/prod/kustomization.yaml",
            "resources: [../../base]\nconfigMapGenerator: [{name: g, files: [a.txt]}]\n",
        ),
        ("overlays/prod/a.txt", "a"),
    ]);
    let rendered = overlay::render(&files, "overlays/prod");
    assert_eq!(errors(&rendered), "");
    let read: Vec<_> = rendered.read.iter().map(String::as_str).collect();
    let expected = [
        "base",
        "base/Kustomization",
        "base/cm.yaml",
        "base/kustomization.yaml",
        "base/kustomization.yml",
        "overlays/prod/Kustomization",
        "overlays/prod/a.txt",
        "overlays/prod/kustomization.yaml",
        "overlays/prod/kustomization.yml",
    ];
    assert_eq!(read, expected);
}

#[test]
fn a_file_that_is_missing_is_one_that_the_result_depends_on() {
    let rendered = overlay::render(&tree(&[("kustomization.yaml", "resources: [cm.yaml]\n")]), "");
    assert!(rendered.is_failed());
    assert!(rendered.read.contains("cm.yaml"));
}

#[test]
fn symbolic_links_are_told() {
    let mut files = tree(&[("kustomization.yaml", "resources: [link/cm.yaml]\n")]);
    files.skipped.insert("link".to_owned(), "symbolic links are not followed".to_owned());
    let rendered = overlay::render(&files, ".");
    assert_eq!(errors(&rendered), "kustomization.yaml:1:13: link/cm.yaml is not read: symbolic links are not followed");
}

#[test]
fn the_directory_may_be_written_in_many_ways() {
    let map = config_map("web");
    let files = tree(&[("a/b/kustomization.yaml", "resources: [cm.yaml]\n"), ("a/b/cm.yaml", &map)]);
    for directory in ["a/b", "./a/b", "a/b/", "a/x/../b", "/a/b"] {
        assert_eq!(errors(&overlay::render(&files, directory)), "", "{directory}");
    }
    let outside = overlay::render(&files, "../a");
    assert_eq!(errors(&outside), "../a: the directory ../a leaves the repository");
    let missing = overlay::render(&Tree::default(), "a");
    assert_eq!(errors(&missing), "a: there is no directory a");
}
