//! One cluster of a unit whose only objects on the hub are its works: what it is given, and how far it is.
//!
//! What the cluster was given is recorded on one of its works, in the same patch as the content of that work. The other works follow in the
//! same lane, so that a cluster with new content always counts as started.

use std::sync::Arc;

use serde_json::{Value, json};

use super::decide;
use super::object::merged;
use super::planned::Planned;
use super::rendering::Undeliverable;
use super::works::{assigned, repairs};
use crate::context::{Action, Channel, Context, Subject};
use crate::hub_objects::ownership::Owner;
use crate::memo::Memo;
use crate::moves::{self, Move};
use crate::report::missing::Missing;
use tidegate_api::key;
use tidegate_api::mark::Mark;
use tidegate_api::object_key;
use tidegate_api::ocm::manifest_work::ManifestWork;
use tidegate_api::precondition::precondition;
use tidegate_delivery::upstream::{Record, recorded};
use tidegate_model::action::Write;
use tidegate_model::name::{ApplicationName, ClusterName};
use tidegate_model::shared::Shared;

/// Decides what to write for one cluster. A cluster that has no record and does not start gets nothing.
pub(crate) fn planned(
    context: &Context<'_>,
    subject: &Subject<'_>,
    unit: &ApplicationName,
    memo: &mut Memo,
) -> Planned {
    let before = recorded(unit, subject.name, context.works(subject.name));
    let moved = moved(context, subject);
    if subject.action == Action::Wait || moved.is_some() || before.is_none() && subject.action != Action::Start {
        let had = assigned(context, subject).map(Shared::from);
        let repaired = |had| repairs(context, &Subject { desired: &had, action: Action::Wait, ..*subject }, memo);
        let writes = had.map(repaired).unwrap_or_default();
        let problem = moved.map(|moved| Undeliverable::Moves(Box::new(moved)));
        return Planned { writes, problem, ..Planned::default() };
    }
    let mut status = subject.addon.status.clone().unwrap_or_default();
    let planned = decide::decided(context, subject, memo, &mut status);
    if planned.problem.is_some() {
        // It does not start, and keeps what it has.
        return Planned { writes: Vec::new(), ..planned };
    }
    let after = Record::new(unit, subject.name, &status, planned.opened);
    let writes = with_record(context, subject, before, &after, planned.writes);
    Planned { writes, ..planned }
}

/// Returns an object that a start would take from the cluster before another unit has it.
fn moved(context: &Context<'_>, subject: &Subject<'_>) -> Option<Move> {
    let is_start = subject.action == Action::Start;
    is_start.then(|| moves::pending(context.input, context.occupants, context.name, subject.name)).flatten()
}

/// Returns why a cluster is left alone, if works on it are in the way.
pub(crate) fn obstacle(context: &Context<'_>, cluster: &ClusterName) -> Option<Missing> {
    if is_taken(context, cluster) {
        return Some(Missing::Taken);
    }
    let (occupants, input) = (context.occupants, context.input);
    let kept = || occupants.keeper(input, context.name, cluster).map(|by| Missing::Kept { by: by.clone() });
    let alike = || occupants.alike(input, context.name, cluster).map(|by| Missing::Alike { by: by.clone() });
    occupied(context, cluster).or_else(kept).or_else(alike)
}

/// Returns `true` if a cluster is left alone: a work with the name of one of this unit was not created by this instance, or cannot be read.
fn is_taken(context: &Context<'_>, cluster: &ClusterName) -> bool {
    let Channel::Application(_) = context.channel() else { return false };
    let (ownership, prefix) = (context.input.ownership(), context.owner.prefix.as_str());
    let is_other = |(name, work): (&String, &Arc<ManifestWork>)| {
        name.starts_with(prefix) && ownership.of_mark(Mark::of(&work.metadata)) != Owner::Ours
    };
    let from = object_key::work(cluster.as_str(), prefix);
    let unreadable = context.input.fleet.unreadable.range(from.clone()..).next().is_some_and(|(key, _)| {
        key.group == from.group
            && key.kind == from.kind
            && key.namespace == from.namespace
            && key.name.starts_with(prefix)
    });
    unreadable || context.works(cluster).iter().any(is_other)
}

/// Returns why a cluster is left alone, if another unit has objects of an application there that this unit delivers: the two would overwrite each
/// other's objects.
fn occupied(context: &Context<'_>, cluster: &ClusterName) -> Option<Missing> {
    let Channel::Application(own) = context.channel() else { return None };
    let works = |application: &ApplicationName| context.input.fleet.works.get(application.as_str())?.get(cluster);
    let mut others = context.unit.published().filter(|application| *application != own);
    if others.any(|application| works(application).is_some_and(|works| !works.is_empty())) {
        return Some(Missing::Occupied);
    }
    let is_shared = |application| context.occupants.has_other(context.input, (context.name, application), cluster);
    context.unit.applications().any(is_shared).then_some(Missing::Shared)
}

/// Returns the writes that mark works of this unit that no instance has marked: a person removed the mark, or an operator hands the hub over.
///
/// Without a mark, nothing vouches for what a work says about its cluster, so its record is removed. The cluster then starts in its turn,
/// behind all gates, and keeps its content until then.
pub(crate) fn reclaimed(context: &Context<'_>, cluster: &ClusterName) -> Vec<Write> {
    let ownership = context.input.ownership();
    let is_unmarked = |(name, work): &(&String, &Arc<ManifestWork>)| {
        name.starts_with(&context.owner.prefix)
            && work.metadata.deletion_timestamp.is_none()
            && ownership.of_mark(Mark::of(&work.metadata)) == Owner::Nobody
    };
    let marked = |(name, work): (&String, &Arc<ManifestWork>)| {
        let patch = json!({ "metadata": {
            "labels": { key::INSTANCE_LABEL: context.input.instance.id },
            "annotations": { key::ASSIGNMENT: null },
        } });
        let key = object_key::work(cluster.as_str(), name);
        Some(Write::Patch { key, precondition: precondition(&work.metadata)?, patch: patch.into() })
    };
    context.works(cluster).iter().filter(is_unmarked).filter_map(marked).collect()
}

/// Adds the record to the writes of the works. The work that has it is written first.
///
/// If the work with the record is to be deleted, the record is first written to that work and to another one.
fn with_record(
    context: &Context<'_>,
    subject: &Subject<'_>,
    before: Option<(&str, Record)>,
    after: &Record,
    mut writes: Vec<Write>,
) -> Vec<Write> {
    let existing = context.works(subject.name);
    let is_deleted =
        |name: &str| writes.iter().any(|write| matches!(write, Write::Delete { key, .. } if key.name == name));
    let (moved, kept) = match before {
        Some((name, _)) if is_deleted(name) => (Some(name), None),
        kept => (None, kept),
    };
    if kept.as_ref().is_some_and(|(_, before)| !before.differs(after)) {
        return writes;
    }
    let written = writes.iter().filter(|write| !matches!(write, Write::Delete { .. })).find_map(Write::key);
    let own = || existing.keys().find(|name| name.starts_with(&context.owner.prefix) && !is_deleted(name)).cloned();
    let Some(holder) = kept.map(|(name, _)| name.to_owned()).or(written.map(|key| key.name)).or_else(own) else {
        return writes;
    };
    let annotated = json!({ "metadata": { "annotations": { key::ASSIGNMENT: after.annotation() } } });
    let alone = |name: &str| {
        let precondition = precondition(&existing.get(name)?.metadata)?;
        let key = object_key::work(subject.name.as_str(), name);
        Some(Write::Patch { key, precondition, patch: annotated.clone().into() })
    };
    let position = writes.iter().position(|write| write.key().is_some_and(|key| key.name == holder));
    let first = match position.map(|position| writes.remove(position)) {
        Some(write) => Some(with(write, &annotated)),
        None => alone(&holder),
    };
    moved.and_then(alone).into_iter().chain(first).chain(writes).collect()
}

/// Returns a write that creates or patches a work, with more members.
fn with(write: Write, added: &Value) -> Write {
    match write {
        Write::Create { object } => Write::Create { object: merged(object.json.value(), added.clone()).into() },
        Write::Patch { key, precondition, patch } => {
            Write::Patch { key, precondition, patch: merged(patch.value(), added.clone()).into() }
        }
        other => other,
    }
}
