//! What `--check` finds, without any server.

use serde_json::Value;

use super::super::{code, text};
use super::world::World;

#[test]
fn everything_that_is_not_as_declared_is_found() {
    let world = World::new();
    let missing = world.session(&["vendor", "--check"]);
    world.run(&["vendor"]);
    let requests = world.requests().len();
    world.write(&world.vendored_file("crd.yaml"), "kind: x\n");
    world.write("vendor/stray.yaml", "kind: x\n");
    let kustomization = world.read("kustomization.yaml");
    world.write("kustomization.yaml", &kustomization.replace("?ref=v1", "?ref=v2").replace("blue", "green"));
    let changed = world.session(&["vendor", "--check", "."]);
    insta::assert_snapshot!([missing, changed].join("\n"));
    let output = world.run(&["vendor", "--check", "-o", "json"]);
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((code(&output), report["entries"].as_u64()), (1, Some(3)));
    assert_eq!(report["diagnostics"][0]["place"]["file"], "kustomization.yaml");
    assert_eq!(text(&output.stderr), "");
    assert_eq!(world.requests().len(), requests, "no server is contacted");
}

#[test]
fn an_edited_lock_is_refused() {
    let world = World::new();
    world.run(&["vendor"]);
    let lock = world.read("vendor.lock");
    let mut reported = Vec::new();
    for (what, edited) in [
        ("a conflict", format!("<<<<<<< HEAD\n{lock}=======\n>>>>>>> topic\n")),
        ("a directory outside", lock.replace("directory: vendor/files", "directory: other/files")),
        ("an unknown field", lock.replace("kind: VendorLock", "kind: VendorLock\nextra: 1")),
    ] {
        world.write("vendor.lock", &edited);
        reported.push(format!("--- {what}\n{}\n{}", world.session(&["vendor", "--check"]), world.session(&["vendor"])));
        assert_eq!(world.read("vendor.lock"), edited, "the lock is kept");
    }
    insta::assert_snapshot!(reported.join("\n"));
}

#[test]
fn the_help_names_every_option() {
    insta::assert_snapshot!(World::empty().session(&["vendor", "--help"]));
}

#[test]
fn nothing_to_vendor_is_fine() {
    let world = World::empty();
    world.write("own.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: own, namespace: a}\n");
    insta::assert_snapshot!([world.session(&["vendor", "--check"]), world.session(&["vendor"])].join("\n"));
    assert!(!world.root().join("vendor.lock").exists());
}
