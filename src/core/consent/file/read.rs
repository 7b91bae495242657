//! Reads files of approvals.

use serde_saphyr::{DuplicateKeyPolicy, MergeKeyPolicy, MessageFormatter as _, UserMessageFormatter};

use super::document::Approval;
use super::path::{DIRECTORY, unit_of};
use tidegate_model::diagnostic::{Diagnostic, Place};
use tidegate_model::digest::Digest;
use tidegate_model::document::API_VERSION;
use tidegate_model::line::{brief, one_line};
use tidegate_model::name::UnitName;

/// Maximum size of a file in bytes.
const MAX_BYTES: usize = 64 << 10;
/// Maximum number of approvals in a file.
const MAX_ENTRIES: usize = 200;

/// Reads a file of approvals.
///
/// It is read strictly: a document that a person could understand in another way than this program does is malformed. So it has no
/// anchors, aliases, merge keys, tags, unknown fields or repeated keys, and is the only document of its file.
///
/// # Errors
/// What is wrong with the file, which then counts for nothing.
pub fn read(path: &str, bytes: &[u8]) -> Result<Approval, Diagnostic> {
    let malformed = |why: String| Diagnostic::error(Place::start_of(path), why);
    let Some(folder) = unit_of(path) else {
        return Err(malformed(
            "approvals are in files approvals/<add-on>/<digest>-<group>.yaml or approvals/applications/<namespace>/<name>/<digest>-<group>.yaml; move it there"
                .to_owned(),
        ));
    };
    if bytes.len() > MAX_BYTES {
        return Err(malformed(format!("it has {} bytes, more than the limit of {MAX_BYTES}", bytes.len())));
    }
    let text =
        std::str::from_utf8(bytes).map_err(|_| malformed("it is not UTF-8 text; save it as UTF-8".to_owned()))?;
    if let Some((line, why)) = strange(text) {
        return Err(Diagnostic::error(place(path, line, 1), why.to_owned()));
    }
    let approval: Approval = serde_saphyr::from_str_with_options(text, options()).map_err(|error| {
        let (line, column) = error.location().map_or((1, 1), |at| (at.line(), at.column()));
        let why = brief(&UserMessageFormatter.format_message(&error), 300);
        Diagnostic::error(place(path, line, column), format!("{why}; `tidegate schema approval` describes the file"))
    })?;
    check(&approval, &folder).map_or(Ok(approval), |why| Err(malformed(why)))
}

fn options() -> serde_saphyr::Options {
    serde_saphyr::options! {
        budget: serde_saphyr::budget! { max_anchors: 0, max_aliases: 0, max_events: 10_000 },
        duplicate_keys: DuplicateKeyPolicy::Error,
        merge_keys: MergeKeyPolicy::Error,
        strict_booleans: true,
        reject_unsupported_tags: true,
        with_snippet: false,
    }
}

fn place(path: &str, line: impl TryInto<u32>, column: impl TryInto<u32>) -> Place {
    let number = |number: Result<u32, _>| number.unwrap_or(u32::MAX);
    Place {
        file: path.to_owned(),
        line: number(line.try_into().map_err(drop)),
        column: number(column.try_into().map_err(drop)),
    }
}

/// Returns what makes a text look different from what it is, and in which line.
fn strange(text: &str) -> Option<(usize, &'static str)> {
    for (at, line) in (1..).zip(text.lines()) {
        if line.chars().any(char::is_control) {
            return Some((at, "the line has a tab or another control character; remove it"));
        }
        if one_line(line) != line {
            return Some((at, "the line has a character that hides or reorders others; remove it"));
        }
        if at > 1 && (line.starts_with("---") || line.starts_with("...")) {
            return Some((at, "the line starts another document, and a file of approvals has one; remove it"));
        }
        let value = line.trim_start().trim_start_matches("- ");
        let value = value.split_once(": ").map_or(value, |(_, value)| value);
        if value.trim_start().trim_start_matches(['[', '{', ' ']).starts_with('!') {
            return Some((at, "the line has a tag; write the value without it"));
        }
    }
    None
}

fn check(approval: &Approval, folder: &UnitName) -> Option<String> {
    let Approval { api_version, kind, addon, digest, group, approvals } = approval;
    if api_version != API_VERSION || kind != "Approval" {
        return Some(format!(
            "it has the kind {kind} of {api_version}; write apiVersion: {API_VERSION} and kind: Approval"
        ));
    }
    if addon != folder {
        return Some(format!(
            "it is about {addon}, but in the directory of {folder}; move it to {DIRECTORY}/{}",
            addon.path()
        ));
    }
    if digest.parse::<Digest>().is_err() {
        return Some(format!(
            "the digest {:?} does not have 64 lowercase hexadecimal digits; write all of them: copy them from the plan, or run \
             `tidegate approve`",
            brief(digest, 80)
        ));
    }
    if group.as_ref().is_some_and(|group| group.trim().is_empty()) {
        return Some("the group is empty; name it, or leave the field out for the start of the rollout".to_owned());
    }
    if approvals.len() > MAX_ENTRIES {
        return Some(format!("it has {} approvals, more than the limit of {MAX_ENTRIES}", approvals.len()));
    }
    None
}
