//! The image: the same bytes for the same inputs, and a refusal of what could not run.

use flate2::read::GzDecoder;
use serde_json::json;
use tempfile::tempdir;
use tidegate_release::{Error, NotUsable, write_image};

use crate::files_below::files_below;
use crate::support::{ARM64, CERTIFICATES, X86_64, blob, document, elf, image, manifests};

#[test]
fn the_same_inputs_result_in_the_same_bytes() {
    let folder = tempdir().unwrap();
    let mut inputs = image(folder.path(), &[&elf(X86_64, false), &elf(ARM64, false)], CERTIFICATES);
    write_image(&inputs, &folder.path().join("first")).unwrap();
    inputs.binaries.reverse();
    write_image(&inputs, &folder.path().join("second")).unwrap();

    let first = files_below(&folder.path().join("first"));
    assert_eq!(first, files_below(&folder.path().join("second")));
    // Two layers, two configurations, two manifests and their index, with the two files that begin a layout.
    assert_eq!(first.len(), 9);

    inputs.seconds += 1;
    write_image(&inputs, &folder.path().join("third")).unwrap();
    assert_ne!(first, files_below(&folder.path().join("third")));
}

#[test]
fn the_image_runs_the_program_as_an_unprivileged_user() {
    let folder = tempdir().unwrap();
    let layout = folder.path().join("image");
    write_image(&image(folder.path(), &[&elf(X86_64, false)], CERTIFICATES), &layout).unwrap();

    let [(platform, manifest)] = &manifests(&layout)[..] else { panic!("one processor has one manifest") };
    assert_eq!(platform, &json!({ "architecture": "amd64", "os": "linux" }));
    let config = document(&layout, &manifest["config"]);
    assert_eq!(config["architecture"], "amd64");
    assert_eq!(config["created"], "2026-11-18T11:06:40Z");
    assert_eq!(config["config"]["User"], "65532:65532");
    assert_eq!(config["config"]["Entrypoint"], json!(["/tidegate"]));
    let labels = &config["config"]["Labels"];
    assert_eq!(labels["org.opencontainers.image.revision"], "0123456789abcdef0123456789abcdef01234567");
    assert_eq!(labels["org.opencontainers.image.version"], "0.1.0");

    let layer = blob(&layout, &manifest["layers"][0]);
    let mut archive = tar::Archive::new(GzDecoder::new(&layer[..]));
    let entries: Vec<String> = archive
        .entries()
        .unwrap()
        .map(|entry| {
            let entry = entry.unwrap();
            let header = entry.header();
            assert_eq!(header.mtime().unwrap(), 1_795_000_000);
            let (mode, user) = (header.mode().unwrap(), header.uid().unwrap());
            format!("{mode:o} {user} {}", entry.path().unwrap().display())
        })
        .collect();
    assert_eq!(
        entries,
        [
            "755 0 etc/",
            "644 0 etc/group",
            "644 0 etc/passwd",
            "755 0 etc/ssl/",
            "755 0 etc/ssl/certs/",
            "644 0 etc/ssl/certs/ca-certificates.crt",
            "755 0 tidegate",
            "1777 0 tmp/",
            "755 0 var/",
            "755 0 var/lib/",
            "755 65532 var/lib/tidegate/",
        ]
    );
}

#[test]
fn a_binary_that_cannot_run_in_the_image_is_refused() {
    let cases: [(Vec<u8>, NotUsable); 5] = [
        (elf(X86_64, true), NotUsable::Dynamic),
        // RISC-V
        (elf(243, false), NotUsable::OtherProcessor),
        (b"#!/bin/sh\n".to_vec(), NotUsable::NotElf),
        (Vec::new(), NotUsable::NotElf),
        // The header of the segment is cut off.
        (elf(X86_64, false)[..100].to_vec(), NotUsable::NotElf),
    ];
    for (binary, expected) in cases {
        let folder = tempdir().unwrap();
        let layout = folder.path().join("image");
        let error = write_image(&image(folder.path(), &[&binary], CERTIFICATES), &layout).unwrap_err();
        assert!(matches!(error, Error::Binary { why, .. } if why == expected), "{error}");
        assert!(!layout.exists(), "nothing is written");
    }
}

#[test]
fn an_image_without_certificates_or_with_two_programs_for_one_processor_is_refused() {
    let folder = tempdir().unwrap();
    let layout = folder.path().join("image");
    let written = |binaries: &[&[u8]], certificates: &str| {
        write_image(&image(folder.path(), binaries, certificates), &layout).unwrap_err().to_string()
    };

    let error = written(&[&elf(X86_64, false)], "no certificate\n");
    assert!(
        error.ends_with("certificates.pem contains no certificates in PEM; without them, the program trusts no server"),
        "{error}"
    );
    let error = written(&[&elf(ARM64, false), &elf(ARM64, false)], CERTIFICATES);
    assert!(
        error.ends_with("tidegate-1 and another binary are both for arm64; give one for each processor"),
        "{error}"
    );
    assert_eq!(written(&[], CERTIFICATES), "no binary is given; an image needs at least one");
    assert!(!layout.exists(), "nothing is written");
}

#[test]
fn a_folder_that_exists_is_left_alone() {
    let folder = tempdir().unwrap();
    let inputs = image(folder.path(), &[&elf(X86_64, false)], CERTIFICATES);
    let error = write_image(&inputs, folder.path()).unwrap_err();
    assert!(matches!(error, Error::Exists { .. }), "{error}");
}
