//! The state of each check of a placement, and the clusters that it holds.

use std::collections::BTreeMap;

use serde_json::Value;

use super::compare::compare;
use super::due::{counts, due, is_final};
use super::evidence::Evidence;
use super::expression::measure;
use super::observation::{Key, Measured, Observation, Observations, Outcome};
use super::read::{Check, What};
use super::request::Request;
use super::stage::{Phase, Stage, in_order};
use super::state::State;
use crate::gate::policies::{Policies, Policy, names};
use crate::{Barrier, Gate, GroupKey};
use tidegate_api::ocm::rollout_strategy::MandatoryDecisionGroup;
use tidegate_api::rollout_policy::When;
use tidegate_model::digest::Digest;
use tidegate_model::name::{ClusterName, NamespacedName, UnitName};
use tidegate_model::time::{Timestamp, sooner};

/// The rollout of one placement of a unit, whose groups are checked.
#[derive(Clone, Copy)]
pub struct Checkable<'t> {
    /// The unit.
    pub unit: &'t UnitName,
    /// Its digest.
    pub digest: &'t Digest,
    /// The Placement; `None` for clusters chosen by hand.
    pub placement: Option<&'t NamespacedName>,
    /// The mandatory groups of the strategy.
    pub mandatory: &'t [MandatoryDecisionGroup],
    /// The groups with their clusters.
    pub stages: &'t [Stage<'t>],
    /// The evidence of the last report.
    pub before: &'t [Evidence],
    /// The last measurements that were made beside the plan.
    pub observations: &'t Observations,
    /// Returns what an expression can read of a cluster.
    pub cluster: &'t dyn Fn(&ClusterName) -> Value,
    /// The time of the decision.
    pub now: Timestamp,
}

/// The state of a check of a group.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Judgement {
    /// The policy, such as `RolloutPolicy production`.
    pub source: String,
    /// Its position among the policies.
    policy: usize,
    /// The name of the check.
    pub check: String,
    /// The group that is checked.
    pub group: GroupKey,
    /// The state.
    pub state: State,
    /// The last measurement that counts.
    pub evidence: Option<Evidence>,
    /// How many failures in a row count as failed.
    pub most_failures: u32,
    /// Whether clusters of later groups may start.
    pub is_open: bool,
    /// Whether it holds the waiting clusters of its own group as well.
    holds_own: bool,
    /// Whether all clusters of the group are done.
    is_done: bool,
    /// The position of the group.
    place: usize,
}

/// The states of all checks of a placement.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Judged {
    /// Each check of each group.
    pub judgements: Vec<Judgement>,
    /// What is to be measured beside the plan.
    pub requests: Vec<Request>,
    /// When an expression is evaluated next.
    pub look_at: Option<Timestamp>,
    /// The positions of the groups in the order in which they start.
    places: BTreeMap<GroupKey, usize>,
}

impl Judged {
    /// Returns the gate that a check of a policy closes for the clusters of a group.
    pub(in crate::gate) fn gate(&self, index: usize, policy: &Policy<'_>, group: &GroupKey) -> Option<Gate> {
        let place = *self.places.get(group)?;
        let holds = |judgement: &&Judgement| {
            let Judgement { place: checked, is_open, holds_own, .. } = **judgement;
            // A policy for one group may mean the group that is checked, or the one that waits.
            let is_selected = policy.selects_group(group) || policy.selects_group(&judgement.group);
            let is_held = (checked < place && !is_open) || (checked == place && holds_own);
            judgement.policy == index && is_selected && is_held
        };
        self.judgements.iter().find(holds).map(Judgement::gate)
    }
}

/// Returns the first check that counts as failed, if the placement has one. It does not matter whether clusters wait for it.
pub fn failed(judgements: &[Judgement]) -> Option<&Judgement> {
    judgements.iter().find(|judgement| matches!(judgement.state, State::Failed { .. }))
}

impl Judgement {
    fn gate(&self) -> Gate {
        let result = self.result();
        let barrier = Barrier::Check { name: self.check.clone(), group: self.group.clone(), result };
        Gate { source: self.source.clone(), barrier }
    }

    /// Returns what the check showed, for people.
    pub fn result(&self) -> String {
        let value = self.evidence.as_ref().map_or("", |evidence| evidence.value.as_str());
        let value = match &self.evidence {
            Some(Evidence { outcome: Outcome::NoResult, .. }) => format!("no result: {value}"),
            _ => value.to_owned(),
        };
        match self.state {
            State::Unmeasured if self.is_done => "not measured yet".to_owned(),
            State::Unmeasured => "it is measured once the group is done".to_owned(),
            State::Passing => format!("{value}; it is measured again once the group is done"),
            State::Failing { times } => format!("{value} (failed {times} of {} times)", self.most_failures),
            State::Failed { times } => format!("{value} (failed {times} times in a row)"),
            State::NoResult => value,
        }
    }
}

/// Judges the checks of a placement: adds new measurements to the evidence, and evaluates expressions that are due.
pub(in crate::gate) fn judged(policies: &Policies<'_>, subject: &Checkable<'_>) -> Judged {
    let stages = in_order(subject.stages, subject.mandatory);
    let places = stages.iter().enumerate().map(|(place, stage)| (stage.group.clone(), place)).collect();
    let mut judged = Judged { places, ..Judged::default() };
    for (index, policy) in policies.of(subject.unit, subject.placement) {
        for check in &policy.checks {
            for place in 0..stages.len() {
                judge(&mut judged, subject, (index, policy), check, (&stages, place));
            }
        }
    }
    judged
}

fn judge(
    judged: &mut Judged,
    subject: &Checkable<'_>,
    (index, policy): (usize, &Policy<'_>),
    check: &Check,
    (stages, place): (&[&Stage<'_>], usize),
) {
    let (stage, later) = match stages.get(place..) {
        Some([stage, later @ ..]) => (*stage, later),
        _ => return,
    };
    // After the last group there is nothing to hold.
    if !names(&check.groups, &stage.group) || (later.is_empty() && check.when == When::After) {
        return;
    }
    let phase = stage.phase();
    let key = key(subject, policy, check, stage);
    let done = match phase {
        Phase::Done { since } => Some(since).filter(|since| *since > Timestamp::MIN),
        Phase::Idle | Phase::Underway => None,
    };
    let mut evidence = subject.before.iter().find(|known| known.is_of(&key) && counts(check, phase, known.at)).cloned();
    if let Some(evidence) = &mut evidence {
        evidence.done = done;
    }
    let add = |evidence: &mut Option<Evidence>, observation: &Observation| {
        *evidence = Some(Evidence::after(evidence.as_ref(), &key, observation, check, done));
    };
    let observed = subject.observations.0.get(&key).filter(|observation| counts(check, phase, observation.at));
    if let Some(observation) = observed.filter(|new| evidence.as_ref().is_none_or(|known| new.at > known.latest())) {
        add(&mut evidence, observation);
    }
    let has_waiting = later.iter().any(|stage| stage.waits());
    // There may be nothing to compare the group with.
    let is_possible = !matches!(check.what, What::Compare { .. }) || stages.iter().any(|stage| stage.waits());
    let next = |evidence: Option<&Evidence>| due(check, phase, evidence, has_waiting).filter(|_| is_possible);
    let mut next_at = next(evidence.as_ref());
    match &check.what {
        What::Ask(ask) => {
            let timeout = check.timeout.try_into().unwrap_or_default();
            let request = |due| Request { key: key.clone(), due, timeout, ask: ask.clone() };
            judged.requests.extend(next_at.map(request));
        }
        What::Cel(_) | What::Compare { .. } => {
            if next_at.is_some_and(|at| at <= subject.now) {
                let measured = evaluated(subject, &check.what, stage, stages);
                add(&mut evidence, &Observation { at: subject.now, measured });
                next_at = next(evidence.as_ref());
            }
            judged.look_at = sooner(judged.look_at, next_at);
        }
    }
    let state = State::of(check, evidence.as_ref());
    let is_final = evidence.as_ref().is_some_and(|evidence| is_final(phase, evidence.at));
    judged.judgements.push(Judgement {
        source: policy.source.clone(),
        policy: index,
        check: check.name.clone(),
        group: stage.group.clone(),
        state,
        evidence,
        most_failures: check.failures,
        is_open: state == State::Passing && is_final,
        holds_own: check.when == When::Soak && matches!(state, State::Failed { .. }),
        is_done: matches!(phase, Phase::Done { .. }),
        place,
    });
}

fn key(subject: &Checkable<'_>, policy: &Policy<'_>, check: &Check, stage: &Stage<'_>) -> Key {
    Key {
        addon: subject.unit.clone(),
        placement: subject.placement.map(ToString::to_string).unwrap_or_default(),
        group: stage.group.clone(),
        policy: policy.source.clone(),
        check: check.name.clone(),
        declared: check.declared.clone(),
        digest: subject.digest.clone(),
    }
}

/// Evaluates an expression over the clusters of a group.
fn evaluated(subject: &Checkable<'_>, what: &What, stage: &Stage<'_>, stages: &[&Stage<'_>]) -> Measured {
    let value = |name: &ClusterName| (subject.cluster)(name);
    match what {
        What::Cel(program) => measure(program, stage.started().map(|name| (name, value(name))).collect()),
        What::Compare { value: program, difference } => {
            let waiting = stages.iter().flat_map(|stage| stage.waiting()).map(value).collect();
            compare(program, *difference, stage.started().map(value).collect(), waiting)
        }
        What::Ask(_) => Measured::none("it is not measured here"),
    }
}
