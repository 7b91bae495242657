//! The image, unpacked and run in a root that contains nothing else.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use flate2::read::GzDecoder;
use tempfile::tempdir;
use tidegate_release::write_image;

use crate::support::{CERTIFICATES, blob, image, manifests};

/// A program that prints what it finds.
const PROGRAM: &str = r#"
fn main() {
    let certificates = std::fs::read_to_string("/etc/ssl/certs/ca-certificates.crt").unwrap();
    let entries = std::fs::read_dir("/").unwrap().count();
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    println!("{} {} {}", certificates.lines().count(), entries, arguments.join(" "));
}
"#;

/// Returns the program, linked statically.
fn compiled(folder: &Path) -> Vec<u8> {
    let (source, program) = (folder.join("program.rs"), folder.join("program"));
    fs::write(&source, PROGRAM).unwrap();
    let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".to_owned());
    let output = Command::new(rustc)
        .args(["--edition", "2024", "-C", "target-feature=+crt-static", "-o"])
        .args([&program, &source])
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    fs::read(program).unwrap()
}

/// Unpacks the only image of a layout, and returns the root and the program to start.
fn unpacked(layout: &Path, root: PathBuf) -> (PathBuf, String) {
    let (_, manifest) = manifests(layout).remove(0);
    let layer = blob(layout, &manifest["layers"][0]);
    tar::Archive::new(GzDecoder::new(&layer[..])).unpack(&root).unwrap();
    let config = crate::support::document(layout, &manifest["config"]);
    (root, config["config"]["Entrypoint"][0].as_str().unwrap().to_owned())
}

/// Needs `unshare` of util-linux, and a kernel that lets a user have a root of its own.
#[test]
#[ignore = "needs unshare; .ci/run runs it"]
fn the_image_runs_in_an_empty_root() {
    let folder = tempdir().unwrap();
    let layout = folder.path().join("image");
    // A layout that the release has made, or one with a small program.
    let given = std::env::var_os("TIDEGATE_TEST_IMAGE").map(PathBuf::from);
    if given.is_none() {
        write_image(&image(folder.path(), &[&compiled(folder.path())], CERTIFICATES), &layout).unwrap();
    }
    let (root, program) = unpacked(given.as_deref().unwrap_or(&layout), folder.path().join("root"));
    let output = Command::new("unshare")
        .args(["--user", "--map-root-user", "--mount", "chroot"])
        .arg(root)
        .args([&program, "--version"])
        .env_clear()
        .env("PATH", "/usr/sbin:/usr/bin:/sbin:/bin")
        .output()
        .unwrap();
    let printed = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    match given {
        Some(_) => assert!(printed.starts_with("tidegate "), "{printed}"),
        None => assert_eq!(printed, "3 4 --version\n"),
    }
}
