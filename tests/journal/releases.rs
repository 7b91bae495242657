//! Journals of each release, in `releases/<version>`: this version reads them, and loses nothing of them.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use tidegate_journal::file::JournalFile;
use tidegate_journal::pulls::PullDocument;
use tidegate_journal::record::{AddonStatus, SealedRollout, Sync};
use tidegate_journal::snapshot::Snapshot;
use tidegate_journal::{Journal, clusters};

use crate::files_below::files_below;

const RELEASES: &str = "tests/journal/releases";

/// Returns every journal with its name, such as `0.1.0/approval`.
fn journals() -> Vec<(String, BTreeMap<String, Vec<u8>>)> {
    let mut found = Vec::new();
    for version in fs::read_dir(RELEASES).unwrap() {
        for journal in fs::read_dir(version.unwrap().path()).unwrap() {
            let path = journal.unwrap().path();
            let name = path.strip_prefix(RELEASES).unwrap().to_str().unwrap().to_owned();
            found.push((name, files_below(&path)));
        }
    }
    assert!(!found.is_empty());
    found
}

/// Returns a document as it was, and as this version writes it after it has read it.
fn again<T: DeserializeOwned + Serialize>(path: &str, text: &str) -> (Value, Value) {
    let read: T = serde_saphyr::from_str(text).unwrap_or_else(|error| panic!("{path} cannot be read: {error}"));
    let written = serde_saphyr::to_string(&read).unwrap();
    (serde_saphyr::from_str(text).unwrap(), serde_saphyr::from_str(&written).unwrap())
}

/// Collects the paths of the values that are not in the other document.
fn lost(before: &Value, after: &Value, path: &str, found: &mut Vec<String>) {
    match (before, after) {
        (Value::Object(before), Value::Object(after)) => {
            for (name, value) in before {
                lost(value, after.get(name).unwrap_or(&Value::Null), &format!("{path}.{name}"), found);
            }
        }
        (Value::Array(before), Value::Array(after)) if before.len() == after.len() => {
            for (index, (before, after)) in before.iter().zip(after).enumerate() {
                lost(before, after, &format!("{path}[{index}]"), found);
            }
        }
        _ if before == after => {}
        _ => found.push(format!("{path}: {before} became {after}")),
    }
}

#[test]
fn every_document_of_every_release_is_read_and_nothing_is_lost() {
    for (journal, files) in journals() {
        for (path, bytes) in &files {
            let (path, text) = (format!("{journal}/{path}"), String::from_utf8(bytes.clone()).unwrap());
            let file = JournalFile::of(path.strip_prefix(&format!("{journal}/")).unwrap()).unwrap();
            let (before, after) = match file {
                JournalFile::Sync => again::<Sync>(&path, &text),
                JournalFile::Status(_) => again::<AddonStatus>(&path, &text),
                JournalFile::Sealed(..) => again::<SealedRollout>(&path, &text),
                JournalFile::Fleet => again::<Snapshot>(&path, &text),
                JournalFile::Pull(_) => again::<PullDocument>(&path, &text),
                JournalFile::Clusters(name) => {
                    let read = clusters::read(bytes).unwrap_or_else(|error| panic!("{path} cannot be read: {error}"));
                    assert_eq!(clusters::document(&name, &read), text, "{path}");
                    continue;
                }
                JournalFile::Page => panic!("{path} is not read by anyone"),
            };
            let mut found = Vec::new();
            lost(&before, &after, "", &mut found);
            assert!(found.is_empty(), "{path}: {found:?}");
        }
        let read = Journal::read(files);
        assert_eq!((read.newer, &read.unreadable), (None, &Vec::new()), "{journal}");
        assert!(read.instance().is_some(), "{journal}");
    }
}

#[test]
fn this_release_has_its_journals() {
    let directory = Path::new(RELEASES).join(env!("CARGO_PKG_VERSION"));
    assert!(
        directory.is_dir(),
        "{} is missing: CONTRIBUTING.md, \"Release\", describes how to make it",
        directory.display()
    );
}

#[test]
fn only_a_later_format_is_refused() {
    let newer = |sync: &str| Journal::read([("sync.yaml".to_owned(), sync.as_bytes().to_vec())].into()).newer;
    assert_eq!(newer("kind: Sync\n"), None);
    assert_eq!(newer("kind: Sync\nformat: 1\n"), None);
    assert_eq!(newer("kind: Sync\nformat: 2\n"), Some(2));
    // A later build may have changed everything else.
    assert_eq!(newer("apiVersion: tidegate.io/v2\nformat: 7\ninstance: [a, b]\nseen: {commit: 1}\n"), Some(7));
    assert_eq!(newer("format: [\n"), None);
}
