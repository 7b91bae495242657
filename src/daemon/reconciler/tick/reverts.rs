//! Writes that someone else reverts, again and again. Tidegate stops after a few attempts, names the other writer, and retries
//! after growing pauses: two writers that fight over an object fill the hub's audit log, and can restart workloads on every cluster.
//!
//! A write was reverted if the hub accepted it and the next plan contains it again. A plan does not repeat a write for any other reason,
//! because the answer to a write is observed at once.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::Duration;

use serde_json::Value;

use super::waiting;
use crate::reconciler::last_writer::last_writer;
use tidegate_api::fleet::Fleet;
use tidegate_model::action::{Lane, Write};
use tidegate_model::backoff::Backoff;
use tidegate_model::object::ObjectKey;
use tidegate_model::time::{SignedDuration, Timestamp};
use tidegate_repository::Repository;

/// Number of times that a write is repeated at once.
const TRIES: u32 = 5;
/// The pauses after that.
const BACKOFF: Backoff = Backoff { first: Duration::from_secs(60), longest: Duration::from_secs(600) };
/// A write that was not repeated for this long is forgotten. Longer than the longest pause.
const MEMORY: SignedDuration = SignedDuration::from_mins(15);

/// An object, and whether its status was written.
type Part = (ObjectKey, bool);

/// For each lane, what its writes change, with a hash of the new content.
pub(super) type Parts = Vec<Vec<(Part, u64)>>;

/// The last writes that the hub accepted, and how often each was reverted.
#[derive(Debug, Default)]
pub(super) struct Reverts {
    written: BTreeMap<Part, Written>,
}

#[derive(Debug)]
struct Written {
    /// Hash of what was written, apart from transition times.
    content: u64,
    /// Number of times in a row that it was written.
    times: u32,
    /// When it was written last.
    at: Timestamp,
    /// The field manager that changed the object after the last write, where it is known.
    by: Option<String>,
    /// Whether the current plan repeats the write.
    is_planned: bool,
}

impl Written {
    /// Returns `true` if the write was reverted too often, and is reverted now.
    fn is_contested(&self) -> bool {
        self.is_planned && self.times >= TRIES
    }

    fn look_at(&self) -> Timestamp {
        let pause = BACKOFF.after(self.times.saturating_sub(TRIES - 1));
        self.at + SignedDuration::try_from(pause).unwrap_or(MEMORY)
    }
}

impl Reverts {
    /// Removes from the lanes the writes that are reverted again and again and are not to be repeated yet, and the writes after
    /// them. Also returns what the remaining writes change, for [`Reverts::note`].
    pub(super) fn defer(&mut self, lanes: Vec<Lane>, fleet: &Fleet, now: Timestamp) -> (Vec<Lane>, Parts) {
        self.written.retain(|_, written| now.duration_since(written.at) <= MEMORY);
        self.written.values_mut().for_each(|written| written.is_planned = false);
        let mut parts = Parts::new();
        let lanes = waiting::without_waiting(lanes, |writes| {
            let mut of_lane = Vec::new();
            let first_waiting = writes.iter().position(|write| {
                let Some((part, content)) = part(write) else { return false };
                let waits = self.waits(&part, content, fleet, now);
                if !waits {
                    of_lane.push((part, content));
                }
                waits
            });
            parts.push(of_lane);
            first_waiting
        });
        (lanes, parts)
    }

    /// Returns `true` if a write was reverted too often and is not to be repeated yet. Records that it is planned.
    fn waits(&mut self, part: &Part, content: u64, fleet: &Fleet, now: Timestamp) -> bool {
        let Some(written) = self.written.get_mut(part).filter(|written| written.content == content) else {
            return false;
        };
        written.is_planned = true;
        written.by = last_writer(fleet, &part.0, part.1).or(written.by.take());
        written.is_contested() && waiting::is_ahead(written.look_at(), now, BACKOFF.longest)
    }

    /// Records what the hub accepted. A write that failed ends its lane.
    pub(super) fn note(&mut self, parts: Parts, failed: &BTreeSet<ObjectKey>, now: Timestamp) {
        for lane in parts {
            for (part, content) in lane.into_iter().take_while(|((key, _), _)| !failed.contains(key)) {
                let before = self.written.remove(&part).filter(|before| before.content == content);
                let (times, by) = before.map_or((1, None), |before| (before.times + 1, before.by));
                self.written.insert(part, Written { content, times, at: now, by, is_planned: times > 1 });
            }
        }
    }

    /// Returns the next moment at which a write is repeated.
    pub(super) fn look_at(&self) -> Option<Timestamp> {
        self.written.values().filter(|written| written.is_contested()).map(Written::look_at).min()
    }

    /// Returns one line for each object whose writes are reverted again and again, as `file:line:column: why` if the repository
    /// declares it.
    pub(super) fn lines(&self, repository: &Repository) -> Vec<String> {
        let contested = self.written.iter().filter(|(_, written)| written.is_contested());
        let problems = contested.map(|((key, _), written)| {
            let who = written.by.as_deref().map_or_else(|| "someone else".to_owned(), |by| format!("{by:?}"));
            let why = format!(
                "{who} changes it back whenever Tidegate writes it; stop that writer, or remove the object from the repository; \
                 Tidegate retries every few minutes"
            );
            (key, why)
        });
        waiting::lines(repository, problems, "more objects that someone else changes back")
    }
}

/// Returns the object that a write changes, with a hash of the new content. `None` for a write that creates, replaces or
/// deletes: those have preconditions of their own.
fn part(write: &Write) -> Option<(Part, u64)> {
    let (content, is_status) = match write {
        Write::Apply { object } | Write::Declare { object } => (Cow::Borrowed(object), false),
        Write::Patch { patch, .. } => (Cow::Owned(patch.value()), false),
        Write::PatchStatus { status, .. } => (Cow::Owned(status.value()), true),
        Write::Create { .. } | Write::Replace { .. } | Write::Delete { .. } => return None,
    };
    let mut hasher = DefaultHasher::new();
    hash(&content, &mut hasher);
    Some(((write.key()?, is_status), hasher.finish()))
}

/// Hashes a value without the transition times of its conditions, which differ from one attempt to the next.
fn hash(value: &Value, hasher: &mut DefaultHasher) {
    match value {
        Value::Object(fields) => {
            for (name, field) in fields.iter().filter(|(name, _)| *name != "lastTransitionTime") {
                name.hash(hasher);
                hash(field, hasher);
            }
        }
        Value::Array(items) => {
            items.len().hash(hasher);
            items.iter().for_each(|item| hash(item, hasher));
        }
        scalar => scalar.hash(hasher),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use tidegate_model::action::Stage;

    fn lane(value: &str, since: &str) -> Vec<Lane> {
        let condition = json!({ "type": "A", "lastTransitionTime": since });
        let object = json!({
            "apiVersion": "v1", "kind": "ConfigMap", "metadata": { "namespace": "ns", "name": "name" },
            "data": { "key": value }, "conditions": [condition],
        });
        vec![Lane { stage: Stage::Declare, writes: vec![Write::Apply { object }] }]
    }

    /// Plans the same write at each of these seconds, which the hub accepts; returns at which of them it was written.
    fn written_at(reverts: &mut Reverts, seconds: &[i64], value: &str) -> Vec<i64> {
        let mut written = Vec::new();
        for second in seconds {
            let now = Timestamp::UNIX_EPOCH + SignedDuration::from_secs(*second);
            let (lanes, parts) = reverts.defer(lane(value, &second.to_string()), &Fleet::default(), now);
            if !lanes.is_empty() {
                written.push(*second);
            }
            reverts.note(parts, &BTreeSet::new(), now);
        }
        written
    }

    #[test]
    fn a_write_that_is_reverted_five_times_is_repeated_after_growing_pauses() {
        let mut reverts = Reverts::default();
        let every_second: Vec<i64> = (0..=1_000).collect();
        assert_eq!(written_at(&mut reverts, &every_second, "a"), [0, 1, 2, 3, 4, 64, 184, 424, 904]);
        assert_eq!(reverts.lines(&Repository::default()).len(), 1);
        // A clock that is set back does not delay the next attempt.
        assert_eq!(written_at(&mut reverts, &[-7_200], "a"), [-7_200]);
    }

    #[test]
    fn another_content_is_written_at_once() {
        let mut reverts = Reverts::default();
        assert_eq!(written_at(&mut reverts, &[0, 1, 2, 3, 4, 5], "a"), [0, 1, 2, 3, 4]);
        assert_eq!(written_at(&mut reverts, &[6, 7], "b"), [6, 7]);
        assert_eq!(reverts.lines(&Repository::default()), Vec::<String>::new());
    }

    #[test]
    fn repairs_that_are_far_apart_are_not_a_fight() {
        let mut reverts = Reverts::default();
        let every_quarter: Vec<i64> = (0..20).map(|n| n * 901).collect();
        assert_eq!(written_at(&mut reverts, &every_quarter, "a"), every_quarter);
    }

    #[test]
    fn a_write_that_fails_was_not_reverted() {
        let mut reverts = Reverts::default();
        let key = ObjectKey::new("", "ConfigMap", "ns", "name");
        for second in 0..20 {
            let now = Timestamp::UNIX_EPOCH + SignedDuration::from_secs(second);
            let (lanes, parts) = reverts.defer(lane("a", ""), &Fleet::default(), now);
            assert_eq!(lanes.len(), 1, "at {second} s");
            reverts.note(parts, &BTreeSet::from([key.clone()]), now);
        }
    }
}
