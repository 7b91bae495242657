//! Too much work is refused before it is done, no matter which field asks for it.

use std::fmt::Write as _;

use super::{config_map, errors, rendered, tree};
use tidegate_kustomize::overlay::{self, Options};

const REFUSAL: &str = "the kustomizations combine too many entries with too many objects; split the kustomization";

fn maps(count: usize) -> String {
    (0..count).map(|i| format!("{}---\n", config_map(&format!("web-{i}")))).collect()
}

/// Renders some ConfigMaps with many entries of a field, and returns the errors.
fn told(objects: usize, field: &str, entry: &str, times: usize) -> String {
    let mut text = format!("resources: [a.yaml]\n{field}:\n");
    (0..times).for_each(|i| writeln!(text, "- {}", entry.replace('#', &i.to_string())).unwrap());
    errors(&rendered(&[("a.yaml", &maps(objects)), ("kustomization.yaml", &text)]))
}

#[test]
fn entries_of_each_field_are_counted() {
    let cases = [
        ("labels", "{pairs: {a#: b}}"),
        ("images", "{name: 'a#', newTag: b}"),
        ("patches", "{target: {name: x.*}, patch: '[{\"op\": \"add\", \"path\": \"/data\", \"value\": {}}]'}"),
        (
            "patchesJson6902",
            "{target: {version: v1, kind: ConfigMap, name: .*}, patch: '[{\"op\": \"add\", \"path\": \"/data\", \"value\": {}}]'}",
        ),
    ];
    for (field, entry) in cases {
        let told = told(2_000, field, entry, 10_001);
        assert!(told.contains(REFUSAL), "{field}: {told}");
    }
}

#[test]
fn objects_with_the_same_name_each_count() {
    let mut objects = String::new();
    for i in 0..100 {
        write!(objects, "apiVersion: apps/v1\nkind: Deployment\nmetadata: {{name: web, namespace: n{i}}}\n---\n")
            .unwrap();
    }
    for (field, entry) in [
        ("replicas", "{name: web, count: 1}"),
        (
            "patches",
            "{target: {kind: Deployment, name: web}, patch: '{apiVersion: apps/v1, kind: Deployment, metadata: {name: x}, spec: {replicas: 1}}'}",
        ),
        ("replacements", "{sourceValue: x, targets: [{select: {kind: Deployment, name: web}, reject: [{name: b}]}]}"),
    ] {
        let mut text = format!("resources: [a.yaml]\n{field}:\n");
        (0..2_100).for_each(|_| writeln!(text, "- {entry}").unwrap());
        let tree = tree(&[("a.yaml", &objects), ("kustomization.yaml", &text)]);
        for (max_work, is_refused) in [(200_000, true), (1_000_000, false)] {
            let told = errors(&overlay::render_with(&tree, ".", &Options { max_work, ..Options::default() }));
            assert_eq!(told.contains(REFUSAL), is_refused, "{field}: {told}");
        }
    }
}

#[test]
fn regular_expressions_are_counted() {
    let entry = "{sourceValue: x, targets: [{select: {kind: None}, fieldPaths: ['spec.[a=#]']}]}";
    assert!(told(1, "replacements", entry, 11_000).contains(REFUSAL));
    let file: String = (0..11_000).map(|i| format!("- {}\n", entry.replace('#', &i.to_string()))).collect();
    let files = [
        ("a.yaml", config_map("web")),
        ("r.yaml", file),
        ("kustomization.yaml", "resources: [a.yaml]\nreplacements: [{path: r.yaml}]\n".to_owned()),
    ];
    let files: Vec<_> = files.iter().map(|(path, text)| (*path, text.as_str())).collect();
    let told = errors(&rendered(&files));
    assert!(told.contains(REFUSAL), "{told}");
}

#[test]
fn components_are_counted_by_the_objects_that_they_visit() {
    let mut files = tree(&[("a.yaml", &maps(5_000))]);
    let mut text = "resources: [a.yaml]\ncomponents:\n".to_owned();
    for i in 0..600 {
        writeln!(text, "- c{i}").unwrap();
        let component = "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\nresources: []\n";
        files.files.insert(format!("c{i}/kustomization.yaml"), component.as_bytes().to_vec());
    }
    files.files.insert("kustomization.yaml".to_owned(), text.into_bytes());
    assert!(errors(&overlay::render(&files, ".")).contains(REFUSAL));
}

#[test]
fn operations_that_shift_long_lists_are_counted() {
    let operations = vec![r#"{"op": "add", "path": "/a/0", "value": 1}"#; 10_000].join(", ");
    let files = [
        ("a.yaml", format!("{}a: [{}1]\n", config_map("web"), "1,".repeat(250_000))),
        ("p.yaml", format!("[{operations}]")),
        (
            "kustomization.yaml",
            "resources: [a.yaml]\npatches: [{target: {kind: ConfigMap, name: web}, path: p.yaml}]\n".to_owned(),
        ),
    ];
    let files: Vec<_> = files.iter().map(|(path, text)| (*path, text.as_str())).collect();
    let told = errors(&rendered(&files));
    assert!(told.contains(REFUSAL), "{told}");
}

#[test]
fn values_copied_to_many_places_count_each_time() {
    let list: String = (0..20_000).map(|_| "[], ").collect();
    let files = [
        ("a.yaml", format!("{}x: {{a: {}}}\nlist: [{list}]\n", config_map("web"), "b".repeat(2_000))),
        (
            "kustomization.yaml",
            "resources: [a.yaml]\nreplacements: [{source: {kind: ConfigMap, fieldPath: x}, targets: [{select: {kind: ConfigMap}, \
             fieldPaths: ['list.*']}]}]\n"
                .to_owned(),
        ),
    ];
    let files: Vec<_> = files.iter().map(|(path, text)| (*path, text.as_str())).collect();
    let told = errors(&rendered(&files));
    assert!(told.contains("sets more than 16 MiB in total"), "{told}");
}
