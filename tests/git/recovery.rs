//! Tests that a damaged or missing mirror is recreated, and that anything that is not a mirror is left alone.

use std::path::Path;

use tidegate_git::{Error, Mirror};

use super::fixture::{File, Scratch, commit, tips};
use super::redacted::redacted;

/// A way to damage a mirror.
type Damage = fn(&Path);

const DAMAGES: [(&str, Damage); 5] = [
    ("the configuration cannot be read", |mirror| std::fs::write(mirror.join("config"), "[core\nbroken").unwrap()),
    ("HEAD is missing", |mirror| std::fs::remove_file(mirror.join("HEAD")).unwrap()),
    ("HEAD is empty", |mirror| std::fs::write(mirror.join("HEAD"), "").unwrap()),
    ("everything in it is missing", |mirror| {
        std::fs::remove_dir_all(mirror).unwrap();
        std::fs::create_dir(mirror).unwrap();
    }),
    ("it contains only what a running process wrote after a deletion", |mirror| {
        std::fs::remove_dir_all(mirror).unwrap();
        std::fs::create_dir_all(mirror.join("objects/pack")).unwrap();
        std::fs::create_dir_all(mirror.join("refs/heads")).unwrap();
    }),
];

#[test]
fn a_damaged_mirror_is_recreated_when_it_is_opened() {
    for (what, damage) in DAMAGES {
        let scratch = Scratch::new();
        let main = scratch.import("main", &[File("a", b"1")]);
        scratch.mirror("state").fetch(&["main"]).unwrap();
        damage(&scratch.path().join("state/mirror.git"));
        let mirror = scratch.mirror("state");
        assert_eq!(mirror.fetch(&["main"]).unwrap(), tips(&[("main", &main)]), "{what}");
        assert_eq!(mirror.read(&main, "a").unwrap().unwrap(), b"1", "{what}");
    }
}

#[test]
fn a_damaged_mirror_is_recreated_while_it_is_open() {
    for (what, damage) in DAMAGES {
        let (scratch, mirror) = Scratch::with_mirror();
        let main = scratch.import("main", &[File("a", b"1")]);
        mirror.fetch(&["main"]).unwrap();
        assert!(!mirror.ensure().unwrap(), "nothing is wrong yet");
        damage(&scratch.path().join("state/mirror.git"));
        let error = Error::UnknownCommit { commit: main.clone() };
        assert!(mirror.recover(&error).unwrap(), "{what}");
        assert_eq!(mirror.generation(), 1);
        assert_eq!(mirror.fetch(&["main"]).unwrap(), tips(&[("main", &main)]), "{what}");
    }
}

#[test]
fn a_deleted_state_directory_is_recreated_with_its_lock() {
    let (scratch, mirror) = Scratch::with_mirror();
    let main = scratch.import("main", &[File("a", b"1")]);
    mirror.fetch(&["main"]).unwrap();
    std::fs::remove_dir_all(scratch.path().join("state")).unwrap();
    assert!(mirror.ensure().unwrap());
    assert_eq!(mirror.fetch(&["main"]).unwrap(), tips(&[("main", &main)]));
    let second = Mirror::open(scratch.path().join("state"), scratch.remote());
    assert!(matches!(second, Err(Error::InUse { .. })));
}

#[test]
fn damaged_objects_cause_one_recreation_but_not_a_second_one_at_once() {
    let (scratch, mirror) = Scratch::with_mirror();
    let main = scratch.import("main", &[File("a", b"1")]);
    mirror.fetch(&["main"]).unwrap();
    let mut folders = vec![scratch.path().join("state/mirror.git/objects")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                std::fs::remove_file(&path).unwrap();
                std::fs::write(&path, "damaged").unwrap();
            }
        }
    }
    drop(mirror);
    let mirror = scratch.mirror("state");
    let error = mirror.tree(&main, "").unwrap_err();
    assert!(mirror.recover(&error).unwrap(), "{error}");
    assert_eq!(mirror.fetch(&["main"]).unwrap(), tips(&[("main", &main)]));
    assert!(!mirror.recover(&error).unwrap(), "the same error so soon must have another cause");
}

#[test]
fn a_directory_that_is_not_a_mirror_is_left_alone_and_named() {
    let scratch = Scratch::new();
    let place = scratch.path().join("state/mirror.git");
    std::fs::create_dir_all(&place).unwrap();
    std::fs::write(place.join("thesis.txt"), "years of work").unwrap();
    let Err(error) = Mirror::open(scratch.path().join("state"), scratch.remote()) else { panic!("it is not a mirror") };
    assert!(matches!(error, Error::Foreign { .. }), "{error:?}");
    insta::assert_snapshot!(redacted(&error.to_string()));
    assert_eq!(std::fs::read_to_string(place.join("thesis.txt")).unwrap(), "years of work");
}

#[test]
fn an_intact_mirror_keeps_its_local_branches() {
    let scratch = Scratch::new();
    let journal = scratch.mirror("state").commit(&commit("journal", None, &[("b", Some("2"))])).unwrap();
    let mirror = scratch.mirror("state");
    assert!(!mirror.ensure().unwrap());
    assert_eq!(mirror.local("journal").unwrap(), Some(journal));
}
