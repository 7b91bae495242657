//! The entries of a daemon that starts: the identity of the journal, and the term of a replica.

use super::Entry;
use crate::documents::Journal;
use crate::format::FORMAT;
use crate::record::{Identity, Sync};
use crate::writer::Writer;
use crate::yaml::{Unwritable, yaml};
use crate::{headline, readme};
use tidegate_model::instance::Instance;
use tidegate_model::time::{Timestamp, to_seconds};

/// Returns the entry that gives a journal its identity or renames its instance; `None` if both are up to date. `looked` is when a daemon looked
/// at the hub last.
///
/// This entry is committed before anything is written to the hub: an object with an identity that no journal knows has no
/// owner.
///
/// # Errors
/// [`Unwritable`] if a document cannot be written as YAML.
pub fn identified(
    before: &Journal,
    candidate: &Instance,
    now: Timestamp,
    looked: Option<Timestamp>,
) -> Result<Option<Entry>, Unwritable> {
    let known = before.sync.as_ref().and_then(|sync| sync.instance.clone());
    let name = if candidate.name.is_empty() {
        known.as_ref().map(|k| k.name.clone()).unwrap_or_default()
    } else {
        candidate.name.clone()
    };
    let identity = match known.clone() {
        Some(known) => Identity { name, ..known },
        None => Identity { id: candidate.id.clone(), name, since: to_seconds(now) },
    };
    if known.as_ref() == Some(&identity) {
        return Ok(None);
    }
    let sync = Sync {
        format: FORMAT,
        instance: Some(identity.clone()),
        looked,
        ..before.sync.clone().unwrap_or_else(Sync::empty)
    };
    with_sync(before, sync, &format!("instance {}", identity.instance())).map(Some)
}

/// Returns the entry that begins the term of a replica. It is pushed before the replica writes anything to the hub. `looked` is when a daemon
/// looked at the hub last.
///
/// # Errors
/// [`Unwritable`] if a document cannot be written as YAML.
pub fn term_begun(before: &Journal, leader: &Writer, looked: Option<Timestamp>) -> Result<Entry, Unwritable> {
    let sync = Sync { format: FORMAT, term: leader.term, looked, ..before.sync.clone().unwrap_or_else(Sync::empty) };
    with_sync(before, sync, &format!("leader: {} begins term {}", leader.name, leader.term))
}

/// Returns the entry that changes nothing but `sync.yaml`, and the page that shows it.
fn with_sync(before: &Journal, sync: Sync, subject: &str) -> Result<Entry, Unwritable> {
    let mut journal = before.clone();
    let page = readme::page(&sync, journal.addons.values()).into_bytes();
    let files = [("sync.yaml".to_owned(), yaml("sync.yaml", &sync)?), ("README.md".to_owned(), page)];
    journal.files.extend(files.iter().cloned());
    let trailers = headline::trailers(&sync, &[]).join("\n");
    let message = format!("{subject}\n\n{trailers}");
    journal.sync = Some(sync);
    let files = files.into_iter().map(|(path, bytes)| (path, Some(bytes))).collect();
    Ok(Entry { files, message: format!("{}\n", message.trim_end()), journal })
}
