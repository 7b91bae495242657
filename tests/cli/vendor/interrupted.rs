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
