//! A rollout in virtual time: the decisions that the engine makes one after the other, for forecasts.

use std::collections::{BTreeMap, BTreeSet};

use crate::{ClusterStatus, Error, Input, Status, compat, strict};
use tidegate_api::ocm::rollout_strategy::RolloutStrategy;
use tidegate_model::decision::DecisionGroup;
use tidegate_model::semantics::Semantics;
use tidegate_model::time::Timestamp;

/// A rollout of one placement, step by step, as [`decide`](crate::decide) decides at each.
///
/// # Shape
/// Clusters have numbers, in the order of their names. [`Course::statuses`] lists them.
#[derive(Debug)]
pub struct Course<'a>(Engine<'a>);

#[derive(Debug)]
enum Engine<'a> {
    Strict(strict::Course<'a>),
    Compat(Compat<'a>),
}

/// Upstream's engine, which reads all clusters again at each step.
#[derive(Debug)]
struct Compat<'a> {
    strategy: &'a RolloutStrategy,
    groups: &'a [DecisionGroup],
    statuses: Vec<ClusterStatus>,
    underway: usize,
    is_stopped: bool,
    look_at: Option<Timestamp>,
}

impl<'a> Course<'a> {
    /// Begins a rollout.
    ///
    /// # Errors
    /// Those of [`decide`](crate::decide).
    pub fn new(input: &Input<'a>, semantics: Semantics) -> Result<Self, Error> {
        let engine = match semantics {
            Semantics::Strict => Engine::Strict(strict::Course::new(input)?),
            Semantics::Compat => Engine::Compat(Compat::new(input)?),
        };
        Ok(Self(engine))
    }

    /// Continues to a later moment, and starts the clusters that may start then: they are under way. Returns their numbers, in the
    /// order in which they start.
    pub fn step(&mut self, now: Timestamp) -> Vec<usize> {
        self.step_with(now, &mut |_| true)
    }

    /// Continues like [`Course::step`], and asks `admit` about each cluster that would start.
    pub fn step_with(&mut self, now: Timestamp, admit: &mut dyn FnMut(usize) -> bool) -> Vec<usize> {
        match &mut self.0 {
            Engine::Strict(course) => course.step(now, admit),
            Engine::Compat(course) => course.step(now, admit),
        }
    }

    /// Records what a cluster reports. `Skip` and `ToApply` record that it leaves the rollout and takes part again.
    pub fn report(&mut self, number: usize, status: Status, now: Timestamp) {
        match &mut self.0 {
            Engine::Strict(course) => course.report(number, status, now),
            Engine::Compat(course) => course.report(number, status, now),
        }
    }

    /// Returns the next moment at which time alone changes something.
    pub fn look_at(&mut self) -> Option<Timestamp> {
        match &mut self.0 {
            Engine::Strict(course) => course.look_at(),
            Engine::Compat(course) => course.look_at,
        }
    }

    /// Returns `true` if no further cluster starts: too many failed or were late, or the strategy names a mandatory group without clusters.
    pub fn is_stopped(&self) -> bool {
        match &self.0 {
            Engine::Strict(course) => course.is_stopped(),
            Engine::Compat(course) => course.is_stopped,
        }
    }

    /// Returns how many clusters take a slot: they are under way or soak.
    pub fn underway(&self) -> usize {
        match &self.0 {
            Engine::Strict(course) => course.underway(),
            Engine::Compat(course) => course.underway,
        }
    }

    /// Returns `true` if no cluster waits or takes a slot.
    pub fn is_done(&self) -> bool {
        match &self.0 {
            Engine::Strict(course) => course.is_done(),
            Engine::Compat(course) => {
                let is_open = |status: &ClusterStatus| matches!(status.status, Status::ToApply | Status::Progressing);
                course.underway == 0 && !course.statuses.iter().any(is_open)
            }
        }
    }

    /// Returns `true` if a cluster takes a slot. In compat, that is known only after the first step, and `true` before.
    pub fn is_underway(&self, number: usize) -> bool {
        match &self.0 {
            Engine::Strict(course) => course.is_underway(number),
            Engine::Compat(_) => true,
        }
    }

    /// Returns the stage of a cluster: clusters start only when all stages before theirs are done. Always 0 in compat.
    pub fn stage(&self, number: usize) -> usize {
        match &self.0 {
            Engine::Strict(course) => course.stage(number),
            Engine::Compat(_) => 0,
        }
    }

    /// Returns the statuses of all clusters, by number.
    pub fn statuses(&self) -> Vec<&ClusterStatus> {
        match &self.0 {
            Engine::Strict(course) => course.statuses().collect(),
            Engine::Compat(course) => course.statuses.iter().collect(),
        }
    }
}

impl<'a> Compat<'a> {
    fn new(input: &Input<'a>) -> Result<Self, Error> {
        let first = compat::decide(input)?;
        let members: BTreeSet<_> = input.groups.iter().flat_map(|group| &group.clusters).collect();
        let existing: BTreeMap<&str, &ClusterStatus> =
            input.existing.iter().rev().map(|status| (status.cluster.as_str(), status)).collect();
        let absent = |name: &str| ClusterStatus::new(name, Status::ToApply);
        let status = |name: &str| existing.get(name).map_or_else(|| absent(name), |status| (*status).clone());
        let names = first.verdicts.keys().filter(|name| members.contains(name));
        let statuses = names.map(|name| status(name.as_str())).collect();
        Ok(Self {
            strategy: input.strategy,
            groups: input.groups,
            statuses,
            underway: 0,
            is_stopped: false,
            look_at: None,
        })
    }

    fn step(&mut self, now: Timestamp, admit: &mut dyn FnMut(usize) -> bool) -> Vec<usize> {
        let Self { strategy, groups, .. } = *self;
        let Ok(decision) =
            compat::decide(&Input { strategy, groups, existing: &self.statuses, tolerates_failures: false, now })
        else {
            self.is_stopped = true;
            return Vec::new();
        };
        self.is_stopped = decision.breach;
        self.underway = decision.rollout.len();
        self.look_at = decision.wake_after.and_then(|after| now.checked_add(after).ok());
        let starting = decision.rollout.iter().filter(|status| status.status == Status::ToApply);
        let mut started: Vec<usize> = starting.filter_map(|status| self.number(&status.cluster)).collect();
        started.dedup();
        started.retain(|number| admit(*number));
        for number in &started {
            if let Some(status) = self.statuses.get_mut(*number) {
                status.status = Status::Progressing;
                status.started = Some(now);
                // Upstream measures the deadline from the condition that it sets at the start.
                status.last_transition = Some(now);
            }
        }
        started
    }

    fn report(&mut self, number: usize, status: Status, now: Timestamp) {
        if let Some(given) = self.statuses.get_mut(number) {
            given.status = status;
            given.last_transition = Some(now);
        }
    }

    fn number(&self, cluster: &str) -> Option<usize> {
        self.statuses.binary_search_by(|status| status.cluster.as_str().cmp(cluster)).ok()
    }
}
