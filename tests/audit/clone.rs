//! Journals in bare, cloned and shallow repositories, and on a branch that people commit to, checked with the program.

use std::path::{Path, PathBuf};

use serde_json::Value;
use tempfile::TempDir;
use tidegate::audit::Rule;
use tidegate_git::{NewCommit, init_bare, seed};
use tidegate_model::chain::Content;
use tidegate_model::revision::CommitId;
use tidegate_signature::SigningKey;

use super::proof;
use super::scene::{Scene, journey};
use crate::git_command::git;
use crate::scratch::tempdir;

pub(super) const JOURNAL: &str = "tidegate/journal";

/// Creates a bare repository with a journal on a branch. With a prefix, each entry comes after a commit by Ada.
pub(super) fn laid(scene: &Scene, branch: &str, prefix: &str) -> (TempDir, PathBuf) {
    let directory = tempdir();
    let repository = directory.path().join("repo.git");
    init_bare(&repository, "main").unwrap();
    let mut parent: Option<CommitId> = None;
    let mut commit = |author: &str, email: &str, at, message: &str, files| {
        let (branch, author, email) = (branch.to_owned(), author.to_owned(), email.to_owned());
        let new = NewCommit { branch, parent: parent.clone(), files, message: message.to_owned(), author, email, at };
        parent = Some(seed(&repository, &new).unwrap());
    };
    for (number, link) in scene.links.iter().enumerate() {
        if !prefix.is_empty() {
            let file = ("addons/x.yaml".to_owned(), Some(number.to_string().into_bytes()));
            commit("Ada", "ada@example.com", link.author.time, "a change", [file].into());
        }
        let files = link.changes.iter().map(|change| {
            let bytes = match &change.after {
                Content::File(bytes) => Some(bytes.clone()),
                _ => None,
            };
            (format!("{prefix}{}", change.path), bytes)
        });
        commit(&link.author.name, &link.author.email, link.author.time, &link.message, files.collect());
    }
    (directory, repository)
}

/// Runs a command on a repository; returns its exit code and its output.
pub(super) fn run(directory: &Path, arguments: &[&str]) -> (i32, String) {
    let source = ["--source", directory.to_str().unwrap()];
    let output = crate::cli::tidegate(&[&arguments[..1], &source, &arguments[1..]].concat());
    (output.status.code().unwrap(), String::from_utf8([output.stdout, output.stderr].concat()).unwrap())
}

/// Runs a command on a repository; returns what its user sees, for a snapshot.
pub(super) fn seen(directory: &Path, arguments: &[&str]) -> String {
    let source = ["--source", directory.to_str().unwrap()];
    crate::cli::session(&[[&arguments[..1], &source, &arguments[1..]].concat()])
}

#[test]
fn a_journal_is_verified_in_a_bare_repository_and_in_any_clone() {
    let (directory, bare) = laid(&journey(), JOURNAL, "");
    assert_eq!(proof::findings(&bare), []);
    proof::proven(&bare);
    insta::assert_snapshot!("verified", seen(&bare, &["verify-history"]));
    assert_eq!(run(&bare, &["history", "--verify"]), run(&bare, &["verify-history"]));
    // A clone has the branch only as a remote-tracking branch, or checked out.
    git(&bare, &["branch", "main", JOURNAL]);
    git(directory.path(), &["clone", "--quiet", "repo.git", "clone"]);
    git(directory.path(), &["clone", "--quiet", "--single-branch", "--branch", JOURNAL, "repo.git", "single"]);
    for place in ["clone", "single", "single/addons"] {
        let (code, said) = run(&directory.path().join(place), &["verify-history"]);
        assert!(code == 0 && said.contains("9 commits"), "{place}: {said}");
    }
    let url = format!("file://{}", bare.display());
    let output = crate::cli::tidegate(&["verify-history", "--source", &url]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn a_shallow_clone_is_reported_and_verified_from_its_first_commit() {
    let (directory, bare) = laid(&journey(), JOURNAL, "");
    let url = format!("file://{}", bare.display());
    git(directory.path(), &["clone", "--quiet", "--depth", "4", "--branch", JOURNAL, &url, "shallow"]);
    let shallow = directory.path().join("shallow");
    insta::assert_snapshot!("shallow", seen(&shallow, &["verify-history"]));
    insta::assert_snapshot!("shallow_history", seen(&shallow, &["history"]));
}

/// Returns a clone on a topic branch that forked four commits ago and has one commit.
fn with_topic(directory: &Path) -> PathBuf {
    git(directory, &["clone", "--quiet", "repo.git", "clone"]);
    let clone = directory.join("clone");
    git(&clone, &["checkout", "--quiet", "-b", "topic", "HEAD~4"]);
    std::fs::write(clone.join("topic.yaml"), "x\n").unwrap();
    git(&clone, &["add", "-A"]);
    git(&clone, &["commit", "--quiet", "-m", "a topic"]);
    clone
}

#[test]
fn on_a_shared_branch_only_the_journal_is_checked() {
    let (directory, bare) = laid(&journey(), "main", "status/");
    assert_eq!(proof::commits(&bare), 9);
    assert_eq!(proof::findings(&bare), []);
    // Merge a branch that forked earlier and does not touch the journal.
    let clone = with_topic(directory.path());
    git(&clone, &["checkout", "--quiet", "main"]);
    git(&clone, &["merge", "--quiet", "--no-ff", "-m", "merge the topic", "topic"]);
    assert_eq!(proof::findings(&clone.join(".git")), []);
    // Someone edits a sealed file.
    let path = "status/addons/hello/rollouts/2.yaml";
    let text = std::fs::read_to_string(clone.join(path)).unwrap();
    std::fs::write(clone.join(path), text.replace("outcome: Completed", "outcome: Superseded")).unwrap();
    git(&clone, &["commit", "--quiet", "-a", "-m", "a small thing"]);
    let tip = git(&clone, &["rev-parse", "HEAD"]);
    let line = 1 + text.lines().position(|line| line == "outcome: Completed").unwrap();
    insta::assert_snapshot!("sealed_file_edited", seen(&clone, &["verify-history"]));
    let (_, json) = run(&clone, &["verify-history", "-o", "json"]);
    let document: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(document["findings"][0]["commit"], tip);
    assert_eq!(document["findings"][0]["rule"], "author");
    assert_eq!(document["findings"][0]["line"], line);
}

#[test]
fn a_merge_that_takes_the_older_side_of_the_journal_is_found() {
    let (directory, _bare) = laid(&journey(), "main", "status/");
    let clone = with_topic(directory.path());
    git(&clone, &["merge", "--quiet", "--strategy", "ours", "-m", "mine", "main"]);
    git(&clone, &["branch", "--force", "main", "topic"]);
    git(&clone, &["checkout", "--quiet", "main"]);
    insta::assert_snapshot!(seen(&clone, &["verify-history"]));
}

#[test]
fn an_inserted_commit_and_a_rewritten_history_are_found() {
    let (directory, _bare) = laid(&journey(), JOURNAL, "");
    git(directory.path(), &["clone", "--quiet", "--branch", JOURNAL, "repo.git", "clone"]);
    let clone = directory.path().join("clone");
    std::fs::write(clone.join("NOTE.md"), "x\n").unwrap();
    git(&clone, &["add", "-A"]);
    git(&clone, &["commit", "--quiet", "--date", "2026-11-21T12:00:00Z", "-m", "a note"]);
    let rules: Vec<Rule> = proof::findings(&clone.join(".git")).into_iter().map(|finding| finding.rule).collect();
    assert_eq!(rules, [Rule::Author, Rule::Path]);
    // The upgrade is dropped, and the later commits are rewritten on top of the installation.
    let mut scene = journey();
    scene.links.drain(2..5);
    let (_directory, dropped) = laid(&scene, JOURNAL, "");
    assert!(proof::findings(&dropped).iter().any(|finding| finding.rule == Rule::Number));
}

#[test]
fn a_source_without_a_journal_is_an_error() {
    let directory = tempdir();
    let not_a_repository = seen(directory.path(), &["verify-history"]);
    let repository = directory.path().join("repo.git");
    init_bare(&repository, "main").unwrap();
    insta::assert_snapshot!(not_a_repository + "\n" + &seen(&repository, &["history"]));
}

#[test]
fn keys_of_the_journal_require_signatures() {
    let (directory, bare) = laid(&journey(), JOURNAL, "");
    let file = |name: &str, text: &str| {
        let path = directory.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let key = SigningKey::read(include_str!("../signature/fixtures/ssh_ed25519.key")).unwrap();
    let keys = file("keys", &format!("tidegate@localhost {}\n", key.public_key()));
    let none = file("none", "# no one\n");
    insta::assert_snapshot!("unsigned", seen(&bare, &["verify-history", "--journal-keys", &keys]));
    insta::assert_snapshot!("no_keys", seen(&bare, &["verify-history", "--trusted-keys", &none]));
}
