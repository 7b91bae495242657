//! A change of the rules that is judged: what it may loosen, and which approvals that needs.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::basis::Basis;
use super::change::Approvals;
use super::judge::judge;
use super::rule::{After, Rule};
use super::rule_change::{RuleChange, changes};
use super::subject::{Authors, Subject};
use super::verdict::Verdict;
use super::voucher::Vouched;
use tidegate_api::ocm::managed_cluster::ManagedCluster;
use tidegate_api::rollout_policy::{Approval, RolloutPolicy};
use tidegate_model::digest::Digest;
use tidegate_model::instance::InstanceId;
use tidegate_model::name::ClusterName;
use tidegate_model::revision::CommitId;
use tidegate_model::time::Timestamp;

/// The verdict on an approval that a change of the rules needs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RulesApproval {
    /// The policy before the change that asks for it, such as `RolloutPolicy production`.
    pub policy: String,
    /// Who has approved, and what is missing.
    pub verdict: Verdict,
}

/// A change of the rules that is judged.
pub struct RulesProposal<'a> {
    /// The rules in force, with the one who vouches for them.
    pub before: &'a Vouched<Arc<Basis>>,
    /// The digest of the rules after the change.
    pub digest: &'a Digest,
    /// The rules after the change.
    pub after: &'a Basis,
    /// Who made it.
    pub authors: Authors,
    /// The revision that brings it; `None` if it has none yet.
    pub commit: Option<&'a CommitId>,
}

/// What a change of the rules changes, and the verdicts on the approvals that it needs.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Judged {
    /// What changes and may loosen the rules, in words.
    pub changes: Vec<String>,
    /// The approvals that it needs; empty if it is in force without.
    pub approvals: Vec<RulesApproval>,
}

impl RulesProposal<'_> {
    /// Judges the change by the rules before it. `on_hub` returns a cluster as it is on the hub: a cluster that the change declares first must
    /// have the labels and annotations that it declares.
    pub fn judged<'h>(
        &self,
        (approvals, instance, now): (&Approvals, &InstanceId, Timestamp),
        on_hub: impl Fn(&ClusterName) -> Option<&'h ManagedCluster>,
    ) -> Judged {
        let found = changes(&self.before.fact, self.after, on_hub);
        if found.is_empty() {
            return Judged::default();
        }
        let name = Approvals::rules();
        let subject = Subject {
            addon: name.clone(),
            digest: self.digest.clone(),
            group: None,
            instance: instance.clone(),
            authors: self.authors.clone(),
            earlier: self.authors.clone(),
            change: self.commit.cloned(),
            replaced: approvals.replaced(&name, self.digest),
            reached: None,
        };
        let approval = |(policy, approval): (String, &Approval)| {
            // There is no turn of a group.
            let rule = Rule { after: After::Any, ..Rule::of(approval) };
            RulesApproval { policy, verdict: judge(&rule, &self.before.fact.people, approvals, &subject, now) }
        };
        Judged {
            changes: found.iter().map(ToString::to_string).collect(),
            approvals: needed(&self.before.fact, &found).into_iter().map(approval).collect(),
        }
    }
}

impl RulesApproval {
    /// Returns what is missing, in words; `None` if nothing is.
    pub fn missing(&self) -> Option<String> {
        let Self { policy, verdict } = self;
        let missing = verdict.missing.as_ref().filter(|_| !verdict.is_met())?;
        Some(format!("approval {:?} ({policy}): {missing}", verdict.rule))
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
