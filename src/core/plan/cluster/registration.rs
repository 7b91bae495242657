//! How the agent of an add-on on one cluster registers on the hub, and what it may do there.

use std::sync::Arc;

use k8s_openapi::api::rbac::v1::RoleBinding;

use super::token;
use crate::context::{Action, Context, Subject};
use tidegate_api::condition::{self, Claim};
use tidegate_api::key;
use tidegate_api::ocm::managed_cluster_addon::ManagedClusterAddOnStatus;
use tidegate_delivery::{Agent, Permissions, Template};
use tidegate_delivery::{binding_writes, merged_registrations, permissions, revoked};
use tidegate_model::action::Write;

/// What the agent of a cluster may do on the hub.
#[derive(Debug, Default)]
pub(crate) struct Granted {
    /// The writes of its bindings in the namespace of the cluster.
    pub writes: Vec<Write>,
    /// The bindings in other namespaces, which it shares with the agents of other clusters; `None` if they are not known.
    pub shared: Option<Vec<RoleBinding>>,
}

/// Writes into the status how the agent registers, and where it finds its credentials. Returns what it may do on the hub.
///
/// The condition becomes `True` only once the bindings are on the hub. Later updates of the bindings do not change it, unless the cluster is
/// under way: an upgrade is not done before its agent may do what it needs.
///
/// # Source
/// OCM addon-framework, `pkg/addonmanager/controllers/registration`. Upstream needs three passes, since each one reads what the previous
/// one has written.
pub(super) fn registered(
    context: &Context<'_>,
    subject: &Subject<'_>,
    (agent, template): (Agent<'_>, &Template),
    status: &mut ManagedClusterAddOnStatus,
) -> Granted {
    let entries = template.registrations();
    status.registrations = merged_registrations(agent.registrations(entries), &status.registrations);
    template.registration_namespace().clone_into(&mut status.namespace);
    let permissions = permissions(subject.addon, subject.name, entries, &agent.identities(&status.registrations));
    let is_blind = context.input.bindings_are_unobserved();
    let writes = if is_blind { Vec::new() } else { writes(context, subject, &permissions) };
    let tokens = token::arranged(context, subject, agent, status);
    let was_applied = condition::is_true(&status.conditions, key::REGISTRATION_APPLIED);
    let is_underway = context.rules.checks_health && matches!(subject.action, Action::Start | Action::Watch);
    let claim = match &permissions {
        Permissions { problem: None, bindings } if is_blind && !bindings.is_empty() => {
            let why = "Failed to set permission for hub agent: the RoleBindings of the hub cannot be watched";
            Claim::new(key::REGISTRATION_APPLIED, "False", "SetPermissionFailed", why)
        }
        Permissions { problem: None, .. } if !writes.is_empty() && (!was_applied || is_underway) => {
            let why = "the RoleBindings of the addon agent are not all on the hub";
            Claim::new(key::REGISTRATION_APPLIED, "False", "PermissionConfigPending", why)
        }
        permissions => permissions.claim(),
    };
    condition::set(&mut status.conditions, claim, context.input.now);
    let is_known = permissions.problem.is_none();
    let shared = permissions.bindings.into_iter().filter(|binding| !is_own(binding)).collect();
    let writes = tokens.into_iter().chain(writes).collect();
    Granted { writes, shared: Some(shared).filter(|_| is_known) }
}

/// Returns `true` if a binding goes away with the add-on of one cluster.
fn is_own(binding: &RoleBinding) -> bool {
    binding.metadata.owner_references.is_some()
}

/// Returns the writes that create and update the bindings in the namespace of the cluster, and delete those that the template no longer
/// asks for.
fn writes(context: &Context<'_>, subject: &Subject<'_>, permissions: &Permissions) -> Vec<Write> {
    let observed = context.bindings(subject.name);
    let own = permissions.bindings.iter().filter(|binding| is_own(binding));
    let named = |binding: &RoleBinding| binding.metadata.name.clone().unwrap_or_default();
    let written = own.clone().flat_map(|binding| binding_writes(binding, observed.get(&named(binding)).map(|b| &**b)));
    let is_left = |(name, binding): &(&String, &Arc<RoleBinding>)| {
        let owners = binding.metadata.owner_references.iter().flatten();
        let is_of_addon = |uid: &String| Some(uid) == subject.addon.metadata.uid.as_ref();
        let is_owned = owners.into_iter().any(|owner| is_of_addon(&owner.uid));
        is_owned && permissions.problem.is_none() && !own.clone().any(|binding| named(binding) == **name)
    };
    let deleted = observed.iter().filter(is_left).filter_map(|(_, binding)| revoked(binding));
    written.chain(deleted).collect()
}
