//! The course of a simulation: clusters come, go, change and fail; the engine and the gates decide; clusters answer.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use tidegate_api::ocm::managed_cluster::ManagedCluster;
use tidegate_api::rollout_policy::PolicySet;
use tidegate_model::decision::DecisionGroup;
use tidegate_model::name::ClusterName;
use tidegate_model::semantics::Semantics;
use tidegate_model::time::{SignedDuration, Timestamp};
use tidegate_rollout::gate::{Gates, Member, Policies, Standing, Traffic, Turn, UnitTraffic, aside, checks};
use tidegate_rollout::{Barrier, ClusterStatus, GroupKey, Input, Status, Verdict, Wait, decide_with};

use super::judge::judge;
use super::setting::{Dice, Machine, Plan, Setting, begin, plans, policies};

/// More ticks than any setting needs.
const MOST_TICKS: usize = 3_000;

/// How far a cluster is with an add-on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    Waiting,
    /// It answers at `ends`.
    Underway {
        started: Timestamp,
        ends: Timestamp,
    },
    Failed {
        started: Timestamp,
    },
    Done {
        since: Timestamp,
    },
}

/// A cluster with an add-on.
#[derive(Debug, Clone, Copy)]
pub(super) struct Seat {
    pub(super) state: State,
    pub(super) has_joined: bool,
    /// When it last started.
    pub(super) started: Option<Timestamp>,
    pub(super) group: i32,
}

pub(super) struct Course {
    setting: Setting,
    dice: Dice,
    pub(super) now: Timestamp,
    pub(super) plans: Vec<Plan>,
    pub(super) policies: PolicySet,
    pub(super) machines: BTreeMap<ClusterName, Machine>,
    objects: BTreeMap<ClusterName, Arc<ManagedCluster>>,
    /// The clusters of each add-on.
    pub(super) seats: Vec<BTreeMap<ClusterName, Seat>>,
    pub(super) starts: usize,
    /// What clusters waited for, without current numbers.
    pub(super) reasons: BTreeSet<String>,
    /// What the clusters of each add-on wait for.
    waits: Vec<BTreeMap<ClusterName, Wait>>,
    minute: i64,
}

impl Course {
    pub(super) fn new(setting: Setting) -> Self {
        let mut dice = Dice(setting.seed);
        let now = begin();
        let (plans, policies) = (plans(&setting, &mut dice), policies(&setting, &mut dice));
        let seats = plans.iter().map(|_| BTreeMap::new()).collect();
        let waits = plans.iter().map(|_| BTreeMap::new()).collect();
        let mut course = Self {
            setting,
            dice,
            now,
            plans,
            policies,
            machines: BTreeMap::new(),
            objects: BTreeMap::new(),
            seats,
            starts: 0,
            reasons: BTreeSet::new(),
            waits,
            minute: 0,
        };
        (0..setting.clusters).for_each(|number| course.join(number));
        course
    }

    /// Runs until nothing is left to wait for.
    pub(super) fn run(&mut self) {
        for _ in 0..MOST_TICKS {
            self.answer();
            let opens = self.tick();
            let answers = self.seats.iter().flat_map(BTreeMap::values).filter_map(|seat| match seat.state {
                State::Underway { ends, .. } if ends > self.now => Some(ends),
                _ => None,
            });
            let churn = begin() + SignedDuration::from_mins(self.minute + 1);
            let churn = (self.minute <= self.setting.minutes).then_some(churn);
            let Some(next) = answers.chain(opens).chain(churn).min() else { return };
            assert!(next > self.now, "it is {}, and the next moment is {next}", self.now);
            self.now = next;
            if churn == Some(next) {
                self.minute += 1;
                self.change();
            }
        }
        panic!("still not done after {MOST_TICKS} ticks");
    }

    /// Asserts that all clusters are done, except those that wait for the next rollout: of the add-on, or of one that comes before it.
    pub(super) fn assert_ended(&self) {
        for (plan, (seats, waits)) in self.plans.iter().zip(self.seats.iter().zip(&self.waits)) {
            for (cluster, seat) in seats.iter().filter(|(_, seat)| !matches!(seat.state, State::Done { .. })) {
                let wait = waits.get(cluster);
                let is_held = self.is_held(plan.name.as_str(), cluster);
                assert!(is_held, "{} on {cluster} does not end: {seat:?}, {wait:?}", plan.name);
            }
        }
    }

    /// Returns `true` if an add-on does not start on a cluster before a next rollout.
    fn is_held(&self, addon: &str, cluster: &ClusterName) -> bool {
        let number = self.plans.iter().position(|plan| plan.name.as_str() == addon);
        let Some(Wait::Gate(gate)) = number.and_then(|number| self.waits[number].get(cluster)) else { return false };
        match &gate.barrier {
            Barrier::Joined { holds } => *holds,
            Barrier::After { addon: before, .. } => self.is_held(before, cluster),
            Barrier::Requires { unit, .. } => self.is_held(unit.as_str(), cluster),
            _ => false,
        }
    }

    /// Lets clusters finish or fail.
    fn answer(&mut self) {
        for seats in &mut self.seats {
            for (cluster, seat) in seats {
                let machine = &self.machines[cluster];
                seat.state =
                    match seat.state {
                        State::Underway { started, ends } if ends <= self.now && machine.is_reachable => {
                            if machine.fails { State::Failed { started } } else { State::Done { since: self.now } }
                        }
                        State::Failed { .. } if !machine.fails && machine.is_reachable => {
                            State::Done { since: self.now }
                        }
                        state => state,
                    };
            }
        }
    }

    /// Changes 5 % of the clusters; at the end, all of them are reachable and healthy.
    fn change(&mut self) {
        if self.minute > self.setting.minutes {
            for machine in self.machines.values_mut() {
                machine.fails = false;
                if !machine.is_reachable {
                    (machine.is_reachable, machine.since) = (true, self.now);
                }
            }
        } else {
            for _ in 0..self.setting.clusters.div_ceil(20) {
                let number = self.dice.below(self.setting.clusters + self.setting.clusters / 10 + 1);
                let name: ClusterName = format!("c{number}").parse().unwrap();
                let choice = self.dice.below(6);
                match self.machines.get_mut(&name) {
                    None => self.join(number),
                    Some(_) if choice == 0 => {
                        self.machines.remove(&name);
                        self.objects.remove(&name);
                        self.seats.iter_mut().for_each(|seats| {
                            seats.remove(&name);
                        });
                    }
                    Some(machine) if choice == 1 => machine.fails = !machine.fails,
                    Some(machine) if choice == 2 => {
                        let other = Machine::random(&mut self.dice, self.now);
                        (machine.region, machine.group) = (other.region, other.group);
                    }
                    Some(machine) => (machine.is_reachable, machine.since) = (!machine.is_reachable, self.now),
                }
            }
        }
        for (name, machine) in &self.machines {
            self.objects.insert(name.clone(), machine.object(name));
        }
        for seats in &mut self.seats {
            for (name, seat) in seats {
                let group = self.machines[name].group;
                seat.has_joined |= group != seat.group && seat.state == State::Waiting;
                seat.group = group;
            }
        }
    }

    fn join(&mut self, number: usize) {
        let name: ClusterName = format!("c{number}").parse().unwrap();
        let machine = Machine::random(&mut self.dice, self.now);
        self.objects.insert(name.clone(), machine.object(&name));
        let has_joined = self.now > begin();
        for (plan, seats) in self.plans.iter().zip(&mut self.seats) {
            if self.dice.one_in(plan.share) {
                let seat = Seat { state: State::Waiting, has_joined, started: None, group: machine.group };
                seats.insert(name.clone(), seat);
            }
        }
        self.machines.insert(name, machine);
    }

    /// Returns where a cluster stands.
    pub(super) fn standing(&self, plan: &Plan, seat: &Seat) -> Standing {
        let is_late = |started: Timestamp| plan.deadline.is_some_and(|deadline| started + deadline <= self.now);
        match seat.state {
            State::Waiting => Standing::Waiting,
            State::Underway { started, .. } | State::Failed { started } if is_late(started) => Standing::Unwell,
            State::Underway { .. } | State::Failed { .. } => Standing::Underway,
            State::Done { since } if self.now < since + plan.soak => Standing::Underway,
            State::Done { .. } => Standing::Done,
        }
    }

    /// Lets the engine and the gates decide, and returns the moments at which time alone changes something.
    fn tick(&mut self) -> Vec<Timestamp> {
        let judges = BTreeMap::new();
        let in_force = Policies::new(&self.policies, &judges);
        let mut traffic = Traffic::default();
        let mut asides = Vec::new();
        for (plan, seats) in self.plans.iter().zip(&self.seats) {
            let groups: BTreeMap<i32, GroupKey> = (0..3).map(|index| (index, key(index))).collect();
            let members: Vec<Member<'_>> = seats
                .iter()
                .map(|(name, seat)| {
                    let standing = self.standing(plan, seat);
                    Member {
                        name,
                        group: &groups[&seat.group],
                        has_joined: seat.has_joined && seat.state == State::Waiting,
                        has_started: standing != Standing::Waiting,
                        is_finished: matches!(standing, Standing::Done | Standing::Unwell),
                    }
                })
                .collect();
            let aside = aside(&in_force, &self.objects, (&plan.name, None), &members);
            let mut of_addon = UnitTraffic { is_known: true, ..UnitTraffic::default() };
            for (name, seat) in seats {
                let standing = match self.standing(plan, seat) {
                    Standing::Underway if aside.includes(name) => Standing::Unwell,
                    standing => standing,
                };
                of_addon.clusters.insert(name, standing);
                of_addon.starts.extend(seat.started.map(|at| (name, at)));
            }
            traffic.add(&plan.name, of_addon);
            asides.push(aside);
        }
        let mut gates = Gates::new(in_force, &self.objects, traffic, self.now);
        let (mut opens, mut started, mut waits) = (Vec::new(), Vec::new(), Vec::new());
        let no_checks = checks::Judged::default();
        for (number, (plan, seats)) in self.plans.iter().zip(&self.seats).enumerate() {
            let aside = &asides[number];
            let groups: Vec<DecisionGroup> = (0..3)
                .map(|index| {
                    let clusters = seats.iter().filter(|(_, seat)| seat.group == index).map(|(name, _)| name.clone());
                    DecisionGroup { index, name: String::new(), clusters: clusters.collect() }
                })
                .collect();
            let existing: Vec<ClusterStatus> =
                seats.iter().map(|(name, seat)| status(name, seat, aside.includes(name))).collect();
            let input = Input {
                strategy: &plan.strategy,
                groups: &groups,
                existing: &existing,
                tolerates_failures: false,
                now: self.now,
            };
            let holds: Vec<_> = aside.hold.iter().cloned().collect();
            let turn = Turn {
                unit: &plan.name,
                placement: None,
                holds: &holds,
                approvals: &[],
                checks: &no_checks,
                rolls_back: false,
                is_foreseen: false,
                requires: &plan.requires,
            };
            let mut admit = |name: &ClusterName, group: &GroupKey| gates.admit(&turn, name, group);
            let decision = decide_with(&input, Semantics::Strict, &mut admit).unwrap();
            opens.extend(decision.wake_after.map(|after| self.now + after));
            let mut waiting: BTreeMap<ClusterName, Wait> = BTreeMap::new();
            for (name, verdict) in decision.verdicts {
                match (verdict, aside.clusters.get(&name)) {
                    (Verdict::Starts, _) => started.push((number, name)),
                    (Verdict::Waits(wait), _) => drop(waiting.insert(name, wait)),
                    (_, Some(gate)) if seats[&name].state == State::Waiting => {
                        waiting.insert(name, Wait::Gate(Box::new(gate.clone())));
                    }
                    _ => {}
                }
            }
            for wait in waiting.values() {
                self.reasons.insert(wait.lasting());
                opens.extend(wait.look_at());
            }
            waits.push(waiting);
        }
        judge(self, &asides, &started);
        self.starts += started.len();
        self.waits = waits;
        for (number, name) in started {
            let ends = self.now + SignedDuration::from_secs(self.machines[&name].delay);
            if let Some(seat) = self.seats[number].get_mut(&name) {
                seat.state = State::Underway { started: self.now, ends };
                seat.started = Some(self.now);
            }
        }
        opens.retain(|at| *at > self.now);
        opens
    }
}

fn key(index: i32) -> GroupKey {
    GroupKey { index, name: String::new() }
}

fn status(name: &ClusterName, seat: &Seat, is_aside: bool) -> ClusterStatus {
    let (status, started, last_transition) = match seat.state {
        _ if is_aside => (Status::Skip, None, None),
        State::Waiting => (Status::ToApply, None, None),
        State::Underway { started, .. } => (Status::Progressing, Some(started), None),
        State::Failed { started } => (Status::Failed, Some(started), Some(started)),
        State::Done { since } => (Status::Succeeded, None, Some(since)),
    };
    ClusterStatus { started, last_transition, ..ClusterStatus::new(name.as_str(), status) }
}
