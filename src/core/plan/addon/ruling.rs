//! The rollout engine's decision about the clusters of a placement, and what to do with each of them.

use super::context::{Action, Context};
use super::placement::{Child, Node};
use crate::rollout;
use crate::rollout::{ClusterStatus, Decision, Status, Verdict, Wait};
use crate::status::{State, Tally, overdue, state};
use tidegate_model::error_chain::ErrorChain;
use tidegate_model::name::ClusterName;
use tidegate_model::time::Timestamp;

/// The rollout engine's decision about the clusters of a node.
#[derive(Debug)]
pub(in crate::plan) struct Ruling {
    /// Its `rollout` is sorted by name.
    decision: Result<Decision, rollout::Error>,
}

/// Asks the rollout engine about a node.
pub(in crate::plan) fn ruling(context: &Context<'_>, node: &Node<'_>) -> Ruling {
    let existing = statuses(node);
    let input =
        rollout::Input { strategy: &node.strategy, groups: &node.groups, existing: &existing, now: context.input.now };
    let mut decision = rollout::decide(&input, context.rules.engine);
    if let Ok(decision) = &mut decision {
        decision.rollout.sort_by(|a, b| a.cluster.cmp(&b.cluster));
    }
    Ruling { decision }
}

/// Returns the statuses of the clusters of a node in the form that the rollout engine expects.
pub(super) fn statuses(node: &Node<'_>) -> Vec<ClusterStatus> {
    let status = |child: &Child<'_>| {
        // The time that a cluster took for another configuration says nothing about this one.
        let took = overdue::took(child.addon).filter(|_| child.state != State::ToApply);
        ClusterStatus { took, ..rollout_status(child.name.as_str(), child.state) }
    };
    node.children.iter().map(status).collect()
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
    pub(in crate::plan) fn stopped(&self) -> Option<String> {
        let decision = self.decision.as_ref().ok().filter(|decision| decision.breach)?;
        let is_late = |wait: &&Wait| matches!(wait, Wait::MandatoryFailure { late, .. } if !late.is_empty());
        let why = match decision.waiting().map(|(_, wait)| wait).find(is_late) {
            Some(wait) => wait.lasting(),
            None => "more clusters failed than the strategy allows".to_owned(),
        };
        Some(format!("{why}: no further cluster starts, and all others keep what they have"))
    }

    /// Returns when time alone may change the ruling.
    pub(in crate::plan) fn wake_at(&self, now: Timestamp) -> Option<Timestamp> {
        let after = self.decision.as_ref().ok()?.recheck_after?;
        now.checked_add(after).ok()
    }

    /// Returns what to do with a cluster.
    pub(in crate::plan) fn action(&self, child: &Child<'_>, may_start: bool) -> Action {
        match (child.state, self.verdict(child.name)) {
            (State::ToApply, Some(Verdict::Starts)) if !may_start => Action::Wait,
            (State::ToApply, Some(Verdict::Starts)) => Action::Start,
            (State::ToApply, _) => Action::Wait,
            // Only compat treats a cluster as started when just some of its configurations have been assigned.
            (State::Progressing { .. } | State::Failed { .. }, _)
                if !state::is_assigned(child.addon, &child.desired) =>
            {
                if self.is_in_rollout(child.name) {
                    Action::Start
                } else {
                    Action::Leave
                }
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
    pub(in crate::plan) fn tally(&self, node: &Node<'_>) -> Tally {
        let tally = Tally {
            selected: node.selected,
            configured: node.configured,
            timed_out: self.decision.as_ref().map(|decision| decision.timed_out.len()).unwrap_or_default(),
            ..Tally::default()
        };
        tally.compat(node.children.iter().map(|child| (child.addon, child.state, self.is_in_rollout(child.name))))
    }

    /// Returns the verdict on a cluster; `None` if the strategy is invalid, so that nothing was decided.
    pub(in crate::plan) fn verdict(&self, cluster: &ClusterName) -> Option<&Verdict> {
        self.decision.as_ref().ok()?.verdicts.get(cluster)
    }

    /// Returns what is wrong with the strategy; empty if it is valid.
    pub(in crate::plan) fn fault(&self) -> String {
        self.decision.as_ref().err().map(|error| ErrorChain(error).to_string()).unwrap_or_default()
    }
}
