//! Every byte of every file of a journal: a change is found, or the field is listed here.
//!
//! A run checks every fifth byte of each file. With `TIDEGATE_EVERY_BYTE` set, as `.ci/run` does, it checks all of them.

use std::collections::BTreeSet;

use tidegate::audit::Verifier;
use tidegate::audit::commit::Options;
use tidegate_model::chain::Content;

use super::scene::{Scene, journey};

/// The fields that a commit may have with another value: nothing else in the journal depends on it.
const LISTED: &[&str] = &[
    "N.yaml: ended",
    "clusters.yaml: group",
    "clusters.yaml: hash",
    "clusters.yaml: key",
    "clusters.yaml: opens",
    "clusters.yaml: reason",
    "clusters.yaml: since",
    "clusters.yaml: started",
    "clusters.yaml: version",
    "status.yaml: commit",
    "status.yaml: failed",
    "status.yaml: hash",
    "status.yaml: index",
    "status.yaml: message",
    "status.yaml: name",
    "status.yaml: placement",
    "status.yaml: progressing",
    "status.yaml: resource",
    "status.yaml: strategy",
    "status.yaml: succeeded",
    "status.yaml: total",
    "status.yaml: version",
    "status.yaml: waiting",
    "sync.yaml: applied",
    "sync.yaml: author",
    "sync.yaml: hello",
    "sync.yaml: key",
    "sync.yaml: merge",
    "sync.yaml: time",
];

/// Returns another byte: a letter for a letter, and a digit for a digit.
fn other(byte: u8) -> u8 {
    match byte {
        b'9' | b'z' | b'Z' => byte - 1,
        byte if byte.is_ascii_alphanumeric() => byte + 1,
        b'\n' => b' ',
        _ => b'x',
    }
}

/// Returns the name of the field whose value has the byte at an offset, or `key` if a key of a map has it.
fn field_at(text: &str, at: usize) -> &str {
    let start = text[..at].rfind('\n').map_or(0, |end| end + 1);
    match text[start..at].rfind(": ") {
        Some(colon) => text[start..start + colon].rsplit([' ', '{']).next().unwrap().trim_matches('"'),
        None => "key",
    }
}

/// Returns `true` if nothing is found after the byte at an offset of one file of a commit was replaced.
///
/// `before` has followed the commits before it.
fn is_silent(scene: &Scene, before: &Verifier<'_>, (commit, change): (usize, usize), at: usize, byte: u8) -> bool {
    let mut forged = scene.links[commit].clone();
    let Content::File(bytes) = &mut forged.changes[change].after else { return false };
    bytes[at] = byte;
    let mut verifier = before.clone();
    for link in std::iter::once(&forged).chain(&scene.links[commit + 1..]) {
        verifier.follow(link);
        if verifier.has_findings() {
            return false;
        }
    }
    true
}

/// Calls a function with each file that a commit writes, and with what verified the commits before it.
fn each_file(scene: &Scene, mut visit: impl FnMut(&Verifier<'_>, (usize, usize), &str, &str)) {
    let mut before = Verifier::new(Options::default());
    for (commit, link) in scene.links.iter().enumerate() {
        for (number, change) in link.changes.iter().enumerate() {
            let Content::File(bytes) = &change.after else { continue };
            visit(&before, (commit, number), &change.path, std::str::from_utf8(bytes).unwrap());
        }
        before.follow(link);
    }
}

#[test]
fn any_changed_byte_of_any_file_is_found_or_in_a_listed_field() {
    let is_whole = std::env::var_os("TIDEGATE_EVERY_BYTE").is_some();
    let scene = journey();
    let (mut silent, mut files) = (BTreeSet::new(), 0);
    each_file(&scene, |before, place, path, text| {
        files += 1;
        let bytes = text.bytes().enumerate().skip(if is_whole { 0 } else { files % 5 });
        for (at, byte) in bytes.step_by(if is_whole { 1 } else { 5 }) {
            if is_silent(&scene, before, place, at, other(byte)) {
                let file = path.rsplit('/').next().unwrap().replace(|c: char| c.is_ascii_digit(), "N");
                let label = format!("{file}: {}", field_at(text, at));
                assert!(LISTED.contains(&label.as_str()), "{label}: byte {at} of {path} in commit {}\n{text}", place.0);
                silent.insert(label);
            }
        }
    });
    assert_eq!(files, 39);
    if is_whole {
        assert_eq!(silent.iter().map(String::as_str).collect::<Vec<_>>(), LISTED);
    }
}
