//! How `tidegate validate` finds the repository around overlays, and the cost of many complaints.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

use super::clone::Clone;
use super::{code, plain_kinds, session, text, timed};

use crate::scratch::tempdir;

/// Runs the program in a directory.
fn within(directory: &str, arguments: &[&str]) -> (i32, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tidegate"));
    let elsewhere = tempdir();
    let operator = plain_kinds(elsewhere.path());
    let output =
        command.env_clear().env("TIDEGATE_CONFIG", operator).current_dir(directory).args(arguments).output().unwrap();
    assert_eq!(text(&output.stderr), "");
    (code(&output), text(&output.stdout))
}

fn path(clone: &Clone, inside: &str) -> String {
    Path::new(clone.root()).join(inside).to_str().unwrap().to_owned()
}

#[test]
fn an_overlay_is_validated_in_the_repository_around_it() {
    let clone = Clone::new();
    clone.write("overlays/test/kustomization.yaml", "resources: [../../base]\nnamespace: Test\n");
    let sound = within(clone.root(), &["validate", "overlays/prod"]);
    assert_eq!(sound.0, 0);
    insta::assert_snapshot!("one_overlay", sound.1);
    assert_eq!(within(clone.root(), &["validate", "base"]).0, 0);
    assert_eq!(within(&path(&clone, "overlays/prod"), &["validate"]), sound);
    assert_eq!(within("/", &["validate", &path(&clone, "overlays/prod/")]), sound);
    let (ended, said) = within(clone.root(), &["validate", "overlays"]);
    assert_eq!(ended, 1, "{said}");
    insta::assert_snapshot!("two_overlays", said);
    let (_, said) = within(&path(&clone, "overlays/test"), &["validate", "-o", "github"]);
    assert!(said.starts_with("::error file=overlays/test/kustomization.yaml,line=2,"), "{said}");
    let (_, said) = within(clone.root(), &["validate", "./overlays/test", "-o", "github"]);
    assert!(said.starts_with("::error file=overlays/test/kustomization.yaml,line=2,"), "{said}");
    // From above, files are named from there.
    let (above, name) = (Path::new(clone.root()).parent().unwrap(), Path::new(clone.root()).file_name().unwrap());
    let name = name.to_str().unwrap();
    let (_, said) = within(above.to_str().unwrap(), &["validate", &format!("{name}/overlays/test"), "-o", "github"]);
    assert!(said.starts_with(&format!("::error file={name}/overlays/test/kustomization.yaml,line=2,")), "{said}");
}

#[test]
fn a_directory_of_plain_objects_is_validated_with_the_settings_around_it() {
    let clone = Clone::new();
    clone.write("plain/a.yaml", "kind: [\n");
    let (ended, said) = within(clone.root(), &["validate", "plain"]);
    assert!(ended == 1 && said.starts_with("a.yaml:1:7: "), "without settings, it stands alone: {said}");
    clone.write("tidegate.toml", "[repository]\npath = \"overlays/prod\"\n");
    let (ended, said) = within(clone.root(), &["validate", "plain"]);
    assert!(ended == 1 && said.starts_with("plain/a.yaml:1:7: "), "{said}");
    clone.write("tidegate.toml", "wrong\n");
    let (ended, said) = within(clone.root(), &["validate", "plain"]);
    assert!(ended == 1 && said.starts_with("tidegate.toml:1:6: "), "{said}");
}

#[test]
fn overlays_outside_of_any_repository_are_validated_with_their_bases() {
    let clone = Clone::new();
    std::fs::remove_dir_all(path(&clone, ".git")).unwrap();
    clone.write("overlays/prod/deeper/kustomization.yaml", "resources: [../../../base]\nnamePrefix: A\n");
    let (ended, said) = within("/", &["validate", &path(&clone, "overlays")]);
    assert_eq!(ended, 1, "{said}");
    insta::assert_snapshot!(said);
}

#[test]
fn a_cycle_of_overlays_is_reported() {
    let directory = tempdir();
    for (own, other) in [("a", "b"), ("b", "a")] {
        std::fs::create_dir(directory.path().join(own)).unwrap();
        let kustomization = directory.path().join(own).join("kustomization.yaml");
        std::fs::write(kustomization, format!("resources: [../{other}]\n")).unwrap();
    }
    let (ended, said) = within("/", &["validate", directory.path().to_str().unwrap()]);
    assert_eq!(ended, 1, "{said}");
    insta::assert_snapshot!(said);
}

#[test]
fn wrong_settings_are_reported_once_for_all_overlays() {
    let clone = Clone::new();
    clone.write("overlays/test/kustomization.yaml", "resources: [../../base]\n");
    clone.write("tidegate.toml", "path = \n");
    let directories = ["", "overlays", "overlays/test"].map(|directory| path(&clone, directory));
    insta::assert_snapshot!(session(&directories.each_ref().map(|directory| ["validate", directory])));
}

#[test]
fn errors_in_a_kustomization_have_their_own_rule() {
    let clone = Clone::new();
    for kustomization in ["resource: [../../base]\n", "resources: [../../base\nnamePrefix: x\n"] {
        clone.write("overlays/prod/kustomization.yaml", kustomization);
        let (ended, said) = within(clone.root(), &["validate", "overlays/prod", "-o", "json"]);
        let report: Value = serde_json::from_str(&said).unwrap();
        let complaints = report["complaints"].as_array().unwrap();
        assert!(ended == 1 && complaints.iter().all(|complaint| complaint["rule"] == "overlay"), "{said}");
    }
}

#[test]
fn the_cost_of_many_complaints_about_one_file_does_not_grow_with_the_file() {
    let directory = tempdir();
    let role = |n: usize| {
        format!(r#"{{"apiVersion":"rbac.authorization.k8s.io/v1","kind":"Role","metadata":{{"name":"r{n}"}}}}"#)
    };
    // Many lines, and one very long line.
    for (name, most, between) in [("lines", 4_000, ",".to_owned() + &"\n".repeat(58)), ("line", 6_000, ",".to_owned())]
    {
        for format in [&[][..], &["-o", "github"]] {
            let spent = [most / 10, most].map(|count| {
                let path = directory.path().join(format!("{name}-{count}"));
                std::fs::create_dir_all(&path).unwrap();
                let items: Vec<String> = (0..count).map(role).collect();
                let list = format!(r#"{{"apiVersion":"v1","kind":"List","items":[{}]}}"#, items.join(&between));
                std::fs::write(path.join("all.json"), list).unwrap();
                let (output, spent) = timed(&[&["validate", path.to_str().unwrap()], format].concat());
                assert_eq!(text(&output.stdout).matches("metadata.namespace is missing").count(), count);
                spent
            });
            // If the file were read again for each complaint, it would be a hundred times.
            assert!(spent[1] < spent[0] * 40, "{name} {format:?}: {spent:?}");
        }
    }
}

/// A control file is about an add-on that only one of the directories declares.
#[test]
fn first_use_a6_a_decision_about_an_addon_of_one_overlay_is_no_error_in_the_others() {
    let directory = tempdir();
    for (path, bytes) in crate::example_tree::tree().files {
        let file = directory.path().join(path);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, bytes).unwrap();
    }
    let root = directory.path().to_str().unwrap();
    std::fs::create_dir(directory.path().join("control")).unwrap();
    let control = |name: &str| {
        let text = "apiVersion: tidegate.io/v1alpha1\nkind: Control\npause: {reason: alerts}\n";
        std::fs::write(directory.path().join(format!("control/{name}.yaml")), text).unwrap();
    };
    control("hello-template");
    let (ended, said) = within(root, &["validate"]);
    assert!(ended == 0 && !said.contains("no effect"), "{said}");
    control("helo-template");
    let (ended, said) = within(root, &["validate"]);
    assert!(ended == 1 && said.contains("did you mean \"hello-template\"?"), "{said}");
}
