//! The groups of a rollout on a time axis: as they were, and as they are expected.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use crate::facts::Facts;
use crate::forecast::{Band, Durations};
use tidegate_journal::history::Story;
use tidegate_journal::record::{GateRecord, Outcome};
use tidegate_model::progress::{Counts, Phase};
use tidegate_model::time::{Rfc3339, Timestamp};

/// One group of a rollout.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Wave {
    /// Its name, such as `canary`, or `group 1`.
    pub name: String,
    /// Index of the group; absent for clusters chosen by hand.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub group: Option<i32>,
    /// Its clusters.
    pub counts: Counts,
    /// When its first cluster started; absent if none has.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Rfc3339>")]
    pub started: Option<Timestamp>,
    /// When its last cluster was done; absent if not all are.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Rfc3339>")]
    pub done: Option<Timestamp>,
    /// The closed gate that it waits for, and what opens it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gate: Option<Gate>,
    /// When its start is expected; absent if it has started, and if it is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub begins: Option<Band>,
    /// When its end is expected; absent if it is done, and if it is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected: Option<Band>,
}

/// A closed gate.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Gate {
    /// Which gate it is.
    pub gate: String,
    /// What opens it, and who can.
    pub opens: String,
    /// Since when clusters wait for it.
    #[schemars(with = "Rfc3339")]
    pub since: Timestamp,
    /// When it is looked at next, if time alone may open it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Rfc3339>")]
    pub look_at: Option<Timestamp>,
}

impl Wave {
    /// Returns `true` if it waits for something else than time.
    pub fn is_stuck(&self) -> bool {
        self.gate.as_ref().is_some_and(|gate| gate.look_at.is_none())
    }
}

impl From<&GateRecord> for Gate {
    fn from(record: &GateRecord) -> Self {
        let GateRecord { gate, opens, since, look_at, .. } = record.clone();
        Self { gate, opens, since, look_at }
    }
}

/// Returns the groups of a rollout, in order.
pub(crate) fn waves(story: &Story, facts: &Facts, now: Timestamp) -> Vec<Wave> {
    let is_open = story.rollout.outcome == Outcome::InProgress;
    let status = facts.journal.addons.get(&story.addon);
    let gates = status.filter(|_| is_open).map(|status| status.gates.as_slice()).unwrap_or_default();
    let counts = counts(story);
    let mut waves: Vec<Wave> = Vec::new();
    for group in &story.groups {
        let gate = gates.iter().find(|gate| Some(gate.group) == group.group);
        waves.push(Wave {
            name: name(group.group, story, facts),
            group: group.group,
            counts: counts.get(&group.group).copied().unwrap_or_default(),
            started: group.started,
            done: group.finished.or_else(|| settled(group.group, &counts, story)),
            gate: gate.map(Gate::from),
            begins: None,
            expected: None,
        });
    }
    let is_moving = matches!(story.phase, Some(Phase::Progressing | Phase::Removing));
    if is_open && is_moving {
        expect(&mut waves, &Durations::before(&facts.history, story), now);
    }
    waves
}

/// Adds what is expected. A group starts when those before it are done, not before now, and not before its gate is looked at. A gate that
/// waits for something else than time is assumed to open now.
fn expect(waves: &mut [Wave], durations: &Durations, now: Timestamp) {
    let mut free = Band { p50: now, p90: now };
    for wave in waves.iter_mut().filter(|wave| wave.done.is_none()) {
        let start = match wave.started {
            Some(started) => Band { p50: started, p90: started },
            None => {
                let opens = wave.gate.as_ref().and_then(|gate| gate.look_at).unwrap_or(now);
                let start = Band { p50: free.p50.max(opens), p90: free.p90.max(opens) };
                wave.begins = Some(start);
                start
            }
        };
        let Some(done) = durations.done(wave.group, start) else {
            wave.begins = None;
            return;
        };
        // What is late already is not expected in the past.
        let done = Band { p50: done.p50.max(now), p90: done.p90.max(now) };
        wave.expected = Some(done);
        free = Band { p50: free.p50.max(done.p50), p90: free.p90.max(done.p90) };
    }
}

fn counts(story: &Story) -> BTreeMap<Option<i32>, Counts> {
    let mut counts: BTreeMap<Option<i32>, Counts> = BTreeMap::new();
    for cluster in &story.clusters {
        let entry = counts.entry(cluster.group).or_default();
        *entry = entry.with(cluster.state);
    }
    counts
}

/// Returns the start of the rollout for a group that had the new configurations before: there was nothing to do.
fn settled(group: Option<i32>, counts: &BTreeMap<Option<i32>, Counts>, story: &Story) -> Option<Timestamp> {
    let Counts { total, succeeded, .. } = counts.get(&group)?;
    (total == succeeded).then_some(story.rollout.started)
}

/// Returns the name of a group, as the status of the add-on has it.
pub(crate) fn name(group: Option<i32>, story: &Story, facts: &Facts) -> String {
    let Some(index) = group else { return "clusters".to_owned() };
    let placements = facts.journal.addons.get(&story.addon).map(|status| status.placements.as_slice());
    let groups = placements.unwrap_or_default().iter().flat_map(|placement| &placement.groups);
    let mut names: Vec<&str> = groups.filter(|group| group.index == index).map(|group| group.name.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    match names.as_slice() {
        [name] if !name.is_empty() => (*name).to_owned(),
        _ => format!("group {index}"),
    }
}
