//! `tidegate plan` and `tidegate rehearse` in a clone of the example repository, whose clusters are declared.

use std::fmt::Write as _;
use std::path::Path;

use serde_json::Value;

use super::{code, shown, text, tidegate_in};
use crate::git_command::git_command;
use crate::scratch::tempdir;

/// A clone of the example repository with 300 declared clusters, 10 of them canaries.
pub(in crate::cli) struct Clone(tempfile::TempDir);

pub(super) const ADDON: &str = "fleet/addons/hello-template/addon.yaml";

impl Clone {
    pub(super) fn new() -> Self {
        let clone = Self(tempdir());
        for (path, bytes) in crate::example_tree::tree().files {
            clone.write(&path, &text(&bytes));
        }
        let mut clusters = String::new();
        for number in 0..300 {
            let cloud = if number % 2 == 0 { "aws" } else { "gcp" };
            let tier = if number < 10 { ", tier: canary" } else { "" };
            writeln!(
                clusters,
                "---\napiVersion: cluster.open-cluster-management.io/v1\nkind: ManagedCluster\nmetadata:\n  name: {cloud}-{:03}\n  \
                 labels: {{fleet: demo, cloud: {cloud}{tier}}}\nspec:\n  hubAcceptsClient: true",
                number / 2 + 1
            )
            .unwrap();
        }
        clone.write("fleet/hosts.yaml", &clusters);
        clone.git(&["init", "-q", "-b", "main"]);
        clone.commit("the fleet");
        clone
    }

    pub(super) fn root(&self) -> &Path {
        self.0.path()
    }

    pub(super) fn write(&self, path: &str, text: &str) {
        let path = self.root().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    pub(super) fn edit(&self, path: &str, from: &str, to: &str) {
        let before = std::fs::read_to_string(self.root().join(path)).unwrap();
        assert!(before.contains(from), "{path} does not contain {from}");
        self.write(path, &before.replace(from, to));
    }

    pub(super) fn remove(&self, path: &str) {
        std::fs::remove_file(self.root().join(path)).unwrap();
    }

    fn git(&self, arguments: &[&str]) {
        let identity = ["NAME", "EMAIL"].map(|what| (format!("GIT_AUTHOR_{what}"), format!("GIT_COMMITTER_{what}")));
        let mut command = git_command(self.root());
        for (author, committer) in identity {
            command.env(author, "ada@example.com").env(committer, "ada@example.com");
        }
        command.env("GIT_AUTHOR_DATE", "2026-03-01T12:00:00Z").env("GIT_COMMITTER_DATE", "2026-03-01T12:00:00Z");
        assert!(command.args(arguments).status().unwrap().success());
    }

    pub(super) fn commit(&self, message: &str) {
        self.git(&["add", "-A"]);
        self.git(&["commit", "-q", "-m", message]);
    }

    /// Runs a command in the clone, and returns what the user sees.
    pub(super) fn run(&self, arguments: &[&str]) -> String {
        format!("$ tidegate {}\n{}", arguments.join(" "), shown(&tidegate_in(self.root(), arguments)))
    }

    pub(super) fn json(&self, arguments: &[&str]) -> Value {
        serde_json::from_slice(&tidegate_in(self.root(), arguments).stdout).unwrap()
    }
}

#[test]
fn an_upgrade_is_planned_before_it_is_committed() {
    let clone = Clone::new();
    let nothing = clone.run(&["plan"]);
    clone.edit(ADDON, "hello-template-0.4.0", "hello-template-0.4.1");
    insta::assert_snapshot!("plan", [nothing, clone.run(&["plan"])].join("\n"));
    let plan = clone.json(&["plan", "-o", "json"]);
    let addon = &plan["addons"][0];
    assert_ne!(addon["base"]["digest"], addon["head"]["digest"]);
    assert_eq!(
        (addon["classes"][0]["clusters"].as_u64(), &addon["classes"][0]["exemplar"]),
        (Some(300), &"aws-001".into())
    );
    let waves = addon["waves"].as_array().unwrap().iter();
    let waves: Vec<_> =
        waves.map(|wave| (wave["group"].as_str().unwrap(), wave["clusters"].as_u64().unwrap())).collect();
    assert_eq!(waves, [("canary", 10), ("group 1", 150), ("group 2", 140)]);
}

#[test]
fn revisions_and_directories_are_compared() {
    let clone = Clone::new();
    clone.git(&["switch", "-q", "-c", "upgrade"]);
    clone.edit(ADDON, "hello-template-0.4.0", "hello-template-0.4.1");
    clone.commit("hello-template: upgrade to 0.4.1");
    let changed = |arguments: &[&str]| {
        let output = tidegate_in(clone.root(), &[&["plan", "-o", "json"][..], arguments].concat());
        let plan: Value = serde_json::from_slice(&output.stdout).unwrap();
        (code(&output), plan["clusters"].as_u64().unwrap())
    };
    assert_eq!(changed(&["--base", "main", "--head", "upgrade"]), (2, 300));
    assert_eq!(changed(&["--base", "HEAD~1", "--head", "HEAD"]), (2, 300));
    assert_eq!(changed(&["--base", "upgrade", "--head", "upgrade"]), (0, 0));
    assert_eq!(changed(&["--base", "main", "--head", "."]), (2, 300));
    assert_eq!(changed(&["--source", clone.root().to_str().unwrap(), "--base", "upgrade"]), (0, 0));
}

#[test]
fn markdown_and_html_have_the_same_plan() {
    let clone = Clone::new();
    clone.edit(ADDON, "hello-template-0.4.0", "hello-template-0.4.1");
    let markdown = clone.run(&["plan", "-o", "markdown", "--repository", "platform/fleet", "--pull-request", "42"]);
    assert!(markdown.contains("<!-- tidegate:plan v1 repo=platform/fleet pull=42 -->"), "{markdown}");
    let html = clone.run(&["plan", "-o", "html"]);
    for shown in ["hello-template", "300 clusters", "addon-examples:v0.4.1"] {
        assert!(markdown.contains(shown) && html.contains(shown), "{shown}\n{markdown}\n{html}");
    }
}

#[test]
fn mistakes_of_users_do_not_look_like_changes() {
    let clone = Clone::new();
    clone.write("old.yaml", "apiVersion: tidegate.io/v9\nkind: Fleet\nclusters: {}\n");
    let mistakes = [
        clone.run(&["plan", "--base", "nowhere"]),
        clone.run(&["plan", "--no-such-option"]),
        clone.run(&["plan", "--addon", "helo-template"]),
        clone.run(&["plan", "--fleet", "old.yaml"]),
        clone.run(&["plan", "--fleet", "no-such-file.yaml"]),
        clone.run(&["plan", "--overlay", "overlays/azure"]),
        clone.run(&["rehearse", "--fail", "120%"]),
        clone.run(&["rehearse"]),
    ];
    insta::assert_snapshot!("plan_mistakes", mistakes.join("\n"));
    clone.edit(ADDON, "hello-template-0.4.0", "hello-template-9.9.9");
    insta::assert_snapshot!("plan_blocked", clone.run(&["plan"]));
    clone.write(ADDON, "kind: [\n");
    let output = tidegate_in(clone.root(), &["plan", "-o", "json"]);
    let plan: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((code(&output), &plan["result"]), (1, &"Blocked".into()));
    assert!(plan["complaints"][0]["place"].as_str().unwrap().starts_with(&format!("{ADDON}:")), "{plan}");
}

#[test]
fn a_mistake_in_the_name_of_the_journal_does_not_look_like_a_repository_without_one() {
    let clone = Clone::new();
    clone.edit(ADDON, "hello-template-0.4.0", "hello-template-0.4.1");
    for command in ["plan", "rehearse"] {
        assert_eq!(code(&tidegate_in(clone.root(), &[command])), if command == "plan" { 2 } else { 0 });
        let output = tidegate_in(clone.root(), &[command, "--journal-branch", "tidegate/jurnal"]);
        let said = text(&output.stderr);
        assert!(said.contains("tidegate/jurnal"), "{said}");
        assert!(output.stdout.is_empty(), "{}", text(&output.stdout));
    }
}

#[test]
fn a_rehearsal_shows_times_risks_and_alternatives() {
    let clone = Clone::new();
    clone.edit(ADDON, "hello-template-0.4.0", "hello-template-0.4.1");
    let rehearsal = clone.run(&["rehearse", "--runs", "20", "--fail", "1.5%", "--within", "2h"]);
    insta::assert_snapshot!("rehearse", rehearsal);
    let page = clone.run(&["rehearse", "--runs", "2", "-o", "html"]);
    assert!(page.contains("<h1>Tidegate rehearsal of <code>hello-template</code></h1>"), "{page}");
}
