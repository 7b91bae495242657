//! Tests of fetching from a path and from a `file` URL.

use std::collections::BTreeMap;

use tidegate_git::{Credentials, Error, Mirror, Remote, init_bare, seed};

use super::fixture::{File, Scratch, commit, tips};

#[test]
fn path_and_file_url_give_the_same_tips() {
    let scratch = Scratch::new();
    let main = scratch.import("main", &[File("a.yaml", b"a: 1")]);
    let release = scratch.import("release/1.0", &[File("b.yaml", b"b: 1")]);
    for (state, prefix) in [("path", ""), ("url", "file://")] {
        let address = format!("{prefix}{}", scratch.remote_path().display());
        let remote = Remote::new(&address, Credentials::None).unwrap();
        let mirror = Mirror::open(scratch.path().join(state), remote).unwrap();
        let fetched = mirror.fetch(&["main", "release/1.0"]).unwrap();
        assert_eq!(fetched, tips(&[("main", &main), ("release/1.0", &release)]));
        assert_eq!(mirror.read(&main, "a.yaml").unwrap().unwrap(), b"a: 1");
    }
}

#[test]
fn later_fetch_follows_the_branch() {
    let scratch = Scratch::new();
    let mirror = scratch.mirror("state");
    let old = scratch.import("main", &[File("a", b"1")]);
    assert_eq!(mirror.fetch(&["main"]).unwrap(), tips(&[("main", &old)]));
    assert_eq!(mirror.fetch(&["main"]).unwrap(), tips(&[("main", &old)]), "nothing has changed");
    let new = scratch.import("main", &[File("a", b"2")]);
    assert_eq!(mirror.fetch(&["main"]).unwrap(), tips(&[("main", &new)]));
    assert!(mirror.is_ancestor(&old, &new).unwrap());
}

#[test]
fn only_requested_branches_are_fetched() {
    let scratch = Scratch::new();
    let main = scratch.import("main", &[File("a", b"1")]);
    let other = scratch.import("other", &[File("b", b"1")]);
    scratch.git_remote(&["tag", "v1", "other"]);
    let mirror = scratch.mirror("state");
    assert_eq!(mirror.fetch(&["main"]).unwrap(), tips(&[("main", &main)]));
    assert!(matches!(mirror.commit_info(&other), Err(Error::UnknownCommit { .. })));
    assert_eq!(mirror.fetch(&[]).unwrap(), BTreeMap::new());
}

#[test]
fn missing_branch_is_absent() {
    let scratch = Scratch::new();
    let main = scratch.import("main", &[File("a", b"1")]);
    let mirror = scratch.mirror("state");
    assert_eq!(mirror.fetch(&["main", "tidegate/journal"]).unwrap(), tips(&[("main", &main)]));
    assert_eq!(mirror.fetch(&["tidegate/journal"]).unwrap(), BTreeMap::new());
}

#[test]
fn empty_remote_gives_no_tips() {
    let scratch = Scratch::new();
    assert_eq!(scratch.mirror("state").fetch(&["main", "journal"]).unwrap(), BTreeMap::new());
}

#[test]
fn default_branch_may_be_unborn_while_others_exist() {
    let scratch = Scratch::new();
    let journal = scratch.import("journal", &[File("a", b"1")]);
    assert_eq!(scratch.mirror("state").fetch(&["main", "journal"]).unwrap(), tips(&[("journal", &journal)]));
}

#[test]
fn rewritten_branch_is_followed_and_its_old_commit_is_kept() {
    let scratch = Scratch::new();
    let mirror = scratch.mirror("state");
    let old = scratch.import("main", &[File("a", b"old")]);
    mirror.fetch(&["main"]).unwrap();
    let new = scratch.import_on(None, "main", &[File("a", b"new")]);
    assert_eq!(mirror.fetch(&["main"]).unwrap(), tips(&[("main", &new)]));
    assert!(!mirror.is_ancestor(&old, &new).unwrap());
    assert_eq!(mirror.read(&old, "a").unwrap().unwrap(), b"old");
}

#[test]
fn deleted_branch_can_become_a_directory_of_branches() {
    let scratch = Scratch::new();
    let mirror = scratch.mirror("state");
    scratch.import("release", &[File("a", b"1")]);
    mirror.fetch(&["release"]).unwrap();
    scratch.git_remote(&["branch", "-D", "release"]);
    let new = scratch.import("release/1", &[File("a", b"2")]);
    assert_eq!(mirror.fetch(&["release", "release/1"]).unwrap(), tips(&[("release/1", &new)]));
}

#[test]
fn branch_names_are_checked() {
    let (_scratch, mirror) = Scratch::with_mirror();
    for branch in ["", "a b", "a..b", "-", "x.lock", "../x", "a:b", "*", "HEAD", "+main"] {
        match mirror.fetch(&[branch]) {
            Err(Error::Branch { .. }) => {}
            // Git allows these two names, but there are no such branches.
            Ok(tips) if ["-", "+main"].contains(&branch) => assert!(tips.is_empty()),
            other => panic!("{branch:?}: {other:?}"),
        }
    }
}

#[test]
fn missing_repository_is_not_a_transient_error() {
    let scratch = Scratch::new();
    let remote = Remote::new(scratch.path().join("nowhere").to_str().unwrap(), Credentials::None).unwrap();
    let error = Mirror::open(scratch.path().join("state"), remote).unwrap().fetch(&["main"]).unwrap_err();
    assert!(matches!(error, Error::Remote { .. }), "{error:?}");
    assert!(!error.is_transient());
}

#[test]
fn file_in_place_of_a_repository_is_an_error_without_its_content() {
    let scratch = Scratch::new();
    let path = scratch.path().join("notes");
    std::fs::write(&path, "password: hunter2\n").unwrap();
    let remote = tidegate_git::Remote::new(path.to_str().unwrap(), tidegate_git::Credentials::None).unwrap();
    let mirror = tidegate_git::Mirror::open(scratch.path().join("state"), remote).unwrap();
    let error = format!("{:?}", mirror.fetch(&["main"]).unwrap_err());
    assert!(error.contains("it is a file") && !error.contains("hunter2"), "{error}");
}

#[test]
fn interrupted_mirror_no_longer_fetches() {
    let scratch = Scratch::new();
    scratch.import("main", &[File("a", b"1")]);
    let mirror = scratch.mirror("state");
    mirror.interrupt();
    assert!(matches!(mirror.fetch(&["main"]), Err(Error::Interrupted)));
}

#[test]
fn seeded_repository_can_be_followed() {
    let scratch = Scratch::new();
    let path = scratch.path().join("seeded.git");
    init_bare(&path, "trunk").unwrap();
    let first = seed(&path, &commit("trunk", None, &[("a.yaml", Some("a: 1"))])).unwrap();
    let second = seed(&path, &commit("trunk", Some(&first), &[("b.yaml", Some("b: 1"))])).unwrap();
    let remote = Remote::new(path.to_str().unwrap(), Credentials::None).unwrap();
    let mirror = Mirror::open(scratch.path().join("state"), remote).unwrap();
    assert_eq!(mirror.fetch(&["trunk"]).unwrap(), tips(&[("trunk", &second)]));
    let files = mirror.tree(&second, "").unwrap().files;
    assert_eq!(files.keys().collect::<Vec<_>>(), ["a.yaml", "b.yaml"]);
    let head = super::fixture::git(&path, &["symbolic-ref", "HEAD"], b"");
    assert_eq!(head, "refs/heads/trunk");
    assert!(matches!(init_bare(&path, "trunk"), Err(Error::Open { .. })), "it already exists");
}
