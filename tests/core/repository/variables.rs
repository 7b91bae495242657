//! Tests of template variables that are not set.

use tidegate_model::diagnostic::Severity;
use tidegate_repository::load;

use super::fixture::{complaints, edit, edited};
use crate::transcript::transcript;

/// Returns the complaints about a template with this string in place of the cluster name.
fn with_text(text: &str) -> Vec<String> {
    complaints(&edited("template.yaml", "{{CLUSTER_NAME}}", text))
}

#[test]
fn an_unset_variable_gives_a_warning_with_a_suggestion() {
    let cases = [
        "{{CLUSTERNAME}}",
        "{{LOGLEVEL}}",
        "{{ LOG_LEVEL }}",
        "{{ENDPOINT}}",
        "{{ ENDPOINT }}",
        "{{HUB_KUBECONFIG}}",
        "{{ $labels.pod }}",
    ];
    insta::assert_snapshot!(transcript(cases, |text| with_text(text).join("\n")));
    let loaded = load(&edited("template.yaml", "{{CLUSTER_NAME}}", "{{ENDPOINT}}"), "");
    assert_eq!(loaded.complaints[0].diagnostic.severity, Severity::Warning);
    assert!(loaded.repository.blocked.is_empty());
}

#[test]
fn in_compat_the_warning_states_that_the_variable_becomes_empty() {
    let mut tree = edited("template.yaml", "{{CLUSTER_NAME}}", "{{ENDPOINT}}");
    tree.files.insert("tidegate.toml".to_owned(), b"[rollout]\nsemantics = 'compat'\n".to_vec());
    assert!(
        complaints(&tree)[0].contains("for add-on hello, so it becomes an empty string; "),
        "{:?}",
        complaints(&tree)
    );
}

#[test]
fn a_variable_is_reported_once_where_it_is_first_used() {
    let found = with_text("{{A_ONE}} {{B_TWO}} {{A_ONE}}");
    assert_eq!(found.len(), 2, "{found:?}");
    let mut tree =
        edited("template.yaml", "            cluster: '{{CLUSTER_NAME}}'", "            '{{A_ONE}}': '{{A_ONE}}'");
    let found = complaints(&tree);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].starts_with("template.yaml:16:13: "), "{found:?}");
    edit(&mut tree, "config.yaml", "name: LOG_LEVEL", "name: A_ONE");
    assert_eq!(complaints(&tree), Vec::<String>::new());
}

#[test]
fn a_variable_may_be_set_in_any_layer() {
    for text in ["{{CLUSTER_NAME}}", "{{LOG_LEVEL}}", "{{INSTALL_NAMESPACE}}"] {
        assert_eq!(with_text(text), Vec::<String>::new());
    }
    // Only a cluster sets it now.
    let placed = "        configs:\n          - group: addon.open-cluster-management.io\n            resource: addondeploymentconfigs\n            namespace: fleet\n            name: hello-config\n";
    let mut tree = edited("addon.yaml", placed, "");
    edit(&mut tree, "template.yaml", "{{CLUSTER_NAME}}", "{{LOG_LEVEL}}");
    assert_eq!(complaints(&tree), Vec::<String>::new());
    // Nothing sets it now.
    tree.files.remove("override.yaml");
    let found = complaints(&tree);
    assert!(found.len() == 1 && found[0].contains("{{LOG_LEVEL}}, which is not set for add-on hello"), "{found:?}");
    edit(&mut tree, "config.yaml", "value: '4'", "value: ''");
    edit(
        &mut tree,
        "addon.yaml",
        "      name: hello-1\n",
        "      name: hello-1\n    - group: addon.open-cluster-management.io\n      resource: addondeploymentconfigs\n      namespace: fleet\n      name: hello-config\n",
    );
    assert_eq!(complaints(&tree), Vec::<String>::new(), "an empty string is a value");
}

#[test]
fn variables_are_not_reported_while_a_configuration_is_missing() {
    let mut tree = edited("template.yaml", "{{CLUSTER_NAME}}", "{{ENDPOINT}}");
    tree.files.remove("config.yaml");
    let found = complaints(&tree);
    assert!(!found.is_empty() && found.iter().all(|complaint| !complaint.contains("ENDPOINT")), "{found:?}");
}
