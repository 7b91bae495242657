//! `tidegate pause`, `resume`, `abort`, `retry` and `quarantine`, with a bare repository and a clone.

use std::path::{Path, PathBuf};

use super::{code, shown, text, tidegate_in};
use crate::git_command::git;
use crate::scratch::tempdir;

/// A bare repository, and Ada's clone of it.
pub(super) struct Team(tempfile::TempDir);

pub(super) const ADDON: &str = "fleet/addons/hello-template/addon.yaml";

impl Team {
    pub(super) fn new() -> Self {
        let team = Self(tempdir());
        git(team.0.path(), &["init", "-q", "--bare", "-b", "main", "repo.git"]);
        git(team.0.path(), &["clone", "-q", "repo.git", "ada"]);
        let ada = team.ada();
        git(&ada, &["config", "user.name", "Ada"]);
        git(&ada, &["config", "user.email", "ada@example.com"]);
        git(&ada, &["checkout", "-q", "-b", "main"]);
        for (path, bytes) in crate::example_tree::tree().files {
            team.write(&path, &text(&bytes));
        }
        git(&ada, &["add", "-A"]);
        git(&ada, &["commit", "-q", "-m", "add-ons"]);
        git(&ada, &["push", "-q", "-u", "origin", "main"]);
        team
    }

    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(super) fn ada(&self) -> PathBuf {
        self.path("ada")
    }

    pub(super) fn repository(&self) -> PathBuf {
        self.path("repo.git")
    }

    /// Writes a file in the clone.
    pub(super) fn write(&self, path: &str, text: &str) {
        let path = self.ada().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    /// Commits all files of the clone, and pushes them.
    pub(super) fn push(&self, message: &str) {
        git(&self.ada(), &["add", "-A"]);
        git(&self.ada(), &["commit", "-q", "-m", message]);
        git(&self.ada(), &["push", "-q", "origin", "HEAD:main"]);
    }

    /// Returns a file of the followed branch on the remote; empty if it does not exist.
    pub(super) fn file(&self, path: &str) -> String {
        crate::daemon::git_in(&self.repository(), &["show", &format!("main:{path}")])
    }

    /// Returns what `git log` prints about the last commit of the remote.
    pub(super) fn log(&self, format: &str) -> String {
        git(&self.repository(), &["log", "-1", &format!("--format={format}"), "main"])
    }

    /// Runs a command in the clone, and returns what the user sees.
    pub(super) fn run(&self, arguments: &[&str]) -> String {
        run_in(&self.ada(), arguments)
    }
}

/// Runs a command in a directory, and returns what the user sees.
pub(super) fn run_in(directory: &Path, arguments: &[&str]) -> String {
    format!("$ tidegate {}\n{}", arguments.join(" "), shown(&tidegate_in(directory, arguments)))
}

/// Replaces the time of a retry.
fn timeless(text: &str) -> String {
    crate::redacted::timeless(text)
}

const WHY: [&str; 2] = ["--reason", "alerts fire"];

#[test]
fn each_decision_is_committed_and_pushed() {
    let team = Team::new();
    let mut seen = String::new();
    for arguments in [
        &["pause", "hello-template"][..],
        &["pause", "hello-template"],
        &["quarantine", "hello-template", "--clusters", "aws-001,aws-002"],
        &["quarantine", "hello-template", "--clusters", "aws-002", "--mode", "exclude"],
        &["abort", "hello-template"],
        &["abort", "hello-template"],
        &["resume", "hello-template"],
        &["abort", "hello-template", "--release"],
        &["retry", "hello-template", "--clusters", "aws-001"],
        &["quarantine", "hello-template", "--release"],
        &["resume", "hello-template"],
    ] {
        seen += &team.run(&[arguments, &WHY].concat());
        seen += "\n";
    }
    seen += &team.file("control/hello-template.yaml");
    insta::assert_snapshot!("control_decisions", timeless(&seen));
    assert_eq!(
        team.log("%an <%ae>|%cn|%s|%b"),
        "Ada <ada@example.com>|Ada|control: release all clusters for hello-template|alerts fire"
    );
    let loaded = tidegate_repository::load(&tree(&team), "");
    assert!(loaded.complaints.iter().all(|complaint| complaint.diagnostic.place.file != "control/hello-template.yaml"));
}

/// Returns the files of the followed branch.
fn tree(team: &Team) -> tidegate_model::tree::Tree {
    let repository = tidegate_git::LocalRepository::open(team.repository()).unwrap();
    let tip = repository.tip("main").unwrap().unwrap();
    repository.tree(&tip, "").unwrap()
}

#[test]
fn all_addons_are_paused_and_resumed() {
    let team = Team::new();
    let commands: [&[&str]; 5] = [
        &["pause", "--all"],
        &["resume", "hello-template"],
        &["quarantine", "--all", "--clusters", "aws-001"],
        &["resume", "--all"],
        &["quarantine", "--all", "--release"],
    ];
    let seen = commands.map(|arguments| team.run(&[arguments, &WHY].concat()));
    insta::assert_snapshot!("control_all", seen.join("\n"));
    assert_eq!(team.file("control/_fleet.yaml"), "", "an empty file is removed");
}

#[test]
fn other_fields_and_comments_stay() {
    let team = Team::new();
    let text = "# Owned by Ada\napiVersion: tidegate.io/v1alpha1\nkind: Control\nquarantine:\n- clusters: [a] # broken\n  reason: x\n";
    team.write("control/hello-template.yaml", text);
    team.push("quarantine");
    team.run(&[&["pause", "hello-template"][..], &WHY].concat());
    assert_eq!(team.file("control/hello-template.yaml"), format!("{text}pause:\n  reason: alerts fire\n"));
    team.run(&[&["resume", "hello-template"][..], &WHY].concat());
    assert_eq!(team.file("control/hello-template.yaml"), text);
}

#[test]
fn the_work_tree_and_the_local_branch_stay_as_they_are() {
    let team = Team::new();
    let ada = team.ada();
    team.write(ADDON, "kind: [ # edited\n");
    team.write("new.txt", "not added");
    team.write("staged.txt", "staged");
    git(&ada, &["add", "staged.txt"]);
    git(&ada, &["commit", "-q", "-m", "local work", "--allow-empty"]);
    team.write("staged.txt", "staged again");
    git(&ada, &["add", "staged.txt"]);
    let before = (git(&ada, &["status", "--porcelain"]), git(&ada, &["rev-parse", "HEAD"]), git(&ada, &["branch"]));
    assert!(team.run(&[&["pause", "hello-template"][..], &WHY].concat()).contains("pushed to main of origin"));
    let after = (git(&ada, &["status", "--porcelain"]), git(&ada, &["rev-parse", "HEAD"]), git(&ada, &["branch"]));
    assert_eq!(before, after);
    assert_eq!(git(&team.repository(), &["diff", "--name-only", "main~1", "main"]), "control/hello-template.yaml");
    // So does a detached head, from a directory below the root.
    git(&ada, &["stash", "-q", "-u"]);
    git(&ada, &["checkout", "-q", "--detach"]);
    let below = run_in(&ada.join("fleet"), &[&["resume", "hello-template"][..], &WHY].concat());
    assert!(below.contains("pushed to main of origin"), "{below}");
    assert_eq!(git(&ada, &["rev-parse", "--abbrev-ref", "HEAD"]), "HEAD");
}

#[test]
fn a_lost_race_is_repeated_on_the_new_tip() {
    let team = Team::new();
    // The first push of the command loses: a hook of the remote pushes another commit just before.
    let hook = "#!/bin/sh\nif [ ! -e raced ]; then touch raced\n\
                unset GIT_QUARANTINE_PATH GIT_OBJECT_DIRECTORY GIT_ALTERNATE_OBJECT_DIRECTORIES\n\
                git update-ref refs/heads/main \"$(git rev-parse refs/heads/other)\"\nfi\n";
    team.write("other.txt", "a colleague was faster");
    git(&team.ada(), &["add", "-A"]);
    git(&team.ada(), &["commit", "-q", "-m", "a colleague"]);
    git(&team.ada(), &["push", "-q", "origin", "HEAD:other"]);
    git(&team.ada(), &["reset", "-q", "--hard", "origin/main"]);
    install_hook(&team, hook);
    let seen = team.run(&[&["pause", "hello-template"][..], &WHY].concat());
    assert!(seen.contains("pushed to main of origin"), "{seen}");
    assert!(team.path("repo.git/raced").exists());
    assert_eq!(team.file("other.txt"), "a colleague was faster");
    assert!(team.file("control/hello-template.yaml").contains("alerts fire"));
}

/// Installs a hook that the remote runs before it accepts a push.
pub(super) fn install_hook(team: &Team, script: &str) {
    use std::os::unix::fs::PermissionsExt;
    let path = team.path("repo.git/hooks/pre-receive");
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(&path, script).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
}

#[test]
fn a_commit_goes_to_a_branch_for_a_pull_request_or_stays_local() {
    let team = Team::new();
    let before = git(&team.repository(), &["rev-parse", "main"]);
    let seen = [
        team.run(&["pause", "hello-template", "--reason", "x", "--branch", "ada/pause"]),
        team.run(&["pause", "hello-template", "--reason", "x", "--branch", "ada/pause"]),
        team.run(&["pause", "hello-template", "--reason", "x", "--no-push"]),
        team.run(&["pause", "hello-template", "--reason", "x", "--no-push"]),
        team.run(&["pause", "hello-template", "--reason", "x", "--no-push", "--branch", "mine"]),
        team.run(&["pause", "hello-template", "--reason", "x", "--branch", "main"]),
        team.run(&["pause", "hello-template", "--reason", "x", "--branch", "a..b"]),
        team.run(&["pause", "hello-template", "--reason", "x", "--ref", "1.x"]),
    ];
    insta::assert_snapshot!("control_branches", seen.join("\n"));
    assert_eq!(git(&team.repository(), &["rev-parse", "main"]), before);
    assert_eq!(git(&team.repository(), &["rev-parse", "ada/pause~1"]), before);
    assert_eq!(git(&team.ada(), &["rev-parse", "tidegate/pause-hello-template~1"]), before);
}

#[test]
fn a_bare_repository_and_a_url_are_named_with_source() {
    let team = Team::new();
    let repository = team.repository();
    let (path, url) = (repository.to_str().unwrap().to_owned(), format!("file://{}", repository.display()));
    let identity = |arguments: &[&str]| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_tidegate"));
        command.env_clear().env("PATH", std::env::var_os("PATH").unwrap()).current_dir(team.path(""));
        for who in ["AUTHOR", "COMMITTER"] {
            command.env(format!("GIT_{who}_NAME"), "Grace").env(format!("GIT_{who}_EMAIL"), "grace@example.com");
        }
        let output = command.args(arguments).output().unwrap();
        assert_eq!(code(&output), 0, "{}", text(&output.stderr));
        text(&output.stdout)
    };
    let said = identity(&["pause", "hello-template", "--reason", "x", "--source", &path]);
    assert!(said.contains(&format!("pushed to main of {path}")), "{said}");
    assert_eq!(team.log("%an"), "Grace");
    let said = identity(&["resume", "hello-template", "--reason", "x", "--source", &url]);
    assert!(said.contains(&format!("pushed to main of {url}")), "{said}");
    assert_eq!(team.log("%s"), "control: resume hello-template");
    let output =
        tidegate_in(&team.path(""), &["pause", "hello-template", "--reason", "x", "--source", &url, "--no-push"]);
    assert_eq!(code(&output), 2, "{}", text(&output.stderr));
}

#[test]
#[ignore = "needs ssh-keygen"]
fn a_decision_is_signed_if_git_is_configured_so() {
    let team = Team::new();
    let key = team.path("key");
    std::fs::write(&key, include_str!("../signature/fixtures/ssh_ed25519.key")).unwrap();
    std::fs::set_permissions(&key, std::os::unix::fs::PermissionsExt::from_mode(0o600)).unwrap();
    git(&team.ada(), &["config", "gpg.format", "ssh"]);
    git(&team.ada(), &["config", "user.signingkey", key.to_str().unwrap()]);
    assert!(!team.run(&["pause", "hello-template", "--reason", "x"]).contains(", signed"));
    assert!(team.run(&["resume", "hello-template", "--reason", "x", "--sign"]).contains(", signed"));
    git(&team.ada(), &["config", "commit.gpgsign", "true"]);
    assert!(team.run(&["pause", "hello-template", "--reason", "x"]).contains(", signed"));
    assert!(git(&team.repository(), &["cat-file", "commit", "main"]).contains("-----BEGIN SSH SIGNATURE-----"));
    git(&team.ada(), &["config", "user.signingkey", "/does/not/exist"]);
    let seen = team.run(&["resume", "hello-template", "--reason", "x"]);
    assert!(seen.contains("error: the commit cannot be signed: ") && seen.contains("exit code 2"), "{seen}");
}
