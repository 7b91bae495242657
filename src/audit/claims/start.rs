//! Finds the clusters that started from one commit of the journal to the next.

use std::sync::Arc;

use super::claim::{Start, Started};
use super::gate;
use crate::audit::documents::lines::Changed;
use tidegate_journal::record::{AddonStatus, Rollout};
use tidegate_model::digest::Digest;
use tidegate_model::name::UnitName;
use tidegate_model::time::Timestamp;

/// What a commit changes in an add-on.
pub(in crate::audit) struct Step<'a> {
    /// The add-on.
    pub(in crate::audit) addon: &'a UnitName,
    /// Its status before.
    pub(in crate::audit) before: Option<&'a AddonStatus>,
    /// Its status after.
    pub(in crate::audit) after: &'a AddonStatus,
    /// The rollouts that the commit seals.
    pub(in crate::audit) ended: &'a [Rollout],
    /// The last digest that all clusters completed before.
    pub(in crate::audit) good: Option<&'a Digest>,
    /// Whether an earlier rollout completed what the last one brings.
    pub(in crate::audit) was_completed: bool,
    /// Whether the commit is the first one of the journal and combines earlier entries, which are lost.
    pub(in crate::audit) begins_again: bool,
    /// When the previous commit was written, if the unit comes back to the journal with this one.
    pub(in crate::audit) returns_after: Option<Timestamp>,
    /// The clusters whose lines changed.
    pub(in crate::audit) changed: &'a [Changed],
    /// The record of the fleet.
    pub(in crate::audit) fleet: Option<&'a Arc<Vec<u8>>>,
    /// When the commit was written.
    pub(in crate::audit) at: Timestamp,
}

/// Returns the clusters that started; `None` if none did.
pub(in crate::audit) fn start(step: &Step<'_>) -> Option<Start> {
    let starts = step.changed.iter().filter(|changed| gate::has_started(changed));
    let clusters: Vec<Started> = starts.map(|changed| started(changed, step)).collect();
    (!clusters.is_empty()).then(|| Start {
        addon: step.addon.clone(),
        before: step.before.cloned().map(Arc::new),
        after: Arc::new(step.after.clone()),
        ended: step.ended.to_vec(),
        good: step.good.cloned(),
        was_completed: step.was_completed,
        begins_again: step.begins_again,
        clusters,
        fleet: step.fleet.cloned(),
    })
}

fn started(changed: &Changed, step: &Step<'_>) -> Started {
    let Changed { name, line, after: cluster, .. } = changed;
    let placements = &step.after.placements;
    // With one placement, clusters do not name it.
    let only = placements.first().filter(|_| placements.len() == 1 && cluster.group.is_some());
    let placement = match only {
        Some(only) if cluster.placement.is_empty() => only.placement.clone(),
        _ => cluster.placement.clone(),
    };
    let group = cluster.group.map(|index| gate::group_name(step.after, &placement, index));
    Started {
        name: name.clone(),
        line: *line,
        group: group.unwrap_or_else(|| "0".to_owned()),
        placement,
        index: cluster.group,
        at: cluster.started.unwrap_or(step.at),
        is_older: gate::is_older(changed, step.returns_after),
    }
}
