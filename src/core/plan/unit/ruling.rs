//! The rollout engine's decision about the clusters of a placement, and what to do with each of them.

use std::collections::BTreeMap;

use crate::context::{Action, Context};
use crate::node::{Child, Node};
use crate::report::missing::Missing;
use tidegate_delivery::status::{State, Tally, overdue, state};
use tidegate_model::decision::DecisionGroup;
use tidegate_model::error_chain::ErrorChain;
use tidegate_model::name::ClusterName;
use tidegate_model::progress::ClusterState;
use tidegate_model::time::Timestamp;
use tidegate_rollout::gate::{Reaction, Standing};
use tidegate_rollout::{Admit, ClusterStatus, Decision, GroupKey, Status, Verdict, Wait};

/// The rollout engine's decision about the clusters of a node.
#[derive(Debug)]
pub(crate) struct Ruling {
    /// Its `rollout` is sorted by name.
    decision: Result<Decision, tidegate_rollout::Error>,
}

/// Asks the rollout engine about a node. `admit` decides about each cluster that would start.
pub(crate) fn ruling(context: &Context<'_>, node: &Node<'_>, admit: &mut Admit<'_>) -> Ruling {
    let existing = statuses(context, node);
    let input = tidegate_rollout::Input {
        strategy: &node.strategy,
        groups: &node.groups,
        existing: &existing,
        tolerates_failures: tolerates_failures(node),
        now: context.input.now,
    };
    let mut decision = tidegate_rollout::decide_with(&input, context.rules.engine, admit);
    if let Ok(decision) = &mut decision {
        decision.rollout.sort_by(|a, b| a.cluster.cmp(&b.cluster));
        set_aside(node, decision, admit);
    }
    Ruling { decision }
}

/// Decides about the clusters that the others do not wait for.
fn set_aside(node: &Node<'_>, decision: &mut Decision, admit: &mut Admit<'_>) {
    let earlier = Earlier::of(node, decision);
    for child in node.children.iter().filter(|child| child.state == State::ToApply) {
        let verdict = match node.aside.clusters.get(child.name) {
            Some(gate) => Verdict::Waits(Wait::Gate(Box::new(gate.clone()))),
            None if !node.aside.ignored.contains_key(child.name) => continue,
            None => match earlier.wait(child.group) {
                Some(wait) => Verdict::Waits(wait),
                None => match admit(child.name, &node.group_key(child.group)) {
                    Some(gate) => Verdict::Waits(Wait::Gate(Box::new(gate))),
                    None => Verdict::Starts,
                },
            },
        };
        decision.verdicts.insert(child.name.clone(), verdict);
    }
}

/// The place of a group in the order of starts: mandatory groups are first.
type Rank = (bool, Option<i32>);

/// What a cluster that counts for nothing waits for: it starts once its group has started, and the groups before it are done.
struct Earlier<'n> {
    node: &'n Node<'n>,
    /// How many clusters of each group have not started. Some do not have the add-on yet.
    waiting: BTreeMap<Rank, usize>,
    /// How many clusters have started and are not done, in groups that later ones wait for.
    unfinished: BTreeMap<Rank, usize>,
}

impl<'n> Earlier<'n> {
    fn of(node: &'n Node<'n>, decision: &Decision) -> Self {
        let mut earlier = Self { node, waiting: BTreeMap::new(), unfinished: BTreeMap::new() };
        let is_by_group = node.strategy.type_ == "ProgressivePerGroup";
        let tolerates = tolerates_failures(node);
        for child in node.children.iter().filter(|child| !node.aside.includes(child.name)) {
            let rank = earlier.rank(child.group);
            let counts = match decision.verdicts.get(child.name) {
                Some(Verdict::Waits(_)) => &mut earlier.waiting,
                Some(Verdict::Starts | Verdict::Underway { .. } | Verdict::Soaks { .. }) if is_by_group || !rank.0 => {
                    &mut earlier.unfinished
                }
                Some(Verdict::Failed { .. } | Verdict::TimedOut | Verdict::Late { .. }) if !rank.0 && !tolerates => {
                    &mut earlier.unfinished
                }
                _ => continue,
            };
            *counts.entry(rank).or_default() += 1;
        }
        let awaited =
            node.awaited.iter().filter(|(name, missing)| *missing == Missing::Addon && !node.aside.includes(name));
        for (name, _) in awaited {
            let group = node.groups.iter().find(|group| group.clusters.contains(name)).map(|group| group.index);
            *earlier.waiting.entry(earlier.rank(group)).or_default() += 1;
        }
        earlier
    }

    fn rank(&self, group: Option<i32>) -> Rank {
        let key = self.node.group_key(group);
        (!self.node.mandatory().iter().any(|entry| key.is(entry)), group)
    }

    fn wait(&self, group: Option<i32>) -> Option<Wait> {
        let own = self.rank(group);
        let waiting = self.waiting.iter().find(|(rank, _)| **rank <= own);
        let (rank, unfinished) = waiting.or_else(|| self.unfinished.iter().find(|(rank, _)| **rank < own))?;
        let (group, unfinished) = (self.node.group_key(rank.1), *unfinished);
        Some(if rank.0 { Wait::Group { group, unfinished } } else { Wait::MandatoryGroup { group, unfinished } })
    }
}

/// Returns `true` if the rollout of a node continues, whatever fails.
fn tolerates_failures(node: &Node<'_>) -> bool {
    node.rolls_back || node.reaction.as_ref().is_some_and(Reaction::continues)
}

/// Returns where the clusters of a node stand, in the order of its children.
pub(super) fn standings(context: &Context<'_>, node: &Node<'_>) -> Vec<Standing> {
    let statuses = node.children.iter().map(|child| taking_part(context, node, child));
    let statuses: Vec<ClusterStatus> = statuses.collect();
    // Without a valid strategy, every cluster that has started counts as under way.
    let is_underway = |status: &ClusterStatus| {
        tidegate_rollout::is_underway(&node.strategy, status, context.input.now)
            .unwrap_or(status.status != Status::Succeeded)
    };
    let standing = |status: &ClusterStatus| match status.status {
        Status::ToApply => Standing::Waiting,
        _ if is_underway(status) => Standing::Underway,
        Status::Succeeded => Standing::Done,
        _ => Standing::Unwell,
    };
    statuses.iter().map(standing).collect()
}

/// Returns the statuses of the clusters of a node in the form that the rollout engine expects.
pub(super) fn statuses(context: &Context<'_>, node: &Node<'_>) -> Vec<ClusterStatus> {
    let key = |group: &DecisionGroup| (group.index, GroupKey { index: group.index, name: group.name.clone() });
    let keys: BTreeMap<i32, GroupKey> = node.groups.iter().map(key).collect();
    let status = |child: &Child<'_>| {
        let status = match node.aside.includes(child.name) {
            true => ClusterStatus::new(child.name.as_str(), Status::Skip),
            false => taking_part(context, node, child),
        };
        // Compat asks the gates about the group of the status.
        let group = child.group.and_then(|index| keys.get(&index)).cloned().unwrap_or_default();
        ClusterStatus { group, ..status }
    };
    // A cluster that is not among the children is one that waits, unless it is set aside.
    let is_aside = |(name, _): &&(ClusterName, Missing)| node.aside.includes(name);
    let awaited = node.awaited.iter().filter(is_aside).map(|(name, _)| {
        let group = node.group_of(name).and_then(|index| keys.get(&index)).cloned().unwrap_or_default();
        ClusterStatus { group, ..ClusterStatus::new(name.as_str(), Status::Skip) }
    });
    node.children.iter().map(status).chain(awaited).collect()
}

/// Returns the status of a cluster that takes part in the rollout.
pub(super) fn taking_part(context: &Context<'_>, node: &Node<'_>, child: &Child<'_>) -> ClusterStatus {
    let status = first_watched(context, child, since_return(node, status(child), child.name));
    still_soaking(context, child, context.input.seen(status))
}

/// Returns the status with a deadline that counts from now if the cluster was not watched for this configuration until now: it was leaving, or
/// waited for another one. What it reported in the meantime is taken in by this plan.
fn first_watched(context: &Context<'_>, child: &Child<'_>, status: ClusterStatus) -> ClusterStatus {
    if !is_new_to_watch(context, child, &status) {
        return status;
    }
    let now = Some(context.input.now);
    ClusterStatus { last_transition: now, started: now, ..status }
}

/// Returns `true` if a cluster is under way that was not watched for this configuration until now.
fn is_new_to_watch(context: &Context<'_>, child: &Child<'_>, status: &ClusterStatus) -> bool {
    let before = context.input.past.cluster(context.name, child.name).map(|before| before.state);
    status.status == Status::Progressing
        && before.is_some_and(|state| state == ClusterState::Waiting || state.is_unselected())
        && context.input.repository.settings.rules().counts_from_start
}

/// Returns `true` if a cluster that was not watched until now is past its deadline. Nothing starts in this plan, which reads its reports.
pub(super) fn has_unread(context: &Context<'_>, node: &Node<'_>) -> bool {
    let takes_part =
        |child: &&Child<'_>| matches!(child.state, State::Progressing { .. }) && !node.aside.includes(child.name);
    node.children.iter().filter(takes_part).any(|child| {
        let status = since_return(node, status(child), child.name);
        let is_late = |status| {
            tidegate_rollout::is_underway(&node.strategy, &context.input.seen(status), context.input.now) == Ok(false)
        };
        is_new_to_watch(context, child, &status) && is_late(status)
    })
}

/// Returns the status with a soak time that is not over yet, if it ended while the hub was not observed: the health that was
/// reported in the meantime counts.
fn still_soaking(context: &Context<'_>, child: &Child<'_>, status: ClusterStatus) -> ClusterStatus {
    if status.status != Status::Succeeded || !context.input.is_first_look() {
        return status;
    }
    match context.input.past.cluster(context.name, child.name).map(|before| before.state) {
        Some(ClusterState::Soaking | ClusterState::Progressing) => {
            ClusterStatus { last_transition: Some(context.input.now), ..status }
        }
        _ => status,
    }
}

/// Returns the status with a deadline that counts from the return of the cluster, if it would have been parked until then.
fn since_return(node: &Node<'_>, status: ClusterStatus, name: &ClusterName) -> ClusterStatus {
    match node.aside.reachable.get(name) {
        Some(since) if status.status == Status::Progressing => {
            let before = status.last_transition.or(status.started);
            ClusterStatus { last_transition: before.max(Some(*since)), ..status }
        }
        _ => status,
    }
}

/// Returns the status of a cluster in the form that the rollout engine expects.
fn status(child: &Child<'_>) -> ClusterStatus {
    // The time that a cluster took for another configuration says nothing about this one.
    let took = overdue::took(child.addon).filter(|_| child.state != State::ToApply);
    ClusterStatus { took, ..rollout_status(child.name.as_str(), child.state) }
}

/// Returns the state of a cluster in the form that the rollout engine expects.
fn rollout_status(name: &str, state: State) -> ClusterStatus {
    let (status, last_transition, started) = match state {
        State::ToApply => (Status::ToApply, None, None),
        State::Progressing { started, since } => (Status::Progressing, since, started),
        State::Failed { since } => (Status::Failed, Some(since), None),
        State::Succeeded { since } => (Status::Succeeded, since, None),
    };
    ClusterStatus { last_transition, started, ..ClusterStatus::new(name, status) }
}

impl Ruling {
    /// Returns why no further cluster starts, if too many have failed or were late.
    pub(crate) fn stopped(&self) -> Option<String> {
        let why = self.failure()?;
        Some(format!("{why}: no further cluster starts, and all others keep what they have"))
    }

    /// Returns what failed, if too many clusters have failed or were late.
    pub(crate) fn failure(&self) -> Option<String> {
        let decision = self.decision.as_ref().ok().filter(|decision| decision.breach)?;
        let is_late = |wait: &&Wait| matches!(wait, Wait::MandatoryFailure { late, .. } if !late.is_empty());
        Some(match decision.waiting().map(|(_, wait)| wait).find(is_late) {
            Some(wait) => wait.lasting(),
            None => "more clusters failed than the strategy allows".to_owned(),
        })
    }

    /// Returns when time alone may change the ruling.
    pub(crate) fn look_at(&self, now: Timestamp) -> Option<Timestamp> {
        let after = self.decision.as_ref().ok()?.wake_after?;
        now.checked_add(after).ok()
    }

    /// Returns what to do with a cluster.
    pub(crate) fn action(&self, child: &Child<'_>, may_start: bool, is_paused: bool) -> Action {
        match (child.state, self.verdict(child.name)) {
            (State::ToApply, Some(Verdict::Starts)) if !may_start => Action::Wait,
            (State::ToApply, Some(Verdict::Starts)) => Action::Start,
            (State::ToApply, _) => Action::Wait,
            // Only compat treats a cluster as started when just some of its configurations have been assigned.
            (State::Progressing { .. } | State::Failed { .. }, _)
                if !state::is_assigned(child.addon, &child.desired) =>
            {
                if may_start && self.is_in_rollout(child.name) && !is_paused { Action::Start } else { Action::Leave }
            }
            (State::Progressing { .. }, _) => Action::Watch,
            (State::Failed { .. }, _) => Action::Failed,
            (State::Succeeded { .. }, Some(Verdict::Soaks { .. })) => Action::Soak,
            (State::Succeeded { .. }, _) => Action::Keep,
        }
    }

    /// Returns `true` if a cluster is in the rollout at this moment: it starts, is under way, or soaks.
    pub(super) fn is_in_rollout(&self, cluster: &ClusterName) -> bool {
        let is_in = |decision: &Decision| {
            decision.rollout.binary_search_by(|status| status.cluster.as_str().cmp(cluster.as_str())).is_ok()
        };
        self.decision.as_ref().is_ok_and(is_in)
    }

    /// Counts the clusters of the node as upstream does.
    pub(crate) fn tally(&self, node: &Node<'_>) -> Tally {
        let tally = Tally {
            selected: node.selected,
            configured: node.configured,
            timed_out: self.decision.as_ref().map(|decision| decision.timed_out.len()).unwrap_or_default(),
            ..Tally::default()
        };
        tally.compat(node.children.iter().map(|child| (child.addon, child.state, self.is_in_rollout(child.name))))
    }

    /// Returns the verdict on a cluster; `None` if the strategy is invalid, so that nothing was decided.
    pub(crate) fn verdict(&self, cluster: &ClusterName) -> Option<&Verdict> {
        self.decision.as_ref().ok()?.verdicts.get(cluster)
    }

    /// Returns what is wrong with the strategy; empty if it is valid.
    pub(crate) fn fault(&self) -> String {
        self.decision.as_ref().err().map(|error| ErrorChain(error).to_string()).unwrap_or_default()
    }
}
