//! The groups of a rollout on a time axis: as they were, and as they are expected.

use schemars::JsonSchema;
use serde::Serialize;

use crate::facts::Facts;
use crate::forecast::{Band, Durations};
use tidegate_journal::history::Story;
use tidegate_journal::record::{GateRecord, Outcome, SealedCluster};
use tidegate_model::progress::{ClusterState, Counts, Phase};
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
    /// Whether only clusters remain that the rollout does not wait for.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub left_out: bool,
    /// Whether there was nothing to do: its clusters have what they should have, and the rollout did not start on any.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub unchanged: bool,
    /// The closed gates that it waits for, and what opens them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub gates: Vec<Gate>,
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
    /// Returns `true` if something remains to be done.
    pub fn is_open(&self) -> bool {
        self.done.is_none() && !self.unchanged && !self.left_out
    }

    /// Returns `true` if it waits for something else than time.
    pub fn is_stuck(&self) -> bool {
        self.gates.iter().any(|gate| gate.look_at.is_none())
    }

    /// Returns when all of its gates are looked at, if time alone may open them.
    fn opens_at(&self) -> Option<Timestamp> {
        self.gates.iter().filter_map(|gate| gate.look_at).max()
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
    let mut waves: Vec<Wave> = Vec::new();
    for group in &story.groups {
        let members: Vec<&SealedCluster> = story.clusters.iter().filter(|member| member.group == group.group).collect();
        let is_of = |gate: &&GateRecord| group.group.map_or(gate.placement.is_empty(), |index| gate.group == index);
        let counts = members.iter().fold(Counts::default(), |counts, member| counts.with(member.state));
        let is_settled = members.iter().all(|member| member.state.is_settled());
        let is_left_out = members.iter().all(|member| member.state.is_settled() || member.left_out.is_some());
        // The journal has only the end of a removal.
        let removed = members.iter().filter(|member| member.state == ClusterState::Removed);
        let removed = removed.filter_map(|member| member.finished).max();
        waves.push(Wave {
            name: name(group.group, story, facts),
            group: group.group,
            counts,
            started: group.started,
            done: group.finished.or(removed.filter(|_| is_settled)),
            unchanged: group.started.is_none() && removed.is_none() && is_settled,
            left_out: is_left_out && !is_settled,
            gates: gates.iter().filter(is_of).map(Gate::from).collect(),
            begins: None,
            expected: None,
        });
    }
    // Earlier upgrades say nothing about a removal.
    if is_open && story.phase == Some(Phase::Progressing) {
        expect(&mut waves, &Durations::before(&facts.history, story), now);
    }
    waves
}

/// Adds what is expected. A group starts when those before it are done, not before now, and not before its gates are looked at; so do the
/// clusters of a group that has started, but waits again. A gate that waits for something else than time is assumed to open now. Nothing is
/// expected from a group on that is later than nine of ten.
fn expect(waves: &mut [Wave], durations: &Durations, now: Timestamp) {
    let mut free = Band { p50: now, p90: now };
    for wave in waves.iter_mut().filter(|wave| wave.is_open()) {
        let opens = wave.opens_at().unwrap_or(now).max(now);
        let start = match wave.started {
            Some(started) if wave.gates.is_empty() => Band { p50: started, p90: started },
            _ => Band { p50: free.p50.max(opens), p90: free.p90.max(opens) },
        };
        let Some(done) = durations.done(wave.group, start).filter(|done| done.p90 >= now) else { return };
        wave.begins = wave.started.is_none().then_some(start);
        let done = Band { p50: done.p50.max(now), p90: done.p90 };
        wave.expected = Some(done);
        free = Band { p50: free.p50.max(done.p50), p90: free.p90.max(done.p90) };
    }
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
