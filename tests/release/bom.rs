//! The bill of materials of this repository.

use std::collections::BTreeSet;
use std::process::Command;

use serde_json::{Value, json};
use tidegate_release::bill_of_materials;

/// Returns the bill of materials of the program, from the repository.
fn document() -> Value {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let metadata = Command::new(env!("CARGO"))
        .args([
            "metadata",
            "--offline",
            "--locked",
            "--format-version",
            "1",
            "--filter-platform",
            "x86_64-unknown-linux-gnu",
        ])
        .current_dir(root)
        .output()
        .unwrap();
    assert!(metadata.status.success(), "{}", String::from_utf8_lossy(&metadata.stderr));
    let lock = std::fs::read_to_string(format!("{root}/Cargo.lock")).unwrap();
    bill_of_materials(&String::from_utf8(metadata.stdout).unwrap(), &lock, 1_795_000_000).unwrap()
}

#[test]
fn the_bill_contains_what_is_compiled_in_and_nothing_else() {
    let bill = document();
    assert_eq!(bill["metadata"]["component"]["purl"], format!("pkg:cargo/tidegate@{}", env!("CARGO_PKG_VERSION")));
    assert_eq!(bill["metadata"]["timestamp"], "2026-11-18T11:06:40Z");
    let components = bill["components"].as_array().unwrap();
    let names: BTreeSet<&str> = components.iter().map(|component| component["name"].as_str().unwrap()).collect();
    for compiled_in in ["gix", "kube-client", "ring", "tidegate-plan", "tokio"] {
        assert!(names.contains(compiled_in), "{compiled_in} is missing");
    }
    // A library of tests, one of build scripts, one for another system, one of macros, and the tool that wrote the bill.
    for left_out in ["insta", "cc", "windows-sys", "serde_derive", "tidegate-release"] {
        assert!(!names.contains(left_out), "{left_out} is not compiled in");
    }
}

#[test]
fn every_library_has_its_license_its_hash_and_its_dependencies() {
    let bill = document();
    let components = bill["components"].as_array().unwrap();
    for component in components {
        let purl = component["purl"].as_str().unwrap();
        assert!(component["licenses"][0]["expression"].is_string(), "{purl} has no license");
        let is_own = component["name"].as_str().unwrap().starts_with("tidegate");
        assert_eq!(component["hashes"].is_null(), is_own, "{purl}");
    }
    let everything = components.iter().chain([&bill["metadata"]["component"]]);
    let known: BTreeSet<&str> = everything.map(|component| component["bom-ref"].as_str().unwrap()).collect();
    let dependencies = bill["dependencies"].as_array().unwrap();
    assert_eq!(dependencies.len(), known.len());
    for dependency in dependencies {
        assert!(known.contains(dependency["ref"].as_str().unwrap()));
        let on = dependency["dependsOn"].as_array().unwrap();
        assert!(on.iter().all(|on| known.contains(on.as_str().unwrap())), "{dependency}");
    }
    let of_tar = dependencies
        .iter()
        .find(|dependency| dependency["ref"].as_str().unwrap().starts_with("pkg:cargo/tar@"))
        .unwrap();
    assert_ne!(of_tar["dependsOn"], json!([]));
}

#[test]
fn unreadable_packages_are_an_error() {
    let lock = "package = []";
    let error = bill_of_materials("{}", lock, 0).unwrap_err().to_string();
    assert!(error.starts_with("the packages cannot be listed: missing field `packages`"), "{error}");
    let error = bill_of_materials(r#"{"packages":[],"resolve":{"nodes":[],"root":null}}"#, lock, 0).unwrap_err();
    assert_eq!(error.to_string(), "the packages cannot be listed: there is no root package");
}
