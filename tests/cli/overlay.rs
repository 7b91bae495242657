//! Overlays on the command line: rendering and validation.

use std::path::Path;

use super::clone::Clone;
use super::{plain_kinds, session, text, tidegate};

use crate::scratch::tempdir;

#[test]
fn an_overlay_is_rendered_from_the_root_and_from_its_own_directory() {
    let clone = Clone::new();
    let expected =
        "apiVersion: v1\ndata:\n  a: one\n  b: three\nkind: ConfigMap\nmetadata:\n  name: banner\n  namespace: shop\n";
    let from_root = tidegate(&["render", clone.root(), "--overlay", "overlays/prod"]);
    assert_eq!(text(&from_root.stdout), expected, "{}", text(&from_root.stderr));
    let own = Path::new(clone.root()).join("overlays/prod");
    assert_eq!(text(&tidegate(&["render", own.to_str().unwrap()]).stdout), expected);
    let json = tidegate(&["render", clone.root(), "--overlay", "overlays/prod/", "-o", "json"]);
    let objects: serde_json::Value = serde_json::from_slice(&json.stdout).unwrap();
    assert_eq!(objects[0]["data"]["b"], "three");
    clone.write("tidegate.toml", "[repository]\npath = \"overlays/prod\"\n");
    assert_eq!(text(&tidegate(&["render", clone.root()]).stdout), expected);
}

#[test]
fn an_overlay_outside_of_any_repository_finds_its_bases() {
    let directory = tempdir();
    for (path, content) in [
        ("one/two/overlay/kustomization.yaml", "resources: [../../base]\n"),
        ("one/base/kustomization.yaml", "resources: [a.yaml]\n"),
        ("one/base/a.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n"),
    ] {
        let path = directory.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, content).unwrap();
    }
    let overlay = directory.path().join("one/two/overlay");
    let rendered = tidegate(&["render", overlay.to_str().unwrap()]);
    let expected = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n";
    assert_eq!(text(&rendered.stdout), expected, "{}", text(&rendered.stderr));
}

#[test]
fn a_failing_overlay_prints_only_its_errors_with_their_place() {
    let clone = Clone::new();
    let render = |overlay: &str| session(&[["render", clone.root(), "--overlay", overlay]]);
    let mut said = render("overlays/prd");
    for line in ["helmCharts: [{name: x}]", "nameprefx: x-"] {
        clone.write("overlays/prod/kustomization.yaml", &format!("resources: [../../base]\n{line}\n"));
        said += &format!("\n# {line}\n{}", render("overlays/prod"));
    }
    insta::assert_snapshot!(said);
}

#[test]
fn every_overlay_is_validated_and_shared_complaints_are_printed_once() {
    let clone = Clone::new();
    clone.write("overlays/test/kustomization.yaml", "resources: [../../base]\nnamespace: test\n");
    let operator = plain_kinds(Path::new(clone.root()));
    let validate = [["validate", clone.root(), "--config", &operator]];
    let sound = session(&validate);
    clone.write("base/banner.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: Banner/x\ndata:\n  b: two\n");
    clone.write("overlays/prod/kustomization.yaml", "resources: [../../base]\nnamespace: shop\n");
    insta::assert_snapshot!(sound + "\n# a name that is wrong in the base\n" + &session(&validate));
}

#[test]
fn a_named_overlay_is_found_wherever_it_is() {
    let clone = Clone::new();
    let root = Path::new(clone.root());
    let expected = text(&tidegate(&["render", clone.root(), "--overlay", "overlays/prod"]).stdout);
    assert!(expected.contains("b: three"), "{expected}");
    let own = root.join("overlays/prod");
    let own = own.to_str().unwrap();
    for (path, named) in [
        (clone.root(), own),
        (clone.root(), "./overlays/../overlays/prod/"),
        (own, "."),
        (own, "../prod"),
        (root.join("base").to_str().unwrap(), "../overlays/prod"),
    ] {
        let rendered = tidegate(&["render", path, "--overlay", named]);
        assert_eq!(text(&rendered.stdout), expected, "{path} {named}: {}", text(&rendered.stderr));
    }
    // Below the path, the path stays the root.
    let inside = root.join("overlays");
    let refused = [
        (inside.to_str().unwrap(), "prod"),
        (clone.root(), ""),
        (clone.root(), "../nowhere"),
        (clone.root(), "base/..x"),
    ];
    let commands = refused.map(|(path, overlay)| ["render", path, "--overlay", overlay]);
    insta::assert_snapshot!(session(&commands));
}

#[test]
fn wrong_settings_are_reported_and_nothing_is_printed() {
    let clone = Clone::new();
    clone.write("tidegate.toml", "[render]\nocm_references = \"yes\"\n");
    let own = Path::new(clone.root()).join("overlays/prod");
    let own = own.to_str().unwrap();
    insta::assert_snapshot!(session(&[
        &["render", clone.root(), "--overlay", "overlays/prod"][..],
        &["render", clone.root()],
        &["render", own],
        &["blame", "ConfigMap/banner", "--path", own],
        &["blame", "ConfigMap/banner", "--path", clone.root(), "--overlay", "overlays/prod"],
    ]));
}
