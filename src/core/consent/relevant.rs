//! Which void approvals are worth telling: not those that count for another rule, or that were for another digest.

use std::collections::{BTreeMap, BTreeSet};

use super::verdict::{Seat, State, Verdict, Void};
use super::why::Why;
use tidegate_model::revision::CommitId;
use tidegate_model::time::Timestamp;

/// Removes the void approvals from the verdicts of an add-on that say nothing about the rule: those that count for a rule of another name,
/// and of those for other digests all but the newest one of each person, who may have approved the wrong digest. Once a rule has enough
/// approvals, all of these are left out, and so are early approvals, given before the turn of the group, by people who have approved since.
/// An approval that counts for a changed rule, and not for the one before the change, stays.
pub fn keep_relevant(verdicts: &mut [&mut Verdict]) {
    let mut counted: BTreeMap<Evidence, BTreeSet<String>> = BTreeMap::new();
    for (verdict, seat) in verdicts.iter().flat_map(|verdict| verdict.have.iter().map(move |seat| (verdict, seat))) {
        counted.entry(Evidence::of_seat(seat)).or_default().insert(verdict.rule.clone());
    }
    for verdict in verdicts {
        let is_met = verdict.state == State::Met;
        let seated: BTreeSet<&String> = verdict.have.iter().map(|seat| &seat.person).collect();
        let others = verdict.void.iter().filter(|void| is_of_other_digest(void) && !seated.contains(&void.by));
        let mut newest: BTreeMap<String, Timestamp> = BTreeMap::new();
        for void in others.filter(|_| !is_met) {
            let at = newest.entry(void.by.clone()).or_insert(void.at);
            *at = void.at.max(*at);
        }
        verdict.void.retain(|void| match &void.why {
            Why::OtherDigest { .. } => newest.get(&void.by) == Some(&void.at),
            Why::BeforeReached { .. } | Why::NotReached if is_met && seated.contains(&void.by) => false,
            Why::OtherGroup { .. } | Why::NotListed { .. } | Why::BeforeReached { .. } | Why::NotReached => {
                let rules = Evidence::of_void(void).and_then(|evidence| counted.get(&evidence));
                rules.is_none_or(|rules| rules.contains(&verdict.rule))
            }
            _ => true,
        });
    }
}

/// Where an approval can be read: a commit that one person signed, or a review.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Evidence {
    Commit(CommitId),
    Review(String),
}

impl Evidence {
    fn of_seat(seat: &Seat) -> Self {
        let review = seat.review.as_ref().map(|review| Self::Review(review.url.clone()));
        review.unwrap_or_else(|| Self::Commit(seat.commit.clone()))
    }

    fn of_void(void: &Void) -> Option<Self> {
        void.url.clone().map(Self::Review).or_else(|| void.commit.clone().map(Self::Commit))
    }
}

fn is_of_other_digest(void: &Void) -> bool {
    matches!(void.why, Why::OtherDigest { .. })
}
