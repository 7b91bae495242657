//! The verdict on a rule, as it is reported and journaled.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::identity::is_membership;
use super::why::Why;
use tidegate_model::forge::Account;
use tidegate_model::revision::CommitId;
use tidegate_model::time::{Rfc3339, Timestamp};

/// The verdict on a rule: who has approved, what does not count, and what is missing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Verdict {
    /// The name of the rule.
    pub rule: String,
    /// The decision group that waits; absent for the start of the rollout.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
    /// Whether enough people have approved.
    pub state: State,
    /// The number of people who must approve.
    pub need: u32,
    /// Those who have approved, in the order of their approvals.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub have: Vec<Seat>,
    /// What would open the gate; absent if it is open.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub missing: Option<Missing>,
    /// The approvals of this add-on that do not count.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub void: Vec<Void>,
    /// When the approvals stop to be enough, if no other one is given or withdrawn; absent if they never do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Rfc3339>")]
    pub expires: Option<Timestamp>,
}

/// Whether enough people have approved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum State {
    /// Enough people have approved.
    Met,
    /// More people must approve.
    Open,
}

/// A person who has approved, with the evidence.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Seat {
    /// The person: an alias, or else an address or a key.
    pub person: String,
    /// The commit that added the approval, or the commit that was reviewed.
    pub commit: CommitId,
    /// The owner of the key that signed the commit with the approval, according to the list of trusted keys; absent for a review.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub signer: String,
    /// The fingerprint of the key; absent for a review.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub key: String,
    /// The review on the forge; absent for an approval in Git.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub review: Option<ReviewRef>,
    /// When the approval was given: the earlier one of the time in the entry and the time of the commit, or the time of the review.
    #[schemars(with = "Rfc3339")]
    pub at: Timestamp,
    /// The reason that it gives.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reason: String,
    /// Whether it breaks the glass.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub break_glass: bool,
}

/// A review on the forge.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReviewRef {
    /// The number of the pull request.
    pub pull: u64,
    /// The account.
    pub account: Account,
    /// Where it can be read.
    pub url: String,
}

/// Someone who may approve, and refuses.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Refusal {
    /// The person; absent if someone closed a request of the daemon.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub person: Option<String>,
    /// Where it can be read.
    pub url: String,
}

/// What would open a gate. Displays as a sentence.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Missing {
    /// The number of people who must approve in addition.
    pub count: u32,
    /// Those who can: the people whom the rule lists, without those who have approved or took part in the change.
    pub who: Vec<String>,
    /// Names in the rule that are not known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unknown: Vec<String>,
    /// Those who refuse. The gate stays closed until they approve, or someone dismisses the refusal.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub refused: Vec<Refusal>,
    /// The pull requests on which a review counts: the request of the daemon if it has opened one, or else the merged ones that
    /// brought the change.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub on: Vec<String>,
}

/// An approval that does not count.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Void {
    /// Why it does not count.
    pub why: Why,
    /// The file with the entry; empty for a review.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub file: String,
    /// The person or account whom it names.
    pub by: String,
    /// The time that it names.
    #[schemars(with = "Rfc3339")]
    pub at: Timestamp,
    /// The commit that added it, or the commit that was reviewed, if it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commit: Option<CommitId>,
    /// Where the review can be read; absent for an approval in Git.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
}

impl Verdict {
    /// Returns `true` if enough people have approved.
    pub fn is_met(&self) -> bool {
        self.state == State::Met
    }
}

impl fmt::Display for Missing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { count, who, unknown, refused, on } = self;
        for (index, Refusal { person, url }) in refused.iter().enumerate() {
            let separator = if index > 0 { "; " } else { "" };
            match person {
                Some(person) => write!(f, "{separator}{person} requests changes ({url})")?,
                None => write!(f, "{separator}the request to approve was closed; reopen it to ask again ({url})")?,
            }
        }
        if *count > 0 {
            let separator = if refused.is_empty() { "" } else { "; " };
            let people = if *count == 1 { "1 more person" } else { &format!("{count} more people") };
            if who.is_empty() {
                write!(f, "{separator}{people} must approve, but no one is left who may")?;
            } else {
                write!(f, "{separator}{people} must approve, of {}", who.join(", "))?;
                let is_team = |name: &String| is_membership(name);
                if who.len() < usize::try_from(*count).unwrap_or(usize::MAX) && !who.iter().any(is_team) {
                    write!(f, ", which is not enough people")?;
                }
                if !on.is_empty() {
                    write!(f, "; a review counts on {}", on.join(" and "))?;
                }
            }
        }
        if !unknown.is_empty() {
            write!(f, "; [people] does not have {}", unknown.join(", "))?;
        }
        Ok(())
    }
}
