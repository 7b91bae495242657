//! The RoleBindings that all agents of an add-on share: those outside of the namespaces of clusters.

use std::collections::BTreeSet;

use k8s_openapi::api::rbac::v1::RoleBinding;
use serde_json::Value;

use crate::context::Context;
use crate::hub_objects::ownership::Owner;
use crate::input::{Input, certificate_requests, role_bindings, token_kinds};
use tidegate_api::fleet::Fleet;
use tidegate_api::mark::Mark;
use tidegate_api::ocm::managed_cluster_addon::ManagedClusterAddOn;
use tidegate_api::rollout_policy::is_of_hub;
use tidegate_delivery::upstream::Delivery;
use tidegate_delivery::{binding_writes, revoked, shared_bindings};
use tidegate_model::action::{Lane, Stage, Write};
use tidegate_model::name::UnitName;
use tidegate_model::object::GroupKind;
use tidegate_repository::Repository;

/// Returns the kinds that have to be watched on the hub for a repository: those that it declares, and, if an agent registers or is still
/// registered, CertificateSigningRequests and the kinds that give agents their permissions and tokens.
///
/// OCM's add-on manager, if it delivers, registers the agents.
pub fn watched_kinds(repository: &Repository, fleet: &Fleet, delivery: Delivery) -> BTreeSet<GroupKind> {
    let mut kinds: BTreeSet<_> = repository.objects.keys().filter(|key| is_of_hub(key)).map(GroupKind::of).collect();
    let configurations = repository.addons.values().flat_map(|addon| addon.configurations.values());
    let registers = |object: &Value| object.pointer("/spec/registration").is_some_and(|entries| !entries.is_null());
    let is_registered =
        |addon: &ManagedClusterAddOn| addon.status.as_ref().is_some_and(|status| !status.registrations.is_empty());
    let mut installed = fleet.cluster_addons.values().flat_map(|clusters| clusters.values());
    let is_needed = configurations.map(|config| &config.object).any(|object| registers(object))
        || installed.any(|addon| is_registered(addon));
    if delivery == Delivery::Native && is_needed {
        kinds.extend(token_kinds());
        kinds.extend([role_bindings(), certificate_requests()]);
    }
    kinds
}

/// Returns the writes of the shared bindings that the clusters of an add-on need. Those that no cluster needs are deleted if the needs of
/// all clusters are known (`is_complete`).
pub(super) fn shared(context: &Context<'_>, needed: Vec<RoleBinding>, is_complete: bool) -> Vec<Lane> {
    if context.input.bindings_are_unobserved() {
        return Vec::new();
    }
    let wanted = shared_bindings(context.input.instance.id.as_str(), needed);
    let namespaces = context.input.fleet.role_bindings.get(context.name);
    let find = |binding: &RoleBinding| {
        let bindings = namespaces?.get(binding.metadata.namespace.as_deref()?)?;
        bindings.get(binding.metadata.name.as_deref()?).map(|found| &**found)
    };
    let may_write = |binding: &RoleBinding| {
        find(binding).is_none_or(|found| context.input.ownership().of_mark(Mark::of(&found.metadata)).may_write())
    };
    let written = wanted.iter().filter(|b| may_write(b)).map(|b| lane(binding_writes(b, find(b))));
    let is_wanted = |found: &RoleBinding| {
        let at = |binding: &RoleBinding| (binding.metadata.namespace.clone(), binding.metadata.name.clone());
        wanted.iter().any(|binding| at(binding) == at(found))
    };
    let left = left(context.input, context.name).filter(|found| is_complete && !is_wanted(found));
    let deleted = left.map(|found| lane(revoked(found).into_iter().collect()));
    written.chain(deleted).filter(|lane| !lane.writes.is_empty()).collect()
}

/// Returns the writes that delete the shared bindings of the add-ons that left the repository and all clusters.
pub(crate) fn abandoned(input: &Input<'_>) -> Vec<Lane> {
    let is_gone = |name: &&UnitName| {
        let repository = input.repository;
        let is_declared = repository.addons.contains_key(*name) || repository.blocked.contains_key(*name);
        !is_declared
            && !input.fleet.cluster_addons.contains_key(*name)
            && !input.fleet.addons.contains_key(name.as_str())
    };
    let gone = input.fleet.role_bindings.keys().filter(is_gone);
    gone.flat_map(|name| left(input, name)).filter_map(revoked).map(|write| lane(vec![write])).collect()
}

/// Returns the shared bindings of an add-on on the hub that this instance wrote.
fn left<'a>(input: &Input<'a>, name: &UnitName) -> impl Iterator<Item = &'a RoleBinding> {
    let ownership = input.ownership();
    let found = input.fleet.role_bindings.get(name).into_iter().flatten().flat_map(|(_, bindings)| bindings.values());
    found.map(|binding| &**binding).filter(move |binding| {
        let is_shared = binding.metadata.owner_references.as_ref().is_none_or(Vec::is_empty);
        is_shared && ownership.of_mark(Mark::of(&binding.metadata)) == Owner::Ours
    })
}

fn lane(writes: Vec<Write>) -> Lane {
    Lane { stage: Stage::Deliver, writes }
}
