//! What a run leaves behind if it is interrupted, and how the next one continues.

use std::fs;

use super::super::{code, text};
use super::world::World;

#[test]
fn files_without_a_complete_lock_are_removed() {
    let world = World::new();
    world.write("vendor/.pending/vendor/files/x/crd.yaml", "kind: x\n");
    assert_eq!(code(&world.run(&["vendor"])), 0);
    assert!(!world.root().join("vendor/.pending").exists());
    assert_eq!(code(&world.run(&["vendor", "--check"])), 0);
}

#[test]
fn a_run_that_was_interrupted_while_files_were_moved_is_completed_without_a_server() {
    let world = World::new();
    world.run(&["vendor"]);
    let (lock, requests) = (world.read("vendor.lock"), world.requests().len());
    // The state of a first run that had written everything, and moved one directory.
    let file = world.vendored_file("crd.yaml");
    let pending = world.root().join("vendor/.pending");
    let moved = pending.join(&file);
    fs::create_dir_all(moved.parent().unwrap()).unwrap();
    fs::rename(world.root().join(&file), moved).unwrap();
    fs::rename(world.root().join("vendor.lock"), pending.join("vendor.lock")).unwrap();
    let check = text(&world.run(&["vendor", "--check"]).stderr);
    assert!(check.contains("vendor: a run of `tidegate vendor` was interrupted; run it again"), "{check}");
    let output = world.run(&["vendor"]);
    assert!(text(&output.stderr).contains("an earlier run was interrupted"), "{}", text(&output.stderr));
    assert_eq!((code(&output), world.read("vendor.lock")), (0, lock));
    assert!(world.root().join(&file).exists() && !pending.exists());
    assert_eq!(world.requests().len(), requests);
}

#[test]
fn nothing_outside_of_the_repository_is_removed() {
    let world = World::new();
    world.run(&["vendor"]);
    let outside = world.path("outside");
    fs::create_dir_all(outside.join("documents")).unwrap();
    fs::write(outside.join("documents/diary.txt"), "mine").unwrap();
    // A hostile commit: its lock has an entry behind a link, and nothing uses the entry.
    std::os::unix::fs::symlink(&outside, world.root().join("vendor/link")).unwrap();
    let lock = world.read("vendor.lock");
    // The last entry, so that the order of the directories stays right.
    let file = world.vendored_file("crd.yaml");
    let hostile = lock.replace(file.strip_suffix("/crd.yaml").unwrap(), "vendor/link/documents");
    assert_ne!(lock, hostile);
    world.write("vendor.lock", &hostile);
    let removal = world.session(&["vendor"]);
    // Another one: the rest of an interrupted run.
    world.write("vendor.lock", &lock);
    world.write("vendor/.pending/vendor.lock", &hostile);
    world.write("vendor/.pending/vendor/link/documents/evil.txt", "evil");
    let completion = world.session(&["vendor"]);
    // A staged file that is not a lock must not cause everything to be removed.
    world.write("vendor/.pending/vendor.lock", "kind: x\n");
    let broken = world.session(&["vendor"]);
    let all = [removal, completion, broken].join("\n");
    insta::assert_snapshot!(all);
    assert_eq!(fs::read_to_string(outside.join("documents/diary.txt")).unwrap(), "mine");
    assert_eq!(fs::read_dir(outside.join("documents")).unwrap().count(), 1);
    assert_eq!(world.read("vendor.lock"), lock);
}
