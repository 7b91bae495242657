//! Decides whether a change of the rules is in force: once the rules before it have approved it.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::basis::Basis;
use super::change::{Approvals, Change, RULES};
use super::judges::{RulesInForce, together};
use super::pending::Pending;
use super::rules_proposal::{Judged, RulesApproval, RulesProposal};
use super::subject::Authors;
use super::vouched;
use super::voucher::{RulesVoucher, Vouched};
use tidegate_api::ocm::managed_cluster::ManagedCluster;
use tidegate_model::clock_steps::ClockSteps;
use tidegate_model::digest::Digest;
use tidegate_model::instance::InstanceId;
use tidegate_model::name::ClusterName;
use tidegate_model::time::{Rfc3339, Timestamp, to_seconds};

/// Which rules are in force, as journaled.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RulesState {
    /// The digest of the rules in force.
    pub digest: Digest,
    /// Whether the rules before them approved them, or the delay has passed. Otherwise, changes that came with them are still judged by the
    /// rules before, too.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub approved: bool,
    /// The approvals of the rules in force; empty if they needed none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub approvals: Vec<RulesApproval>,
    /// The change of the rules that waits; absent if none does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub waiting: Option<WaitingRules>,
}

/// A change of the rules that waits for an approval.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct WaitingRules {
    /// The digest of the rules that wait.
    pub digest: Digest,
    /// Since when they wait.
    #[schemars(with = "Rfc3339")]
    pub since: Timestamp,
    /// What changes, in words.
    pub changes: Vec<String>,
    /// The approvals that it needs.
    pub approvals: Vec<RulesApproval>,
    /// When they take effect without an approval; absent if never.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Rfc3339>")]
    pub until: Option<Timestamp>,
}

/// The decision about the rules of the followed revision.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RulesDecision {
    /// Whether they are in force.
    pub in_force: RulesInForce,
    /// The state to journal; `None` if no change of rules was ever recorded.
    pub state: Option<RulesState>,
}

/// What the decision is about.
#[derive(Debug, Clone, Copy)]
pub struct RulesSubject<'a> {
    /// The approvals, with the changes of the rules.
    pub approvals: &'a Approvals,
    /// The last state; `None` if none is known.
    pub last: Option<&'a RulesState>,
    /// The instance that judges.
    pub instance: &'a InstanceId,
    /// The steps of the clock since the last state.
    pub clock: &'a ClockSteps,
    /// The time of the decision.
    pub now: Timestamp,
}

/// Decides whether the rules of the followed revision are in force. `on_hub` returns a cluster as it is on the hub.
///
/// Changes are judged in the order in which they were followed, also if several were followed since the last decision, as while the hub was
/// away. A change that cannot loosen anything is in force at once, and so is one where the rules before it ask for no approval at all. Any other
/// change needs the approvals of the policies that it changes or, if those have none or if it changes people, policies as code or clusters,
/// the approvals of all policies before it.
pub fn rules_in_force<'h>(
    subject: &RulesSubject<'_>,
    on_hub: impl Fn(&ClusterName) -> Option<&'h ManagedCluster>,
) -> RulesDecision {
    let RulesSubject { approvals, last, instance, clock, now } = *subject;
    let name = Approvals::rules();
    let all = approvals.changes.get(&name).map(Vec::as_slice).unwrap_or_default();
    let Some(newest) = all.first() else { return RulesDecision::default() };
    let good = last.map(|state| &state.digest);
    let before = last.map(|state| (state.approved, state.approvals.clone())).unwrap_or_default();
    if good == Some(&newest.digest) || newest.from.is_none() {
        return in_force(newest, before);
    }
    let made = |changes: &[Change]| -> Vec<Authors> {
        changes.iter().map(|change| vouched::of_change(change, &name, &approvals.pulls)).collect()
    };
    let judged = |rules: &Vouched<Arc<Basis>>, (change, authors): (&Change, Authors)| {
        let proposal = RulesProposal {
            before: rules,
            digest: &change.digest,
            after: &change.after,
            authors,
            commit: Some(&change.commit),
        };
        proposal.judged((approvals, instance, now), &on_hub)
    };
    let mut pending = Pending::of(all, good, before);
    pending.advance(last.is_none(), |rules, changes| judged(rules, (&changes[0], together(&made(changes)))));
    let Pending { good, before, rules, changes: waiting, is_whole } = pending;
    let authors = match is_whole {
        true => together(&made(waiting)),
        false => Authors::Unknown("older changes of the rules are not recorded".to_owned()),
    };
    let Judged { changes, approvals: verdicts } = judged(&rules, (newest, authors));
    if changes.is_empty() {
        return in_force(newest, before);
    }
    if verdicts.is_empty() {
        return in_force(newest, (false, Vec::new()));
    }
    let since = last.and_then(|state| state.waiting.as_ref()).filter(|waiting| waiting.digest == newest.digest);
    let since = since.map_or(now, |waiting| waiting.since);
    let waits = clock.adjusted(since, now);
    // A time in the future was recorded before the clock was set back.
    let since = to_seconds(if since > now { waits } else { since });
    let until = approvals.operator.delay.map(|delay| to_seconds(waits).saturating_add(delay).unwrap_or(Timestamp::MAX));
    if verdicts.iter().all(|approval| approval.verdict.is_met()) || until.is_some_and(|until| until <= now) {
        return in_force(newest, (true, verdicts));
    }
    let waiting = WaitingRules { digest: newest.digest.clone(), since, changes, approvals: verdicts, until };
    let digest = good.unwrap_or_else(|| rules.fact.rules.clone());
    let (approved, approvals) = before;
    RulesDecision {
        in_force: RulesInForce::Waiting { before: rules },
        state: Some(RulesState { digest, approved, approvals, waiting: Some(waiting) }),
    }
}

fn in_force(newest: &Change, (approved, approvals): (bool, Vec<RulesApproval>)) -> RulesDecision {
    let now = Vouched::new(newest.after.clone(), RulesVoucher::InForce(newest.commit.clone()));
    RulesDecision {
        in_force: if approved { RulesInForce::Approved { now } } else { RulesInForce::Followed },
        state: Some(RulesState { digest: newest.digest.clone(), approved, approvals, waiting: None }),
    }
}

impl RulesDecision {
    /// Returns the change of the rules that waits for an approval.
    pub fn waiting(&self) -> Option<&WaitingRules> {
        self.state.as_ref()?.waiting.as_ref()
    }

    /// Returns what people should know: which change of the rules waits, and for what.
    pub fn notice(&self) -> Option<String> {
        let WaitingRules { digest, changes, approvals, until, .. } = self.waiting()?;
        let missing: Vec<String> = approvals.iter().filter_map(RulesApproval::missing).collect();
        let until = until.map(|until| format!(", or until {until}")).unwrap_or_default();
        Some(format!(
            "rules {} are not in force yet ({}): they wait for {}{until}; until then, the rules before them judge as well: tidegate approve {RULES}",
            digest.short(),
            changes.join("; "),
            missing.join("; "),
        ))
    }
}
