//! The directories of new entries.

use tidegate_kustomize::vendor::{What, directory};
use tidegate_model::digest::Digest;

use super::{chart, file, git};

#[test]
fn directories_are_readable_and_follow_from_the_source() {
    let mut used_below = chart("podinfo", "https://charts.example.com", Digest::of(b""));
    if let What::Chart(chart) = &mut used_below {
        chart.used_by = "overlays/prod/kustomization.yaml".to_owned();
        chart.release = "web".to_owned();
        chart.namespace = Some("prod".to_owned());
    }
    let github = "https://github.com/acme/config";
    let cases = [
        git("x", github, "v1.2.0", "base"),
        git("x", github, "", ""),
        git("x", "git@GitHub.com:acme/config.git", "release/1", "a/b"),
        git("x", "ssh://git@host:22/acme/config", "..", "a@b/c d/%2e"),
        file("https://example.com/dir/crd.yaml?raw=1", "crd.yaml"),
        chart("podinfo", "oci://ghcr.io/charts", Digest::of(b"")),
        used_below,
    ];
    let directories: Vec<_> = cases.iter().map(|what| directory(what, [])).collect();
    insta::assert_snapshot!(directories.join("\n"));
}

#[test]
fn a_taken_directory_is_not_used_again() {
    let what = git("https://github.com/acme/config?ref=v1", "https://github.com/acme/config", "v1", "");
    let first = directory(&what, []);
    let second = directory(&what, [first.to_uppercase().as_str()]);
    let third = directory(&what, [first.as_str(), second.as_str()]);
    assert_eq!(first, "vendor/github.com/acme/config@v1");
    assert!(first != second && second != third && first != third, "{second} {third}");
}
