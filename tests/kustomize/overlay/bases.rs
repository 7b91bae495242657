//! Finding overlays and their bases.

use tidegate_kustomize::overlay::{bases, overlays};

use super::tree;

#[test]
fn overlays_that_no_other_overlay_uses_are_listed() {
    let files = [
        ("base/kustomization.yaml", "resources: [a.yaml]\n"),
        ("parts/ha/Kustomization", "kind: Component\n"),
        ("overlays/aws/kustomization.yaml", "resources: [../../base]\ncomponents: [../../parts/ha]\n"),
        ("overlays/gcp/kustomization.yml", "bases: [../../base/]\n"),
        ("kustomization.yaml", "namePrefix: x\n"),
    ];
    assert_eq!(overlays(&tree(&files)), [".", "overlays/aws", "overlays/gcp"]);
}

#[test]
fn a_base_of_an_overlay_with_errors_is_still_a_base() {
    let files = [
        ("base/kustomization.yaml", "resources: [a.yaml]\n"),
        ("prod/kustomization.yaml", "resources: [missing.yaml, ../base]\nnonsense: 1\n"),
    ];
    assert_eq!(overlays(&tree(&files)), ["prod"]);
}

#[test]
fn a_cycle_of_overlays_is_listed_by_its_first_overlay() {
    let files = [
        ("a/kustomization.yaml", "resources: [../b]\n"),
        ("b/kustomization.yaml", "resources: [../a]\n"),
        ("self/kustomization.yaml", "resources: [.]\n"),
        ("top/kustomization.yaml", "resources: [../a]\n"),
        ("unread/kustomization.yaml", "{"),
    ];
    assert_eq!(overlays(&tree(&files[..3])), ["a", "self"]);
    assert_eq!(overlays(&tree(&files)), ["self", "top", "unread"]);
}

#[test]
fn bases_come_from_three_fields() {
    let text =
        "Resources: [a.yaml, ../base]\ncomponents: [c, 1]\nbases: [b]\npatches: [{path: p.yaml}]\nimages: text\n";
    assert_eq!(bases(text.as_bytes()), ["a.yaml", "../base", "c", "b"]);
    assert!(bases(b"{").is_empty() && bases(b"").is_empty() && bases(b"- 1").is_empty());
}
