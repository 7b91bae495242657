//! The image, read by another tool than the one that wrote it.

use std::process::Command;

use serde_json::{Value, json};
use tempfile::tempdir;
use tidegate_release::write_image;

use crate::support::{ARM64, CERTIFICATES, X86_64, elf, image};

/// Runs skopeo, and returns what it prints.
fn skopeo(arguments: &[&str]) -> String {
    let output = Command::new("skopeo").arg("--insecure-policy").args(arguments).output().unwrap();
    assert!(output.status.success(), "skopeo {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
#[ignore = "needs skopeo; .ci/run runs it"]
fn skopeo_reads_and_copies_the_image() {
    let folder = tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let inputs = image(folder.path(), &[&elf(X86_64, false), &elf(ARM64, false)], CERTIFICATES);
    write_image(&inputs, &folder.path().join("image")).unwrap();
    let source = format!("oci:{}:0.1.0", path("image"));

    let index: Value = serde_json::from_str(&skopeo(&["inspect", "--raw", &source])).unwrap();
    assert_eq!(index["manifests"].as_array().unwrap().len(), 2, "{index:#}");
    for processor in ["amd64", "arm64"] {
        let arguments = ["--override-os", "linux", "--override-arch", processor, "inspect", "--config", &source];
        let config: Value = serde_json::from_str(&skopeo(&arguments)).unwrap();
        assert_eq!((&config["architecture"], &config["os"]), (&json!(processor), &json!("linux")));
        assert_eq!(config["config"]["User"], "65532:65532");
    }
    // A copy compares each blob with its digest and size.
    let copy = format!("oci:{}:0.1.0", path("copy"));
    skopeo(&["copy", "--quiet", "--all", &source, &copy]);
    let raw = |place: &str| skopeo(&["inspect", "--raw", place]);
    assert_eq!(raw(&source), raw(&copy));
}
