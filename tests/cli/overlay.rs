//! Overlays on the command line: rendered, and every value with where it comes from.

use std::path::Path;
use std::process::Command;

use super::{code, text, tidegate};

/// A clone with a base and an overlay, committed by two people.
struct Clone(tempfile::TempDir);

impl Clone {
    fn new() -> Self {
        let clone = Self(tempfile::tempdir().unwrap());
        clone.git("Ada", &["init", "-q", "-b", "main"]);
        clone.write("base/kustomization.yaml", "resources: [banner.yaml]\n");
        clone.write(
            "base/banner.yaml",
            "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: banner\ndata:\n  a: one\n  b: two\n",
        );
        clone.commit("Ada", "the base");
        clone.write(
            "overlays/prod/kustomization.yaml",
            "resources: [../../base]\nnamespace: shop\npatches:\n- path: p.yaml\n",
        );
        clone.write(
            "overlays/prod/p.yaml",
            "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: banner\ndata:\n  b: three\n",
        );
        clone.commit("Grace", "production says three");
        clone
    }

    fn root(&self) -> &str {
        self.0.path().to_str().unwrap()
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.0.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    fn commit(&self, who: &str, message: &str) {
        self.git(who, &["add", "-A"]);
        self.git(who, &["commit", "-q", "-m", message]);
    }

    fn git(&self, who: &str, arguments: &[&str]) {
        let identity = [("GIT_AUTHOR_NAME", who), ("GIT_AUTHOR_EMAIL", "x@example.com")];
        let committer = [("GIT_COMMITTER_NAME", who), ("GIT_COMMITTER_EMAIL", "x@example.com")];
        let mut command = Command::new("git");
        command.env_clear().env("PATH", std::env::var_os("PATH").unwrap()).env("GIT_CONFIG_NOSYSTEM", "1");
        command.env("HOME", self.0.path()).envs(identity).envs(committer).current_dir(self.0.path());
        assert!(command.args(arguments).status().unwrap().success());
    }
}

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
    let directory = tempfile::tempdir().unwrap();
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
fn an_overlay_that_fails_prints_nothing_but_what_is_wrong_and_where() {
    let clone = Clone::new();
    let unknown = tidegate(&["render", clone.root(), "--overlay", "overlays/prd"]);
    assert_eq!(code(&unknown), 2);
    assert!(text(&unknown.stderr).contains("there are: overlays/prod"), "{}", text(&unknown.stderr));
    for (line, word) in [("helmCharts: [{name: x}]", "helm"), ("nameprefx: x-", "did you mean \"namePrefix\"?")] {
        clone.write("overlays/prod/kustomization.yaml", &format!("resources: [../../base]\n{line}\n"));
        let failed = tidegate(&["render", clone.root(), "--overlay", "overlays/prod"]);
        assert_eq!((code(&failed), text(&failed.stdout)), (1, String::new()));
        let said = text(&failed.stderr);
        assert!(said.contains("overlays/prod/kustomization.yaml:2:") && said.contains(word), "{said}");
    }
}

#[test]
fn a_value_tells_who_wrote_it_and_what_it_replaced() {
    let clone = Clone::new();
    let blame = |pointer: &str| {
        let output =
            tidegate(&["blame", "configmap/banner", pointer, "--path", clone.root(), "--overlay", "overlays/prod"]);
        assert_eq!(code(&output), 0, "{}", text(&output.stderr));
        text(&output.stdout).lines().map(|line| line.trim().to_owned()).collect::<Vec<_>>()
    };
    let lines = blame("/data/b");
    assert_eq!(lines[0], "/data/b = \"three\"");
    assert!(lines[1].starts_with("overlays/prod/p.yaml:6:6  (patches[0])  "), "{lines:?}");
    assert!(lines[1].ends_with(" Grace: production says three"), "{lines:?}");
    assert!(lines[2].starts_with("base/banner.yaml:7:6  ") && lines[2].ends_with(" Ada: the base"), "{lines:?}");
    assert!(blame("/metadata/namespace")[1].starts_with("overlays/prod/kustomization.yaml:2:12  (namespace)  "));
    // What is not committed as it stands has no commit.
    clone.write(
        "overlays/prod/p.yaml",
        "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: banner\ndata:\n  b: four\n",
    );
    assert_eq!(blame("/data/b")[1], "overlays/prod/p.yaml:6:6  (patches[0])");
    let missing =
        tidegate(&["blame", "configmap/banner", "/data/c", "--path", clone.root(), "--overlay", "overlays/prod"]);
    assert_eq!(code(&missing), 2);
    assert!(text(&missing.stderr).contains("/data has a, b"), "{}", text(&missing.stderr));
}

#[test]
fn every_overlay_is_validated_and_what_they_share_is_told_once() {
    let clone = Clone::new();
    clone.write("overlays/test/kustomization.yaml", "resources: [../../base]\nnamespace: test\n");
    let sound = tidegate(&["validate", clone.root()]);
    let said = text(&sound.stdout);
    assert_eq!(code(&sound), 0, "{said}");
    assert!(said.contains("overlays/prod: 1 objects") && said.contains("overlays/test: 1 objects"), "{said}");
    clone.write("base/banner.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: Banner/x\ndata:\n  b: two\n");
    clone.write("overlays/prod/kustomization.yaml", "resources: [../../base]\nnamespace: shop\n");
    let wrong = tidegate(&["validate", clone.root()]);
    let said = text(&wrong.stdout);
    assert_eq!(code(&wrong), 1, "{said}");
    assert_eq!(said.matches("base/banner.yaml:4:9: metadata.name").count(), 1, "{said}");
}
