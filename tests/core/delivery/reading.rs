//! Tests of reading manifests: variables, errors and the cluster name.

use std::sync::Arc;

use serde_json::{Value, json};

use tidegate_api::variable::{BUILT_IN, BuiltIn};
use tidegate_delivery::{Error, Subject, Template, render};

use super::builders::{cluster, cluster1, config, hello, rendered, template};

fn config_map(data: &str) -> Value {
    json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "c"}, "data": {"d": data}})
}

/// Renders a string as a value of a ConfigMap.
fn substituted(text: &str, spec: Value) -> String {
    let rendered = rendered(json!([config_map(text)]), spec).unwrap();
    rendered.objects[0]["data"]["d"].as_str().unwrap().to_owned()
}

#[test]
fn tags_are_literal_and_unknown_variables_are_empty() {
    let variables = json!({"customizedVariables": [{"name": "A", "value": "x"}]});
    assert_eq!(substituted("a{{A}}b{{ A }}c{{}}d}}e{{{A}}}f", variables), "axbcd}}e}f");
}

/// Checks the variables of a string as strict semantics do.
fn required(text: &str, registration: Value, spec: Option<Value>) -> Result<(), String> {
    let template = template(json!([config_map("fine"), config_map(text)]), registration);
    let config = spec.map(config);
    let prepared = Template::prepare(&hello(), &template, config.as_ref()).unwrap();
    prepared.require_variables().map_err(|error| error.to_string())
}

#[test]
fn a_variable_without_a_value_is_named_with_its_object_and_template() {
    let refused = |name: &str| {
        Err(format!(
            "ConfigMap c of AddOnTemplate hello-1 uses the variable {{{{{name}}}}}, which is not set; set it in \
             customizedVariables of an AddOnDeploymentConfig of the cluster, to \"\" for an empty string"
        ))
    };
    let variables =
        || Some(json!({"customizedVariables": [{"name": "A", "value": "x"}, {"name": "EMPTY", "value": ""}]}));
    assert_eq!(required("{{A}}{{EMPTY}}{{CLUSTER_NAME}}", Value::Null, variables()), Ok(()));
    assert_eq!(required("{{A}}{{B}}{{C}}", Value::Null, variables()), refused("B"));
    assert_eq!(required("{{ A }}", Value::Null, variables()), refused(" A "));
    assert_eq!(required("{{A}}", Value::Null, None), refused("A"));
    assert_eq!(required("{{HUB_KUBECONFIG}}", Value::Null, None), refused("HUB_KUBECONFIG"));
    assert_eq!(required("{{HUB_KUBECONFIG}}", json!([]), None), Ok(()));
    assert_eq!(required("{{INSTALL_NAMESPACE}}", Value::Null, variables()), refused("INSTALL_NAMESPACE"));
    let namespace = |namespace: &str| Some(json!({"agentInstallNamespace": namespace}));
    assert_eq!(required("{{INSTALL_NAMESPACE}}", Value::Null, namespace("n")), Ok(()));
    assert_eq!(required("{{INSTALL_NAMESPACE}}", Value::Null, namespace("")), refused("INSTALL_NAMESPACE"));
}

#[test]
fn a_variable_can_insert_literal_braces() {
    let braces = json!({"customizedVariables": [{"name": "OPEN", "value": "{{"}]});
    assert_eq!(substituted("{{OPEN}} $labels.instance }}", braces), "{{ $labels.instance }}");
}

#[test]
fn the_page_on_variables_lists_the_built_in_ones() {
    let page = std::fs::read_to_string(crate::root::path("docs/variables.md")).unwrap();
    let (_, table) = page.split_once("| name | value | since |\n| --- | --- | --- |\n").unwrap();
    let rows: Vec<&str> = table.lines().take_while(|line| line.starts_with('|')).collect();
    let row = |v: &BuiltIn| format!("| `{}` | {} | {} |", v.name, v.value, v.since);
    assert_eq!(rows, BUILT_IN.iter().map(row).collect::<Vec<_>>());
}

#[test]
fn the_hub_kubeconfig_is_set_once_registrations_are_listed() {
    let text = json!([config_map("{{HUB_KUBECONFIG}}|{{INSTALL_NAMESPACE}}")]);
    let data = |registration: Value| {
        let (addon, template) = (hello(), template(text.clone(), registration));
        let subject = Subject { addon: &addon, template: &template, config: None, cluster: &cluster1() };
        render(&subject).unwrap().objects[0]["data"]["d"].clone()
    };
    assert_eq!(data(Value::Null), "|");
    assert_eq!(data(json!([])), "/managed/hub-kubeconfig/kubeconfig|");
}

#[test]
fn a_value_that_breaks_the_json_is_an_error() {
    let variables = json!({"customizedVariables": [{"name": "A", "value": "\""}]});
    let error = rendered(json!([config_map("fine"), config_map("{{A}}")]), variables).unwrap_err();
    assert!(matches!(error, Error::Syntax { manifest: 1, .. }), "{error}");
}

#[test]
fn an_unclosed_tag_is_an_error() {
    // The closing braces of a manifest can close a tag by chance; here they do not.
    let manifest = json!({"apiVersion": "v1", "kind": "X", "metadata": {"name": "x"}, "z": "{{oops"});
    let error = rendered(json!([manifest]), json!({})).unwrap_err();
    assert!(matches!(error, Error::UnclosedTag { manifest: 0 }), "{error}");
}

#[test]
fn a_manifest_without_kind_is_an_error() {
    let error = rendered(json!([{"apiVersion": "v1", "metadata": {"name": "x"}}]), json!({})).unwrap_err();
    assert!(matches!(error, Error::NoKind { manifest: 0 }), "{error}");
}

#[test]
fn a_version_with_two_slashes_leaves_no_kind() {
    let manifest = json!({"apiVersion": "apps/v1/x", "kind": "Deployment", "metadata": {"name": "x"}});
    assert!(matches!(rendered(json!([manifest]), json!({})), Err(Error::NoKind { manifest: 0 })));
}

#[test]
fn the_error_of_the_first_invalid_manifest_is_reported() {
    let binding = json!({"apiVersion": "v1", "kind": "RoleBinding", "metadata": {"name": "b"}});
    let unclosed = json!({"apiVersion": "v1", "kind": "X", "metadata": {"name": "x"}, "z": "{{oops"});
    let settings = json!({"agentInstallNamespace": "inst"});
    let error = rendered(json!([binding, unclosed]), settings.clone()).unwrap_err();
    assert!(matches!(error, Error::NoField("subjects")), "{error}");
    let error = rendered(json!([unclosed, binding]), settings).unwrap_err();
    assert!(matches!(error, Error::UnclosedTag { manifest: 0 }), "{error}");
}

#[test]
fn an_invalid_cluster_name_is_inserted_without_escaping() {
    let (addon, template) = (hello(), template(json!([config_map("{{CLUSTER_NAME}}")]), Value::Null));
    let data = |name: &str| {
        let cluster = cluster(json!({"name": name}), json!({}));
        let subject = Subject { addon: &addon, template: &template, config: None, cluster: &cluster };
        render(&subject).map(|rendered| rendered.objects[0]["data"].clone())
    };
    assert_eq!(data("a\\nb").unwrap(), json!({"d": "a\nb"}));
    assert_eq!(data("a\",\"e\":\"b").unwrap(), json!({"d": "a", "e": "b"}));
    assert!(matches!(data("\\"), Err(Error::Syntax { manifest: 0, .. })));
}

#[test]
fn clusters_share_identical_objects() {
    let (addon, template) = (hello(), template(json!([config_map("x"), config_map("{{CLUSTER_NAME}}")]), Value::Null));
    let prepared = Template::prepare(&addon, &template, None).unwrap();
    let [one, other] = ["a", "b"].map(|name| prepared.render(&cluster(json!({"name": name}), json!({}))).unwrap());
    assert!(Arc::ptr_eq(&one.objects[0], &other.objects[0]));
    assert_ne!(one.objects[1], other.objects[1]);
}
