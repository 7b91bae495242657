//! Decides whether a change of the rules is in force: once the rules before it have approved it.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::basis::Basis;
use super::change::{Approvals, Change, RULES};
use super::judge::judge;
use super::judges::{RulesInForce, together};
use super::rule::Rule;
use super::rule_change::{RuleChange, changes};
use super::subject::{Authors, Subject};
use super::verdict::Verdict;
use super::voucher::{Vouched, Voucher};
use tidegate_api::rollout_policy::{Approval, RolloutPolicy};
use tidegate_model::digest::Digest;
use tidegate_model::instance::InstanceId;
use tidegate_model::name::{AddonName, ClusterName};
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
    /// What is missing, in words.
    pub missing: Vec<String>,
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
    /// The verdicts on the approvals that a change needs, each with the policy that asks for it.
    pub verdicts: Vec<(String, Verdict)>,
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
    /// The time of the decision.
    pub now: Timestamp,
}

/// Decides whether the rules of the followed revision are in force. `is_on_hub` returns `true` for a cluster that exists on the hub with other
/// labels or annotations than declared.
///
/// A change that cannot loosen anything is in force at once, and so is one where the rules before it ask for no approval at all. Any other
/// change needs the approvals of the policies that it changes or, if those have none or if it changes people, policies as code or clusters,
/// the approvals of all policies before it.
pub fn rules_in_force(subject: &RulesSubject<'_>, is_on_hub: impl Fn(&ClusterName) -> bool) -> RulesDecision {
    let RulesSubject { approvals, last, instance, now } = *subject;
    let name = Approvals::rules();
    let all = approvals.changes.get(&name).map(Vec::as_slice).unwrap_or_default();
    let Some(newest) = all.first() else { return RulesDecision::default() };
    let good = last.map(|state| &state.digest);
    let is_approved = last.is_some_and(|state| state.approved);
    if good == Some(&newest.digest) || newest.from.is_none() {
        return in_force(newest, is_approved);
    }
    let (first, authors) = since(all, newest, good);
    // Without rules before it, no one may approve.
    let nothing = Vouched::nothing();
    let before = first.rules.first().unwrap_or(&nothing);
    let found = changes(&before.fact, &newest.after, is_on_hub);
    if found.is_empty() {
        return in_force(newest, is_approved);
    }
    let needed = needed(&before.fact, &found);
    if needed.is_empty() {
        return in_force(newest, false);
    }
    let judged = Judged { name, digest: &newest.digest, authors, instance, before, now };
    let verdicts: Vec<_> =
        needed.into_iter().map(|(policy, approval)| (policy, judged.verdict(approval, approvals))).collect();
    let since = last.and_then(|state| state.waiting.as_ref()).filter(|waiting| waiting.digest == newest.digest);
    let since = since.map_or_else(|| to_seconds(now), |waiting| waiting.since);
    let until = approvals.operator.delay.map(|delay| since.saturating_add(delay).unwrap_or(Timestamp::MAX));
    if verdicts.iter().all(|(_, verdict)| verdict.is_met()) || until.is_some_and(|until| until <= now) {
        return RulesDecision { verdicts, ..in_force(newest, true) };
    }
    let missing = verdicts.iter().filter(|(_, verdict)| !verdict.is_met()).map(|(policy, verdict)| {
        let missing = verdict.missing.as_ref().map(ToString::to_string).unwrap_or_default();
        format!("approval {:?} ({policy}): {missing}", verdict.rule)
    });
    let waiting = WaitingRules {
        digest: newest.digest.clone(),
        since,
        changes: found.iter().map(ToString::to_string).collect(),
        missing: missing.collect(),
        until,
    };
    let digest = good.cloned().unwrap_or_else(|| before.fact.rules.clone());
    RulesDecision {
        in_force: RulesInForce::Waiting { before: before.clone() },
        state: Some(RulesState { digest, approved: is_approved, waiting: Some(waiting) }),
        verdicts,
    }
}

/// Returns the first change since the rules that are in force, and who made the changes since then.
fn since<'a>(all: &'a [Change], newest: &'a Change, good: Option<&Digest>) -> (&'a Change, Authors) {
    let mut first = newest;
    let mut authors = Vec::new();
    for change in all {
        first = change;
        authors.push(&change.authors);
        if change.from.is_none() || change.from.as_ref() == good {
            return (first, together(authors));
        }
    }
    (first, Authors::Unknown("older changes of the rules are not recorded".to_owned()))
}

fn in_force(newest: &Change, approved: bool) -> RulesDecision {
    let now = Vouched::new(newest.after.clone(), Voucher::InForce(newest.commit.clone()));
    RulesDecision {
        in_force: if approved { RulesInForce::Approved { now } } else { RulesInForce::Followed },
        state: Some(RulesState { digest: newest.digest.clone(), approved, waiting: None }),
        verdicts: Vec::new(),
    }
}

/// Returns the approvals that a change of rules needs, each with its policy.
fn needed<'b>(before: &'b Basis, changes: &[RuleChange]) -> Vec<(String, &'b Approval)> {
    let of = |(name, policy): (&String, &'b Arc<RolloutPolicy>)| {
        let source = format!("RolloutPolicy {name}");
        policy.spec.approvals.iter().map(move |approval| (source.clone(), approval))
    };
    let own = |change: &RuleChange| match change {
        RuleChange::Policy { name, .. } => {
            before.policies.get_key_value(name).map(|policy| of(policy).collect::<Vec<_>>())
        }
        _ => None,
    };
    let own: Option<Vec<_>> = changes.iter().map(|change| own(change).filter(|own| !own.is_empty())).collect();
    own.map_or_else(|| before.policies.iter().flat_map(of).collect(), |own| own.into_iter().flatten().collect())
}

/// What a change of rules is judged by.
struct Judged<'a> {
    name: AddonName,
    digest: &'a Digest,
    authors: Authors,
    instance: &'a InstanceId,
    before: &'a Vouched<Arc<Basis>>,
    now: Timestamp,
}

impl Judged<'_> {
    fn verdict(&self, approval: &Approval, approvals: &Approvals) -> Verdict {
        let subject = Subject {
            addon: self.name.clone(),
            digest: self.digest.clone(),
            group: None,
            instance: self.instance.clone(),
            authors: self.authors.clone(),
            earlier: self.authors.clone(),
            reached: None,
        };
        // There is no turn of a group, and an approval that has expired once is not asked for again.
        let rule = Rule { after: super::rule::After::Any, ..Rule::of(approval) };
        judge(&rule, &self.before.fact.people, approvals, &subject, self.now)
    }
}

impl RulesDecision {
    /// Returns the change of the rules that waits for an approval.
    pub fn waiting(&self) -> Option<&WaitingRules> {
        self.state.as_ref()?.waiting.as_ref()
    }

    /// Returns what people should know: which change of the rules waits, and for what.
    pub fn notice(&self) -> Option<String> {
        let WaitingRules { digest, changes, missing, until, .. } = self.waiting()?;
        let until = until.map(|until| format!(", or until {until}")).unwrap_or_default();
        Some(format!(
            "rules {} are not in force yet ({}): they wait for {}{until}; until then, the rules before them judge as well: tidegate approve {RULES}",
            digest.short(),
            changes.join("; "),
            missing.join("; "),
        ))
    }
}
