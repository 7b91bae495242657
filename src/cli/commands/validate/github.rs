//! Commands that the log of a GitHub workflow turns into annotations.
//!
//! # Source
//! "Workflow commands for GitHub Actions", and `actions/toolkit` packages/core/src/command.ts for the escapes.

use super::finding::{Findings, harmless};
use tidegate_model::diagnostic::Place;

/// Returns one command per finding.
pub(super) fn report(findings: &Findings<'_>) -> String {
    let command = |finding: &super::finding::Finding<'_>| {
        let place = &finding.complaint.diagnostic.place;
        format!(
            "::{} file={},line={},endLine={},col={},endColumn={},title={}::{}\n",
            if finding.complaint.is_error() { "error" } else { "warning" },
            property(&finding.path),
            place.line,
            place.line,
            place.column,
            finding.end_column,
            property(&format!("tidegate {}", finding.complaint.rule.name())),
            data(&finding.message)
        )
    };
    findings.0.iter().map(command).collect()
}

/// Returns the command that shows a notice at a place in a file.
pub(super) fn notice(file: &str, place: &Place, title: &str, message: &str) -> String {
    let Place { line, column, .. } = place;
    format!("::notice file={},line={line},col={column},title={}::{}\n", property(file), property(title), data(message))
}

fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    // Line breaks have escapes; other control characters have none, and do not belong in a log.
    let text = data(text).replace(':', "%3A").replace(',', "%2C");
    harmless(&text)
}
