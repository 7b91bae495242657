//! The change from one delivery to the other. Nothing is uninstalled, and no cluster gets another configuration.
//!
//! To OCM's add-on manager: each cluster is assigned copies of the configurations that it has, before the manager takes over the add-on.
//! Back from it: the assignment moves into the status, and `spec.configs` becomes what it was.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::assign::{key_of, patched};
use crate::cluster::object::own_configs;
use crate::cluster::status::restart;
use crate::context::{Channel, Context, Planned};
use crate::hub_objects::ownership::Owner;
use crate::hub_objects::unassigned::is_unassigned;
use crate::status_patch::status_patch;
use tidegate_api::condition;
use tidegate_api::key;
use tidegate_api::ocm::managed_cluster_addon::{AddOnConfigReference, ManagedClusterAddOn, ManagedClusterAddOnStatus};
use tidegate_api::precondition::precondition;
use tidegate_delivery::status::progress::reason;
use tidegate_delivery::status::{Desired, Entry, Progress, configured, proof};
use tidegate_delivery::upstream::view::with_assignment;
use tidegate_delivery::upstream::{Assignment, is_assigned};
use tidegate_model::action::{Lane, Precondition, Stage, Write};
use tidegate_model::name::ClusterName;
use tidegate_model::object::ObjectKey;
use tidegate_model::plural::first_of;
use tidegate_model::progress::ClusterState;

/// Adds to the plan of an add-on the writes that hand over its clusters, except for those that are written anyway.
pub(crate) fn run(context: &Context<'_>, planned: &mut Planned) {
    let written: BTreeSet<ObjectKey> =
        planned.lanes.iter().flat_map(|lane| &lane.writes).filter_map(Write::key).collect();
    let ownership = context.input.ownership();
    let mut unknown = Vec::new();
    let is_native = match context.channel() {
        Channel::Native(_) => true,
        Channel::Upstream => false,
        Channel::Application(_) => return,
    };
    for (cluster, addon) in context.observed() {
        let owner = ownership.of_install(addon);
        if !owner.may_write() || addon.metadata.deletion_timestamp.is_some() || written.contains(&key_of(addon)) {
            continue;
        }
        let before = context.input.past.cluster(context.name, cluster);
        let is_done = before.is_some_and(|before| before.state == ClusterState::Succeeded);
        let writes = match is_native {
            true => returned(context, cluster, addon, is_done),
            false if !is_unassigned(addon) => continue,
            false if has_nothing(context, cluster, addon) => {
                // The manager would deliver the default configurations at once. The cluster gets the add-on in its turn.
                let precondition = precondition(&addon.metadata).filter(|_| owner == Owner::Ours);
                precondition
                    .map(|precondition| Write::Delete { key: key_of(addon), precondition })
                    .into_iter()
                    .collect()
            }
            false => match kept(context, cluster, addon, is_done) {
                Some(write) => vec![write],
                None => {
                    unknown.push(cluster);
                    continue;
                }
            },
        };
        if !writes.is_empty() {
            planned.lanes.push(Lane { stage: Stage::Deliver, writes });
        }
    }
    if !unknown.is_empty() && context.copies.lanes.is_empty() {
        let named = first_of(unknown.iter().map(|cluster| cluster.as_str()), 3);
        planned.notices.push(format!(
            "add-on {} on {named} has a configuration that no known revision contains, so it follows the object on the hub until its turn",
            context.name
        ));
    }
}

/// Returns `true` if clusters are yet to be handed over to OCM's add-on manager. Until then, statuses may be those of either delivery, so
/// nothing may start. A cluster whose configurations are not known is handed over when it starts.
pub(crate) fn is_pending(context: &Context<'_>) -> bool {
    if context.channel() != Channel::Upstream {
        return false;
    }
    let ownership = context.input.ownership();
    context.observed().any(|(cluster, addon)| {
        let owner = ownership.of_install(addon);
        let is_known = || had(context, addon).is_some_and(|had| context.copies.knows(&had));
        is_unassigned(addon)
            && if has_nothing(context, cluster, addon) { owner == Owner::Ours } else { owner.may_write() && is_known() }
    })
}

/// Returns `true` if a cluster is yet to be handed back: it has an assignment, or lost it and still names copies.
pub(crate) fn is_returning(context: &Context<'_>, seen: &ManagedClusterAddOn) -> bool {
    is_assigned(seen) || names_copy(context, seen)
}

/// Returns `true` if a cluster without an assignment names a copy, so that it had one.
fn names_copy(context: &Context<'_>, addon: &ManagedClusterAddOn) -> bool {
    addon.spec.configs.iter().any(|config| context.copies.original_of(config).is_some())
}

/// Returns the configurations that a cluster without an assignment has; `None` if an entry of its status names none, or a copy of
/// another instance.
///
/// If all configurations that it names are copies, these are the ones that it was assigned, and its status may be out of date.
fn had(context: &Context<'_>, addon: &ManagedClusterAddOn) -> Option<Vec<Desired>> {
    let named: Option<Vec<_>> = addon.spec.configs.iter().map(|c| context.copies.original_of(c).cloned()).collect();
    named.filter(|named| !named.is_empty()).or_else(|| {
        let found = addon.config_references().iter().map(Entry::desired);
        let is_known = |found: &Desired| !context.copies.is_foreign(&found.reference);
        found.map(|found| Some(context.copies.original(found.filter(is_known)?))).collect()
    })
}

fn has_nothing(context: &Context<'_>, cluster: &ClusterName, addon: &ManagedClusterAddOn) -> bool {
    let status = addon.status.as_ref();
    let is_configured = status.is_some_and(|status| condition::is_true(&status.conditions, key::CONFIGURED));
    let has_references = status.is_some_and(|status| !status.config_references.is_empty());
    !is_configured && !has_references && !names_copy(context, addon) && context.works(cluster).is_empty()
}

/// Returns the write that assigns a cluster what it already has; `None` if the copies are not ready.
fn kept(context: &Context<'_>, cluster: &ClusterName, addon: &ManagedClusterAddOn, is_done: bool) -> Option<Write> {
    let had = had(context, addon)?;
    let copies = context.copies.of(&had)?;
    patched(addon, &Assignment { copies, ..restored(context, cluster, addon, &had, is_done) })
}

/// Returns the assignment of a cluster that has none, without its copies. `is_done` is `true` if the cluster was done before: the manager
/// reports success earlier than Tidegate does, so its report alone does not count.
fn restored(
    context: &Context<'_>,
    cluster: &ClusterName,
    addon: &ManagedClusterAddOn,
    had: &[Desired],
    is_done: bool,
) -> Assignment {
    let mut status = addon.status.clone().unwrap_or_default();
    let reported = status.config_references;
    let reference = |desired: &Desired| {
        let is_same = |found: &&AddOnConfigReference| {
            found.desired().map(|found| context.copies.original(found)).as_ref() == Some(desired)
        };
        let found = reported.iter().find(is_same).cloned().unwrap_or_default();
        let applied = found.last_applied_config.clone().and_then(|config| {
            let found = AddOnConfigReference { desired_config: Some(config), ..found.clone() };
            Some(context.copies.original(found.desired()?))
        });
        AddOnConfigReference {
            group: desired.reference.group.clone(),
            resource: desired.reference.resource.clone(),
            desired_config: Some(desired.config()),
            last_applied_config: applied.map(|applied| applied.config()).filter(|_| is_done),
            ..found
        }
    };
    status.config_references = had.iter().map(reference).collect();
    condition::set(&mut status.conditions, configured::assigned(), context.input.now);
    restart(&mut status.conditions, key::CONFIGURED, context.input.now);
    if !is_done {
        wait_again(context, &mut status);
    }
    let own = own_configs(context, addon).cloned().collect();
    let (name, cluster) = (context.name.to_string(), cluster.to_string());
    Assignment { addon: name, cluster, own, ..Assignment::default() }.with_status(&status)
}

/// Returns the writes that put an assignment into the status. They are repeated until both have succeeded.
fn returned(context: &Context<'_>, cluster: &ClusterName, seen: &ManagedClusterAddOn, is_done: bool) -> Vec<Write> {
    let Some(addon) = context.reported(cluster).filter(|_| is_returning(context, seen)) else { return Vec::new() };
    let lost = || Some(restored(context, cluster, addon, &had(context, addon)?, is_done));
    let Some(assignment) = Assignment::of(&addon.metadata).or_else(lost) else { return Vec::new() };
    let Some(precondition) = precondition(&addon.metadata) else { return Vec::new() };
    let view = with_assignment(addon, assignment);
    let (before, mut after) = (addon.status.clone().unwrap_or_default(), view.status.unwrap_or_default());
    proof::forget(&mut after);
    if !is_done && condition::find(&after.conditions, key::PROGRESSING).is_some_and(|c| c.reason == reason::COMPLETED) {
        wait_again(context, &mut after);
    }
    let configs = if view.spec.configs.is_empty() { Value::Null } else { json!(view.spec.configs) };
    let patch = json!({ "metadata": { "annotations": { key::ASSIGNMENT: null } }, "spec": { "configs": configs } });
    // The first write changes the version.
    let unversioned = Precondition { resource_version: None, ..precondition.clone() };
    let status = status_patch(&before, &after);
    let moved =
        status.map(|status| Write::PatchStatus { key: key_of(addon), precondition: Some(precondition), status });
    moved
        .into_iter()
        .chain([Write::Patch { key: key_of(addon), precondition: unversioned, patch: patch.into() }])
        .collect()
}

/// Lets a cluster that soaks become done again. While works are handed over, it is not known to be healthy, which must not count as a failure.
fn wait_again(context: &Context<'_>, status: &mut ManagedClusterAddOnStatus) {
    condition::set(&mut status.conditions, Progress::NotReady.claim(), context.input.now);
    restart(&mut status.conditions, key::PROGRESSING, context.input.now);
}
