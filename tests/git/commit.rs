//! Tests of writing commits and moving local branches.

use std::collections::BTreeMap;
use std::sync::Barrier;
use std::sync::atomic::{AtomicUsize, Ordering};

use proptest::collection::btree_map;
use proptest::option;
use tidegate_git::Error;
use tidegate_model::revision::CommitId;

use super::fixture::{File, Gone, Scratch, commit};

#[test]
fn commit_changes_what_it_names_and_keeps_the_rest() {
    let scratch = Scratch::new();
    let base = scratch.import("main", &[File("keep", b"1"), File("dir/change", b"1"), File("gone/too", b"1")]);
    let mirror = scratch.mirror("state");
    mirror.fetch(&["main"]).unwrap();
    mirror.reset_local("main", None, &base).unwrap();
    let files = [("dir/change", Some("2")), ("gone/too", None), ("new/file", Some("3")), ("absent", None)];
    let new = mirror.commit(&commit("main", Some(&base), &files)).unwrap();
    let tree = mirror.tree(&new, "").unwrap();
    let expected = BTreeMap::from([("dir/change", "2"), ("keep", "1"), ("new/file", "3")]);
    let found: BTreeMap<&str, &str> =
        tree.files.iter().map(|(path, content)| (path.as_str(), std::str::from_utf8(content).unwrap())).collect();
    assert_eq!(found, expected);
    assert_eq!(mirror.local("main").unwrap(), Some(new.clone()));
    assert_eq!(mirror.commit_info(&new).unwrap().parents, [base]);
}

#[test]
fn same_commit_has_the_same_id_everywhere() {
    let scratch = Scratch::new();
    let new = commit("journal", None, &[("b", Some("2")), ("a/c", Some("1"))]);
    let (one, other) = (scratch.mirror("one").commit(&new).unwrap(), scratch.mirror("other").commit(&new).unwrap());
    assert_eq!(one, other);
}

#[test]
fn unchanged_files_make_no_commit() {
    let (_scratch, mirror) = Scratch::with_mirror();
    let first = mirror.commit(&commit("journal", None, &[("a", Some("1"))])).unwrap();
    let again = mirror.commit(&commit("journal", Some(&first), &[("a", Some("1")), ("b", None)])).unwrap();
    assert_eq!(again, first);
    assert_eq!(mirror.local("journal").unwrap(), Some(first));
}

#[test]
fn branch_moves_from_the_expected_commit_only() {
    let (_scratch, mirror) = Scratch::with_mirror();
    let first = mirror.commit(&commit("journal", None, &[("a", Some("1"))])).unwrap();
    let second = mirror.commit(&commit("journal", Some(&first), &[("a", Some("2"))])).unwrap();
    for parent in [None, Some(&first)] {
        let error = mirror.commit(&commit("journal", parent, &[("a", Some("3"))])).unwrap_err();
        assert!(matches!(&error, Error::Moved { found, .. } if found.as_ref() == Some(&second)), "{error:?}");
    }
    let error = mirror.commit(&commit("elsewhere", Some(&first), &[("a", Some("3"))])).unwrap_err();
    assert!(matches!(error, Error::Moved { found: None, .. }), "{error:?}");

    assert!(matches!(mirror.reset_local("journal", None, &first), Err(Error::Moved { .. })));
    assert!(matches!(mirror.reset_local("journal", Some(&first), &first), Err(Error::Moved { .. })));
    assert_eq!(mirror.local("journal").unwrap(), Some(second.clone()));
    mirror.reset_local("journal", Some(&second), &first).unwrap();
    assert_eq!(mirror.local("journal").unwrap(), Some(first));
}

#[test]
fn one_of_many_threads_moves_the_branch() {
    let (_scratch, mirror) = Scratch::with_mirror();
    let first = mirror.commit(&commit("journal", None, &[("a", Some("0"))])).unwrap();
    let own =
        |at: usize| mirror.commit(&commit(&format!("own-{at}"), None, &[("own", Some(&at.to_string()))])).unwrap();
    let candidates: Vec<CommitId> = (0..4).map(own).collect();
    for round in 0..100 {
        let (start, won) = (Barrier::new(candidates.len()), AtomicUsize::new(0));
        std::thread::scope(|scope| {
            for candidate in &candidates {
                scope.spawn(|| {
                    start.wait();
                    match mirror.reset_local("journal", Some(&first), candidate) {
                        Ok(()) => drop(won.fetch_add(1, Ordering::SeqCst)),
                        Err(error) => assert!(matches!(error, Error::Moved { .. }), "{error:?}"),
                    }
                });
            }
        });
        assert_eq!(won.into_inner(), 1, "round {round}");
        let winner = mirror.local("journal").unwrap().unwrap();
        assert!(candidates.contains(&winner));
        mirror.reset_local("journal", Some(&winner), &first).unwrap();
    }
}

#[test]
fn unsafe_paths_are_refused() {
    let (_scratch, mirror) = Scratch::with_mirror();
    for path in ["", "/a", "a/", "a//b", "../a", "a/../b", ".git/config", "a/.GIT/x", ".", "a\\b"] {
        let error = mirror.commit(&commit("journal", None, &[(path, Some("1"))])).unwrap_err();
        assert!(matches!(error, Error::Path { .. }), "{path:?}: {error:?}");
    }
    assert_eq!(mirror.local("journal").unwrap(), None);
}

#[test]
fn unknown_parent_is_refused() {
    let (_scratch, mirror) = Scratch::with_mirror();
    let unknown = "1".repeat(40).parse().unwrap();
    let error = mirror.commit(&commit("journal", Some(&unknown), &[("a", Some("1"))])).unwrap_err();
    assert!(matches!(error, Error::UnknownCommit { .. }));
    assert!(matches!(mirror.reset_local("journal", None, &unknown), Err(Error::UnknownCommit { .. })));
}

#[test]
fn file_and_directory_replace_each_other() {
    let (_scratch, mirror) = Scratch::with_mirror();
    let first = mirror.commit(&commit("journal", None, &[("a", Some("1")), ("b/c", Some("1"))])).unwrap();
    let files = [("a/x", Some("2")), ("b", Some("2"))];
    let second = mirror.commit(&commit("journal", Some(&first), &files)).unwrap();
    let files = mirror.tree(&second, "").unwrap().files;
    assert_eq!(files.keys().collect::<Vec<_>>(), ["a/x", "b"]);
}

#[test]
fn hostile_author_and_message_make_a_sound_commit() {
    let scratch = Scratch::new();
    let mirror = scratch.mirror("state");
    let mut new = commit("journal", None, &[("a", Some("1"))]);
    new.author = "Eve <x>\n0 +0000\0".to_owned();
    new.email = "eve@example.org>\n\nbody".to_owned();
    new.message = "subject\0\n\nbody\n\n".to_owned();
    let id = mirror.commit(&new).unwrap();
    mirror.push("journal", None, &id).unwrap();
    scratch.assert_sound();
    assert_eq!(scratch.git_remote(&["log", "-1", "--format=%B", "journal"]), "subject \n\nbody");
}

#[test]
fn commit_on_a_fetched_parent_includes_its_changes() {
    let scratch = Scratch::new();
    let old = scratch.import("main", &[File("a", b"1"), File("b", b"1")]);
    let mirror = scratch.mirror("state");
    mirror.fetch(&["main"]).unwrap();
    mirror.reset_local("main", None, &old).unwrap();
    let new = scratch.import("main", &[Gone("b")]);
    mirror.fetch(&["main"]).unwrap();
    mirror.reset_local("main", Some(&old), &new).unwrap();
    let mine = mirror.commit(&commit("main", Some(&new), &[("c", Some("1"))])).unwrap();
    assert_eq!(mirror.tree(&mine, "").unwrap().files.keys().collect::<Vec<_>>(), ["a", "c"]);
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig { cases: 24, ..Default::default() })]

    /// Uppercase names are files and lowercase names are directories, so no path is both.
    #[test]
    fn commits_apply_like_changes_to_a_map_of_files(
        changes in proptest::collection::vec(
            btree_map("([a-c]/){0,3}[A-D]", option::weighted(0.7, "[x-z]{0,3}"), 1..8), 1..6)
    ) {
        let (_scratch, mirror) = Scratch::with_mirror();
        let mut expected: BTreeMap<String, Vec<u8>> = BTreeMap::new();
        let mut tip = None;
        for change in changes {
            let files: Vec<_> = change.iter().map(|(path, content)| (path.as_str(), content.as_deref())).collect();
            tip = Some(mirror.commit(&commit("journal", tip.as_ref(), &files)).unwrap());
            for (path, content) in &change {
                match content {
                    Some(content) => drop(expected.insert(path.clone(), content.clone().into_bytes())),
                    None => drop(expected.remove(path)),
                }
            }
            proptest::prop_assert_eq!(&mirror.tree(tip.as_ref().unwrap(), "").unwrap().files, &expected);
        }
    }
}
