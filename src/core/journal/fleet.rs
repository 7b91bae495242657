//! `fleet.yaml`: what a plan needs of the hub. It is written when a rollout ends, or else at most every ten minutes, and only if something has
//! changed.

use std::sync::Arc;

use super::documents::Journal;
use super::file::FLEET;
use crate::snapshot::Snapshot;
use tidegate_api::fleet::Fleet;
use tidegate_model::plural::counted;
use tidegate_model::time::{SignedDuration, Timestamp};

/// The file is not written again for this long: the fleet of a large hub has megabytes, and is hardly ever at rest.
const PAUSE: SignedDuration = SignedDuration::from_mins(10);

/// A larger file is not written, because no reader of the journal accepts a file of more than 16 MiB.
const MOST_BYTES: usize = 15 << 20;

/// The notice that the fleet is too large. It contains no counts, which would cause a commit each time they change.
const TOO_LARGE: &str = "the fleet is not recorded in fleet.yaml: the file would have more than 15 MiB; to switch it off, set [journal] fleet = false in tidegate.toml";

/// The fleet that an entry may record.
#[derive(Debug, Clone, Default)]
pub enum FleetFacts {
    /// It is not known. What is recorded stays.
    #[default]
    Unknown,
    /// It is not to be recorded.
    Off,
    /// It was observed.
    Observed(Arc<Fleet>),
}

/// What happens to the file in an entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum FleetFile {
    /// It stays as it is.
    Keep,
    /// It is removed, or not written.
    Remove,
    /// It is written.
    Write {
        /// Its new content.
        text: Vec<u8>,
        /// The subject of a commit that changes nothing else; `None` if such a commit is not made, because only measured values differ.
        subject: Option<String>,
    },
}

/// Decides what happens to the file, and returns it with a notice for people, if there is one. `has_ended` is whether a rollout ends with this
/// entry.
pub(super) fn file(
    before: &Journal,
    facts: &FleetFacts,
    (now, has_ended): (Timestamp, bool),
) -> (FleetFile, Option<String>) {
    let known = before.files.get(FLEET);
    let fleet = match facts {
        FleetFacts::Unknown => return (FleetFile::Keep, notice(before)),
        FleetFacts::Off => return (FleetFile::Remove, None),
        FleetFacts::Observed(fleet) => fleet,
    };
    if !has_ended && before.fleet_at.is_some_and(|at| now.duration_since(at).abs() < PAUSE) {
        return (FleetFile::Keep, notice(before));
    }
    let instance = before.sync.as_ref().and_then(|sync| sync.instance.as_ref()).map(|identity| &identity.id);
    let snapshot = Snapshot::of(fleet, instance, now);
    let text = snapshot.to_yaml().into_bytes();
    if text.len() > MOST_BYTES {
        return (FleetFile::Remove, Some(TOO_LARGE.to_owned()));
    }
    // A file that cannot be read is written again.
    let recorded = known.and_then(|bytes| Snapshot::read(bytes).ok());
    if recorded.as_ref().is_some_and(|recorded| recorded.as_of.is_some() && snapshot.is_same(recorded)) {
        return (FleetFile::Keep, None);
    }
    let subject = match recorded {
        Some(recorded) => snapshot.differs(&recorded).then(|| changed(snapshot.changed_clusters(&recorded))),
        None => Some(format!("fleet: {} recorded", counted(snapshot.clusters.len(), "cluster"))),
    };
    (FleetFile::Write { text, subject }, None)
}

fn changed(clusters: usize) -> String {
    match clusters {
        0 => "fleet: the hub changed".to_owned(),
        clusters => format!("fleet: {} changed", counted(clusters, "cluster")),
    }
}

/// Returns the notice of the last entry that the fleet is too large, until the size is known again.
fn notice(before: &Journal) -> Option<String> {
    let notices = before.sync.iter().flat_map(|sync| &sync.notices);
    notices.into_iter().find(|notice| *notice == TOO_LARGE).cloned()
}

/// Returns the time from which the file may be written again.
pub fn may_change_before(now: Timestamp) -> Timestamp {
    now.checked_sub(PAUSE).unwrap_or(Timestamp::MIN)
}
