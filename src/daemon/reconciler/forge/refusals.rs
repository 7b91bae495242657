//! Writes that the forge refuses for their content. A retry that changes nothing would be refused, too, and uses up the budget.

use std::collections::BTreeMap;
use std::time::Duration;

use tidegate_forge::{Error, Result};
use tidegate_model::backoff::Backoff;
use tidegate_model::revision::CommitId;
use tidegate_model::time::Timestamp;

/// The delays between two writes to the same place after refusals.
const PAUSES: Backoff = Backoff { first: Duration::from_secs(60), longest: Duration::from_secs(16 * 60) };

/// Where something is written.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Place {
    /// The status of a commit in a context.
    Status(CommitId, String),
    /// The check run of a commit.
    CheckRun(CommitId),
    /// The comment on a pull request.
    Comment(u64),
    /// The deployment to an environment.
    Deployment(String),
    /// The pull request of a branch, which asks for an approval.
    Request(String),
    /// The state of a pull request.
    Pull(u64),
}

/// The consecutive refusals of each place.
#[derive(Debug, Default)]
pub(super) struct Refusals(BTreeMap<Place, Refusal>);

#[derive(Debug)]
struct Refusal {
    count: u32,
    until: Timestamp,
}

impl Refusals {
    /// Returns `true` if nothing is written to a place now, because the forge has refused that.
    pub(super) fn is_paused(&self, place: &Place, now: Timestamp) -> bool {
        self.0.get(place).is_some_and(|refusal| now < refusal.until)
    }

    /// Counts a refusal of a place; any other outcome ends its pauses.
    pub(super) fn note<T>(&mut self, place: Place, outcome: Result<T>, now: Timestamp) -> Result<T> {
        if matches!(outcome, Err(Error::Invalid { .. })) {
            let count = self.0.get(&place).map_or(0, |refusal| refusal.count) + 1;
            // A place that was not written to again is not needed any more.
            self.0.retain(|_, refusal| now < refusal.until + PAUSES.longest);
            self.0.insert(place, Refusal { count, until: now + PAUSES.after(count) });
        } else {
            self.0.remove(&place);
        }
        outcome
    }

    /// Forgets the places that nothing is written to any more.
    pub(super) fn keep(&mut self, commits: impl Fn(&CommitId) -> bool, pulls: impl Fn(u64) -> bool) {
        self.0.retain(|place, _| match place {
            Place::Status(commit, _) | Place::CheckRun(commit) => commits(commit),
            Place::Comment(number) | Place::Pull(number) => pulls(*number),
            Place::Deployment(_) | Place::Request(_) => true,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused() -> Result<()> {
        Err(Error::Invalid { what: "cannot write".to_owned(), why: "the forge refuses it".to_owned() })
    }

    #[test]
    fn the_pauses_grow_and_end_with_the_first_success() {
        let (mut refusals, mut now) = (Refusals::default(), Timestamp::UNIX_EPOCH);
        for seconds in [60, 120, 240, 480, 960, 960] {
            assert!(refusals.note(Place::Comment(1), refused(), now).is_err());
            assert!(refusals.is_paused(&Place::Comment(1), now + Duration::from_secs(seconds - 1)), "{seconds}");
            assert!(!refusals.is_paused(&Place::Comment(2), now));
            now += Duration::from_secs(seconds);
            assert!(!refusals.is_paused(&Place::Comment(1), now), "{seconds}");
        }
        assert!(refusals.note(Place::Comment(1), Ok(()), now).is_ok());
        assert!(!refusals.is_paused(&Place::Comment(1), now));
    }

    #[test]
    fn a_failure_that_is_no_refusal_pauses_nothing() {
        let mut refusals = Refusals::default();
        let outcome: Result<()> = Err(Error::Unreachable("away".to_owned()));
        assert!(refusals.note(Place::Comment(1), outcome, Timestamp::UNIX_EPOCH).is_err());
        assert!(!refusals.is_paused(&Place::Comment(1), Timestamp::UNIX_EPOCH));
    }
}
