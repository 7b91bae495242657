//! Which overlays there are, and what they stand on.

use tidegate_kustomize::overlay::{bases, overlays};

use super::tree;

#[test]
fn an_overlay_that_no_other_stands_on_is_one_to_follow() {
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
fn a_base_is_one_even_of_an_overlay_with_mistakes() {
    let files = [
        ("base/kustomization.yaml", "resources: [a.yaml]\n"),
        ("prod/kustomization.yaml", "resources: [missing.yaml, ../base]\nnonsense: 1\n"),
    ];
    assert_eq!(overlays(&tree(&files)), ["prod"]);
}

#[test]
fn overlays_in_a_circle_are_not_forgotten() {
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
fn what_an_overlay_stands_on_is_named_by_three_fields() {
    let text =
        "Resources: [a.yaml, ../base]\ncomponents: [c, 1]\nbases: [b]\npatches: [{path: p.yaml}]\nimages: text\n";
    assert_eq!(bases(text.as_bytes()), ["a.yaml", "../base", "c", "b"]);
    assert!(bases(b"{").is_empty() && bases(b"").is_empty() && bases(b"- 1").is_empty());
}
