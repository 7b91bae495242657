//! The events of a rollout, one after the other.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};

use super::behavior::{Behavior, Report};
use super::gate::{Admission, Gatekeeper, NoGates};
use crate::{ClusterStatus, Course, Error, Input, Status};
use tidegate_model::name::ClusterName;
use tidegate_model::semantics::Semantics;
use tidegate_model::time::{Timestamp, sooner};

/// A rollout as it would happen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Forecast {
    /// The moment at which it begins.
    pub begin: Timestamp,
    /// The clusters, by name.
    pub clusters: Vec<Run>,
    /// The largest number of clusters that took a slot at the same time, by the stage that was starting clusters.
    pub at_once: BTreeMap<usize, usize>,
    /// How it ends.
    pub outcome: Outcome,
    /// The gate that clusters wait for at the end.
    pub closed: Option<String>,
}

impl Forecast {
    /// Returns the forecast as a part of a rollout that began earlier, after this number of other stages.
    #[must_use]
    pub fn as_part(self, begin: Timestamp, stages: usize) -> Self {
        let shifted = |run: Run| Run { stage: run.stage + stages, ..run };
        Self {
            begin,
            clusters: self.clusters.into_iter().map(shifted).collect(),
            at_once: self.at_once.into_iter().map(|(stage, count)| (stage + stages, count)).collect(),
            ..self
        }
    }

    /// Returns the number of stages up to the last one.
    pub fn stages(&self) -> usize {
        self.clusters.iter().filter(|run| run.started.is_some()).map(|run| run.stage + 1).max().unwrap_or_default()
    }
}

/// One cluster in a forecast.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    /// The cluster.
    pub cluster: String,
    /// Index of its decision group.
    pub group: i32,
    /// Its stage: it starts only when all stages before it are done.
    pub stage: usize,
    /// When it starts; `None` if it never does, or had started before.
    pub started: Option<Timestamp>,
    /// When its last report comes; `None` if it reports nothing.
    pub reported: Option<Timestamp>,
    /// When it no longer takes a slot, because its soak time or its deadline is over; `None` if it never starts, or the rollout ends before.
    pub finished: Option<Timestamp>,
    /// Its status at the end.
    pub status: Status,
}

/// How a rollout ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// All clusters have started, and nothing more is expected of them.
    Completed {
        /// When the last soak time or deadline ends.
        at: Timestamp,
    },
    /// Too many clusters failed, or the strategy names a mandatory group without clusters, and others wait.
    Stopped {
        /// When that happens.
        at: Timestamp,
    },
    /// Clusters wait, and nothing that is expected would let them start.
    Stalled {
        /// Since when.
        at: Timestamp,
    },
}

impl Outcome {
    /// Returns when the rollout ends.
    pub fn at(self) -> Timestamp {
        match self {
            Self::Completed { at } | Self::Stopped { at } | Self::Stalled { at } => at,
        }
    }
}

/// Runs a rollout to its end.
///
/// # Errors
/// Those of [`decide`](crate::decide).
pub fn run(input: &Input<'_>, semantics: Semantics, behavior: &mut impl Behavior) -> Result<Forecast, Error> {
    run_with(input, semantics, behavior, &mut NoGates)
}

/// Runs a rollout to its end behind gates.
///
/// # Errors
/// Those of [`decide`](crate::decide).
pub fn run_with(
    input: &Input<'_>,
    semantics: Semantics,
    behavior: &mut impl Behavior,
    gates: &mut impl Gatekeeper,
) -> Result<Forecast, Error> {
    let mut course = Course::new(input, semantics)?;
    let mut clusters = runs(input, &course);
    let mut events = Events::default();
    for (number, run) in clusters.iter().enumerate() {
        // One that failed or missed its deadline is not expected to recover.
        if run.status == Status::Progressing && course.is_underway(number) {
            events.expect(input.now, number, behavior.reports(&run.cluster));
        }
    }
    let (mut now, mut stopped) = (input.now, None);
    let mut at_once = BTreeMap::<usize, usize>::new();
    let mut flying: BTreeSet<usize> = BTreeSet::new();
    let mut closed: Option<String>;
    loop {
        let (mut is_stopped, mut gate_until) = (false, None);
        finish(now, &mut flying, &course, &mut clusters, gates);
        // The planner plans again at once after it has written.
        loop {
            closed = None;
            let started = course.step_with(now, &mut |number| {
                let Some(run) = clusters.get(number) else { return false };
                match gates.admit(&run.cluster, run.group, now) {
                    Admission::Open => true,
                    Admission::Closed { why, until } => {
                        gate_until = sooner(gate_until, until.filter(|until| *until > now));
                        closed.get_or_insert(why);
                        false
                    }
                }
            });
            flying.extend(&started);
            is_stopped |= course.is_stopped();
            for number in &started {
                let Some(run) = clusters.get_mut(*number) else { continue };
                run.start(now);
                let most = at_once.entry(run.stage).or_default();
                *most = course.underway().max(*most);
                events.expect(now, *number, behavior.reports(&run.cluster));
            }
            // The step may have ended soak times and deadlines, and that may open a gate.
            let is_anyone_done = finish(now, &mut flying, &course, &mut clusters, gates);
            if started.is_empty() && !(is_anyone_done && closed.is_some()) {
                break;
            }
        }
        stopped = if is_stopped { stopped.or(Some(now)) } else { None };
        if course.is_done() {
            break;
        }
        let by_course = sooner(events.next(), course.look_at().filter(|at| *at > now));
        let Some(next) = sooner(by_course, gate_until) else { break };
        now = next.max(now);
        take_in(now, &mut events, &mut course, &mut clusters);
    }
    let is_anyone_waiting = clusters.iter().any(|run| run.status == Status::ToApply);
    let outcome = match stopped {
        Some(at) if is_anyone_waiting => Outcome::Stopped { at },
        _ if is_anyone_waiting => Outcome::Stalled { at: now },
        _ => Outcome::Completed { at: now },
    };
    let closed = closed.filter(|_| is_anyone_waiting);
    Ok(Forecast { begin: input.now, clusters, at_once, outcome, closed })
}

/// Takes in what clusters report by now.
fn take_in(now: Timestamp, events: &mut Events, course: &mut Course<'_>, clusters: &mut [Run]) {
    while let Some((at, number, status)) = events.due(now) {
        let Some(run) = clusters.get_mut(number) else { continue };
        (run.status, run.reported) = (status, Some(at));
        course.report(number, status, at);
    }
}

/// Records which clusters no longer take a slot. Returns `true` if there are some.
fn finish(
    now: Timestamp,
    flying: &mut BTreeSet<usize>,
    course: &Course<'_>,
    clusters: &mut [Run],
    gates: &mut impl Gatekeeper,
) -> bool {
    let before = flying.len();
    flying.retain(|number| {
        let is_flying = course.is_underway(*number);
        if let Some(run) = clusters.get_mut(*number).filter(|_| !is_flying) {
            run.finished = Some(now);
            gates.finish(&run.cluster);
        }
        is_flying
    });
    flying.len() < before
}

impl Run {
    /// Records that the cluster starts.
    fn start(&mut self, now: Timestamp) {
        (self.started, self.finished, self.status) = (Some(now), None, Status::Progressing);
    }
}

/// What is still to happen, in order of time. Events of the same moment stay in the order in which they were added.
#[derive(Debug, Default)]
struct Events {
    queue: BinaryHeap<Reverse<(Timestamp, usize, usize, Status)>>,
    added: usize,
}

impl Events {
    fn expect(&mut self, from: Timestamp, number: usize, reports: Vec<Report>) {
        for Report { after, status } in reports {
            self.added += 1;
            self.queue.push(Reverse((from.checked_add(after).unwrap_or(Timestamp::MAX), self.added, number, status)));
        }
    }

    fn next(&self) -> Option<Timestamp> {
        self.queue.peek().map(|Reverse((at, ..))| *at)
    }

    /// Takes the next event, if its time has come.
    fn due(&mut self, now: Timestamp) -> Option<(Timestamp, usize, Status)> {
        self.next().filter(|at| *at <= now)?;
        self.queue.pop().map(|Reverse((at, _, number, status))| (at, number, status))
    }
}

/// Returns the clusters before the begin.
fn runs(input: &Input<'_>, course: &Course<'_>) -> Vec<Run> {
    let mut groups: BTreeMap<&str, i32> = BTreeMap::new();
    for group in input.groups {
        let members = group.clusters.iter().map(ClusterName::as_str);
        for cluster in members {
            groups.entry(cluster).or_insert(group.index);
        }
    }
    let run = |(number, status): (usize, &ClusterStatus)| Run {
        cluster: status.cluster.clone(),
        group: groups.get(status.cluster.as_str()).copied().unwrap_or_default(),
        stage: course.stage(number),
        started: None,
        reported: None,
        finished: None,
        status: status.status,
    };
    course.statuses().into_iter().enumerate().map(run).collect()
}
