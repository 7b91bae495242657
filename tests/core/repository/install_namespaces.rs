//! Tests of templates whose objects a configuration moves to another namespace.

use super::fixture::{complaints, edit, edited};

const SECOND: &str = "        - apiVersion: v1
          kind: ConfigMap
          metadata: {name: second, namespace: kube-system}
";

/// Returns the complaints about a template with another manifest.
fn with(manifest: &str, config: &str) -> Vec<String> {
    let mut tree = edited("template.yaml", "      manifests:\n", &format!("      manifests:\n{manifest}"));
    edit(&mut tree, "config.yaml", "spec:\n", &format!("spec:\n{config}"));
    complaints(&tree)
}

#[test]
fn a_template_with_several_namespaces_is_not_moved_to_one_without_a_warning() {
    for config in ["", "  agentInstallNamespace: tools\n"] {
        let found = with(SECOND, config);
        assert_eq!(found.len(), 1, "{found:?}");
        let to = if config.is_empty() { "open-cluster-management-agent-addon" } else { "tools" };
        let expected = format!(
            "spec.agentSpec.workload.manifests[0].metadata.namespace is \"kube-system\", but the agentInstallNamespace of \
             AddOnDeploymentConfig hello-config moves all objects of the template to {to:?}, and renames its Namespaces"
        );
        assert!(found[0].contains(&expected), "{found:?}");
    }
    assert_eq!(with(SECOND, "  agentInstallNamespace: ''\n"), Vec::<String>::new());
}

#[test]
fn a_renamed_namespace_is_reported_and_a_template_with_one_namespace_is_not() {
    let namespace = "        - {apiVersion: v1, kind: Namespace, metadata: {name: \"{{CLUSTER_NAME}}\"}}\n";
    let found = with(namespace, "");
    assert!(found.len() == 1 && found[0].contains("metadata.name is \"{{CLUSTER_NAME}}\""), "{found:?}");
    let same = SECOND.replace("kube-system", "default");
    assert_eq!(with(&same, "  agentInstallNamespace: tools\n"), Vec::<String>::new());
}
