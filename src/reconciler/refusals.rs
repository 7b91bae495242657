//! What the hub refuses: left alone for a growing time, and told until it is taken.
//!
//! A refusal is for good until somebody changes the declaration or the rules of the hub, so trying at each tick would only fill
//! the audit log of the hub. Whatever shares a lane with a refused write, after it, waits with it.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use super::outage::BackOff;
use crate::hub::Failure;
use crate::model::action::{Lane, Write};
use crate::model::object::ObjectKey;
use crate::model::revision::CommitId;
use crate::model::time::{SignedDuration, Timestamp};
use crate::repository::Repository;
use crate::telemetry::chain::Chain;

/// How long what was refused is left alone.
const PAUSE: BackOff = BackOff { first: Duration::from_secs(1), most: Duration::from_secs(300) };
/// So many are named; where the hub refuses the works of ten thousand clusters, the first ones tell it all.
const NAMED: usize = 20;

/// The refusals that stand.
#[derive(Debug, Default)]
pub struct Refusals {
    revision: Option<CommitId>,
    standing: BTreeMap<ObjectKey, Refusal>,
}

#[derive(Debug)]
struct Refusal {
    why: String,
    tries: u32,
    due: Timestamp,
}

impl Refusals {
    /// Takes out of the lanes what was refused and is not due yet, with what comes after it. Another revision makes everything due.
    pub fn hold_back(&mut self, lanes: Vec<Lane>, revision: Option<&CommitId>, now: Timestamp) -> Vec<Lane> {
        if self.revision.as_ref() != revision {
            self.revision = revision.cloned();
            self.standing.values_mut().for_each(|refusal| refusal.due = now);
        }
        let waits = |write: &Write| {
            let standing = write.key().and_then(|key| self.standing.get(&key));
            standing.is_some_and(|refusal| refusal.due > now)
        };
        let held_back = lanes.into_iter().map(|mut lane| {
            let end = lane.writes.iter().position(waits).unwrap_or(lane.writes.len());
            lane.writes.truncate(end);
            lane
        });
        held_back.filter(|lane| !lane.writes.is_empty()).collect()
    }

    /// Takes note of what was planned, of what was tried of it, and of what of that failed. Returns what was refused before for the
    /// same reason, which is known already.
    pub fn note(&mut self, planned: &[ObjectKey], failures: &[Failure], now: Timestamp) -> BTreeSet<ObjectKey> {
        let mut known = BTreeSet::new();
        // What is no longer planned, or was due and did not fail again, is settled.
        let planned: BTreeSet<&ObjectKey> = planned.iter().collect();
        let failed: BTreeMap<&ObjectKey, &Failure> =
            failures.iter().filter_map(|failure| Some((failure.key.as_ref()?, failure))).collect();
        self.standing.retain(|key, refusal| planned.contains(key) && (refusal.due > now || failed.contains_key(key)));
        for (key, failure) in failed {
            if failure.error.is_transient() {
                continue;
            }
            let tries = self.standing.get(key).map_or(0, |refusal| refusal.tries) + 1;
            let due = now + SignedDuration::try_from(PAUSE.after(tries)).unwrap_or(SignedDuration::ZERO);
            let why = Chain(&failure.error).to_string();
            if self.standing.get(key).is_some_and(|refusal| refusal.why == why) {
                known.insert(key.clone());
            }
            self.standing.insert(key.clone(), Refusal { why, tries, due });
        }
        known
    }

    /// Returns the next moment at which something is tried again.
    pub fn due(&self) -> Option<Timestamp> {
        self.standing.values().map(|refusal| refusal.due).min()
    }

    /// Tells what stands, as `file:line:column: why` where the repository declares the object.
    pub fn told(&self, repository: &Repository) -> Vec<String> {
        let line = |(key, refusal): (&ObjectKey, &Refusal)| {
            let place = repository.objects.get(key).map(|declared| format!("{}: ", declared.place)).unwrap_or_default();
            format!("{place}{key} is not on the hub as it should be: {}", refusal.why)
        };
        let mut lines: Vec<String> = self.standing.iter().take(NAMED).map(line).collect();
        let more = self.standing.len().saturating_sub(NAMED);
        if more > 0 {
            lines.push(format!("and {more} more objects"));
        }
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hub::{Error, Verb};

    #[test]
    fn a_refusal_is_known_until_its_reason_changes_or_it_is_over() {
        let key = ObjectKey::new("", "ConfigMap", "ns", "name");
        let (mut refusals, now) = (Refusals::default(), Timestamp::UNIX_EPOCH);
        let mut tried = |messages: &[&str]| {
            let failure = |message: &&str| Failure {
                key: Some(key.clone()),
                verb: Verb::Apply,
                error: Error::Refused {
                    what: "the write".to_owned(),
                    code: 422,
                    reason: "Invalid".to_owned(),
                    message: (*message).to_owned(),
                    about: String::new(),
                },
            };
            let failures: Vec<Failure> = messages.iter().map(failure).collect();
            let later = now + SignedDuration::from_hours(1);
            let at = if messages.is_empty() { later } else { now };
            refusals.note(std::slice::from_ref(&key), &failures, at).len()
        };
        assert_eq!([tried(&["no"]), tried(&["no"]), tried(&["never"]), tried(&["never"])], [0, 1, 0, 1]);
        assert_eq!([tried(&[]), tried(&["never"])], [0, 0]);
    }
}
