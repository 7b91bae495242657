//! Decides which Events are written: a repeated Event raises a count, and an object with too many Events gets no more.
//!
//! # Source
//! client-go `tools/record/events_cache.go`: equal Events raise `count` and `lastTimestamp` of the first one; the spam
//! filter allows 25 Events of an object at once, and one more every five minutes; both remember 4096 entries.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::draft::Draft;
use tidegate_go::canonical::sha256_hex;
use tidegate_model::object::ObjectKey;
use tidegate_model::time::{SignedDuration, Timestamp, to_seconds};

/// Number of Events of one object that may be written at once.
const BURST: i64 = 25;
/// After this time, one more Event of the object is written.
const REFILL: SignedDuration = SignedDuration::from_mins(5);
/// Number of Events, and of objects, that are remembered.
const REMEMBERED: usize = 4_096;
/// The namespace for Events of objects without one, as in Kubernetes itself.
const DEFAULT_NAMESPACE: &str = "default";
/// The reporting component.
const COMPONENT: &str = "tidegate";

/// One write of an Event.
#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    /// The namespace of the Event.
    pub namespace: String,
    /// The name of the Event.
    pub name: String,
    /// The merge patch that raises the count, if the Event was written before.
    pub patch: Option<Value>,
    /// The whole Event, to create it the first time and when the hub no longer has it.
    pub event: Value,
}

#[derive(Debug)]
struct Seen {
    name: String,
    first: Timestamp,
    last: Timestamp,
    count: u64,
}

/// The number of Events that an object may still have: [`BURST`] at first, one more after each [`REFILL`].
#[derive(Debug)]
struct Budget {
    left: i64,
    since: Timestamp,
}

/// Remembers the Events that were written.
#[derive(Debug)]
pub struct Correlator {
    instance: String,
    seen: BTreeMap<Draft, Seen>,
    budgets: BTreeMap<ObjectKey, Budget>,
}

impl Correlator {
    /// Returns a correlator that has written nothing yet; `instance` names the process that reports.
    pub fn new(instance: impl Into<String>) -> Self {
        Self { instance: instance.into(), seen: BTreeMap::new(), budgets: BTreeMap::new() }
    }

    /// Returns the write for an Event, or `None` if its object had too many. `api_version` is the version in which the hub
    /// serves the object.
    pub fn admit(&mut self, draft: Draft, api_version: &str, now: Timestamp) -> Option<Step> {
        if !self.spend(&draft.subject.object, now) {
            return None;
        }
        forget_oldest(&mut self.seen, |seen| seen.last);
        let namespace = match draft.subject.object.namespace.as_str() {
            "" => DEFAULT_NAMESPACE.to_owned(),
            namespace => namespace.to_owned(),
        };
        let at = to_seconds(now);
        let seen = self.seen.entry(draft.clone()).or_insert_with(|| {
            let name = name(&draft, now);
            Seen { name, first: at, last: at, count: 0 }
        });
        seen.count += 1;
        seen.last = at;
        let is_repeated = seen.count > 1;
        let patch = is_repeated.then(|| json!({ "count": seen.count, "lastTimestamp": at.to_string() }));
        let event = event(&draft, (api_version, &namespace, &self.instance), seen);
        Some(Step { namespace, name: seen.name.clone(), patch, event })
    }

    fn spend(&mut self, object: &ObjectKey, now: Timestamp) -> bool {
        forget_oldest(&mut self.budgets, |budget| budget.since);
        let budget = self.budgets.entry(object.clone()).or_insert(Budget { left: BURST, since: now });
        let refills = now.duration_since(budget.since).as_secs() / REFILL.as_secs();
        if refills > 0 {
            budget.left = budget.left.saturating_add(refills).min(BURST);
            budget.since += SignedDuration::from_secs(refills.saturating_mul(REFILL.as_secs()));
        }
        let has_some = budget.left > 0;
        budget.left -= i64::from(has_some);
        has_some
    }
}

/// Makes room for one more entry.
fn forget_oldest<K: Ord + Clone, V>(entries: &mut BTreeMap<K, V>, last: impl Fn(&V) -> Timestamp) {
    if entries.len() >= REMEMBERED
        && let Some(oldest) = entries.iter().min_by_key(|(_, entry)| last(entry)).map(|(key, _)| key.clone())
    {
        entries.remove(&oldest);
    }
}

/// Returns the name of a new Event: the name of its object, and digits that are unique to the Event.
fn name(draft: &Draft, now: Timestamp) -> String {
    let digits = sha256_hex(format!("{draft:?} {}", now.as_nanosecond()).as_bytes());
    let plain = |c: char| if c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-' || c == '.' { c } else { '-' };
    let object: String = draft.subject.object.name.to_ascii_lowercase().chars().map(plain).take(200).collect();
    let object = object.trim_matches(['-', '.']);
    let object = if object.is_empty() { COMPONENT } else { object };
    format!("{object}.{}", digits.get(..16).unwrap_or_default())
}

fn event(draft: &Draft, (api_version, namespace, instance): (&str, &str, &str), seen: &Seen) -> Value {
    let Draft { subject, kind, message } = draft;
    let object = &subject.object;
    let mut involved = json!({ "apiVersion": api_version, "kind": object.kind, "name": object.name });
    if !object.namespace.is_empty() {
        involved["namespace"] = json!(object.namespace);
    }
    if let Some(uid) = &subject.uid {
        involved["uid"] = json!(uid);
    }
    json!({
        "apiVersion": "v1",
        "kind": "Event",
        "metadata": { "name": seen.name, "namespace": namespace },
        "involvedObject": involved,
        "type": if kind.is_warning() { "Warning" } else { "Normal" },
        "reason": kind.reason(),
        "message": message,
        "source": { "component": COMPONENT },
        "reportingComponent": COMPONENT,
        "reportingInstance": instance,
        "firstTimestamp": seen.first.to_string(),
        "lastTimestamp": seen.last.to_string(),
        "count": seen.count,
    })
}
