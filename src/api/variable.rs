//! The `{{VARIABLES}}` of an AddOnTemplate: the built-in ones, and the ones that a text uses.
//!
//! # Source
//! OCM `pkg/addon/templateagent`, and `valyala/fasttemplate`, which it uses (2026-08-11).

/// A variable that templates can use without any `customizedVariables`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BuiltIn {
    /// Its name.
    pub name: &'static str,
    /// Description of its value, and of when it has one.
    pub value: &'static str,
    /// The version of Tidegate that first had it.
    pub since: &'static str,
}

/// Name of the cluster.
pub const CLUSTER_NAME: &str = "CLUSTER_NAME";
/// Path of the kubeconfig for the hub.
pub const HUB_KUBECONFIG: &str = "HUB_KUBECONFIG";
/// Namespace that the add-on is installed in.
pub const INSTALL_NAMESPACE: &str = "INSTALL_NAMESPACE";

/// Every built-in variable, sorted by name.
pub const BUILT_IN: [BuiltIn; 3] = [
    BuiltIn { name: CLUSTER_NAME, value: "The name of the managed cluster. Cannot be replaced.", since: "0.1.0" },
    BuiltIn {
        name: HUB_KUBECONFIG,
        value: "The path of the kubeconfig for the hub, `/managed/hub-kubeconfig/kubeconfig`. Only for a template with \
                `spec.registration`. A customized variable of this name replaces it.",
        since: "0.1.0",
    },
    BuiltIn {
        name: INSTALL_NAMESPACE,
        value: "`agentInstallNamespace` of the AddOnDeploymentConfig. Only where the cluster has such a configuration, \
                and the namespace is not empty. It replaces a customized variable of this name.",
        since: "0.1.0",
    },
];

/// Returns the names of the variables that a text uses, in order, with duplicates and including spaces: everything
/// between `{{` and the next `}}` is a name.
pub fn used(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let (_, tail) = rest.split_once("{{")?;
        let (name, after) = tail.split_once("}}")?;
        rest = after;
        Some(name)
    })
}
