//! Limits, and labels that change together.

use tidegate_kustomize::overlay;

use super::{config_map, errors, rendered, tree, yaml};

#[test]
fn bases_nest_at_most_64_deep() {
    let map = config_map("web");
    let chain = |depth: usize| {
        let mut files = tree(&[("d0/cm.yaml", &map), ("d0/kustomization.yaml", "resources: [cm.yaml]\n")]);
        for i in 1..depth {
            let text = format!("resources: [../d{}]\n", i - 1);
            files.files.insert(format!("d{i}/kustomization.yaml"), text.into_bytes());
        }
        overlay::render(&files, &format!("d{}", depth - 1))
    };
    assert_eq!(errors(&chain(64)), "");
    assert!(errors(&chain(65)).contains("at most 64 deep"));
}

#[test]
fn bases_that_double_in_each_layer_are_refused() {
    // Each layer uses the one below twice, under two prefixes: 2^40 objects.
    let map = config_map("web");
    let mut files = tree(&[("d0/cm.yaml", &map), ("d0/kustomization.yaml", "resources: [cm.yaml]\n")]);
    for i in 1..40 {
        for side in ["a", "b"] {
            let text = format!("namePrefix: {side}\nresources: [../../d{}]\n", i - 1);
            files.files.insert(format!("p{i}/{side}/kustomization.yaml"), text.into_bytes());
        }
        let text = format!("resources: [../p{i}/a, ../p{i}/b]\n");
        files.files.insert(format!("d{i}/kustomization.yaml"), text.into_bytes());
    }
    let rendered = overlay::render(&files, "d30");
    assert!(rendered.is_failed());
}

#[test]
fn too_many_entries_for_too_many_objects_are_refused() {
    let maps: String = (0..3000).map(|i| format!("{}---\n", config_map(&format!("web-{i}")))).collect();
    let images: String = (0..9000).map(|i| format!("- {{name: a{i}, newTag: b}}\n")).collect();
    let kustomization = format!("resources: [a.yaml]\nimages:\n{images}");
    let rendered = rendered(&[("a.yaml", &maps), ("kustomization.yaml", &kustomization)]);
    assert!(errors(&rendered).contains("too many entries with too many objects"), "{}", errors(&rendered));
}

#[test]
fn labels_that_were_added_together_change_together() {
    let service = "apiVersion: v1\nkind: Service\nmetadata:\n  name: web\nspec: {}\n";
    let files = |overlay: &str| {
        yaml(&[
            ("base/a.yaml", service),
            (
                "base/kustomization.yaml",
                "resources: [a.yaml]\nlabels: [{pairs: {team: base}, includeSelectors: true}]\n",
            ),
            ("kustomization.yaml", overlay),
        ])
    };
    // kustomize uses one node in both places. This is surprising, but running clusters were rendered this way.
    let by_label = files("resources: [base]\nlabels: [{pairs: {team: prod}}]\n");
    assert!(by_label.ends_with("spec:\n  selector:\n    team: prod\n"), "{by_label}");
    let patch = "resources: [base]\npatches:\n- patch: '{apiVersion: v1, kind: Service, metadata: {name: web, labels: {team: prod}}}'\n";
    assert!(files(patch).ends_with("spec:\n  selector:\n    team: prod\n"));
    // A JSON patch separates them.
    let json = "resources: [base]\npatches:\n- target: {kind: Service}\n  patch: '[{\"op\": \"replace\", \"path\": \"/metadata/labels/team\", \"value\": \"prod\"}]'\n";
    assert!(files(json).ends_with("spec:\n  selector:\n    team: base\n"));
}
