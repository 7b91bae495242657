//! Which void approvals are worth telling: not those that count for another rule, or that were for another digest.

use std::collections::{BTreeMap, BTreeSet};

use super::verdict::{Seat, State, Verdict, Void};
use super::why::Why;
use tidegate_model::revision::CommitId;
use tidegate_model::time::Timestamp;

/// Removes the void approvals from the verdicts of an add-on that say nothing about the rule: those that count for another rule, and of
/// those for other digests all but the newest one of each person, who may have approved the wrong digest. Once a rule has enough
/// approvals, these are left out, too.
pub fn keep_relevant(verdicts: &mut [&mut Verdict]) {
    let seats = verdicts.iter().flat_map(|verdict| &verdict.have);
    let counted: BTreeSet<Evidence> = seats.map(Evidence::of_seat).collect();
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
            Why::OtherGroup { .. } | Why::NotListed { .. } => {
                Evidence::of_void(void).is_none_or(|evidence| !counted.contains(&evidence))
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
