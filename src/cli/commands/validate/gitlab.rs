//! A report for GitLab's Code Quality widget.
//!
//! # Source
//! GitLab "Code Quality report format".

use serde_json::{Value, json};

use super::finding::{Finding, Findings};

/// Returns the report.
pub(super) fn report(findings: &Findings<'_>) -> Value {
    let issue = |finding: &Finding<'_>| {
        json!({
            "description": finding.message,
            "check_name": finding.complaint.rule.name(),
            "fingerprint": finding.fingerprint,
            "severity": if finding.complaint.is_error() { "major" } else { "minor" },
            "location": { "path": finding.path, "lines": { "begin": finding.complaint.diagnostic.place.line } },
        })
    };
    Value::Array(findings.0.iter().map(issue).collect())
}
