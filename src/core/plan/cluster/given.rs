//! One cluster of a unit whose only objects on the hub are its works: what it is given, and how far it is.
//!
//! What the cluster was given is recorded on one of its works, in the same patch as the content of that work. The other works follow in the
//! same lane, so that a cluster with new content always counts as started.

use serde_json::{Value, json};

use super::decide;
use super::object::merged;
use super::planned::Planned;
use super::rendering::Undeliverable;
use super::works::{assigned, repairs};
use crate::context::{Action, Context, Subject};
use crate::hub_objects::ownership::Owner;
use crate::memo::Memo;
use tidegate_api::key;
use tidegate_api::mark::Mark;
use tidegate_api::object_key;
use tidegate_api::precondition::precondition;
use tidegate_delivery::upstream::{Record, recorded};
use tidegate_model::action::Write;
use tidegate_model::name::ApplicationName;
use tidegate_model::object::ObjectKey;
use tidegate_model::shared::Shared;

/// Decides what to write for one cluster. A cluster that has no record and does not start gets nothing.
pub(crate) fn planned(
    context: &Context<'_>,
    subject: &Subject<'_>,
    unit: &ApplicationName,
    memo: &mut Memo,
) -> Planned {
    if let Some(work) = taken(context, subject) {
        return Planned { problem: Some(Undeliverable::Taken(work)), ..Planned::default() };
    }
    let before = recorded(unit, subject.name, context.works(subject.name));
    if subject.action == Action::Wait || before.is_none() && subject.action != Action::Start {
        let had = assigned(context, subject).map(Shared::from);
        let writes = had.map(|had| repairs(context, &Subject { desired: &had, ..*subject }, memo));
        return Planned { writes: writes.unwrap_or_default(), ..Planned::default() };
    }
    let mut status = subject.addon.status.clone().unwrap_or_default();
    let planned = decide::decided(context, subject, memo, &mut status);
    if planned.problem.is_some() {
        // It does not start, and keeps what it has.
        return Planned { writes: Vec::new(), ..planned };
    }
    let after = Record::new(unit, subject.name, &status);
    let writes = with_record(context, subject, before, &after, planned.writes);
    Planned { writes, ..planned }
}

/// Returns a work with the name of one of this unit that this instance did not create.
fn taken(context: &Context<'_>, subject: &Subject<'_>) -> Option<ObjectKey> {
    let ownership = context.input.ownership();
    let is_taken = |name: &str, mark: Option<Mark>| {
        name.starts_with(&context.owner.prefix) && ownership.of_mark(mark) != Owner::Ours
    };
    let mut works = context.works(subject.name).iter();
    let (name, _) = works.find(|(name, work)| is_taken(name, Mark::of(&work.metadata)))?;
    Some(object_key::work(subject.name.as_str(), name))
}

/// Adds the record to the writes of the works. The work that has it is written first.
fn with_record(
    context: &Context<'_>,
    subject: &Subject<'_>,
    before: Option<(&str, Record)>,
    after: &Record,
    mut writes: Vec<Write>,
) -> Vec<Write> {
    let is_deleted =
        |name: &str| writes.iter().any(|write| matches!(write, Write::Delete { key, .. } if key.name == name));
    let moves = before.as_ref().is_some_and(|(name, _)| is_deleted(name));
    if !moves && before.as_ref().is_some_and(|(_, before)| !before.differs(after)) {
        return writes;
    }
    let annotated = json!({ "metadata": { "annotations": { key::ASSIGNMENT: after.annotation() } } });
    let alone = |name: &str| {
        let work = context.works(subject.name).get(name)?;
        let (key, precondition) = (object_key::work(subject.name.as_str(), name), precondition(&work.metadata)?);
        Some(Write::Patch { key, precondition, patch: annotated.clone().into() })
    };
    match before {
        Some((name, _)) if !moves => {
            let position = writes.iter().position(|write| write.key().is_some_and(|key| key.name == name));
            let write = match position.map(|position| writes.remove(position)) {
                Some(write) => Some(with(write, &annotated)),
                None => alone(name),
            };
            write.into_iter().chain(writes).collect()
        }
        before => {
            // A record that moves is written to both works: the old one is deleted last.
            let first = before.and_then(|(name, _)| alone(name));
            let mut rest = writes.into_iter();
            let next = rest.next().map(|write| with(write, &annotated));
            first.into_iter().chain(next).chain(rest).collect()
        }
    }
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
