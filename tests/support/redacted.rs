//! Texts for people, for snapshots.

use regex::Regex;

/// What differs from run to run, and its placeholder.
const PLACEHOLDERS: [(&str, &str); 5] = [
    (r"(/[\w-]+)*/\.tmp\w{6}", "[DIR]"),
    (r"\b[0-9a-f]{12}\b", "[HASH]"),
    (r"127\.0\.0\.1:\d{4,5}", "[ADDRESS]"),
    (r"os error \d+", "os error [NUMBER]"),
    (concat!(r#"""#, env!("CARGO_PKG_VERSION"), r#"""#), r#""[VERSION]""#),
];

/// Returns a text with placeholders for temporary directories, abbreviated hashes, ports, error numbers and the version.
pub(crate) fn redacted(text: &str) -> String {
    PLACEHOLDERS.iter().fold(text.to_owned(), |text, (pattern, placeholder)| {
        Regex::new(pattern).unwrap().replace_all(&text, *placeholder).into_owned()
    })
}

/// Returns a redacted text with a placeholder for moments, too, where the clock of the test is that of the system.
pub(crate) fn timeless(text: &str) -> String {
    let time = Regex::new(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z").unwrap();
    // What happens within a second may fall into two.
    time.replace_all(&redacted(text), "[TIME]").replace("[TIME] to [TIME]", "[TIME]")
}
