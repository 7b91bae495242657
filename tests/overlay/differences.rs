//! Corners of kustomize that few people meet, one small kustomization each.

use super::{config_map, errors, rendered, yaml};

/// Renders a kustomization with one resource file, and returns the YAML.
fn with(kustomization: &str, resources: &str) -> String {
    yaml(&[("kustomization.yaml", &format!("resources: [r.yaml]\n{kustomization}")), ("r.yaml", resources)])
}

/// Renders a kustomization with one resource file, and returns what is wrong.
fn wrong(kustomization: &str, resources: &str) -> String {
    let kustomization = format!("resources: [r.yaml]\n{kustomization}");
    errors(&rendered(&[("kustomization.yaml", &kustomization), ("r.yaml", resources)]))
}

/// A Widget with a spec.
fn widget(spec: &str) -> String {
    format!("apiVersion: example.com/v1\nkind: Widget\nmetadata:\n  name: w\n{spec}")
}

fn kinds(yaml: &str) -> Vec<&str> {
    yaml.lines().filter_map(|line| line.strip_prefix("kind: ")).collect()
}

#[test]
fn a_namespace_without_a_place_of_its_own_is_sorted_by_its_group() {
    let objects = "
apiVersion: v1
kind: ConfigMap
metadata: {name: c}
---
apiVersion: v1
kind: Namespace
metadata: {name: a}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: d}
";
    let sorted = |options: &str| {
        let kustomization = format!("sortOptions: {{order: legacy, legacySortOptions: {options}}}\n");
        kinds(&with(&kustomization, objects)).join(" ")
    };
    assert_eq!(sorted("{}"), "Deployment ConfigMap Namespace");
    assert_eq!(sorted("{orderFirst: []}"), "Deployment ConfigMap Namespace");
    assert_eq!(sorted("{orderFirst: [ConfigMap]}"), "ConfigMap Deployment Namespace");
    assert_eq!(sorted("{orderFirst: [Namespace]}"), "Namespace Deployment ConfigMap");
    assert_eq!(sorted("~"), "Namespace ConfigMap Deployment");
}

#[test]
fn an_empty_list_of_label_values_holds_the_empty_value() {
    let patched = |labels: &str, selector: &str| {
        let kustomization = format!(
            "patches: [{{target: {{labelSelector: {selector}}}, patch: '- {{op: add, path: /data, value: {{}}}}'}}]\n"
        );
        with(&kustomization, &format!("{}  labels: {labels}\n", config_map("c"))).contains("data:")
    };
    assert!(patched("{app: ''}", "app in ()"));
    assert!(!patched("{app: web}", "app in ()"));
    assert!(patched("{app: web}", "app notin ()"));
    assert!(!patched("{app: ''}", "app notin ()"));
}

#[test]
fn a_replacement_needs_targets_unless_it_stands_in_a_file() {
    let found = wrong("replacements: [{source: {kind: ConfigMap}, targets: []}]\n", &config_map("c"));
    assert!(found.contains("no targets"), "{found}");
    let kustomization = "resources: [r.yaml]\nreplacements: [{path: rep.yaml}]\n";
    let file = "source: {kind: ConfigMap}\ntargets: []\n";
    let files = [("kustomization.yaml", kustomization), ("r.yaml", &config_map("c")), ("rep.yaml", file)];
    assert_eq!(yaml(&files), config_map("c"));
}

#[test]
fn old_patches_that_all_hold_nothing_are_refused() {
    for nothing in ["", "# nothing\n", "null\n", "[]\n", "{}\n"] {
        let patched = |entries: &str| {
            let kustomization = format!("resources: [r.yaml]\npatchesStrategicMerge: {entries}\n");
            let full = format!("{}data: {{a: b}}\n", config_map("c"));
            let files = [
                ("kustomization.yaml", &*kustomization),
                ("r.yaml", &config_map("c")),
                ("p.yaml", nothing),
                ("q.yaml", &full),
            ];
            errors(&rendered(&files))
        };
        assert!(patched("[p.yaml]").contains("hold nothing"), "{nothing:?}");
        assert_eq!(patched("[p.yaml, q.yaml]"), "", "{nothing:?}");
    }
}

#[test]
fn a_list_without_items_gets_metadata() {
    let list = |metadata: &str| format!("apiVersion: v1\nkind: List\n{metadata}spec:\n  a: 1\n");
    assert_eq!(with("", &list("")), list("metadata: {}\n"));
    assert_eq!(with("", &list("metadata: null\n")), list("metadata: null\n"));
    assert!(wrong("", &list("metadata: x\n")).contains("should be a mapping"));
}

#[test]
fn annotations_keep_base64_as_it_is() {
    let found = with(
        "",
        &format!(
            "{}  annotations: {{a: !!binary aGk=}}\n  labels: {{a: !!binary aGk=}}\ndata: {{a: !!binary aGk=}}\n",
            config_map("c")
        ),
    );
    assert_eq!(found.matches("a: aGk=").count(), 1, "{found}");
    assert_eq!(found.matches("a: hi").count(), 2, "{found}");
}

/// A replacement of a number that stands in the spec of the Widget.
fn number_to(path: &str, options: &str) -> String {
    format!(
        "replacements:\n- source: {{kind: Widget, fieldPath: spec.n}}\n  targets:\n  - select: {{kind: Widget}}\n    \
         fieldPaths: [{path}]\n    options: {options}\n"
    )
}

#[test]
fn a_made_field_is_text_once_its_object_was_merged() {
    let base = format!("resources: [r.yaml]\n{}", number_to("spec.made", "{create: true}"));
    let object = widget("spec:\n  \"n\": 2\n");
    let render = |over: &str| {
        let files = [("base/kustomization.yaml", &*base), ("base/r.yaml", &object), ("kustomization.yaml", over)];
        yaml(&files)
    };
    let merge =
        "- patch: |\n    apiVersion: example.com/v1\n    kind: Widget\n    metadata: {name: w}\n    spec: {z: 1}\n";
    assert_eq!(render("resources: [base]\n"), widget("spec:\n  made: 2\n  \"n\": 2\n"));
    assert_eq!(
        render(&format!("resources: [base]\npatches:\n{merge}")),
        widget("spec:\n  made: \"2\"\n  \"n\": 2\n  z: 1\n")
    );
    let json = "- {target: {kind: Widget}, patch: '- {op: add, path: /spec/z, value: 1}'}\n";
    assert_eq!(
        render(&format!("resources: [base]\npatches:\n{json}{merge}")),
        widget("spec:\n  made: 2\n  \"n\": 2\n  z: 1\n")
    );
}

#[test]
fn what_a_transformer_wrote_takes_any_kind() {
    let named = with(&format!("namePrefix: p-\n{}", number_to("metadata.name", "{}")), &widget("spec: {n: 5}\n"));
    assert!(named.contains("  name: 5\n"), "{named}");
    let object = widget("spec: {n: 5, containers: [{image: nginx}, {image: 'nginx'}]}\n");
    let images = "images: [{name: nginx, newTag: '2'}]\n";
    let imaged = with(&format!("{images}{}", number_to("spec.containers.*.image", "{}")), &object);
    assert!(imaged.contains("- image: 5\n  - image: \"5\"\n"), "{imaged}");
    let plain = with(&number_to("spec.containers.0.image", "{}"), &object);
    assert!(plain.contains("- image: \"5\"\n"), "{plain}");
}
