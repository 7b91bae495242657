//! Records which parts are absent.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use tokio::time::Instant;

use super::metrics::{AwaySince, Part};
use tidegate_model::time::Timestamp;

/// An absence that lasts longer than this makes the daemon unready. Shorter ones happen with every restart of a hub or a forge.
const PATIENCE: Duration = Duration::from_secs(60);

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Hub => "the hub",
            Self::Source => "the config repository",
            Self::Journal => "the journal",
            Self::Lease => "the Lease",
        })
    }
}

/// The parts that are currently absent. Cheap to clone; all clones share their state.
#[derive(Debug, Clone)]
pub struct Absences {
    absent: Arc<Mutex<BTreeMap<Part, (Instant, String)>>>,
    since: AwaySince,
}

impl Absences {
    /// Creates the state in which nothing is absent.
    pub(in crate::reconciler) fn new(since: AwaySince) -> Self {
        Self { absent: Arc::default(), since }
    }

    /// Records that a part cannot be used from now on.
    pub fn lost(&self, part: Part, reason: &str, now: Timestamp) {
        self.lost_since(part, reason, (Instant::now(), now));
    }

    /// Records that a part cannot be used since a moment, with the time now.
    pub fn lost_since(&self, part: Part, reason: &str, (since, now): (Instant, Timestamp)) {
        let mut absent = self.absent.lock();
        let (_, last) = absent.entry(part).or_insert_with(|| {
            let seconds = i64::try_from(since.elapsed().as_secs()).unwrap_or_default();
            self.since.set(part, now.as_second().saturating_sub(seconds));
            (since, String::new())
        });
        reason.clone_into(last);
    }

    /// Records that a part can be used.
    pub fn back(&self, part: Part) {
        if self.absent.lock().remove(&part).is_some() {
            self.since.set(part, 0);
        }
    }

    /// Returns one line for each part that has been unusable for longer than a minute; empty if the daemon is ready.
    pub fn long(&self) -> Vec<String> {
        let absent = self.absent.lock();
        let long = absent.iter().filter(|(_, (since, _))| since.elapsed() > PATIENCE);
        long.map(|(part, (since, reason))| {
            format!("{part} has been unavailable for {} s: {reason}", since.elapsed().as_secs())
        })
        .collect()
    }
}
