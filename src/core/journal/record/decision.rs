//! What people and policies decided about a rollout.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use tidegate_consent::Seat;
use tidegate_model::digest::Digest;
use tidegate_model::followed::Rejection;
use tidegate_plan::report::{AddonReport, ApprovalReport};

/// What people or a policy decided about a rollout.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Decision {
    /// People approved it.
    Approved(Approval),
    /// People overrode windows and freezes for it.
    Overrode(Approval),
    /// A policy rejected its digest, because it failed.
    Rejected(PolicyVerdict),
    /// A policy started it, to take back a digest that had failed.
    TookBack(PolicyVerdict),
}

/// Enough people have approved.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Approval {
    /// The policy that asked for it, such as `RolloutPolicy production`.
    pub policy: String,
    /// The name of the rule.
    pub rule: String,
    /// Namespace and name of the Placement; empty for clusters chosen by hand.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub placement: String,
    /// The decision group that was waiting; absent for the start of the rollout.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
    /// The people, in the order of their approvals, with the evidence.
    pub by: Vec<Seat>,
}

/// What a policy decided about a digest that failed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PolicyVerdict {
    /// The policy, such as `RolloutPolicy production`.
    pub policy: String,
    /// The digest.
    pub digest: Digest,
    /// What failed, with the evidence.
    pub reason: String,
}

impl From<&Rejection> for PolicyVerdict {
    fn from(rejection: &Rejection) -> Self {
        let Rejection { digest, at: _, reason, policy, good: _ } = rejection.clone();
        Self { policy, digest, reason }
    }
}

impl Decision {
    /// Returns `true` if another decision says the same, at least about these people.
    fn is_covered_by(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Approved(own), Self::Approved(known)) | (Self::Overrode(own), Self::Overrode(known)) => {
                let rule = |approval: &Approval| {
                    let Approval { policy, rule, placement, group, by: _ } = approval.clone();
                    (policy, rule, placement, group)
                };
                // Who approves after enough others have decides nothing.
                rule(own) == rule(known) && known.by.iter().all(|seat| own.by.contains(seat))
            }
            (own, known) => own == known,
        }
    }
}

/// Adds decisions that are not known yet.
pub(crate) fn add(known: &mut Vec<Decision>, new: impl IntoIterator<Item = Decision>) {
    for decision in new {
        if !known.iter().any(|known| decision.is_covered_by(known)) {
            known.push(decision);
        }
    }
}

/// Returns what a report says that people and policies have decided about the digest in it.
pub(crate) fn decided(report: &AddonReport) -> Vec<Decision> {
    let met = report.approvals.iter().filter(|approval| approval.verdict.is_met() && !approval.verdict.have.is_empty());
    let approved = met.map(|ApprovalReport { placement, policy, breaks_glass, verdict, .. }| {
        let approval = Approval {
            policy: policy.clone(),
            rule: verdict.rule.clone(),
            placement: placement.clone(),
            group: verdict.group.clone(),
            by: verdict.have.clone(),
        };
        if *breaks_glass { Decision::Overrode(approval) } else { Decision::Approved(approval) }
    });
    let policy = report.rejected.iter().map(|rejected| {
        if report.digest.as_ref() == Some(&rejected.digest) {
            Decision::Rejected(rejected.into())
        } else {
            Decision::TookBack(rejected.into())
        }
    });
    approved.chain(policy).collect()
}

/// Returns the decision that ended a rollout of a digest, if it was rejected.
pub(crate) fn rejected(digest: Option<&Digest>, rejected: Option<&Rejection>) -> Option<Decision> {
    rejected.filter(|rejected| Some(&rejected.digest) == digest).map(|rejected| Decision::Rejected(rejected.into()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tidegate_consent::{State, Verdict};
    use tidegate_model::time::Timestamp;

    fn seat(person: &str, commit: char) -> Seat {
        Seat {
            person: person.to_owned(),
            commit: commit.to_string().repeat(40).parse().unwrap(),
            signer: String::new(),
            key: String::new(),
            review: None,
            at: Timestamp::UNIX_EPOCH,
            reason: "incident 7".to_owned(),
            break_glass: false,
        }
    }

    fn report(breaks_glass: bool, have: &[Seat], state: State) -> AddonReport {
        let verdict = Verdict {
            rule: "leads".to_owned(),
            group: Some("1".to_owned()),
            state,
            need: 1,
            have: have.to_vec(),
            missing: None,
            void: Vec::new(),
            expires: None,
        };
        let approval = ApprovalReport {
            placement: "ns/all".to_owned(),
            policy: "RolloutPolicy production".to_owned(),
            breaks_glass,
            reached: None,
            selects_clusters: false,
            verdict,
        };
        AddonReport { approvals: vec![approval], ..AddonReport::default() }
    }

    #[test]
    fn an_approval_is_a_decision_when_enough_people_have_given_it() {
        let (ada, bob) = (seat("ada", 'a'), seat("bob", 'b'));
        assert_eq!(decided(&report(false, std::slice::from_ref(&ada), State::Open)), []);
        assert_eq!(decided(&report(false, &[], State::Met)), [], "no one had to approve");
        let mut known = decided(&report(false, std::slice::from_ref(&ada), State::Met));
        assert!(matches!(&known[..], [Decision::Approved(approval)] if approval.by == [ada.clone()]), "{known:?}");
        add(&mut known, decided(&report(false, &[ada, bob.clone()], State::Met)));
        assert_eq!(known.len(), 1, "who approves later decides nothing");
        add(&mut known, decided(&report(false, &[bob], State::Met)));
        assert_eq!(known.len(), 2, "the first approval was withdrawn");
    }

    #[test]
    fn who_breaks_the_glass_overrides() {
        let decided = decided(&report(true, &[seat("dan", 'd')], State::Met));
        assert!(matches!(&decided[..], [Decision::Overrode(approval)] if approval.rule == "leads"), "{decided:?}");
    }
}
