//! Texts for people, for snapshots.

use regex::Regex;

/// What differs from run to run, and its placeholder.
const PLACEHOLDERS: [(&str, &str); 4] = [
    (r#"(/[^/\s"']+)*/\.tmp\w{6}"#, "[DIR]"),
    (r"\b[0-9a-f]{12}\b", "[COMMIT]"),
    (r"os error \d+", "os error [NUMBER]"),
    (concat!(r#"""#, env!("CARGO_PKG_VERSION"), r#"""#), r#""[VERSION]""#),
];

/// Returns a text with placeholders for temporary directories, abbreviated commits, error numbers and the version.
pub(crate) fn redacted(text: &str) -> String {
    PLACEHOLDERS.iter().fold(text.to_owned(), |text, (pattern, placeholder)| {
        Regex::new(pattern).unwrap().replace_all(&text, *placeholder).into_owned()
    })
}
