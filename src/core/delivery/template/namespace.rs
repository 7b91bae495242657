//! The namespace that an add-on is installed in.

use serde_json::Value;

use tidegate_api::key;
use tidegate_api::ocm::addon_deployment_config::AddOnDeploymentConfigSpec;

use super::workload;
use super::workload::Kind;
use crate::error::Error;
use crate::go_object::unstructured::{raw_manifests, text};

/// Moves an object to the install namespace. Sets its own namespace if it has one, the namespace of the subjects of a
/// binding (of users and groups too), and the name of a Namespace.
///
/// # Errors
/// [`Error::NoField`] if a binding has no subjects, or a Namespace has no metadata.
///
/// # Source
/// OCM `pkg/addon/templateagent`, the namespace decorator.
pub(crate) fn set(object: &mut Value, namespace: &str) -> Result<(), Error> {
    if !text(object, ["metadata", "namespace"]).is_empty() {
        put(object, &["metadata", "namespace"], namespace)?;
    }
    let path: &[&'static str] = match text(object, ["kind"]) {
        "ClusterRoleBinding" | "RoleBinding" => &["subjects", "namespace"],
        "Namespace" => &["metadata", "name"],
        _ => return Ok(()),
    };
    put(object, path, namespace)
}

/// Sets the field at the end of a path, for each item of any list on the way.
fn put(value: &mut Value, path: &[&'static str], namespace: &str) -> Result<(), Error> {
    match (value, path) {
        (Value::Array(items), _) => items.iter_mut().try_for_each(|item| put(item, path, namespace)),
        (Value::Object(members), [last]) => {
            members.insert((*last).to_owned(), Value::from(namespace));
            Ok(())
        }
        (Value::Object(members), [first, rest @ ..]) => {
            put(members.get_mut(*first).ok_or(Error::NoField(first))?, rest, namespace)
        }
        _ => Ok(()),
    }
}

/// Returns the namespace on the cluster in which the agent of an add-on finds its credentials (`status.namespace`).
///
/// The first of these that is set: the namespace in the configuration; the namespace of the first Deployment of the
/// template, before rendering; the namespace of the first DaemonSet before it that has one; the default.
///
/// # Source
/// OCM `TemplateAgentRegistrationNamespaceFunc`.
pub fn registration_namespace(template: &Value, config: Option<&AddOnDeploymentConfigSpec>) -> String {
    let configured = config.and_then(|config| config.agent_install_namespace.as_deref());
    let chosen = configured.filter(|namespace| !namespace.is_empty()).or_else(|| of_workloads(template));
    chosen.unwrap_or(key::DEFAULT_INSTALL_NAMESPACE).to_owned()
}

fn of_workloads(template: &Value) -> Option<&str> {
    let mut of_daemon_set = None;
    for manifest in raw_manifests(template) {
        let namespace = Some(text(manifest, ["metadata", "namespace"])).filter(|namespace| !namespace.is_empty());
        match workload::readable(manifest) {
            Some(Kind::Deployment) => return namespace.or(of_daemon_set),
            Some(Kind::DaemonSet) => of_daemon_set = of_daemon_set.or(namespace),
            _ => {}
        }
    }
    of_daemon_set
}
