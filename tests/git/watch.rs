//! Tests of watching a local repository for changes.

use std::sync::mpsc::{self, Receiver};
use std::time::Duration;

use tidegate_git::{Credentials, Error, Remote, Watcher, watch};

use super::fixture::{File, Scratch, commit};

/// Long enough for the slowest machine; a passing test never waits this long.
const PATIENCE: Duration = Duration::from_secs(30);

fn watched(remote: &Remote) -> (Watcher, Receiver<()>) {
    let (sender, receiver) = mpsc::channel();
    let watcher = watch(remote, move || sender.send(()).unwrap_or_default()).unwrap().unwrap();
    (watcher, receiver)
}

#[test]
fn push_into_a_watched_repository_is_noticed() {
    let scratch = Scratch::new();
    let (_watcher, changes) = watched(&scratch.remote());
    let mirror = scratch.mirror("state");
    let mine = mirror.commit(&commit("team/journal", None, &[("a", Some("1"))])).unwrap();
    mirror.push("team/journal", None, &mine).unwrap();
    changes.recv_timeout(PATIENCE).unwrap();
}

#[test]
fn a_relative_path_and_a_work_tree_are_watched_like_an_absolute_path() {
    let scratch = Scratch::new();
    scratch.import("main", &[File("a", b"1")]);
    scratch.git(&["clone", "--quiet", "remote.git", "clone"]);
    let up: std::path::PathBuf = std::env::current_dir().unwrap().components().skip(1).map(|_| "..").collect();
    let relative = up.join(scratch.path().join("clone").strip_prefix("/").unwrap());
    let (_watcher, changes) = watched(&Remote::new(relative.to_str().unwrap(), Credentials::None).unwrap());
    scratch.git(&["-C", "clone", "branch", "other"]);
    changes.recv_timeout(PATIENCE).unwrap();
}

#[test]
fn packed_refs_are_noticed() {
    let scratch = Scratch::new();
    scratch.import("main", &[File("a", b"1")]);
    scratch.git_remote(&["pack-refs", "--all"]);
    let (_watcher, changes) = watched(&scratch.remote());
    scratch.git_remote(&["branch", "-D", "main"]);
    changes.recv_timeout(PATIENCE).unwrap();
}

#[test]
fn reading_a_watched_repository_is_not_a_change() {
    let scratch = Scratch::new();
    scratch.import("main", &[File("a", b"1")]);
    let (watcher, changes) = watched(&scratch.remote());
    scratch.mirror("state").fetch(&["main"]).unwrap();
    std::fs::write(scratch.remote_path().join("description"), "something else").unwrap();
    // Dropping the watch ends its thread, so everything that it noticed has arrived.
    drop(watcher);
    assert_eq!(changes.iter().count(), 0);
}

#[test]
fn remote_on_another_machine_is_not_watched() {
    let remote = Remote::new("https://git.example.org/x", Credentials::None).unwrap();
    assert!(watch(&remote, || {}).unwrap().is_none());
}

#[test]
fn watching_a_missing_repository_is_an_error() {
    let scratch = Scratch::new();
    let remote = Remote::new(scratch.path().join("nowhere").to_str().unwrap(), Credentials::None).unwrap();
    assert!(matches!(watch(&remote, || {}), Err(Error::Open { .. })));
}
