//! Messages and their locations.

use super::{config_map, errors, rendered, warnings};
use crate::transcript::transcript;

/// Renders a kustomization next to the ConfigMap `a.yaml` and the directory `base`, and returns the errors.
fn told(kustomization: &str) -> String {
    let map = config_map("web");
    errors(&rendered(&[
        ("kustomization.yaml", kustomization),
        ("a.yaml", &map),
        ("base/kustomization.yaml", "resources: [b.yaml]\n"),
        ("base/b.yaml", &config_map("other")),
    ]))
}

#[test]
fn unsupported_input_is_refused_with_a_remedy() {
    let cases = [
        "resources: [a.yaml]\nhelmCharts:\n- name: web\n",
        "vars: [{name: A}]\n",
        "openapi: {path: x.json}\n",
        "crds: [x.json]\n",
        "transformers: [x.yaml]\n",
        "resources:\n- https://github.com/org/repo//base?ref=v1\n",
        "resources: [a.yaml]\npatches: [{path: \"https://example.com/p.yaml\"}]\n",
        "resources: [/etc/passwd]\n",
        "resources: [../outside]\n",
    ];
    insta::assert_snapshot!(transcript(cases, told));
}

#[test]
fn errors_point_to_the_field() {
    let cases = [
        "resource: [a.yaml]\n",
        "spec: {}\n",
        "images:\n- {name: web, newtags: \"1\"}\n",
        "images:\n- {name: web, newTag: 1.20}\n",
        "labels:\n- pairs: {team: yes}\n",
        "resources: a.yaml\n",
        "replicas: [{name: web, count: many}]\n",
        "# nothing\n",
        "kind: Kustomize\nresources: []\n",
        "a: 1\nb: 2\nresources: []\n",
        "sortOptions: {order: random}\n",
    ];
    insta::assert_snapshot!(transcript(cases, told));
}

#[test]
fn wrong_files_are_reported_with_a_remedy() {
    let cases = [
        "resources: [b.yaml]\n",
        "resources: [basee]\n",
        "resources: [\"*.yaml\"]\n",
        "resources: [base/kustomization.yaml]\n",
        "components: [a.yaml]\n",
        "components: [base]\n",
        "resources: [.]\n",
        "resources: [a.yaml, ./a.yaml]\n",
        "resources: [a.yaml]\nreplicas: [{name: web, count: 2}]\n",
    ];
    insta::assert_snapshot!(transcript(cases, told));
}

#[test]
fn errors_of_generators_have_a_remedy() {
    let cases = [
        "configMapGenerator: [{literals: [a=b]}]\n",
        "configMapGenerator: [{name: x, literals: [a]}]\n",
        "configMapGenerator: [{name: x, literals: [a=1, a=2]}]\n",
        "configMapGenerator: [{name: x, files: [base]}]\n",
        "configMapGenerator: [{name: x, behavior: merge, literals: [a=1]}]\n",
        "resources: [a.yaml]\nconfigMapGenerator: [{name: web, literals: [a=1]}]\n",
    ];
    insta::assert_snapshot!(transcript(cases, told));
}

#[test]
fn malformed_objects_are_reported() {
    let told =
        |resource: &str| errors(&rendered(&[("kustomization.yaml", "resources: [x.yaml]\n"), ("x.yaml", resource)]));
    let cases = [
        "just text\n",
        "apiVersion: v1\nmetadata: {name: web}\n",
        "apiVersion: batch/v1\nkind: Job\nmetadata: {generateName: web-}\n",
        "kind: List\nitems: []\n---\nkind: RoleList\nitems: {a: b}\n",
        "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, annotations: {\"1\": x}}\n",
    ];
    insta::assert_snapshot!(transcript(cases, told));
}

#[test]
fn accepted_but_discouraged_input_is_a_warning() {
    let map = config_map("web");
    let kustomization =
        "Resources: [a.yaml]\ncommonLabels: {a: b}\nbuildMetadata: [colours]\nhelmGlobals: {chartHome: x}\n";
    let rendered = rendered(&[("kustomization.yaml", kustomization), ("a.yaml", &map)]);
    assert_eq!(errors(&rendered), "");
    insta::assert_snapshot!(warnings(&rendered));
    assert_eq!(rendered.objects.len(), 1);
}
