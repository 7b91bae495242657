//! Tests of plugins: what messages say, and where values come from.

use super::{config_map, errors, rendered, warnings, yaml};

/// Renders a ConfigMap with a plugin in a file.
fn with_plugin(field: &str, plugin: &str) -> tidegate_kustomize::overlay::Rendered {
    let kustomization = format!("resources: [a.yaml]\n{field}: [plugin.yaml]\n");
    rendered(&[("kustomization.yaml", &kustomization), ("a.yaml", &config_map("a")), ("plugin.yaml", plugin)])
}

fn builtin(kind: &str, fields: &str) -> String {
    format!("apiVersion: builtin\nkind: {kind}\nmetadata: {{name: plugin}}\n{fields}")
}

#[test]
fn messages_say_what_is_wrong_and_what_to_do() {
    let message = |field: &str, plugin: &str| errors(&with_plugin(field, plugin));
    let program = "apiVersion: example.com/v1\nkind: Mesh\nmetadata: {name: m, annotations: {config.kubernetes.io/function: x}}\n";
    insta::assert_snapshot!(message("transformers", program));
    insta::assert_snapshot!(message("transformers", &builtin("PrefixTransfomer", "prefix: a-\n")));
    insta::assert_snapshot!(message("transformers", &builtin("SecretGenerator", "literals: [a=b]\n")));
    insta::assert_snapshot!(message("generators", &builtin("PrefixTransformer", "prefix: a-\n")));
    insta::assert_snapshot!(message("generators", &builtin("HelmChartInflationGenerator", "name: web\n")));
    insta::assert_snapshot!(message("transformers", &builtin("PrefixTransformer", "prefix: [a]\n")));
    insta::assert_snapshot!(message("generators", &builtin("IAMPolicyGenerator", "cloud: azure\n")));
    insta::assert_snapshot!(message("transformers", &builtin("ValueAddTransformer", "value: x\n")));
    insta::assert_snapshot!(message(
        "transformers",
        &builtin("ValueAddTransformer", "targets: [{fieldPath: data/x}]\n")
    ));
    let check = builtin("LabelTransformer", "labels: {a: b}\nfieldSpecs: [{path: metadata/labels, create: true}]\n");
    insta::assert_snapshot!(message("validators", &check));
}

#[test]
fn a_validator_that_changes_nothing_accepts() {
    let check = builtin("LabelTransformer", "labels: {a: b}\nfieldSpecs: [{path: metadata/labels}]\n");
    assert_eq!(errors(&with_plugin("validators", &check)), "");
}

#[test]
fn an_unknown_field_of_a_plugin_is_a_warning() {
    let plugin = builtin("PrefixTransformer", "prefix: a-\nprefixes: b-\nfieldSpecs: [{path: metadata/name}]\n");
    insta::assert_snapshot!(warnings(&with_plugin("transformers", &plugin)));
}

#[test]
fn an_entry_that_is_neither_a_configuration_nor_a_path_is_an_error() {
    let kustomization = |entry: &str| format!("resources: [a.yaml]\ntransformers: [{entry}]\n");
    let message =
        |entry: &str| errors(&rendered(&[("kustomization.yaml", &kustomization(entry)), ("a.yaml", &config_map("a"))]));
    insta::assert_snapshot!(message("missing.yaml"));
    insta::assert_snapshot!(message("'{kind: PrefixTransformer'"));
    insta::assert_snapshot!(message("'{kind: PrefixTransformer}'"));
    insta::assert_snapshot!(message("https://example.com/plugin.yaml"));
}

#[test]
fn a_value_records_the_configuration_that_set_it() {
    let plugin =
        builtin("LabelTransformer", "labels: {team: red}\nfieldSpecs: [{path: metadata/labels, create: true}]\n");
    let rendered = with_plugin("transformers", &plugin);
    let label = rendered.objects[0].node.find(&["metadata", "labels", "team"]).unwrap();
    let step = rendered.provenance.steps(label.origin).next().unwrap();
    assert_eq!(&*step.field, "LabelTransformer.team");
    assert_eq!(rendered.provenance.place(step.at).to_string(), "plugin.yaml:4:10");
}

#[test]
fn a_value_goes_into_paths_as_in_go() {
    let at = |path: &str, position: usize| {
        let plugin = builtin(
            "ValueAddTransformer",
            &format!("value: new\ntargets: [{{fieldPath: data/path, filePathPosition: {position}}}]\n"),
        );
        let object = format!("{}data: {{path: {path:?}}}\n", config_map("a"));
        let kustomization = "resources: [a.yaml]\ntransformers: [plugin.yaml]\n";
        let output = yaml(&[("kustomization.yaml", kustomization), ("a.yaml", &object), ("plugin.yaml", &plugin)]);
        output.lines().find_map(|line| line.trim().strip_prefix("path: ").map(str::to_owned)).unwrap()
    };
    let cases = [
        ("", 1, "new"),
        ("/", 1, "/new"),
        ("pie", 1, "new/pie"),
        ("/pie", 1, "/new/pie"),
        ("raw", 2, "raw/new"),
        ("/raw", 99, "/raw/new"),
        ("a/b/c", 2, "a/new/b/c"),
        ("a/../b", 1, "new/b"),
        ("x", 0, "new"),
    ];
    for (path, position, expected) in cases {
        assert_eq!(at(path, position), expected, "{path:?} at {position}");
    }
}
