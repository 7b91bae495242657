//! Reads the lock file, and refuses one that `tidegate vendor` did not write.

use std::collections::{BTreeMap, BTreeSet};

use super::reader::{LockReader, REMEDY, is_plain};
use super::types::{Entry, Lock, VendoredChart, VendoredDirectory, VendoredFile, What};
use crate::vendor::{DIRECTORY, LOCK_FILE};
use crate::yaml::{self, Fields, Input, Node, Origin, Provenance, Reader};
use tidegate_model::diagnostic::{Diagnostic, Place};
use tidegate_model::tree::Tree;

impl Lock {
    /// Reads the lock file of a tree. A tree without one has an empty lock.
    ///
    /// # Errors
    /// The problems of the file, if it cannot be read, or is not as [`Lock::write`] writes it: unknown fields, malformed values,
    /// directories that overlap or are not below [`DIRECTORY`], or two entries for the same source.
    pub fn read(tree: &Tree) -> Result<Self, Vec<Diagnostic>> {
        if let Some(why) = tree.skipped.get(LOCK_FILE) {
            let message = format!("{LOCK_FILE} is not read: {why}; {REMEDY}");
            return Err(vec![Diagnostic::error(Place::start_of(LOCK_FILE), message)]);
        }
        let Some(bytes) = tree.files.get(LOCK_FILE) else { return Ok(Self::default()) };
        let mut provenance = Provenance::default();
        let input = Input::of_file(provenance.add_source(LOCK_FILE), bytes);
        let mut reader = Reader::default();
        let lock = match yaml::manifests(input) {
            Ok(documents) => match documents.as_slice() {
                [document] => LockReader { reader: &mut reader, provenance: &provenance }.lock(document),
                documents => {
                    let at = documents.get(1).map_or(Origin::new(input.source, 1, 1), |second| second.origin);
                    reader.error(at, format!("{LOCK_FILE} is not a single YAML document; {REMEDY}"));
                    Self::default()
                }
            },
            Err(error) => {
                reader.errors.push(error);
                Self::default()
            }
        };
        if reader.errors.is_empty() {
            Ok(lock)
        } else {
            Err(reader.errors.into_iter().map(|error| provenance.resolve(error)).collect())
        }
    }
}

impl LockReader<'_> {
    fn lock(&mut self, document: &Node) -> Lock {
        let fields = self.fields(document, "the lock", &["apiVersion", "kind", "entries", "applications"]);
        for (name, right) in [("apiVersion", "tidegate.io/v1alpha1"), ("kind", "VendorLock")] {
            let text = self.text(&fields, name);
            if !text.is_empty() && text != right {
                self.error(&fields, name, &format!("{name} is {text:?}, but must be {right}"));
            }
        }
        Lock { entries: self.entries(&fields), applications: self.applications(&fields) }
    }

    fn entries(&mut self, fields: &Fields<'_>) -> Vec<Entry> {
        let items = self.reader.items(fields, "entries");
        let mut entries: Vec<Entry> = Vec::new();
        let (mut directories, mut keys) = (BTreeSet::new(), BTreeMap::new());
        for (index, item) in items.iter().enumerate() {
            let before = self.reader.errors.len();
            let Some(entry) = self.entry(item) else { continue };
            if self.reader.errors.len() > before {
                continue;
            }
            let directory = &entry.directory;
            let mut above = directory.match_indices('/').filter_map(|(at, _)| directory.get(..at));
            // In a sorted list without overlaps, each directory comes after the previous one and is not inside of any other.
            if entries.last().is_some_and(|last| last.directory >= *directory) {
                let message = format!("entries[{index}] is not in order of the directories, or repeats one; {REMEDY}");
                self.reader.error(item.origin, message);
            } else if let Some(other) = above.find(|above| directories.contains(*above)) {
                self.reader.error(item.origin, format!("{directory} is inside of {other}; {REMEDY}"));
            } else if let Some(other) = keys.insert(entry.what.key(), directory.clone()) {
                self.reader.error(item.origin, format!("this entry is for the same source as {other}; {REMEDY}"));
            } else {
                directories.insert(directory.clone());
                entries.push(entry);
            }
        }
        entries
    }

    fn entry(&mut self, item: &Node) -> Option<Entry> {
        let fields = self.fields(item, "an entry of the lock", &["directory", "git", "file", "chart", "files"]);
        let directory = self.text(&fields, "directory");
        if !directory.is_empty() && !is_vendored(&directory) {
            let message = format!("the directory {directory:?} is not a plain path below {DIRECTORY}/");
            self.error(&fields, "directory", &message);
        }
        let files = self.digest(&fields, "files");
        let what = match (fields.get("git"), fields.get("file"), fields.get("chart")) {
            (Some(git), None, None) => What::Git(self.git(git)),
            (None, Some(file), None) => What::File(self.file(file)),
            (None, None, Some(chart)) => What::Chart(self.chart(chart)),
            _ => {
                let message = format!("an entry of the lock has exactly one of git, file and chart; {REMEDY}");
                self.reader.error(item.origin, message);
                return None;
            }
        };
        Some(Entry { directory, what, files, place: self.provenance.place(item.origin) })
    }

    fn git(&mut self, node: &Node) -> VendoredDirectory {
        let known = ["source", "repository", "reference", "commit", "path"];
        let fields = self.fields(node, "git", &known);
        let commit = self.text(&fields, "commit");
        let is_hex = commit.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b));
        if !commit.is_empty() && (!is_hex || !matches!(commit.len(), 40 | 64)) {
            self.error(&fields, "commit", &format!("the commit {commit:?} is not 40 or 64 hexadecimal digits"));
        }
        let path = self.optional(&fields, "path").unwrap_or_default();
        if !path.is_empty() && !is_plain(&path) {
            self.error(&fields, "path", &format!("the path {path:?} is not a plain path"));
        }
        VendoredDirectory {
            source: self.text(&fields, "source"),
            repository: self.text(&fields, "repository"),
            reference: self.optional(&fields, "reference"),
            commit,
            path,
        }
    }

    fn file(&mut self, node: &Node) -> VendoredFile {
        let fields = self.fields(node, "file", &["source", "name"]);
        let name = self.text(&fields, "name");
        if !name.is_empty() && (!is_plain(&name) || name.contains('/')) {
            self.error(&fields, "name", &format!("{name:?} is not the name of a file"));
        }
        VendoredFile { source: self.text(&fields, "source"), name }
    }

    fn chart(&mut self, node: &Node) -> VendoredChart {
        let known =
            ["usedBy", "name", "release", "namespace", "repository", "request", "version", "digest", "values", "helm"];
        let fields = self.fields(node, "chart", &known);
        VendoredChart {
            used_by: self.text(&fields, "usedBy"),
            name: self.text(&fields, "name"),
            release: self.text(&fields, "release"),
            namespace: self.optional(&fields, "namespace"),
            repository: self.text(&fields, "repository"),
            request: self.optional(&fields, "request"),
            version: self.text(&fields, "version"),
            digest: self.digest(&fields, "digest"),
            values: self.digest(&fields, "values"),
            helm: self.text(&fields, "helm"),
        }
    }
}

/// Returns `true` for the path of a vendored directory: with plain parts, below the directory of all of them.
fn is_vendored(path: &str) -> bool {
    let below = path.strip_prefix(DIRECTORY).and_then(|rest| rest.strip_prefix('/'));
    below.is_some_and(is_plain) && path.bytes().all(|b| b.is_ascii_alphanumeric() || b"-._@+/".contains(&b))
}
