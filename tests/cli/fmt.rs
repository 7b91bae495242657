//! `tidegate fmt`: which files it writes, and what it leaves alone.

use std::fs;
use std::path::Path;

use super::{code, text, tidegate};
use crate::files_below::files_below;
use crate::scratch::tempdir;

/// An object that is not in house format.
const OBJECT: &str = "kind: Namespace # comment\napiVersion: v1\nmetadata:\n    name: a\n    finalizers:\n    - b\n";
const FORMATTED: &str = "kind: Namespace # comment\napiVersion: v1\nmetadata:\n  name: a\n  finalizers:\n    - b\n";

fn write(directory: &Path, files: &[(&str, &str)]) {
    for (name, content) in files {
        let path = directory.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }
}

/// Runs the command; returns the exit code and what it prints.
fn fmt(directory: &Path, options: &[&str]) -> (i32, String) {
    let output = tidegate(&[&["fmt", directory.to_str().unwrap()], options].concat());
    (code(&output), format!("{}{}", text(&output.stdout), text(&output.stderr)))
}

#[test]
fn only_files_of_the_team_are_formatted() {
    let directory = tempdir();
    let root = directory.path();
    let alone = [
        ("vendor/a.yaml", OBJECT),
        ("approvals/istio/0123.yaml", OBJECT),
        ("control/istio.yaml", OBJECT),
        (".github/a.yaml", OBJECT),
        ("charts/web/Chart.yaml", OBJECT),
        ("charts/web/templates/a.yaml", OBJECT),
        ("a.txt", OBJECT),
    ];
    write(root, &alone);
    write(root, &[("fleet/a.yaml", OBJECT), ("fleet/b.yml", FORMATTED), ("tidegate.toml", "")]);
    std::os::unix::fs::symlink("fleet/a.yaml", root.join("link.yaml")).unwrap();

    let before = files_below(root);
    assert_eq!(fmt(root, &["--check"]), (1, "fleet/a.yaml is not in house format\nrun `tidegate fmt`\n".to_owned()));
    assert!(files_below(root) == before);
    assert_eq!(fmt(root, &[]), (0, "formatted fleet/a.yaml\n".to_owned()));
    assert_eq!(fs::read_to_string(root.join("fleet/a.yaml")).unwrap(), FORMATTED);
    for (name, content) in alone {
        assert_eq!(fs::read_to_string(root.join(name)).unwrap(), content, "{name}");
    }
    assert!(root.join("link.yaml").is_symlink());
    assert_eq!(fmt(root, &["--check"]), (0, String::new()));
}

#[test]
fn a_file_that_cannot_be_formatted_is_named_and_the_others_are_formatted() {
    let directory = tempdir();
    let root = directory.path();
    write(root, &[("a.yaml", "a: [1\n"), ("b.yaml", OBJECT), ("tidegate.toml", "")]);
    fs::write(root.join("c.yaml"), b"\xff").unwrap();
    let (exit, printed) = fmt(root, &[]);
    assert_eq!(exit, 1);
    assert!(printed.starts_with("a.yaml:1:4: this is not valid YAML"), "{printed}");
    assert!(printed.ends_with("formatted b.yaml\nc.yaml: the file is not UTF-8\n"), "{printed}");
    assert_eq!(fs::read_to_string(root.join("a.yaml")).unwrap(), "a: [1\n");
    assert_eq!(fmt(&root.join("nowhere"), &[]).0, 2);
}

/// Vars that stay are no fault of the format, and only files of a config repository are written.
#[test]
fn vars_become_replacements_or_stay_with_a_note() {
    let directory = tempdir();
    let root = directory.path();
    let pod =
        "apiVersion: v1\nkind: Pod\nmetadata:\n  name: p\nspec:\n  containers:\n    - name: m\n      args: [$(P)]\n";
    let kustomization = "resources: [pod.yaml]\nvars:\n  - name: P\n    objref: {apiVersion: v1, kind: Pod, name: p}\n";
    write(root, &[("kustomization.yaml", kustomization), ("pod.yaml", pod)]);
    let (exit, printed) = fmt(root, &[]);
    assert_eq!(exit, 2, "{printed}");
    assert!(printed.contains("has no tidegate.toml"), "{printed}");
    write(root, &[("tidegate.toml", ""), ("pod.yaml", &pod.replace("$(P)", "x$(P)y"))]);
    let (exit, printed) = fmt(root, &["--check"]);
    assert_eq!(exit, 0, "{printed}");
    assert!(printed.contains("kustomization.yaml:2:1: the vars stay"), "{printed}");
    write(root, &[("pod.yaml", pod)]);
    assert_eq!(fmt(root, &[]), (0, "formatted kustomization.yaml, with replacements in place of vars\n".to_owned()));
}

#[test]
fn a_formatted_repository_changes_nothing_on_the_hub() {
    let directory = tempdir();
    let (before, after) = (directory.path().join("before"), directory.path().join("after"));
    for root in [&before, &after] {
        assert_eq!(code(&tidegate(&["init", root.to_str().unwrap()])), 0);
        let name = root.join("fleet/addons/hello/addon.yaml");
        let doubled = |line: &str| format!("{}{line}\n", " ".repeat(line.len() - line.trim_start().len()));
        let addon: String = fs::read_to_string(&name).unwrap().lines().map(doubled).collect();
        let addon = addon.replace(" - ", " -   ");
        fs::write(name, addon).unwrap();
        write(
            root,
            &[(
                "fleet/clusters/one.yaml",
                "apiVersion: cluster.open-cluster-management.io/v1\nkind: ManagedCluster\nmetadata: {name: one, labels: {fleet: demo}}\nspec: {hubAcceptsClient: true}\n",
            )],
        );
    }
    let (exit, printed) = fmt(&after, &[]);
    assert_eq!(exit, 0, "{printed}");
    assert!(printed.contains("formatted fleet/addons/hello/addon.yaml"), "{printed}");
    let plan = tidegate(&["plan", "--base", before.to_str().unwrap(), "--head", after.to_str().unwrap()]);
    assert_eq!(code(&plan), 0, "{}{}", text(&plan.stdout), text(&plan.stderr));
}

#[test]
fn what_init_and_addon_new_write_is_in_house_format() {
    let directory = tempdir();
    let root = directory.path().join("repository");
    let path = root.to_str().unwrap();
    assert_eq!(code(&tidegate(&["init", path, "--overlays", "eu,us", "--forge", "gitlab"])), 0);
    let (exit, printed) = fmt(&root, &["--check"]);
    assert_eq!((exit, printed.as_str()), (0, ""));
}
