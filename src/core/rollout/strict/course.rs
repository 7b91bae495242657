//! The strict engine over time. It keeps the counts of each stage, so a step costs as much as changes in it, not as much as the
//! fleet is large.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

use crate::cluster_index::ClusterIndex;
use crate::strict::admission::has_unknown_mandatory_group;
use crate::strict::stage::{Scope, Standing, stages, standing};
use crate::strict::strategy::Strategy;
use crate::{ClusterStatus, Error, Input, Status};
use tidegate_model::time::{SignedDuration, Timestamp};

/// A rollout, step by step.
#[derive(Debug)]
pub(crate) struct Course<'a> {
    strategy: Strategy<'a>,
    /// The clusters by number.
    runners: Vec<Runner>,
    stages: Vec<Counts>,
    is_blocked: bool,
    tolerates_failures: bool,
    /// When deadlines and soak times end, each with the number of its cluster.
    ends: BinaryHeap<Reverse<(Timestamp, usize)>>,
}

/// One cluster.
#[derive(Debug)]
struct Runner {
    given: ClusterStatus,
    /// Whether the caller knows it. Known clusters start before the others of their stage.
    is_known: bool,
    stage: usize,
    share: Share,
}

/// What one cluster adds to the counts of its stage.
#[derive(Debug, Clone, Copy, Default)]
struct Share {
    /// Its place in the queue, if it waits.
    seat: Option<Seat>,
    is_underway: bool,
    is_failure: bool,
    is_late: bool,
    is_unfinished: bool,
    look_at: Option<Timestamp>,
}

/// A place in a queue: whether the cluster is unknown to the caller, and its number.
type Seat = (bool, usize);

/// The counts of one stage.
#[derive(Debug)]
struct Counts {
    kind: Kind,
    total: usize,
    /// The clusters that wait, in the order in which they start.
    queue: BTreeSet<Seat>,
    underway: usize,
    failed: usize,
    late: usize,
    unfinished: usize,
}

/// Which failure budget a stage has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Mandatory,
    Group,
    Rest,
}

impl<'a> Course<'a> {
    pub(crate) fn new(input: &Input<'a>) -> Result<Self, Error> {
        let strategy = Strategy::read(input)?;
        let index = ClusterIndex::new(input.groups, input.existing);
        let given = index.by_number(index.given.iter().filter_map(|(number, status)| Some(((*number)?, *status))));
        let absent = |number: usize| ClusterStatus::new(index.name(number), Status::ToApply);
        let runner = |(number, status): (usize, Option<&ClusterStatus>)| Runner {
            given: status.cloned().unwrap_or_else(|| absent(number)),
            is_known: status.is_some(),
            stage: 0,
            share: Share::default(),
        };
        let runners = given.into_iter().enumerate().map(runner).collect();
        let is_blocked = has_unknown_mandatory_group(&strategy, &index.groups);
        let tolerates_failures = input.tolerates_failures;
        let mut course =
            Self { runners, stages: Vec::new(), is_blocked, tolerates_failures, ends: BinaryHeap::new(), strategy };
        for (place, stage) in stages(&course.strategy, &index).into_iter().enumerate() {
            let kind = match stage.scope {
                Scope::Mandatory(_) => Kind::Mandatory,
                Scope::Group(_) => Kind::Group,
                Scope::Rest => Kind::Rest,
            };
            let total = stage.members.len();
            let counts = Counts { kind, total, queue: BTreeSet::new(), underway: 0, failed: 0, late: 0, unfinished: 0 };
            course.stages.push(counts);
            for member in &stage.members {
                if let Some(runner) = course.runners.get_mut(member.number) {
                    runner.stage = place;
                }
            }
        }
        (0..course.runners.len()).for_each(|number| course.count(number));
        Ok(course)
    }

    /// Returns the number of the stage of a cluster.
    pub(crate) fn stage(&self, number: usize) -> usize {
        self.runners.get(number).map(|runner| runner.stage).unwrap_or_default()
    }

    /// Returns the statuses of the clusters, by number.
    pub(crate) fn statuses(&self) -> impl Iterator<Item = &ClusterStatus> {
        self.runners.iter().map(|runner| &runner.given)
    }

    /// Continues to a later moment, and starts the clusters that may start then.
    pub(crate) fn step(&mut self, now: Timestamp, admit: &mut dyn FnMut(usize) -> bool) -> Vec<usize> {
        self.advance(now);
        let mut started = Vec::new();
        if self.is_stopped() {
            return started;
        }
        // It does not change before the loop ends.
        let underway = self.underway();
        for place in 0..self.stages.len() {
            let Some(stage) = self.stages.get_mut(place) else { break };
            let free = match self.strategy.concurrency(stage.total) {
                None => stage.queue.len(),
                Some(allowed) => allowed.saturating_sub(underway).min(stage.queue.len()),
            };
            let waiting = stage.queue.iter().map(|(_, number)| *number);
            let starting: Vec<usize> = waiting.filter(|number| admit(*number)).take(free).collect();
            for number in starting {
                if let Some(Runner { given, is_known, .. }) = self.runners.get_mut(number) {
                    *is_known = true;
                    *given = ClusterStatus { started: Some(now), status: Status::Progressing, ..given.clone() };
                }
                self.count(number);
                started.push(number);
            }
            if !started.is_empty() || self.stages.get(place).is_some_and(|stage| stage.unfinished > 0) {
                break;
            }
        }
        started
    }

    /// Records what happens to a cluster. A success after the deadline makes it late.
    pub(crate) fn report(&mut self, number: usize, status: Status, now: Timestamp) {
        self.advance(now);
        let Some(Runner { given, is_known, .. }) = self.runners.get_mut(number) else { return };
        *is_known = true;
        given.status = status;
        given.last_transition = Some(now);
        if let Some(started) = given.started.filter(|_| status == Status::Succeeded) {
            let took = SignedDuration::from_secs(started.duration_until(now).as_secs());
            given.took = Some(took).filter(|took| self.strategy.timing.is_late(*took));
        }
        self.count(number);
    }

    /// Returns the next moment at which time alone changes something.
    pub(crate) fn look_at(&mut self) -> Option<Timestamp> {
        while let Some(Reverse((at, number))) = self.ends.peek() {
            if self.runners.get(*number).is_some_and(|runner| runner.share.look_at == Some(*at)) {
                return Some(*at);
            }
            self.ends.pop();
        }
        None
    }

    /// Returns `true` if a mandatory group of the strategy does not exist, or too many clusters failed or were late.
    pub(crate) fn is_stopped(&self) -> bool {
        let is_anyone_waiting = self.stages.iter().any(|stage| !stage.queue.is_empty());
        let of_stage = self.stages.iter().any(|stage| match stage.kind {
            Kind::Mandatory => stage.failed + if is_anyone_waiting { stage.late } else { 0 } > 0,
            Kind::Group => stage.failed > self.strategy.failures_allowed(stage.total),
            Kind::Rest => false,
        });
        let count = |of: fn(&Counts) -> usize| self.stages.iter().map(of).sum::<usize>();
        let failed = count(|stage| stage.failed);
        let of_all = !self.strategy.by_group() && failed > self.strategy.failures_allowed(count(|stage| stage.total));
        self.is_blocked || ((of_stage || of_all) && !self.tolerates_failures)
    }

    /// Returns `true` if no cluster waits or takes a slot.
    pub(crate) fn is_done(&self) -> bool {
        self.stages.iter().all(|stage| stage.queue.is_empty() && stage.underway == 0)
    }

    /// Returns `true` if a cluster takes a slot.
    pub(crate) fn is_underway(&self, number: usize) -> bool {
        self.runners.get(number).is_some_and(|runner| runner.share.is_underway)
    }

    /// Returns how many clusters take a slot.
    pub(crate) fn underway(&self) -> usize {
        self.stages.iter().map(|stage| stage.underway).sum()
    }

    fn advance(&mut self, now: Timestamp) {
        self.strategy.timing.now = now;
        while let Some(Reverse((at, number))) = self.ends.peek().copied().filter(|Reverse((at, _))| *at <= now) {
            self.ends.pop();
            if self.runners.get(number).is_some_and(|runner| runner.share.look_at == Some(at)) {
                self.count(number);
            }
        }
    }

    /// Counts a cluster again.
    fn count(&mut self, number: usize) {
        let Some(Runner { given, is_known, stage, share }) = self.runners.get_mut(number) else { return };
        let Some(stage) = self.stages.get_mut(*stage) else { return };
        let is_late = given.took.is_some_and(|took| self.strategy.timing.is_late(took));
        let before = *share;
        let standing = standing(given, &self.strategy.timing);
        *share = Share {
            seat: standing.is_waiting().then_some((!*is_known, number)),
            is_underway: standing.is_underway(),
            is_failure: standing.is_failure(),
            is_late: is_late && stage.kind == Kind::Mandatory && standing.can_be_late(),
            is_unfinished: standing.is_unfinished(),
            look_at: match standing {
                // Without a time, the clock restarts with every decision.
                Standing::Underway { look_at, .. } => {
                    look_at.filter(|_| given.last_transition.or(given.started).is_some())
                }
                _ => None,
            },
        };
        let change = |count: &mut usize, was: bool, is: bool| *count = *count + usize::from(is) - usize::from(was);
        if before.seat != share.seat {
            if let Some(seat) = before.seat {
                stage.queue.remove(&seat);
            }
            stage.queue.extend(share.seat);
        }
        change(&mut stage.underway, before.is_underway, share.is_underway);
        change(&mut stage.failed, before.is_failure, share.is_failure);
        change(&mut stage.late, before.is_late, share.is_late);
        change(&mut stage.unfinished, before.is_unfinished, share.is_unfinished);
        self.ends.extend(share.look_at.map(|at| Reverse((at, number))));
    }
}
