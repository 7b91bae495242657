//! One add-on on one cluster that OCM's add-on manager delivers: what it is assigned, and how far it is.

use serde_json::{Value, json};

use crate::cluster::object::{created, merged, own_configs};
use crate::cluster::planned::Planned;
use crate::cluster::proven::proven;
use crate::cluster::rendering::{Undeliverable, rendering};
use crate::cluster::start::start;
use crate::cluster::status::{keep_overdue, record};
use crate::context::{Action, Context, Subject};
use crate::memo::Memo;
use tidegate_api::condition;
use tidegate_api::key;
use tidegate_api::object_key;
use tidegate_api::ocm::managed_cluster_addon::{ManagedClusterAddOn, ManagedClusterAddOnStatus};
use tidegate_api::precondition::precondition;
use tidegate_delivery::status::proof::{self, Generations};
use tidegate_delivery::status::{Progress, configured};
use tidegate_delivery::upstream::{self, Assignment};
use tidegate_model::action::Write;
use tidegate_model::name::NamespacedName;
use tidegate_model::object::ObjectKey;

/// Decides what to write for one cluster: its assignment and its `spec.configs`, always in one patch. Its status, its works and its
/// RoleBindings belong to the add-on manager.
///
/// A cluster without an assignment that does not start is left to the [hand-over](super::handover).
pub(crate) fn planned(context: &Context<'_>, subject: &Subject<'_>, memo: &mut Memo) -> Planned {
    let reported = context.reported(subject.name);
    let before = reported.and_then(|reported| Assignment::of(&reported.metadata));
    let mut status = subject.addon.status.clone().unwrap_or_default();
    match (subject.action, reported.zip(before)) {
        (Action::Start, before) => started(context, subject, before.map(|(_, before)| before), status),
        (_, None) => Planned::default(),
        (Action::Wait, Some((reported, before))) => {
            let writes = if before.is_pinned(reported) { None } else { patched(reported, &before) };
            Planned { writes: writes.into_iter().collect(), ..Planned::default() }
        }
        (_, Some((reported, before))) => {
            let works = context.works(subject.name).values().map(|work| &**work);
            let checks_health = context.rules.checks_health;
            let progress = match upstream::progress(reported, &before, works, checks_health) {
                Progress::Completed if checks_health => match doubt(context, subject, memo) {
                    Some(why) => Progress::Unwell { why },
                    None => Progress::Completed,
                },
                progress => progress,
            };
            let progress = if checks_health { proven(context, subject, &mut status, progress, None) } else { progress };
            record(context, subject, &mut status, &progress);
            if context.rules.records_overdue {
                keep_overdue(subject, Some(&progress), &mut status, context.input.now);
            }
            let after = before.clone().with_status(&status);
            let is_current = before.is_pinned(reported) && !before.differs(&after);
            let writes = if is_current { None } else { patched(reported, &after) };
            Planned { writes: writes.into_iter().collect(), progress: Some(progress), ..Planned::default() }
        }
    }
}

/// Assigns a cluster what it should have. Its add-on is created if it does not exist.
fn started(
    context: &Context<'_>,
    subject: &Subject<'_>,
    before: Option<Assignment>,
    mut status: ManagedClusterAddOnStatus,
) -> Planned {
    let Some(copies) = context.copies.of(subject.desired) else {
        let unknown = subject.desired.iter().find(|desired| desired.spec_hash.is_empty());
        let unknown = unknown.map(|desired| NamespacedName::new(&desired.reference.namespace, &desired.reference.name));
        let problem = unknown.map_or(Undeliverable::Uncopied, Undeliverable::Unknown);
        return Planned { problem: Some(problem), ..Planned::default() };
    };
    condition::set(&mut status.conditions, configured::assigned(), context.input.now);
    start(context, subject, &mut status);
    if context.rules.checks_health {
        proof::start(&mut status, &Generations::new(), context.input.now);
    }
    let reported = context.reported(subject.name);
    let own = match (before, reported) {
        (Some(before), _) => before.own,
        (None, reported) => {
            reported.map(|reported| own_configs(context, reported).cloned().collect()).unwrap_or_default()
        }
    };
    let (addon, cluster) = (context.name.to_string(), subject.name.to_string());
    let assignment = Assignment { addon, cluster, copies, own, ..Assignment::default() }.with_status(&status);
    let write = match reported {
        Some(reported) => patched(reported, &assignment),
        None => context.management().and_then(|addon| {
            let object = created(context, addon, subject.name)?;
            Some(Write::Create { object: merged(object, assigned(&assignment)).into() })
        }),
    };
    Planned { writes: write.into_iter().collect(), progress: Some(Progress::Unacknowledged), ..Planned::default() }
}

/// Returns why the works of a cluster do not show that its add-on is healthy. The manager's condition `Available` may still be about the
/// previous works. Add-ons without a template are judged by that condition alone.
fn doubt(context: &Context<'_>, subject: &Subject<'_>, memo: &mut Memo) -> Option<String> {
    let works = context.works(subject.name);
    if works.is_empty() {
        return None;
    }
    let rendered = rendering(context, (subject.name, subject.cluster), subject.desired, memo).ok()?;
    tidegate_delivery::doubt(&tidegate_delivery::Evidence {
        owner: context.owner,
        cluster: subject.cluster,
        works,
        probes: &rendered.probes,
        conditioned: &[],
        has_manifest_applied: true,
    })
}

/// Returns the patch that gives a cluster this assignment.
pub(super) fn patched(reported: &ManagedClusterAddOn, assignment: &Assignment) -> Option<Write> {
    let precondition = precondition(&reported.metadata)?;
    Some(Write::Patch { key: key_of(reported), precondition, patch: assigned(assignment).into() })
}

/// Returns the key of an add-on on a cluster.
pub(super) fn key_of(addon: &ManagedClusterAddOn) -> ObjectKey {
    let (namespace, name) = (addon.metadata.namespace.as_deref(), addon.metadata.name.as_deref());
    object_key::cluster_addon(namespace.unwrap_or_default(), name.unwrap_or_default())
}

/// Returns the members of a ManagedClusterAddOn that carry an assignment.
fn assigned(assignment: &Assignment) -> Value {
    let annotations = json!({ key::ASSIGNMENT: assignment.annotation() });
    json!({ "metadata": { "annotations": annotations }, "spec": { "configs": assignment.pins() } })
}
