//! Writes that the hub refuses: retried after growing pauses, and reported until they are accepted.
//!
//! A refusal lasts until someone changes the declaration or the rules of the hub, so a retry at each tick would only fill
//! the audit log of the hub. Later writes in the same lane wait with the refused one.
//!
//! A conflict is over as soon as the next tick has seen what the other client wrote. A conflict that lasts is reported like
//! a refusal: someone else keeps writing the object, or it exists and no watch shows it.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use super::waiting;
use crate::hub::{Failure, Outcome};
use tidegate_model::action::{Lane, Write};
use tidegate_model::backoff::Backoff;
use tidegate_model::error_chain::ErrorChain;
use tidegate_model::object::ObjectKey;
use tidegate_model::revision::CommitId;
use tidegate_model::time::{SignedDuration, Timestamp};
use tidegate_repository::Repository;

/// The pauses between retries of a refused write.
const BACKOFF: Backoff = Backoff { first: Duration::from_secs(1), longest: Duration::from_secs(300) };
/// Number of attempts, each after a pause, before a conflict is reported.
const CONFLICTS: u32 = 3;

/// The current refusals and conflicts.
#[derive(Debug, Default)]
pub(super) struct Refusals {
    revision: Option<CommitId>,
    standing: BTreeMap<ObjectKey, Refusal>,
}

#[derive(Debug)]
struct Refusal {
    why: String,
    tries: u32,
    look_at: Timestamp,
    is_conflict: bool,
}

impl Refusal {
    /// Returns `true` unless it is a conflict that may be over with the next tick.
    fn stands(&self) -> bool {
        !self.is_conflict || self.tries >= CONFLICTS
    }

    /// Returns `true` if it is not to be retried yet.
    fn is_pausing(&self, now: Timestamp) -> bool {
        waiting::is_ahead(self.look_at, now, BACKOFF.longest)
    }
}

impl Refusals {
    /// Removes from the lanes the writes that were refused and are not to be retried yet, and the writes after
    /// them. A new revision retries all writes.
    pub(super) fn defer(&mut self, lanes: Vec<Lane>, revision: Option<&CommitId>, now: Timestamp) -> Vec<Lane> {
        if self.revision.as_ref() != revision {
            self.revision = revision.cloned();
            self.standing.values_mut().for_each(|refusal| refusal.look_at = now);
        }
        let waits = |write: &Write| write.key().is_some_and(|key| self.is_waiting(&key, now));
        waiting::without_waiting(lanes, |writes| writes.iter().position(waits))
    }

    /// Returns `true` if the last write of an object was refused and is not to be retried yet.
    pub(super) fn is_waiting(&self, key: &ObjectKey, now: Timestamp) -> bool {
        self.standing.get(key).is_some_and(|refusal| refusal.stands() && refusal.is_pausing(now))
    }

    /// Records what was planned and the outcome. Returns the objects whose failures need not be logged: they were refused
    /// before for the same reason, or are in a conflict that may be over with the next tick.
    pub(super) fn note(&mut self, planned: &[ObjectKey], outcome: &Outcome, now: Timestamp) -> BTreeSet<ObjectKey> {
        let mut quiet = BTreeSet::new();
        // A write that is no longer planned, or that was due and did not fail again, is settled.
        let planned: BTreeSet<&ObjectKey> = planned.iter().collect();
        let failed: BTreeMap<&ObjectKey, &Failure> =
            outcome.failures.iter().chain(&outcome.conflicts).filter_map(|f| Some((f.key.as_ref()?, f))).collect();
        self.standing
            .retain(|key, refusal| planned.contains(key) && (refusal.is_pausing(now) || failed.contains_key(key)));
        for (key, failure) in failed {
            if failure.error.is_transient() {
                continue;
            }
            let is_conflict = failure.error.is_conflict();
            let before = self.standing.get(key).filter(|before| before.is_conflict == is_conflict);
            // Ticks may follow each other faster than watches deliver what others wrote.
            if before.is_some_and(|before| !before.stands() && before.is_pausing(now)) {
                quiet.insert(key.clone());
                continue;
            }
            let tries = before.map_or(0, |refusal| refusal.tries) + 1;
            let look_at = now + SignedDuration::try_from(BACKOFF.after(tries)).unwrap_or(SignedDuration::ZERO);
            let refusal = Refusal { why: ErrorChain(&failure.error).to_string(), tries, look_at, is_conflict };
            let is_known = before.is_some_and(|before| before.stands() && (is_conflict || before.why == refusal.why));
            if is_known || !refusal.stands() {
                quiet.insert(key.clone());
            }
            self.standing.insert(key.clone(), refusal);
        }
        quiet
    }

    /// Returns the next moment at which a write is retried.
    pub(super) fn look_at(&self) -> Option<Timestamp> {
        self.standing.values().map(|refusal| refusal.look_at).min()
    }

    /// Returns one line for each current refusal, as `file:line:column: why` if the repository declares the object.
    pub(super) fn lines(&self, repository: &Repository) -> Vec<String> {
        let standing = self.standing.iter().filter(|(_, refusal)| refusal.stands());
        waiting::lines(repository, standing.map(|(key, refusal)| (key, refusal.why.clone())), "more objects")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hub::{Error, Verb};

    fn failure(key: &ObjectKey, code: u16, message: &str) -> Failure {
        Failure {
            key: Some(key.clone()),
            verb: Verb::Apply,
            error: Error::Refused {
                what: "the write".to_owned(),
                code,
                reason: String::new(),
                message: message.to_owned(),
                about: String::new(),
            },
        }
    }

    #[test]
    fn a_conflict_is_reported_once_it_has_lasted_for_seconds() {
        let key = ObjectKey::new("", "ConfigMap", "ns", "name");
        let (mut refusals, repository) = (Refusals::default(), Repository::default());
        let mut conflict = |milliseconds: i64, version: &str| {
            let now = Timestamp::UNIX_EPOCH + SignedDuration::from_millis(milliseconds);
            let outcome = Outcome { conflicts: vec![failure(&key, 409, version)], ..Outcome::default() };
            let quiet = refusals.note(std::slice::from_ref(&key), &outcome, now);
            (quiet.len(), refusals.lines(&repository).len())
        };
        for milliseconds in [0, 1, 2, 3, 999, 1_000, 1_001, 2_999] {
            assert_eq!(conflict(milliseconds, "1"), (1, 0), "at {milliseconds} ms");
        }
        assert_eq!(conflict(3_000, "1"), (0, 1), "the conflict has lasted");
        assert_eq!(conflict(7_000, "2"), (1, 1), "it was logged before");
    }

    #[test]
    fn a_clock_that_is_set_back_does_not_delay_a_retry() {
        let key = ObjectKey::new("", "ConfigMap", "ns", "name");
        let mut refusals = Refusals::default();
        let later = Timestamp::UNIX_EPOCH + SignedDuration::from_hours(2);
        let outcome = Outcome { failures: vec![failure(&key, 403, "no")], ..Outcome::default() };
        refusals.note(std::slice::from_ref(&key), &outcome, later);
        assert!(refusals.is_waiting(&key, later));
        assert!(!refusals.is_waiting(&key, Timestamp::UNIX_EPOCH));
    }

    #[test]
    fn a_refusal_is_known_until_its_reason_changes_or_it_is_over() {
        let key = ObjectKey::new("", "ConfigMap", "ns", "name");
        let (mut refusals, now) = (Refusals::default(), Timestamp::UNIX_EPOCH);
        let mut tried = |messages: &[&str]| {
            let failures = messages.iter().map(|message| failure(&key, 422, message)).collect();
            let outcome = Outcome { failures, ..Outcome::default() };
            let later = now + SignedDuration::from_hours(1);
            let at = if messages.is_empty() { later } else { now };
            refusals.note(std::slice::from_ref(&key), &outcome, at).len()
        };
        assert_eq!([tried(&["no"]), tried(&["no"]), tried(&["never"]), tried(&["never"])], [0, 1, 0, 1]);
        assert_eq!([tried(&[]), tried(&["never"])], [0, 0]);
    }
}
