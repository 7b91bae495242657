//! How the agent of an add-on on one cluster registers on the hub, as its status says.

use crate::delivery::{Agent, Permissions, Template, merged_registrations, permissions};
use crate::plan::addon::context::{Context, Subject};
use tidegate_api::condition;
use tidegate_api::ocm::managed_cluster_addon::ManagedClusterAddOnStatus;

/// Writes into the status how the agent registers, and where it finds its credentials. Returns what it may do on the hub.
///
/// # Source
/// OCM addon-framework, `pkg/addonmanager/controllers/registration`. Upstream needs three passes, since each one reads what the previous
/// one has written.
pub(super) fn registered(
    context: &Context<'_>,
    subject: &Subject<'_>,
    template: &Template,
    status: &mut ManagedClusterAddOnStatus,
) -> Permissions {
    let entries = template.registrations();
    let wanted = Agent { addon: context.name, cluster: subject.name }.registrations(entries);
    status.registrations = merged_registrations(wanted, &status.registrations);
    template.registration_namespace().clone_into(&mut status.namespace);
    let permissions = permissions(subject.addon, subject.name, entries, &status.registrations);
    condition::set(&mut status.conditions, permissions.claim(), context.input.now);
    permissions
}
