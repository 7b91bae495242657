//! The controller of registrations: how the agent of an add-on registers on the hub, and what it may do there.

use k8s_openapi::api::rbac::v1::RoleBinding;
use tidegate_api::condition::{self, Claim};
use tidegate_api::key;
use tidegate_api::ocm::addon_template::AddOnTemplate;
use tidegate_delivery::{Agent, Identities, Permissions};
use tidegate_go::canonical::sha256_hex;
use tidegate_model::action::Write;
use tidegate_model::name::{AddonName, ClusterName};

use crate::upstream::controllers::assignment::status_patch;
use crate::upstream::controllers::deploy::{found_config, found_template};
use crate::upstream::controllers::view::{Server, View};
use crate::upstream::hub::kind::{ADDON, BINDING, CLUSTER};

/// Returns the next writes: first the supported configurations, then the registrations, and then, once these name the identity of
/// the agent, its RoleBindings.
pub(in crate::upstream) fn decide(view: &View<'_>) -> Vec<Write> {
    let Some(server) = view.of_addon.server() else { return Vec::new() };
    if !is_accepted(view, server) {
        return Vec::new();
    }
    let mut status = view.status();
    let mut supported = server.supported();
    supported.sort();
    if view.of_addon.controls.shuffles_supported_configs && is_reversed(view) {
        supported.reverse();
    }
    if status.supported_configs != supported {
        status.supported_configs = supported;
        return status_patch(view, status).into_iter().collect();
    }
    match server {
        Server::Templates => of_template(view),
        Server::Own(_) => {
            let message = "Registration of the addon agent is configured";
            let claim = Claim::new(key::REGISTRATION_APPLIED, "True", "NilRegistration", message);
            condition::set(&mut status.conditions, claim, view.of_addon.now);
            status_patch(view, status).into_iter().collect()
        }
    }
}

/// Returns `true` if the controller has what it needs: the cluster, the owner, and the hash of the template.
fn is_accepted(view: &View<'_>, server: Server<'_>) -> bool {
    let owners = view.cluster_addon.metadata.owner_references.iter().flatten();
    let is_owned = owners.into_iter().any(|owner| owner.kind == ADDON.kind && owner.name == view.name);
    let is_ready = matches!(server, Server::Own(_)) || view.has_template();
    is_owned && is_ready && view.of_addon.cache.get(CLUSTER, "", view.cluster).is_some()
}

/// Returns `true` or `false` for each version of an object at random, but the same for the same version.
fn is_reversed(view: &View<'_>) -> bool {
    let version = view.cluster_addon.metadata.resource_version.as_deref().unwrap_or_default();
    sha256_hex(version.as_bytes()).as_str() < "8"
}

fn of_template(view: &View<'_>) -> Vec<Write> {
    let mut status = view.status();
    let (Ok(addon), Ok(cluster)) = (view.name.parse::<AddonName>(), view.cluster.parse::<ClusterName>()) else {
        return Vec::new();
    };
    let template = match found_template(view) {
        Ok(template) => template,
        Err(error) => {
            let message = format!("Failed to set permission for hub agent: {error}");
            let claim = Claim::new(key::REGISTRATION_APPLIED, "False", "SetPermissionFailed", message);
            condition::set(&mut status.conditions, claim, view.of_addon.now);
            return status_patch(view, status).into_iter().collect();
        }
    };
    let parsed: Option<AddOnTemplate> = serde::Deserialize::deserialize(template).ok();
    let entries = parsed.and_then(|template| template.spec.registration).unwrap_or_default();
    let identities = Identities::of_upstream(&status.registrations);
    let granted = tidegate_delivery::permissions(view.cluster_addon, &cluster, &entries, &identities);
    let mut writes = bindings(view, &granted);
    let wanted = Agent { addon: &addon, cluster: &cluster }.registrations(&entries);
    status.registrations = tidegate_delivery::merged_registrations(wanted, &status.registrations);
    let config = found_config(view).ok().flatten();
    status.namespace = tidegate_delivery::registration_namespace(template, config.as_ref());
    condition::set(&mut status.conditions, granted.claim(), view.of_addon.now);
    writes.extend(status_patch(view, status));
    writes
}

fn bindings(view: &View<'_>, granted: &Permissions) -> Vec<Write> {
    let text = |field: &Option<String>| field.clone().unwrap_or_default();
    let observed = |wanted: &RoleBinding| -> Option<RoleBinding> {
        view.of_addon.cache.read(BINDING, &text(&wanted.metadata.namespace), &text(&wanted.metadata.name))
    };
    let writes = |wanted: &RoleBinding| tidegate_delivery::binding_writes(wanted, observed(wanted).as_ref());
    granted.bindings.iter().flat_map(writes).collect()
}
