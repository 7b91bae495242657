//! Tests of `openapi` and `crds`.

use super::{errors, rendered, warnings, yaml};

const CUSTOM: &str = "apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: w}\nspec: {parts: [{name: a, size: 1}, {name: b}], ref: {name: settings}}\n";
const PATCH: &str =
    "apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: w}\nspec: {parts: [{name: b, size: 2}]}\n";
const PODS: &str = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: d}\nspec: {template: {spec: {containers: [{name: a}, {name: b}]}}}\n";
const POD_PATCH: &str = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: d}\nspec: {template: {spec: {containers: [{name: b, image: x}]}}}\n";

/// Returns a document in which the parts of a Widget have a merge key, and Widgets have a path.
fn document(path: &str) -> String {
    let parts = r#"{"type": "array", "x-kubernetes-patch-merge-key": "name", "x-kubernetes-patch-strategy": "merge"}"#;
    let kind = r#"{"group": "example.com", "kind": "Widget", "version": "v1"}"#;
    format!(
        r##"{{"definitions": {{
            "spec": {{"properties": {{"parts": {parts}}}}},
            "widget": {{"properties": {{"spec": {{"$ref": "#/definitions/spec"}}}}, "x-kubernetes-group-version-kind": [{kind}]}}
        }}, "paths": {{"{path}": {{"get": {{"x-kubernetes-group-version-kind": {kind}}}}}}}}}"##
    )
}

const IN_NAMESPACES: &str = "/apis/example.com/v1/namespaces/{namespace}/widgets/{name}";

fn parts(output: &str) -> usize {
    output.matches("  - name: ").count() + output.matches("    name: ").count()
}

#[test]
fn lists_of_custom_kinds_are_merged_by_the_keys_of_a_document() {
    let with = |openapi: &str| {
        let kustomization = format!("resources: [a.yaml]\npatches: [{{path: p.yaml}}]\n{openapi}");
        let document = document(IN_NAMESPACES);
        let files =
            [("kustomization.yaml", &*kustomization), ("a.yaml", CUSTOM), ("p.yaml", PATCH), ("s.json", &document)];
        parts(&yaml(&files))
    };
    assert_eq!((with(""), with("openapi: {path: s.json}\n")), (2, 3));
}

#[test]
fn a_document_replaces_the_built_in_types() {
    let with = |openapi: &str| {
        let kustomization = format!("resources: [a.yaml]\npatches: [{{path: p.yaml}}]\n{openapi}");
        let document = document(IN_NAMESPACES);
        yaml(&[("kustomization.yaml", &kustomization), ("a.yaml", PODS), ("p.yaml", POD_PATCH), ("s.json", &document)])
    };
    assert!(with("").contains("name: a"));
    assert!(!with("openapi: {path: s.json}\n").contains("name: a"));
}

#[test]
fn the_paths_of_a_document_say_which_kinds_have_no_namespace() {
    let with = |path: &str| {
        let kustomization = "resources: [a.yaml]\nnamespace: shop\nopenapi: {path: s.json}\n";
        yaml(&[("kustomization.yaml", kustomization), ("a.yaml", CUSTOM), ("s.json", &document(path))])
    };
    assert!(with(IN_NAMESPACES).contains("namespace: shop"));
    assert!(!with("/apis/example.com/v1/widgets/{name}").contains("namespace: shop"));
}

#[test]
fn malformed_documents_are_refused() {
    let message = |openapi: &str, document: &str| {
        let kustomization = format!("resources: [a.yaml]\nopenapi: {openapi}\n");
        errors(&rendered(&[("kustomization.yaml", &kustomization), ("a.yaml", CUSTOM), ("s.json", document)]))
    };
    insta::assert_snapshot!(message("{path: s.json}", "{\"definitions\": "));
    insta::assert_snapshot!(message("{path: s.json}", "{\"definitions\": []}"));
    insta::assert_snapshot!(message("{path: none.json}", "{}"));
    insta::assert_snapshot!(message("{version: v1.30.0}", "{}"));
    insta::assert_snapshot!(message("{version: v1.21.2, path: s.json}", "{}"));
    insta::assert_snapshot!(message("s.json", "{}"));
    let deep = format!("{{\"definitions\": {{\"a\": {}1{}}}}}", "{\"items\": ".repeat(100), "}".repeat(100));
    assert_ne!(message("{path: s.json}", &deep.replace("{\"items\"", "{\"type\": \"array\", \"items\"")), "");
}

#[test]
fn references_without_end_lead_to_no_type() {
    let kind = r#"[{"group": "example.com", "kind": "Widget", "version": "v1"}]"#;
    let document = format!(
        r##"{{"definitions": {{"a": {{"$ref": "#/definitions/a"}},
            "w": {{"properties": {{"spec": {{"$ref": "#/definitions/a"}}}}, "x-kubernetes-group-version-kind": {kind}}}}}}}"##
    );
    let kustomization = "resources: [a.yaml]\npatches: [{path: p.yaml}]\nopenapi: {path: s.json}\n";
    let files = [("kustomization.yaml", kustomization), ("a.yaml", CUSTOM), ("p.yaml", PATCH), ("s.json", &document)];
    assert_eq!(parts(&yaml(&files)), 2);
}

fn with_crds(crds: &str) -> tidegate_kustomize::overlay::Rendered {
    let kustomization = "resources: [a.yaml]\ncrds: [c.json]\nnamePrefix: q-\nconfigMapGenerator: [{name: settings, literals: [a=b]}]\n";
    rendered(&[("kustomization.yaml", kustomization), ("a.yaml", CUSTOM), ("c.json", crds)])
}

/// Returns the types of a Widget whose spec has these properties.
fn widget(properties: &str) -> String {
    format!(
        r#"{{"x/v1.Widget": {{"Schema": {{"properties": {{"apiVersion": {{}}, "kind": {{}}, "metadata": {{}}, "spec": {{"$ref": "Spec"}}}}}}}},
            "Spec": {{"Schema": {{"properties": {properties}}}}}}}"#
    )
}

#[test]
fn crds_name_the_fields_that_refer_to_objects() {
    let reference =
        r#"{"ref": {"x-kubernetes-object-ref-api-version": "v1", "x-kubernetes-object-ref-kind": "ConfigMap"}}"#;
    let rendered = with_crds(&widget(reference));
    assert_eq!(errors(&rendered), "");
    let output = rendered.to_yaml().unwrap();
    let name = output.split("name: q-settings-").nth(1).and_then(|rest| rest.lines().next()).unwrap();
    assert!(output.contains(&format!("ref:\n    name: q-settings-{name}")), "{output}");
}

#[test]
fn crds_that_are_not_definitions_are_refused() {
    let message = |crds: &str| errors(&with_crds(crds));
    insta::assert_snapshot!(message("apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n"));
    insta::assert_snapshot!(message(&widget(r#"{"spec": {"$ref": "Spec"}}"#)));
    insta::assert_snapshot!(message("{nonsense"));
    insta::assert_snapshot!(message(""));
}

#[test]
fn an_unknown_field_of_openapi_is_a_warning() {
    let kustomization = "resources: [a.yaml]\nopenapi: {paht: s.json}\n";
    insta::assert_snapshot!(warnings(&rendered(&[("kustomization.yaml", kustomization), ("a.yaml", CUSTOM)])));
}
