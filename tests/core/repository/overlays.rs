//! Tests of complaints about the files and the rendered objects of an overlay.

use super::fixture::{load_plain, tree};
use crate::transcript::transcript;

const MAP: &str = "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a, namespace: fleet }\ndata: { word: yes }\n";
const SET: &str = "apiVersion: cluster.open-cluster-management.io/v1beta2\nkind: ManagedClusterSet\nmetadata: { name: s }\n\
    spec: { clusterSelector: { selectorType: Exclusive } }\n";
const WIDGET: &str = "apiVersion: example.com/v1\nkind: Widget\nmetadata: { name: w }\nspec: { mode: off, n: 0777 }\n";

/// Returns the complaints about an overlay with this kustomization, each with its severity, rule and object.
fn complaints(kustomization: &str) -> String {
    let files = [
        ("tidegate.toml", "[repository]\npath = 'prod'\n"),
        ("prod/kustomization.yaml", kustomization),
        ("prod/map.yaml", MAP),
        ("more/kustomization.yaml", "resources: [more.yaml]\n"),
        ("more/more.yaml", "- kind: ConfigMap\n"),
        ("placement/kustomization.yaml", "resources: [placement.yaml]\n"),
        ("placement/placement.yaml", "kind: Placement\nmetadata: { name: p }\n"),
        ("bad/kustomization.yaml", "resources: [bad.yaml]\n"),
        ("bad/bad.yaml", "a: ]\n"),
        ("nan/kustomization.yaml", "resources: [nan.yaml]\n"),
        ("nan/nan.yaml", "apiVersion: example.com/v1\nkind: Widget\nmetadata: { name: nan }\nspec: .nan\n"),
        ("untyped/kustomization.yaml", "resources: [untyped.yaml]\n"),
        ("untyped/untyped.yaml", "apiVersion: example.com/v1\nkind: Widget\nmetadata: { name: '' }\n"),
        ("prod/extra/kustomization.yaml", "resources: [gone.yaml]\nimages: {}\n"),
        ("base/kustomization.yaml", "resources: [set.yaml, widget.yaml]\n"),
        ("base/set.yaml", SET),
        ("base/widget.yaml", WIDGET),
        ("one/kustomization.yaml", "namePrefix: one-\nresources: [../base]\n"),
        ("two/kustomization.yaml", "namePrefix: two-\nresources: [../base]\n"),
    ];
    let told = load_plain(&tree(&files)).complaints.into_iter().map(|complaint| {
        let value = serde_json::to_value(&complaint).unwrap();
        let object = complaint.object.map_or_else(String::new, |object| format!(" {object}"));
        format!(
            "{} {} {}:{}:{}{object}: {}\n",
            value["severity"],
            value["rule"],
            value["place"]["file"],
            value["place"]["line"],
            value["place"]["column"],
            complaint.diagnostic.message
        )
    });
    told.collect()
}

#[test]
fn complaints_point_to_the_files_of_an_overlay() {
    let cases = [
        "resources: [map.yaml]\n",
        "resources: [map.yaml, extra, none.yaml, ../bad]\n",
        "resources: [../../base]\n",
        "# nothing\n",
        "resources: [../more]\n",
        "resources: [../placement]\n",
        "resources: [../nan]\n",
        "resources: [../untyped]\n",
        "resources: [../base]\nnamespace: fleet\n",
        "resources: [../one, ../two]\n",
        "resources: [map.yaml]\npatches: [{target: {kind: ConfigMap}, patch: '- {op: add, path: /data/x, value: off}'}]\n",
        "resources: [map.yaml]\ncommonLabels: {-a: b}\n",
        "resources: [map.yaml]\nconfigMapGenerator: [{name: G, namespace: fleet, literals: [a=b]}]\n",
        "resources: [../base]\npatches: [{target: {kind: ManagedClusterSet}, patch: '- {op: add, path: /spec/x, value: {y: 1}}'}]\n",
    ];
    insta::assert_snapshot!(transcript(cases, complaints));
}
