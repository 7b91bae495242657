//! Rare corner cases of kustomize, each with a small kustomization.

use super::{config_map, errors, rendered, yaml};

/// Renders a kustomization with one resource file, and returns the YAML.
fn with(kustomization: &str, resources: &str) -> String {
    yaml(&[("kustomization.yaml", &format!("resources: [r.yaml]\n{kustomization}")), ("r.yaml", resources)])
}

/// Renders a kustomization with one resource file, and returns the errors.
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
fn a_namespace_without_a_rank_is_sorted_by_its_group() {
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
fn an_empty_list_of_label_values_contains_the_empty_value() {
    let patched = |labels: &str, selector: &str| {
        let kustomization = format!(
            "patches: [{{target: {{labelSelector: {selector}}}, patch: '- {{op: add, path: /data, value: {{}}}}'}}]\n"
        );
        with(&kustomization, &format!("{}  labels: {labels}\n", config_map("c"))).starts_with("apiVersion: v1\ndata:")
    };
    assert!(patched("{app: ''}", "app in ()"));
    assert!(!patched("{app: web}", "app in ()"));
    assert!(patched("{app: web}", "app notin ()"));
    assert!(!patched("{app: ''}", "app notin ()"));
}

#[test]
fn a_replacement_needs_targets_unless_it_is_in_a_separate_file() {
    let found = wrong("replacements: [{source: {kind: ConfigMap}, targets: []}]\n", &config_map("c"));
    assert!(found.contains("no targets"), "{found}");
    let kustomization = "resources: [r.yaml]\nreplacements: [{path: rep.yaml}]\n";
    let file = "source: {kind: ConfigMap}\ntargets: []\n";
    let files = [("kustomization.yaml", kustomization), ("r.yaml", &config_map("c")), ("rep.yaml", file)];
    assert_eq!(yaml(&files), config_map("c"));
}

#[test]
fn deprecated_patches_that_are_all_empty_are_refused() {
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
        assert!(patched("[p.yaml]").contains("are empty"), "{nothing:?}");
        assert_eq!(patched("[p.yaml, q.yaml]"), "", "{nothing:?}");
    }
}

#[test]
fn a_list_without_items_gets_metadata() {
    let list = |metadata: &str| format!("apiVersion: v1\nkind: List\n{metadata}spec:\n  a: 1\n");
    assert_eq!(with("", &list("")), list("metadata: {}\n"));
    assert_eq!(with("", &list("metadata: null\n")), list("metadata: null\n"));
    assert!(wrong("", &list("metadata: x\n")).contains("must be a mapping"));
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

/// Returns a replacement that copies a number in the spec of the Widget.
fn number_to(path: &str, options: &str) -> String {
    format!(
        "replacements:\n- source: {{kind: Widget, fieldPath: spec.n}}\n  targets:\n  - select: {{kind: Widget}}\n    \
         fieldPaths: [{path}]\n    options: {options}\n"
    )
}

#[test]
fn a_created_field_becomes_a_string_when_its_object_is_merged() {
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
fn a_value_that_a_transformer_wrote_accepts_any_type() {
    let named = with(&format!("namePrefix: p-\n{}", number_to("metadata.name", "{}")), &widget("spec: {n: 5}\n"));
    assert!(named.contains("  name: 5\n"), "{named}");
    let object = widget("spec: {n: 5, containers: [{image: nginx}, {image: 'nginx'}]}\n");
    let images = "images: [{name: nginx, newTag: '2'}]\n";
    let imaged = with(&format!("{images}{}", number_to("spec.containers.*.image", "{}")), &object);
    assert!(imaged.contains("- image: 5\n  - image: \"5\"\n"), "{imaged}");
    let plain = with(&number_to("spec.containers.0.image", "{}"), &object);
    assert!(plain.contains("- image: \"5\"\n"), "{plain}");
}

#[test]
fn fields_of_references_are_checked_even_if_nothing_was_renamed() {
    let deployment = |spec: &str| {
        let head = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\n";
        wrong("", &format!("{head}spec: {spec}\n"))
    };
    let found = deployment("{template: {spec: {containers: [{name: a, envFrom: [x]}]}}}");
    assert!(
        found.contains("r.yaml:4:59") && found.contains("the string \"x\"") && found.contains("configMapRef"),
        "{found}"
    );
    let found = deployment("x");
    assert!(found.contains("r.yaml:4:7") && found.contains("\"template\""), "{found}");
    assert_eq!(deployment("{template: {spec: {containers: ~}}}"), "");

    let binding = |subjects: &str| {
        let head = "apiVersion: rbac.authorization.k8s.io/v1\nkind: RoleBinding\nmetadata: {name: rb}\n";
        wrong("", &format!("{head}roleRef: {{kind: Role, name: r}}\nsubjects: {subjects}\n"))
    };
    for (subjects, what) in [
        ("[{kind: User}]", "write `name`"),
        ("[~]", "write its kind and name"),
        ("[{kind: ServiceAccount, name: a, namespace: ~}]", "the namespace of a ServiceAccount is null"),
        ("[{kind: 5, name: a, namespace: b}]", "the kind of a subject is the number 5"),
    ] {
        assert!(binding(subjects).contains(what), "{subjects}: {}", binding(subjects));
    }
    assert_eq!(binding("[{kind: User, name: a}, {kind: ServiceAccount, name: b, namespace: c}]"), "");
    assert_eq!(binding("~"), "");
}

#[test]
fn steps_that_name_list_elements_do_not_name_fields() {
    for step in ["*", "-", "0", "[a=b]"] {
        let config = format!("nameReference: [{{kind: ConfigMap, fieldSpecs: [{{path: 'spec/{step}/name'}}]}}]\n");
        let render = |spec: &str| {
            let kustomization = "resources: [r.yaml]\nconfigurations: [c.yaml]\n";
            let object = widget(spec);
            errors(&rendered(&[("kustomization.yaml", kustomization), ("c.yaml", &config), ("r.yaml", &object)]))
        };
        assert!(render("spec: {a: b}\n").contains(&format!("the step {step:?}")), "{step}");
        assert_eq!(render(""), "", "{step}");
    }
}

#[test]
fn the_whole_object_cannot_be_copied_or_added() {
    for (operation, place) in [
        (r#"{"op": "copy", "from": "", "path": "/x"}"#, "copied into itself"),
        (r#"{"op": "copy", "from": "/spec", "path": ""}"#, "copied to"),
        (r#"{"op": "add", "path": "", "value": {"kind": "Widget"}}"#, "added"),
    ] {
        let kustomization = format!("patches: [{{target: {{kind: Widget}}, patch: '[{operation}]'}}]\n");
        let found = wrong(&kustomization, &widget("spec: {}\n"));
        assert!(found.contains("the whole object cannot be") && found.contains(place), "{found}");
    }
}

#[test]
fn a_directive_of_an_element_is_applied_once() {
    let service =
        |ports: &str| format!("apiVersion: v1\nkind: Service\nmetadata: {{name: web}}\nspec: {{ports: {ports}}}\n");
    let patched = |ports: &str| {
        let object = service("[{port: 80, name: a}, {port: 80, protocol: UDP, name: b}]");
        let kustomization = "resources: [r.yaml]\npatches: [{path: p.yaml}]\n";
        let yaml = yaml(&[("kustomization.yaml", kustomization), ("r.yaml", &object), ("p.yaml", &service(ports))]);
        yaml.split_once("ports:\n").unwrap().1.replace("    ", "").replace("  - ", "- ").replace('\n', " ")
    };
    let replaced = patched("[{port: 80, protocol: UDP, name: zz, $patch: replace}]");
    assert_eq!(replaced, "- name: a port: 80 - name: zz port: 80 protocol: UDP ");
    assert_eq!(patched("[{port: 80, protocol: UDP, $patch: delete}]"), "- name: a port: 80 ");
}

#[test]
fn a_patch_that_removes_all_annotations_removes_the_build_metadata_too() {
    let merge = "- patch: |\n    apiVersion: v1\n    kind: ConfigMap\n    metadata: {name: c}\n    data: {z: x}\n";
    let json = "- {target: {kind: ConfigMap}, patch: '- {op: add, path: /metadata/annotations, value: {j: b}}'}\n";
    let records = |field: &str, entries: &str| {
        let kustomization =
            format!("buildMetadata: [originAnnotations, transformerAnnotations]\n{field}:\n{entries}namePrefix: p-\n");
        let yaml = with(&kustomization, &format!("{}  annotations: {{o: x}}\n", config_map("c")));
        let kinds = yaml.lines().filter_map(|line| line.trim().strip_prefix("kind: ")).map(str::to_owned);
        kinds.collect::<Vec<_>>().join(" ")
    };
    // The kind of the object, those of the transformations, and that of the origin.
    assert_eq!(records("patches", &format!("{merge}{json}")), "ConfigMap PrefixTransformer PatchTransformer");
    assert_eq!(
        records("patches", &format!("{json}{merge}")),
        "ConfigMap PatchTransformer PrefixTransformer PatchTransformer"
    );
    let old =
        "- {target: {kind: ConfigMap, name: c}, patch: '- {op: add, path: /metadata/annotations, value: {j: b}}'}\n";
    assert_eq!(records("patchesJson6902", &format!("{old}{old}")), "ConfigMap PatchJson6902Transformer");
}

#[test]
fn an_empty_value_in_a_flow_mapping_is_null_in_operations() {
    let kustomization = "patches: [{target: {kind: Widget}, path: p.yaml}]\n";
    let patch = "- op: add\n  path: /spec\n  value: {a: }\n";
    let files = [
        ("kustomization.yaml", &*format!("resources: [r.yaml]\n{kustomization}")),
        ("r.yaml", &widget("")),
        ("p.yaml", patch),
    ];
    assert_eq!(yaml(&files), widget("spec:\n  a: null\n"));
    assert_eq!(with("", &widget("spec: {a: }\n")), widget("spec:\n  a: \"\"\n"));
}

#[test]
fn a_value_that_replaces_an_empty_one_in_a_flow_mapping_is_not_quoted() {
    let deployment = |spec: &str| format!("apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: d\n{spec}");
    let replicas = "replicas: [{name: d, count: 3}]\n";
    let expected = deployment("spec:\n  replicas: 3\n");
    assert_eq!(with(replicas, &deployment("spec: {replicas: }\n")), expected);
    assert_eq!(with(replicas, &deployment("spec:\n  replicas:\n")), expected);
    let patch =
        "patches: [{patch: '{apiVersion: apps/v1, kind: Deployment, metadata: {name: d}, spec: {replicas: 3}}'}]\n";
    assert_eq!(with(patch, &deployment("spec: {replicas: }\n")), expected);
}

#[test]
fn dates_with_a_time_are_unchanged_in_flow_mappings() {
    let object = widget("spec: {a: 2020-01-01 10:00:00, b: 2020-01-01}\nx:\n  a: 2020-01-01 10:00:00\n");
    let expected =
        "spec:\n  a: \"2020-01-01 10:00:00\"\n  b: \"2020-01-01T00:00:00Z\"\nx:\n  a: \"2020-01-01T10:00:00Z\"\n";
    assert_eq!(with("", &object), widget(expected));
}

#[test]
fn annotations_that_are_a_list_are_refused() {
    let object = |annotations: &str| format!("{}  annotations: {annotations}\n", config_map("c"));
    assert!(wrong("", &object("[x]")).contains("r.yaml:5:16: the annotations are a list"));
    assert_eq!(with("", &object("[]")), config_map("c"));
}

#[test]
fn blocks_that_start_with_a_tab_are_refused() {
    let found = wrong("", &widget("spec:\n  v: |\n    \ta\n"));
    assert!(found.contains("r.yaml:7:") && found.contains("the tab at the start"), "{found}");
    assert!(wrong("", &widget("spec:\n  v: |2\n    \ta\n")).contains("starts with a tab"));
    assert_eq!(with("", &widget("spec:\n  v: |2\n\n    \ta\n")), widget("spec:\n  v: \"\\n\\ta\\n\"\n"));
    assert_eq!(with("", &widget("spec:\n  v: \"\\ta\\n\"\n")), widget("spec:\n  v: \"\\ta\\n\"\n"));
    let patch = "patches: [{target: {kind: Widget}, patch: '- {op: add, path: /spec, value: {b: c}}'}]\n";
    assert!(wrong(patch, &widget("v: \"\\ta\\n\"\n")).contains("starts with a tab"));

    let generated = |text: &str| {
        let kustomization = "configMapGenerator: [{name: g, files: [f.txt]}]\n";
        errors(&rendered(&[("kustomization.yaml", kustomization), ("f.txt", text)]))
    };
    assert!(generated("\tx\n").contains("starts with a tab"));
    assert_eq!(generated("\tx"), "");
    assert_eq!(generated("\tx\ny "), "");
}

#[test]
fn folded_blocks_of_annotations_keep_their_line_breaks() {
    let folded = |field: &str| format!("  {field}:\n    text: >\n      a\n        b\n      c\n");
    let lines = |field: &str, between: &str| format!("  {field}:\n    text: |\n      a\n{between}        b\n      c\n");
    let object = |fields: &str| format!("apiVersion: v1\nkind: ConfigMap\nmetadata:\n{fields}  name: c\n");
    assert_eq!(with("", &object(&folded("annotations"))), object(&lines("annotations", "")));
    assert_eq!(with("", &object(&folded("other"))), format!("{}{}", config_map("c"), lines("other", "\n")));
    let tab = object("  annotations:\n    text: \"\\ta\\n\"\n");
    assert!(wrong("", &tab).contains("starts with a tab"));
}

#[test]
fn a_subject_that_may_refer_to_two_accounts_is_refused() {
    let account = |namespace: &str| {
        format!("apiVersion: v1\nkind: ServiceAccount\nmetadata: {{name: s, namespace: {namespace}}}\n---\n")
    };
    let binding = |subject: &str| {
        format!(
            "apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRoleBinding\nmetadata: {{name: rb}}\nroleRef: {{apiGroup: \
             rbac.authorization.k8s.io, kind: ClusterRole, name: r}}\nsubjects: [{{kind: ServiceAccount, name: s{subject}}}]\n"
        )
    };
    let objects = |subject: &str| account("a") + &account("b") + &binding(subject);
    assert!(with("namePrefix: p-\n", &objects(", namespace: b")).contains("namespace: b"));
    assert_eq!(
        wrong("namePrefix: p-\n", &objects("")),
        "r.yaml:13:41: a name reference applies to subjects of ClusterRoleBinding p-rb (rbac.authorization.k8s.io/v1): the name \"s\" \
         may refer to ServiceAccount a/p-s (v1) or ServiceAccount b/p-s (v1); add the namespace, or give the objects different names \
         before prefixes are added"
    );
}

#[test]
fn a_target_that_changes_the_source_changes_what_later_targets_get() {
    let replaced = |source: &str, targets: &str| {
        let text =
            format!("replacements:\n- source: {{kind: Widget, fieldPath: spec.a{source}}}\n  targets:\n{targets}");
        let yaml = with(&text, &widget("spec: {a: x-y, b: old}\n"));
        yaml.lines()
            .filter(|line| line.starts_with("  a:") || line.starts_with("  b:"))
            .map(str::trim)
            .collect::<Vec<_>>()
            .join(" ")
    };
    let own = "{select: {kind: Widget}, fieldPaths: [spec.a], options: {delimiter: '-', index: 1}}";
    let other = "{select: {kind: Widget}, fieldPaths: [spec.b]}";
    assert_eq!(replaced("", &format!("  - {own}\n  - {other}\n")), "a: x-x-y b: x-x-y");
    assert_eq!(replaced("", &format!("  - {other}\n  - {own}\n")), "a: x-x-y b: x-y");
    let part = ", options: {delimiter: '-', index: 0}";
    assert_eq!(replaced(part, &format!("  - {own}\n  - {other}\n")), "a: x-x b: x");
}

#[test]
fn a_prefix_on_a_label_that_several_places_share_is_in_all_of_them() {
    let files = [
        ("kustomization.yaml", "resources: [base]\nnamePrefix: p-\nconfigurations: [config.yaml]\n"),
        ("config.yaml", "namePrefix:\n- path: metadata/labels/app\n"),
        ("base/kustomization.yaml", "resources: [a.yaml]\ncommonLabels: {app: web}\n"),
        ("base/a.yaml", "apiVersion: v1\nkind: Service\nmetadata: {name: a}\n"),
    ];
    // Both places hold the same node in kustomize.
    let expected = "apiVersion: v1\nkind: Service\nmetadata:\n  labels:\n    app: p-web\n  name: p-a\nspec:\n  selector:\n    app: p-web\n";
    assert_eq!(yaml(&files), expected);
}
