//! Replacements.

use std::sync::Arc;

use tidegate_kustomize::overlay::replacement::{self, replacements};

use super::patch_bench::{Bench, kustomization_node};
use crate::transcript::transcript;

const OBJECTS: &str = "\
apiVersion: v1
kind: ConfigMap
metadata: {name: source}
data: {text: web, number: '8080', image: 'registry:5000/team/web:1.2', dotted.key: d}
count: 3
map: {a: b}
---
apiVersion: x/v1
kind: Foo
metadata: {name: foo, labels: {app: foo}}
spec: {n: 1, s: old, q: '1', b: true, list: [{name: a, v: x}, {name: ab, v: x}], json: '{\"b\": 1, \"a\": {\"x\": \"<\"}}'}
";

/// Copies a field into a target, and returns the changed fields of its `spec` as JSON.
fn copy(source: &str, target: &str) -> Result<String, String> {
    let mut bench = Bench::new(OBJECTS);
    let text = format!("{{source: {{kind: ConfigMap, {source}}}, targets: [{{select: {{kind: Foo}}, {target}}}]}}");
    let read = replacements(&Arc::from("replacements[0]"), &kustomization_node(&text));
    let read = read.map_err(|error| error.message)?;
    replacement::apply(&mut bench.resources, &read, &mut bench.provenance).map_err(|error| error.message)?;
    let spec = bench.resources[1].node.get("spec").unwrap();
    let mut value = spec.to_value().unwrap();
    let before = Bench::new(OBJECTS).resources[1].node.get("spec").unwrap().to_value().unwrap();
    // Keep only what changed.
    value.as_object_mut().unwrap().retain(|key, value| before.get(key) != Some(value));
    Ok(serde_json::to_string(&value).unwrap())
}

#[test]
fn values_are_copied() {
    let table = [
        ("fieldPath: data.text", "fieldPaths: [spec.s]", r#"{"s":"web"}"#),
        ("fieldPath: 'data.[dotted.key]'", "fieldPaths: [spec.s]", r#"{"s":"d"}"#),
        ("fieldPath: 'data.dotted\\.key'", "fieldPaths: [spec.s]", r#"{"s":"d"}"#),
        ("name: source", "fieldPaths: [spec.s]", r#"{"s":"source"}"#),
        // The field keeps its type.
        ("fieldPath: count", "fieldPaths: [spec.q]", r#"{"q":"3"}"#),
        ("fieldPath: data.number", "fieldPaths: [spec.n]", r#"{"n":8080}"#),
        ("fieldPath: map", "fieldPaths: [spec.s]", r#"{"s":""}"#),
        ("fieldPath: map", "fieldPaths: [spec.new], options: {create: true}", r#"{"new":{"a":"b"}}"#),
        ("fieldPath: data.number", "fieldPaths: [spec.new.x], options: {create: true}", r#"{"new":{"x":8080}}"#),
        // An expression in brackets matches anywhere in the value.
        (
            "fieldPath: data.text",
            "fieldPaths: ['spec.list.[name=a].v']",
            r#"{"list":[{"name":"a","v":"web"},{"name":"ab","v":"web"}]}"#,
        ),
        (
            "fieldPath: data.text",
            "fieldPaths: ['spec.list.[name=^a$].v']",
            r#"{"list":[{"name":"a","v":"web"},{"name":"ab","v":"x"}]}"#,
        ),
        (
            "fieldPath: data.text",
            "fieldPaths: ['spec.list.*.v']",
            r#"{"list":[{"name":"a","v":"web"},{"name":"ab","v":"web"}]}"#,
        ),
        (
            "fieldPath: data.text",
            "fieldPaths: [spec.list.1.v]",
            r#"{"list":[{"name":"a","v":"x"},{"name":"ab","v":"web"}]}"#,
        ),
        (
            "fieldPath: data.text",
            "fieldPaths: ['spec.env.[name=E].value'], options: {create: true}",
            r#"{"env":[{"name":"E","value":"web"}]}"#,
        ),
        ("fieldPath: data.image, options: {delimiter: ':', index: 2}", "fieldPaths: [spec.s]", r#"{"s":"1.2"}"#),
        ("fieldPath: data.text", "fieldPaths: [spec.s], options: {delimiter: l, index: 1}", r#"{"s":"olweb"}"#),
        ("fieldPath: data.text", "fieldPaths: [spec.s], options: {delimiter: '-', index: 9}", r#"{"s":"old-web"}"#),
        ("fieldPath: data.text", "fieldPaths: [spec.s], options: {delimiter: '-', index: -1}", r#"{"s":"web-old"}"#),
        (
            "fieldPath: data.text",
            "fieldPaths: [spec.json.a.y], options: {create: true}",
            r#"{"json":"{\"a\":{\"x\":\"\\u003c\",\"y\":\"web\"},\"b\":1}"}"#,
        ),
        ("fieldPath: data.text", "fieldPaths: [spec.s], reject: [{name: 'f.*'}]", "{}"),
        ("fieldPath: data.text", "fieldPaths: [spec.s], reject: [{labelSelector: app=foo}]", "{}"),
    ];
    for (source, target, wanted) in table {
        assert_eq!(copy(source, target).as_deref(), Ok(wanted), "{source} to {target}");
    }
}

#[test]
fn values_that_cannot_be_copied_are_refused() {
    let cases = [
        ("fieldPath: data.no", "fieldPaths: [spec.s]"),
        ("name: other", "fieldPaths: [spec.s]"),
        ("fieldPath: data.text", "fieldPaths: [spec.no]"),
        ("fieldPath: data.text", "fieldPaths: [spec.n]"),
        ("fieldPath: data.text", "fieldPaths: [spec.b]"),
        ("fieldPath: data.text", "fieldPaths: [spec.list.7.v]"),
        ("fieldPath: data.text", "fieldPaths: [spec.s.t]"),
        ("fieldPath: data.text, options: {delimiter: ':', index: 5}", "fieldPaths: [spec.s]"),
        ("fieldPath: 'data.*'", "fieldPaths: [spec.s]"),
        ("fieldPath: data.text", "fieldPath: [spec.s]"),
        ("fieldPath: data.text", "fieldPaths: ['spec.list.[name=(].v']"),
    ];
    insta::assert_snapshot!(transcript(cases, |(source, target)| copy(source, target).unwrap_err()));
}

#[test]
fn a_value_records_its_source_and_what_it_replaced() {
    let mut bench = Bench::new(OBJECTS);
    let text =
        "{source: {kind: ConfigMap, fieldPath: data.text}, targets: [{select: {kind: Foo}, fieldPaths: [spec.s]}]}";
    let read = replacements(&Arc::from("replacements[0]"), &kustomization_node(text)).unwrap();
    replacement::apply(&mut bench.resources, &read, &mut bench.provenance).unwrap();
    let origin = bench.resources[1].node.find(&["spec", "s"]).unwrap().origin;
    assert_eq!(bench.provenance.place(origin).to_string(), "base.yaml:4:14");
    let step = bench.provenance.steps(origin).next().unwrap();
    assert_eq!(&*step.field, "replacements[0]");
    assert_eq!(bench.provenance.place(step.before.unwrap()).line, 11);
}

#[test]
fn a_target_that_matches_nothing_is_a_warning() {
    let mut bench = Bench::new(OBJECTS);
    let text = "{sourceValue: x, targets: [{select: {kind: Pod}}]}";
    let read = replacements(&Arc::from("replacements[0]"), &kustomization_node(text)).unwrap();
    let warnings = replacement::apply(&mut bench.resources, &read, &mut bench.provenance).unwrap();
    assert!(warnings[0].message.contains("matches no object"), "{}", warnings[0].message);
}
