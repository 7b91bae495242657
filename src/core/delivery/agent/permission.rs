//! The permissions of the agent of an add-on on the hub.

use k8s_openapi::api::rbac::v1::{RoleBinding, RoleRef, Subject};
use k8s_openapi::apimachinery::pkg::apis::meta::v1::{ObjectMeta, OwnerReference};

use super::identity::Identities;
use super::unpermitted::Unpermitted;
use tidegate_api::condition::Claim;
use tidegate_api::key::{self, RBAC_GROUP};
use tidegate_api::ocm::addon_template::{HubPermission, TemplateRegistration};
use tidegate_api::ocm::managed_cluster_addon::ManagedClusterAddOn;
use tidegate_model::name::ClusterName;

/// The RoleBindings of an agent.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Permissions {
    /// The bindings, one for each namespace and name, in the order of the template.
    pub bindings: Vec<RoleBinding>,
    /// The reason why the next binding could not be created, if any.
    pub problem: Option<Unpermitted>,
}

impl Permissions {
    /// Returns the condition `RegistrationApplied` of an add-on whose agent has all of these bindings on the hub.
    pub fn claim(&self) -> Claim {
        let claim = |status, reason, message| Claim::new(key::REGISTRATION_APPLIED, status, reason, message);
        match self.problem {
            None => claim("True", "SetPermissionApplied", "Registration of the addon agent is configured".to_owned()),
            Some(pending @ Unpermitted::NoSubject) => claim("False", "PermissionConfigPending", pending.to_string()),
            Some(invalid) => {
                let message = format!("Failed to set permission for hub agent: {invalid}");
                claim("False", "SetPermissionFailed", message)
            }
        }
    }
}

/// Returns the RoleBindings that grant the agent of an add-on on a cluster the permissions of the template. `identities` are the subjects
/// of these bindings, or why there are none yet.
///
/// The name of a binding depends on the kind of its role, so of two permissions in one namespace with the same kind of
/// role, the second one replaces the first. The owner of the first one is kept.
///
/// # Source
/// OCM `pkg/addon/templateagent`, `TemplatePermissionConfigFunc`; an API server refuses the later of two different roles.
pub fn permissions(
    addon: &ManagedClusterAddOn,
    cluster: &ClusterName,
    registrations: &[TemplateRegistration],
    identities: &Result<Identities, Unpermitted>,
) -> Permissions {
    let clients = registrations.iter().filter(|registration| registration.type_ == "KubeClient");
    let mut permissions = Permissions::default();
    for permission in clients.filter_map(|client| client.kube_client.as_ref()).flat_map(|c| &c.hub_permissions) {
        match binding(addon, cluster, permission, identities) {
            Ok(Some(binding)) => apply(&mut permissions.bindings, binding),
            Ok(None) => {}
            Err(problem) => {
                permissions.problem = Some(problem);
                break;
            }
        }
    }
    permissions
}

fn apply(bindings: &mut Vec<RoleBinding>, mut binding: RoleBinding) {
    let is_same = |other: &&mut RoleBinding| {
        (&other.metadata.namespace, &other.metadata.name) == (&binding.metadata.namespace, &binding.metadata.name)
    };
    match bindings.iter_mut().find(is_same) {
        Some(earlier) => {
            binding.metadata.owner_references =
                binding.metadata.owner_references.or(earlier.metadata.owner_references.take());
            *earlier = binding;
        }
        None => bindings.push(binding),
    }
}

/// Returns the binding for one permission; `None` if its type is unknown.
fn binding(
    addon: &ManagedClusterAddOn,
    cluster: &ClusterName,
    permission: &HubPermission,
    identities: &Result<Identities, Unpermitted>,
) -> Result<Option<RoleBinding>, Unpermitted> {
    let known = identities.as_ref();
    let (namespace, role_ref, owner, subjects) = match permission.type_.as_str() {
        "CurrentCluster" => {
            let granted = permission.current_cluster.as_ref().ok_or(Unpermitted::NoClusterRole)?;
            let role = role_ref(RBAC_GROUP, "ClusterRole", &granted.cluster_role_name);
            (cluster.as_str(), role, Some(vec![owner(addon)]), known.map(|known| &known.own))
        }
        "SingleNamespace" => {
            let granted = permission.single_namespace.as_ref().ok_or(Unpermitted::NoNamespace)?;
            let role = &granted.role_ref;
            let role = role_ref(&role.api_group, &role.kind, &role.name);
            (granted.namespace.as_str(), role, None, known.map(|known| &known.shared))
        }
        _ => return Ok(None),
    };
    let subjects: Vec<Subject> = subjects.map_err(|problem| *problem)?.clone();
    let name = addon.metadata.name.as_deref().unwrap_or_default();
    let labels = [(key::ADDON_NAME, name), (key::ADDON_TEMPLATE_NAME, "")];
    let metadata = ObjectMeta {
        name: Some(format!("open-cluster-management:{name}:{}:agent", role_ref.kind.to_lowercase())),
        namespace: Some(namespace.to_owned()),
        labels: Some(labels.map(|(name, value)| (name.to_owned(), value.to_owned())).into()),
        owner_references: owner,
        ..ObjectMeta::default()
    };
    Ok(Some(RoleBinding { metadata, role_ref, subjects: Some(subjects) }))
}

fn role_ref(api_group: &str, kind: &str, name: &str) -> RoleRef {
    RoleRef { api_group: Some(api_group.to_owned()), kind: kind.to_owned(), name: name.to_owned() }
}

fn owner(addon: &ManagedClusterAddOn) -> OwnerReference {
    OwnerReference {
        api_version: key::ADDON_V1BETA1.to_owned(),
        kind: "ManagedClusterAddOn".to_owned(),
        name: addon.metadata.name.clone().unwrap_or_default(),
        uid: addon.metadata.uid.clone().unwrap_or_default(),
        ..OwnerReference::default()
    }
}
