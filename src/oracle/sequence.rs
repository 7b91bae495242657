//! Area `rollout-sequence`: decision after decision, while the clusters follow a script.

use std::collections::{BTreeMap, BTreeSet};

use serde::de::Error as _;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::rollout::{Group, Standing, distinct, recheck_after};
use tidegate_api::ocm::rollout_strategy::RolloutStrategy;
use tidegate_model::decision::DecisionGroup;
use tidegate_model::error_chain::ErrorChain;
use tidegate_model::semantics::Semantics;
use tidegate_model::time::{SignedDuration, Timestamp, parse_go_duration};
use tidegate_rollout::{ClusterStatus, Decision, Input, Status};

/// The maximum number of ticks of a case: the answer holds each tick.
const MOST_TICKS: u32 = 10_000;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Case {
    start: Timestamp,
    tick: String,
    max_ticks: u32,
    #[serde(default)]
    report_to_apply: bool,
    decision_groups: Vec<Group>,
    rollout_strategy: RolloutStrategy,
    scripts: BTreeMap<String, Script>,
    #[serde(default)]
    membership_changes: Vec<MembershipChange>,
    #[serde(default)]
    config_changes: Vec<u32>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct MembershipChange {
    at_tick: u32,
    decision_groups: Vec<Group>,
}

/// What a cluster does once it is configured. Ticks are counted from then on.
#[derive(Deserialize)]
#[serde(tag = "outcome", rename_all = "lowercase", rename_all_fields = "camelCase")]
enum Script {
    Succeeds {
        #[serde(default)]
        after_ticks: u32,
    },
    Fails {
        #[serde(default)]
        after_ticks: u32,
        #[serde(default)]
        recovers_after_ticks: u32,
    },
    Never {},
}

impl Script {
    /// Returns the statuses of a cluster that was configured at tick `at`, each with the tick from which it applies.
    fn events(&self, at: u32) -> Vec<(u32, Status)> {
        let mut events = vec![(at, Status::Progressing)];
        match self {
            Self::Succeeds { after_ticks } => events.push((at.saturating_add(*after_ticks), Status::Succeeded)),
            Self::Fails { after_ticks, recovers_after_ticks } => {
                let failed = at.saturating_add(*after_ticks);
                events.push((failed, Status::Failed));
                if *recovers_after_ticks > 0 {
                    events.push((failed.saturating_add(*recovers_after_ticks), Status::Succeeded));
                }
            }
            Self::Never {} => {}
        }
        events
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Tick {
    tick: u32,
    now: Timestamp,
    newly_configured: BTreeSet<String>,
    clusters_to_rollout: Vec<Started>,
    clusters_time_out: Vec<String>,
    clusters_removed: Vec<String>,
    max_failure_breach: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    recheck_after: Option<String>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Started {
    cluster_name: String,
    status: Standing,
}

/// Answers one case.
pub(super) fn answer(input: &Value) -> Result<Value, serde_json::Error> {
    let mut case = Case::deserialize(input)?;
    if case.max_ticks > MOST_TICKS {
        return Err(serde_json::Error::custom(format!("maxTicks is above {MOST_TICKS}")));
    }
    let mut world = World {
        start: case.start,
        tick: parse_go_duration(&case.tick).map_err(serde_json::Error::custom)?,
        groups: distinct(std::mem::take(&mut case.decision_groups))?,
        scripts: std::mem::take(&mut case.scripts),
        configured: BTreeMap::new(),
    };
    let mut changes = BTreeMap::new();
    for change in std::mem::take(&mut case.membership_changes) {
        changes.insert(change.at_tick, distinct(change.decision_groups)?);
    }
    let mut ticks = Vec::new();
    for tick in 0..=case.max_ticks {
        let gone = changes.remove(&tick).map(|groups| world.regroup(groups)).unwrap_or_default();
        if case.config_changes.contains(&tick) {
            world.configured.clear();
        }
        let decision = match world.decide(&case, tick, &gone)? {
            Ok(decision) => decision,
            Err(error) => return Ok(json!({ "error": ErrorChain(&error).to_string() })),
        };
        let started = world.configure(&decision, tick);
        let is_change_outstanding = !changes.is_empty() || case.config_changes.iter().any(|at| *at > tick);
        let is_settled = started.is_empty()
            && decision.wake_after.is_none()
            && !is_change_outstanding
            && !world.has_event_after(tick, &gone);
        ticks.push(told(tick, world.now(tick)?, started, decision));
        world.forget(&gone);
        if is_settled {
            return ended("settled", &ticks, &world, tick);
        }
    }
    ended("maxTicks", &ticks, &world, case.max_ticks)
}

/// The clusters and their progress.
struct World {
    start: Timestamp,
    tick: SignedDuration,
    groups: Vec<DecisionGroup>,
    scripts: BTreeMap<String, Script>,
    /// At which tick each configured cluster was configured.
    configured: BTreeMap<String, u32>,
}

impl World {
    fn now(&self, tick: u32) -> Result<Timestamp, serde_json::Error> {
        let ticks = i32::try_from(tick).ok().and_then(|tick| self.tick.checked_mul(tick));
        let now = ticks.and_then(|span| self.start.checked_add(span).ok());
        now.ok_or_else(|| serde_json::Error::custom(format!("tick {tick} is beyond the range of times")))
    }

    fn members(&self) -> BTreeSet<String> {
        self.groups.iter().flat_map(|group| &group.clusters).map(ToString::to_string).collect()
    }

    /// Replaces the groups, and returns the clusters that are no longer in any group.
    fn regroup(&mut self, groups: Vec<DecisionGroup>) -> BTreeSet<String> {
        let before = self.members();
        self.groups = groups;
        before.difference(&self.members()).cloned().collect()
    }

    /// Returns the status of the cluster at a tick, and since which tick it applies; `None` if the cluster is not
    /// configured.
    fn status(&self, cluster: &str, tick: u32) -> Option<(u32, Status)> {
        let at = *self.configured.get(cluster)?;
        let events = self.scripts.get(cluster).map_or_else(|| vec![(at, Status::Progressing)], |s| s.events(at));
        events.into_iter().rfind(|(from, _)| *from <= tick)
    }

    fn decide(
        &self,
        case: &Case,
        tick: u32,
        gone: &BTreeSet<String>,
    ) -> Result<Result<Decision, tidegate_rollout::Error>, serde_json::Error> {
        let mut existing = Vec::new();
        for cluster in self.members().union(gone) {
            match self.status(cluster, tick) {
                Some((since, status)) => {
                    let last_transition = Some(self.now(since)?);
                    existing.push(ClusterStatus { last_transition, ..ClusterStatus::new(cluster, status) });
                }
                None if case.report_to_apply => existing.push(ClusterStatus::new(cluster, Status::ToApply)),
                None => {}
            }
        }
        let now = self.now(tick)?;
        let input = Input {
            strategy: &case.rollout_strategy,
            groups: &self.groups,
            existing: &existing,
            tolerates_failures: false,
            now,
        };
        Ok(tidegate_rollout::decide(&input, Semantics::Compat))
    }

    /// Configures the clusters that the decision starts, and returns them.
    fn configure(&mut self, decision: &Decision, tick: u32) -> BTreeSet<String> {
        let starts = decision.rollout.iter().filter(|status| status.status == Status::ToApply);
        let started: BTreeSet<String> = starts.map(|status| status.cluster.clone()).collect();
        self.configured.extend(started.iter().map(|cluster| (cluster.clone(), tick)));
        started
    }

    fn has_event_after(&self, tick: u32, gone: &BTreeSet<String>) -> bool {
        let scripted = self.configured.iter().filter(|(cluster, _)| !gone.contains(*cluster));
        scripted
            .filter_map(|(cluster, at)| Some(self.scripts.get(cluster)?.events(*at)))
            .any(|events| events.iter().any(|(from, _)| *from > tick))
    }

    fn forget(&mut self, gone: &BTreeSet<String>) {
        self.configured.retain(|cluster, _| !gone.contains(cluster));
    }
}

fn told(tick: u32, now: Timestamp, newly_configured: BTreeSet<String>, decision: Decision) -> Tick {
    let names = |list: Vec<ClusterStatus>| list.into_iter().map(|status| status.cluster).collect();
    let started = |status: ClusterStatus| Started { cluster_name: status.cluster, status: Standing(status.status) };
    Tick {
        tick,
        now,
        newly_configured,
        recheck_after: recheck_after(&decision),
        max_failure_breach: decision.breach,
        clusters_to_rollout: decision.rollout.into_iter().map(started).collect(),
        clusters_time_out: names(decision.timed_out),
        clusters_removed: names(decision.removed),
    }
}

fn ended(because: &str, ticks: &[Tick], world: &World, tick: u32) -> Result<Value, serde_json::Error> {
    let status = |cluster: String| {
        let status = world.status(&cluster, tick).map_or(Status::ToApply, |(_, status)| status);
        (cluster, Standing(status))
    };
    let final_statuses: BTreeMap<String, Standing> = world.members().into_iter().map(status).collect();
    Ok(json!({
        "endedBecause": because,
        "ticks": serde_json::to_value(ticks)?,
        "finalStatuses": serde_json::to_value(final_statuses)?,
    }))
}
