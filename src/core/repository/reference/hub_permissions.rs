//! The permissions on the hub that an AddOnTemplate gives to its agents: which role, and where.
//!
//! # Source
//! OCM `pkg/addon/templateagent`, `TemplatePermissionConfigFunc`; Kubernetes `pkg/apis/rbac/validation`, `ValidateRoleBinding`.

use std::collections::BTreeMap;
use std::fmt;

use serde::Serialize;
use serde_json::Value;

use crate::read::object::path;
use tidegate_api::key::RBAC_GROUP;
use tidegate_api::ocm::addon_template::{HubPermission, TemplateRegistration};
use tidegate_api::schema::path::Path;
use tidegate_model::name::ClusterName;
use tidegate_model::object::ObjectKey;

/// Where the agents get a role.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(tag = "type")]
pub enum Scope {
    /// In the namespace of their own cluster.
    CurrentCluster,
    /// In one namespace, the same for the agents of all clusters.
    SingleNamespace {
        /// The namespace.
        namespace: String,
    },
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::CurrentCluster => f.write_str("in the namespace of the cluster"),
            Self::SingleNamespace { namespace } => write!(f, "in namespace {namespace}"),
        }
    }
}

/// Why nothing can be bound for a permission. Displays as a sentence without the path of the permission.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Unusable {
    #[error("is of type {type_} but has no {field}; add it")]
    NoScope { type_: &'static str, field: &'static str },
    #[error("names no role; write the name of the role")]
    NoName,
    #[error("names a role of kind {kind:?}, which cannot be bound; write \"Role\" or \"ClusterRole\"")]
    Kind { kind: String },
    #[error("names a role of API group {group:?}; write {RBAC_GROUP:?}")]
    Group { group: String },
    #[error("has the namespace {namespace:?}, which is not a valid name; write the name of a namespace of the hub")]
    Namespace { namespace: String },
}

/// One entry of `hubPermissions`.
#[derive(Debug)]
pub(crate) struct Wanted {
    /// Its path in the template.
    pub(crate) path: Path,
    /// The role and where it is given, or why it cannot be given.
    pub(crate) role: Result<(ObjectKey, Scope), Unusable>,
}

/// Returns the hub permissions of a template, in order; none if its registrations do not fit their schema.
pub(crate) fn wanted(template: &Value) -> Vec<Wanted> {
    let registrations = template.pointer("/spec/registration").and_then(Value::as_array);
    let mut found = Vec::new();
    for (index, registration) in registrations.into_iter().flatten().enumerate() {
        let at = path(&["spec", "registration"]).item(index).member("kubeClient").member("hubPermissions");
        let Ok(registration) = serde_json::from_value::<TemplateRegistration>(registration.clone()) else { continue };
        let client = registration.kube_client.filter(|_| registration.type_ == "KubeClient");
        let permissions = client.map(|client| client.hub_permissions).unwrap_or_default();
        let wanted = permissions
            .iter()
            .enumerate()
            .filter_map(|(index, permission)| role(permission).map(|role| Wanted { path: at.item(index), role }));
        found.extend(wanted);
    }
    found
}

/// Returns the role of a permission; `None` if its type is unknown, which is ignored.
fn role(permission: &HubPermission) -> Option<Result<(ObjectKey, Scope), Unusable>> {
    match permission.type_.as_str() {
        "CurrentCluster" => Some(match &permission.current_cluster {
            None => Err(Unusable::NoScope { type_: "CurrentCluster", field: "currentCluster" }),
            Some(granted) => {
                named("ClusterRole", "", &granted.cluster_role_name).map(|role| (role, Scope::CurrentCluster))
            }
        }),
        "SingleNamespace" => Some(match &permission.single_namespace {
            None => Err(Unusable::NoScope { type_: "SingleNamespace", field: "singleNamespace" }),
            Some(granted) => {
                let (namespace, reference) = (granted.namespace.clone(), &granted.role_ref);
                // An API server treats an empty group as the only valid one.
                match reference.kind.as_str() {
                    _ if !["", RBAC_GROUP].contains(&reference.api_group.as_str()) => {
                        Err(Unusable::Group { group: reference.api_group.clone() })
                    }
                    _ if !is_namespace(&namespace) => Err(Unusable::Namespace { namespace: namespace.clone() }),
                    "ClusterRole" => named("ClusterRole", "", &reference.name),
                    "Role" => named("Role", &namespace, &reference.name),
                    kind => Err(Unusable::Kind { kind: kind.to_owned() }),
                }
                .map(|role| (role, Scope::SingleNamespace { namespace }))
            }
        }),
        _ => None,
    }
}

fn named(kind: &str, namespace: &str, name: &str) -> Result<ObjectKey, Unusable> {
    if name.is_empty() { Err(Unusable::NoName) } else { Ok(ObjectKey::new(RBAC_GROUP, kind, namespace, name)) }
}

fn is_namespace(name: &str) -> bool {
    name.parse::<ClusterName>().is_ok() && name.len() <= 63 && !name.contains('.')
}

/// Returns each entry whose binding a later one replaces, with that later one. The name of a binding contains only the kind of its role,
/// so a namespace has one binding for each kind.
pub(crate) fn replaced(wanted: &[Wanted]) -> Vec<(&Wanted, &Wanted)> {
    let mut bindings: BTreeMap<(&Scope, &str), (&ObjectKey, &Wanted)> = BTreeMap::new();
    let mut pairs = Vec::new();
    for later in wanted {
        let Ok((role, scope)) = &later.role else { continue };
        match bindings.insert((scope, role.kind.as_str()), (role, later)) {
            Some((other, earlier)) if other != role => pairs.push((earlier, later)),
            _ => {}
        }
    }
    pairs
}
