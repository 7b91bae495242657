//! Watches: an optional initial state, then every change.
//!
//! A watcher only tracks the revision up to which it has sent events. It is woken when the hub's revision moves, and then reads
//! the missed changes from the history in small batches that share memory with the store, so that a slow watcher costs no memory.
//! A watcher that falls behind the history gets an error event and must list again.

use std::collections::VecDeque;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::response::Response;
use futures::{Stream, StreamExt as _, stream};
use serde_json::{Value, json};
use tokio::sync::watch;
use tokio::time::{Instant, Interval, MissedTickBehavior};
use tokio_util::sync::CancellationToken;

use super::answer::{self, Form};
use crate::Sandbox;
use crate::api_error::ApiError;
use crate::object;
use crate::request::{ListOptions, Target};
use crate::store::{Change, Store, Stored, TooOld, event_line};

/// Interval of bookmarks, the same as in a real server.
const BOOKMARK_PERIOD: Duration = Duration::from_secs(60);

/// Minimum pause between two reads of the history, so that changes accumulate: many small reads would cost writers more time than
/// the writes themselves.
const PAUSE: Duration = Duration::from_millis(1);

/// Maximum number of events that a watcher reads from the history at once.
const BATCH: usize = 256;

/// The annotation of the bookmark after the initial state.
const INITIAL_EVENTS_END: &str = "k8s.io/initial-events-end";

/// The missed events, and the revision up to which they reach.
type Missed = (u64, Vec<Ready>);

/// An event that is ready to be sent.
enum Ready {
    /// The type of an event and its object, serialized only when it is sent.
    Object(&'static str, Stored),
    /// A serialized event.
    Line(Bytes),
}

struct Watcher {
    sandbox: Sandbox,
    target: Target,
    options: ListOptions,
    form: Form,
    revisions: watch::Receiver<u64>,
    seen: u64,
    looked: Instant,
    ready: VecDeque<Ready>,
    bookmarks: Interval,
    end: Option<Instant>,
    is_over: bool,
    /// The hub's restore count when the watch started; another restore ends the watch.
    restores: u64,
}

/// Starts a watch and returns its streaming response.
///
/// # Errors
/// If the resourceVersion is not a number.
pub(crate) fn start(
    sandbox: &Sandbox,
    target: Target,
    options: ListOptions,
    form: Form,
    closing: CancellationToken,
) -> Result<Response, ApiError> {
    let from = match options.resource_version.as_str() {
        "" => 0,
        text => text.parse::<u64>().map_err(|_| {
            ApiError::unclassified(format!(
                "resourceVersion: Invalid value: {text:?}: strconv.ParseUint: parsing {text:?}: invalid syntax"
            ))
        })?,
    };
    let mut bookmarks = tokio::time::interval_at(Instant::now() + BOOKMARK_PERIOD, BOOKMARK_PERIOD);
    bookmarks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let timeout = Some(options.timeout_seconds).filter(|seconds| *seconds > 0);
    let mut watcher = Watcher {
        revisions: sandbox.revisions(),
        sandbox: sandbox.clone(),
        seen: from,
        looked: Instant::now(),
        ready: VecDeque::new(),
        bookmarks,
        end: timeout.and_then(|seconds| Instant::now().checked_add(Duration::from_secs(seconds))),
        is_over: false,
        restores: sandbox.restores(),
        target,
        options,
        form,
    };
    let begins_with_present = watcher.options.send_initial_events.unwrap_or(from == 0);
    if begins_with_present {
        watcher.send_current();
    } else if from == 0 {
        watcher.seen = sandbox.read(Store::revision);
    }
    let events = watcher.events().take_until(closing.cancelled_owned());
    Ok(answer::typed(200, "application/json", Body::from_stream(events.map(Ok::<_, std::io::Error>))))
}

impl Watcher {
    fn events(self) -> impl Stream<Item = Bytes> {
        stream::unfold(self, |mut watcher| async move {
            loop {
                if let Some(ready) = watcher.ready.pop_front() {
                    let line = watcher.line(ready);
                    return Some((line, watcher));
                }
                if watcher.is_over {
                    return None;
                }
                watcher.catch_up();
                if watcher.ready.is_empty() && !watcher.wait().await {
                    return None;
                }
            }
        })
    }

    /// Waits until there may be more events; returns `false` if the watch is over.
    async fn wait(&mut self) -> bool {
        let end = self.end;
        let timeout = async move {
            match end {
                Some(end) => tokio::time::sleep_until(end).await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            changed = self.revisions.changed() => {
                tokio::time::sleep_until(self.looked + PAUSE).await;
                changed.is_ok()
            }
            _ = self.bookmarks.tick(), if self.options.bookmarks => {
                // Catch up first, so that the bookmark has the newest revision whichever branch was ready first.
                self.catch_up();
                if !self.is_over {
                    let bookmark = self.bookmark(false);
                    self.push("BOOKMARK", &bookmark);
                }
                true
            }
            () = timeout => false,
        }
    }

    fn send_current(&mut self) {
        let (revision, objects) = self.sandbox.read(|store| {
            let objects = store.objects(self.target.kind.index, &self.target.namespace).map(|(_, object)| object);
            let meant = objects.filter(|object| self.options.selector.matches(object));
            (store.revision(), meant.cloned().collect::<Vec<Stored>>())
        });
        self.seen = revision;
        self.ready.extend(objects.into_iter().map(|object| Ready::Object("ADDED", object)));
        if self.options.send_initial_events == Some(true) && self.options.bookmarks {
            let bookmark = self.bookmark(true);
            self.push("BOOKMARK", &bookmark);
        }
    }

    /// Reads the changes since the last read.
    fn catch_up(&mut self) {
        // Marked as seen before the read, so that a later change wakes the watcher again.
        self.revisions.borrow_and_update();
        self.looked = Instant::now();
        if self.sandbox.restores() != self.restores {
            self.is_over = true;
            return;
        }
        let missed = self.sandbox.read(|store| self.missed(store));
        match missed {
            Ok((revision, events)) => {
                self.seen = revision.max(self.seen);
                self.ready.extend(events);
            }
            Err(TooOld { oldest }) => {
                let message = format!("too old resource version: {} ({oldest})", self.seen);
                let event = json!({ "type": "ERROR", "object": ApiError::expired(message).to_status() });
                self.ready.push_back(Ready::Line(line(&event)));
                self.is_over = true;
            }
        }
    }

    fn missed(&self, store: &Store) -> Result<Missed, TooOld> {
        let mut changes = store.changes_after(self.target.kind.index, self.seen)?;
        let namespace = &self.target.namespace;
        let (mut seen, mut events) = (self.seen, Vec::new());
        for change in changes.by_ref() {
            seen = change.revision;
            if namespace.is_empty() || change.key.namespace() == namespace {
                events.extend(self.event(change));
            }
            if events.len() == BATCH {
                return Ok((seen, events));
            }
        }
        Ok((store.revision().max(seen), events))
    }

    /// Returns the event for a change: an object that no longer matches the selector is reported as deleted.
    fn event(&self, change: &Change) -> Option<Ready> {
        if self.is_unmodified() && self.options.selector.is_everything() {
            return Some(Ready::Line(change.line()));
        }
        let meant = |object: &Stored| self.options.selector.matches(object);
        let before = change.previous.as_ref().filter(|object| meant(object));
        match (before, !change.removed && meant(&change.object)) {
            (None, false) => None,
            (None, true) => Some(Ready::Object("ADDED", change.object.clone())),
            (Some(_), true) => Some(Ready::Object("MODIFIED", change.object.clone())),
            (Some(before), false) => {
                let mut last = before.value();
                object::set(&mut last, "resourceVersion", Some(json!(change.revision.to_string())));
                Some(Ready::Object("DELETED", Stored::new(&last)))
            }
        }
    }

    fn bookmark(&self, ends_initial_events: bool) -> Value {
        let mut bookmark = json!({
            "kind": self.target.kind.kind, "apiVersion": self.target.api_version(),
            "metadata": { "resourceVersion": self.seen.to_string() },
        });
        if ends_initial_events {
            bookmark["metadata"]["annotations"] = json!({ INITIAL_EVENTS_END: "true" });
        }
        bookmark
    }

    /// Returns `true` if the stored bytes of objects are sent unchanged.
    fn is_unmodified(&self) -> bool {
        self.form == Form::Whole && self.target.kind.is_stored_form(&self.target.version)
    }

    fn line(&self, ready: Ready) -> Bytes {
        match ready {
            Ready::Line(line) => line,
            Ready::Object(type_, object) if self.is_unmodified() => event_line(type_, &object),
            Ready::Object(type_, object) => {
                let object = self.target.kind.presented(object.value(), &self.target.version);
                self.formed(type_, &object)
            }
        }
    }

    fn push(&mut self, type_: &str, object: &Value) {
        let line = self.formed(type_, object);
        self.ready.push_back(Ready::Line(line));
    }

    fn formed(&self, type_: &str, object: &Value) -> Bytes {
        let formed = self.form.object(&self.target, object, self.sandbox.now());
        line(&Event { type_, object: &formed })
    }
}

/// Serializes an event as a line.
fn line(event: &impl serde::Serialize) -> Bytes {
    // A `Value` always serializes to JSON.
    let mut line = serde_json::to_vec(event).unwrap_or_default();
    line.push(b'\n');
    Bytes::from(line)
}

#[derive(serde::Serialize)]
struct Event<'a> {
    #[serde(rename = "type")]
    type_: &'a str,
    object: &'a Value,
}
