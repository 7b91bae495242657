//! When the clusters of an add-on start and when they are done, in virtual time.

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::document::{GroupPlan, Wave, unnamed};
use tidegate_model::decision::DecisionGroup;
use tidegate_model::name::ClusterName;
use tidegate_model::plural::counted;
use tidegate_model::semantics::Semantics;
use tidegate_model::time::{GoDuration, SignedDuration, Timestamp};
use tidegate_plan::{Guards, Judged, PlacementOutlook};
use tidegate_rollout::forecast::{self, Behavior as _, Forecast, Outcome, after, group_name};
use tidegate_rollout::{Status, Wait, effective};

/// The rollout of an add-on as it would happen.
#[derive(Debug, Default)]
pub(super) struct Schedule {
    pub(super) waves: Vec<Wave>,
    pub(super) gates: Vec<String>,
    pub(super) earliest: Option<SignedDuration>,
    pub(super) expected: Option<SignedDuration>,
    pub(super) blocked: Vec<String>,
    /// The number of stages.
    stages: usize,
    /// The first placement that does not complete.
    stuck: Option<String>,
}

/// The circumstances of a rollout.
#[derive(Debug, Clone, Copy)]
pub(super) struct Circumstances {
    pub(super) semantics: Semantics,
    pub(super) now: Timestamp,
    /// How long a cluster takes, if that is known from earlier rollouts.
    pub(super) latency: Option<SignedDuration>,
}

/// When the placements of a step begin: once those of all earlier steps are done.
#[derive(Debug, Clone)]
struct Begin {
    step: usize,
    earliest: Timestamp,
    expected: Timestamp,
    /// The number of stages before it.
    stages: usize,
    /// The first placement before it that does not complete.
    stuck: Option<String>,
}

/// Returns the rollout of all placements of an add-on. Those of one step do not wait for each other. The add-on cannot be delivered to the
/// clusters in `undeliverable`: they start, and never succeed. Those in `excluded` take no part.
pub(super) fn schedule(
    placements: &[PlacementOutlook],
    (undeliverable, excluded): (&BTreeSet<&ClusterName>, &BTreeSet<&ClusterName>),
    circumstances: Circumstances,
    guards: &Guards<'_>,
) -> Schedule {
    let mut all = Schedule::default();
    let judges = guards.judges();
    let silent: BTreeSet<&str> = undeliverable.iter().map(|name| name.as_str()).collect();
    let now = circumstances.now;
    let has_steps = placements.iter().any(|placement| placement.step > 0);
    let mut begin = Begin { step: 0, earliest: now, expected: now, stages: 0, stuck: None };
    for placement in placements {
        let name = placement.placement.as_ref().map(ToString::to_string).unwrap_or_default();
        if placement.step > begin.step {
            begin = all.next_step(placement.step, now);
        }
        if let Some(stuck) = &begin.stuck {
            all.blocked.push(format!("placement {name} waits for placement {stuck}, which does not complete"));
            continue;
        }
        let placement = &without(placement, excluded);
        let waits = placement.statuses.iter().any(|status| status.status == Status::ToApply);
        if placement.is_partial {
            all.stuck.get_or_insert(name);
            continue;
        }
        if !waits {
            continue;
        }
        let part = Part { placement, silent: &silent, circumstances, guards, judges: &judges, stages: begin.stages };
        let earliest = match part.run(SignedDuration::ZERO, begin.earliest) {
            Ok(forecast) => forecast,
            Err(error) => {
                all.blocked.push(format!("placement {name}: {error}"));
                all.stuck.get_or_insert(name);
                continue;
            }
        };
        let expected = circumstances.latency.and_then(|latency| part.run(latency, begin.expected).ok());
        all.stages = all.stages.max(earliest.stages());
        all.waves.extend(waves((&name, &placement.step_name), &placement.groups, &earliest, expected.as_ref()));
        all.gates.extend(gates(placement).into_iter().map(of_step(placement, has_steps)));
        all.gates.extend(guards.described(&judges, placement));
        let stopped = || stop(&name, &part.input(begin.earliest), &earliest, circumstances.semantics);
        all.blocked.extend(guards.closed(&name, &earliest).or_else(stopped));
        let end = |forecast: &Forecast| now.duration_until(forecast.outcome.at());
        if !matches!(earliest.outcome, Outcome::Completed { .. }) {
            all.stuck.get_or_insert(name);
        }
        all.earliest = all.earliest.max(Some(end(&earliest)));
        all.expected = all.expected.max(expected.as_ref().map(end));
    }
    all.waves.sort_by_key(|wave| wave.stage);
    all.gates.sort();
    all.gates.dedup();
    all
}

/// One placement, with what its forecasts depend on.
struct Part<'p> {
    placement: &'p PlacementOutlook,
    /// The clusters that never report.
    silent: &'p BTreeSet<&'p str>,
    circumstances: Circumstances,
    guards: &'p Guards<'p>,
    judges: &'p Judged,
    /// The number of stages before it.
    stages: usize,
}

impl Part<'_> {
    fn input(&self, now: Timestamp) -> tidegate_rollout::Input<'_> {
        tidegate_rollout::Input {
            strategy: &self.placement.strategy,
            groups: &self.placement.groups,
            existing: &self.placement.statuses,
            tolerates_failures: self.guards.tolerates(self.judges, self.placement),
            now,
        }
    }

    /// Returns the forecast for clusters that take this time, from a moment on.
    fn run(&self, latency: SignedDuration, now: Timestamp) -> Result<Forecast, tidegate_rollout::Error> {
        let mut well = after(latency);
        let mut behavior =
            |cluster: &str| if self.silent.contains(cluster) { Vec::new() } else { well.reports(cluster) };
        let mut gates = self.guards.foreseen(self.judges, self.placement, now);
        let forecast = forecast::run_with(&self.input(now), self.circumstances.semantics, &mut behavior, &mut gates)?;
        Ok(forecast.as_part(self.circumstances.now, self.stages))
    }
}

impl Schedule {
    /// Returns when the next step begins.
    fn next_step(&self, step: usize, now: Timestamp) -> Begin {
        let after = |span: Option<SignedDuration>| span.and_then(|span| now.checked_add(span).ok()).unwrap_or(now);
        Begin {
            step,
            earliest: after(self.earliest),
            expected: after(self.expected.or(self.earliest)),
            stages: self.stages,
            stuck: self.stuck.clone(),
        }
    }
}

/// Returns a placement without some clusters.
fn without<'p>(placement: &'p PlacementOutlook, excluded: &BTreeSet<&ClusterName>) -> Cow<'p, PlacementOutlook> {
    if excluded.is_empty() {
        return Cow::Borrowed(placement);
    }
    let mut placement = placement.clone();
    placement.statuses.retain(|status| excluded.iter().all(|name| name.as_str() != status.cluster));
    for group in &mut placement.groups {
        group.clusters.retain(|name| !excluded.contains(name));
    }
    Cow::Owned(placement)
}

/// Returns a function that adds the name of a step to what holds it up, if there are several steps.
fn of_step(placement: &PlacementOutlook, has_steps: bool) -> impl Fn(String) -> String {
    move |gate| match placement.step_name.as_str() {
        step if has_steps && !step.is_empty() => format!("{step}: {gate}"),
        _ => gate,
    }
}

fn waves(
    (name, step): (&str, &str),
    groups: &[DecisionGroup],
    earliest: &Forecast,
    expected: Option<&Forecast>,
) -> Vec<Wave> {
    let later = expected.map(forecast::waves).unwrap_or_default();
    let span = |span: SignedDuration| GoDuration(span).to_string();
    let wave = |wave: forecast::Wave| {
        let later = later.iter().find(|later| (later.stage, later.group) == (wave.stage, wave.group));
        Wave {
            placement: name.to_owned(),
            step: step.to_owned(),
            group: group_name(groups, wave.group),
            stage: wave.stage,
            clusters: wave.clusters,
            at_once: wave.at_once,
            first: wave.first,
            starts: span(wave.starts),
            done: wave.reported.map(span).unwrap_or_default(),
            expected_start: later.map(|later| span(later.starts)),
            expected_done: later.and_then(|later| later.reported).map(span),
        }
    };
    forecast::waves(earliest).into_iter().map(wave).collect()
}

/// Returns the groups of a placement, without clusters that change.
pub(super) fn groups(placement: &PlacementOutlook) -> impl Iterator<Item = GroupPlan> {
    let name = placement.placement.as_ref().map(ToString::to_string).unwrap_or_default();
    placement.groups.iter().map(move |group| GroupPlan {
        placement: name.clone(),
        index: group.index,
        group: group_name(&placement.groups, group.index),
        clusters: group.clusters.len(),
        changed: 0,
    })
}

/// Returns what holds a rollout up, as its strategy says.
fn gates(placement: &PlacementOutlook) -> Vec<String> {
    let Some(strategy) = effective(&placement.strategy) else { return Vec::new() };
    let progressive = strategy.progressive.map(|s| (s.min_success_time, s.max_failures, s.mandatory_decision_groups));
    let per_group =
        strategy.progressive_per_group.map(|s| (s.min_success_time, s.max_failures, s.mandatory_decision_groups));
    let all = strategy.all.map(|s| (s.min_success_time, s.max_failures, Vec::new()));
    let Some((soak, failures, mandatory)) = progressive.or(per_group).or(all) else { return Vec::new() };
    let mut gates = Vec::new();
    for group in mandatory {
        let name = if group.group_name.is_empty() { unnamed(group.group_index) } else { group.group_name };
        gates.push(format!("{name} first, without a failure"));
    }
    gates.extend(soak.filter(|soak| soak != "0s").map(|soak| format!("soak time {soak}")));
    let failures = failures.map(|failures| tidegate_rollout::written_threshold(&failures));
    gates.extend(failures.filter(|failures| failures != "0").map(|failures| format!("at most {failures} may fail")));
    gates
}

/// Returns why a rollout would not be completed even if no cluster that starts fails.
fn stop(name: &str, input: &tidegate_rollout::Input<'_>, forecast: &Forecast, semantics: Semantics) -> Option<String> {
    if matches!(forecast.outcome, Outcome::Completed { .. }) {
        return None;
    }
    let waiting = forecast.clusters.iter().filter(|run| run.status == Status::ToApply).count();
    let decision = tidegate_rollout::decide(input, semantics).ok()?;
    let mut waits = decision.waiting().map(|(_, wait)| wait);
    let lasting = waits.find(|wait| {
        !matches!(wait, Wait::Slot { .. } | Wait::Group { .. } | Wait::MandatoryGroup { .. } | Wait::Soak { .. })
    });
    let why = lasting.map_or_else(|| "too many clusters fail or do not answer".to_owned(), ToString::to_string);
    Some(format!("placement {name}: {} never start: {why}", counted(waiting, "cluster")))
}
