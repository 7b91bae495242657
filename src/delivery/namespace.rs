//! The namespace that an add-on is installed in.

use serde_json::{Map, Value};

use crate::api::key;
use crate::api::ocm::addon_deployment_config::AddOnDeploymentConfigSpec;

use super::error::Error;
use super::object::text;
use super::template::raw_manifests;
use super::workload::{self, Kind};

/// Moves an object to the install namespace: its own namespace if it has one, the subjects of a binding, the name of a Namespace.
///
/// # Errors
/// [`Error::NoField`] if a binding has no subjects.
pub(super) fn set(object: &mut Value, namespace: &str) -> Result<(), Error> {
    if !text(object, "/metadata/namespace").is_empty() {
        put(object.get_mut("metadata"), "namespace", namespace);
    }
    match text(object, "/kind") {
        "ClusterRoleBinding" | "RoleBinding" => match object.get_mut("subjects") {
            None => Err(Error::NoField("subjects")),
            Some(Value::Array(subjects)) => {
                subjects.iter_mut().for_each(|subject| put(Some(subject), "namespace", namespace));
                Ok(())
            }
            single => {
                put(single, "namespace", namespace);
                Ok(())
            }
        },
        "Namespace" => match object.get_mut("metadata") {
            None => Err(Error::NoField("metadata")),
            metadata => {
                put(metadata, "name", namespace);
                Ok(())
            }
        },
        _ => Ok(()),
    }
}

fn put(target: Option<&mut Value>, member: &str, namespace: &str) {
    let members: Option<&mut Map<String, Value>> = target.and_then(Value::as_object_mut);
    members.map(|members| members.insert(member.to_owned(), Value::from(namespace)));
}

/// Returns the namespace on the cluster in which the agent of an add-on finds its credentials (`status.namespace`).
///
/// That is what the configuration says; else the namespace of the first Deployment of the template as it is written there;
/// else that of the first DaemonSet before it that has one; else the default.
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
        let namespace = Some(text(manifest, "/metadata/namespace")).filter(|namespace| !namespace.is_empty());
        match workload::kind(manifest).filter(|kind| kind.conform(&mut manifest.clone()).is_ok()) {
            Some(Kind::Deployment) => return namespace.or(of_daemon_set),
            Some(Kind::DaemonSet) => of_daemon_set = of_daemon_set.or(namespace),
            None => {}
        }
    }
    of_daemon_set
}
