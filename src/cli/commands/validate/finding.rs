//! Complaints with the data for reports to programs.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Component, Path};

use sha2::{Digest as _, Sha256};

use super::lines::{Lines, Spot};
use tidegate_model::diagnostic::Place;
use tidegate_model::tree::Tree;
use tidegate_repository::{Complaint, token};

/// A complaint with further data for a report.
#[derive(Debug)]
pub(super) struct Finding<'a> {
    pub(super) complaint: &'a Complaint,
    /// The file, relative to the working directory if the directory was named that way.
    pub(super) path: String,
    /// The column after the token that it is about.
    pub(super) end_column: u32,
    /// The message without control characters.
    pub(super) message: String,
    /// A hash that stays the same for the same complaint in another revision, wherever in the file it is there.
    pub(super) fingerprint: String,
}

/// The findings of one run.
#[derive(Debug)]
pub(super) struct Findings<'a>(pub(super) Vec<Finding<'a>>);

impl<'a> Findings<'a> {
    /// Creates findings from complaints about the files below a directory.
    pub(super) fn new(root: &Path, tree: &Tree, complaints: &'a [Complaint]) -> Self {
        let prefix = prefix(root);
        let mut lines = Lines::new(tree);
        let mut seen: BTreeMap<(&str, &str, &str), usize> = BTreeMap::new();
        let finding = |complaint: &'a Complaint| {
            let place = &complaint.diagnostic.place;
            let path = format!("{prefix}{}", place.file);
            let identity = (place.file.as_str(), complaint.rule.name(), complaint.diagnostic.message.as_str());
            let count = seen.entry(identity).or_default();
            *count += 1;
            let fingerprint = fingerprint(&[&path, identity.1, identity.2, &count.to_string()]);
            let token = lines.find(place).map_or("", |spot| token_of(spot, place));
            let length = u32::try_from(token.chars().count()).unwrap_or(u32::MAX).max(1);
            let end_column = place.column.saturating_add(length);
            Finding { complaint, path, end_column, message: harmless(&complaint.diagnostic.message), fingerprint }
        };
        Self(complaints.iter().map(finding).collect())
    }
}

/// Returns the prefix that makes the names of the files relative to the working directory; empty if the root is that
/// directory, or is not below it.
pub(super) fn prefix(root: &Path) -> String {
    let mut prefix = String::new();
    for component in root.components() {
        match component {
            Component::CurDir => {}
            Component::Normal(name) => {
                prefix.push_str(&name.to_string_lossy());
                prefix.push('/');
            }
            _ => return String::new(),
        }
    }
    prefix
}

fn fingerprint(parts: &[&str]) -> String {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update(part.as_bytes());
        hash.update([0]);
    }
    hash.finalize().iter().take(16).fold(String::new(), |mut text, byte| {
        // Writing into a String cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// Returns the token at a place.
pub(super) fn token_of<'a>(spot: Spot<'a>, place: &Place) -> &'a str {
    let found = token(spot.after, 1);
    // In TOML, a key ends at the equals sign.
    let is_key = place.file.ends_with(".toml") && !found.starts_with(['"', '\'']);
    if is_key { found.split('=').next().unwrap_or(found).trim_end() } else { found }
}

/// Replaces characters that a terminal or a viewer could interpret as a command: file names come from the repository, and
/// must not be able to look like another complaint.
pub(super) fn harmless(text: &str) -> String {
    let is_harmful = |c: char| {
        c.is_control() || matches!(c, '\u{2028}' | '\u{2029}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    text.chars().map(|c| if is_harmful(c) { '\u{fffd}' } else { c }).collect()
}
