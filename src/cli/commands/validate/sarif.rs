//! A report in SARIF 2.1.0, as GitHub's code scanning and other viewers read it.
//!
//! # Source
//! OASIS "Static Analysis Results Interchange Format 2.1.0", and GitHub "SARIF support for code scanning".

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::finding::{Finding, Findings};
use tidegate_repository::Rule;

/// Returns the report.
pub(super) fn report(findings: &Findings<'_>) -> Value {
    let version = env!("CARGO_PKG_VERSION");
    let results: Vec<Value> = findings.0.iter().map(result).collect();
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": {
                "driver": {
                    "name": "tidegate",
                    "version": version,
                    "semanticVersion": version,
                    "rules": Rule::ALL.map(rule),
                },
            },
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    })
}

fn rule(rule: Rule) -> Value {
    let level = if rule == Rule::Ambiguous { "warning" } else { "error" };
    json!({
        "id": rule.name(),
        "shortDescription": { "text": rule.demand() },
        "fullDescription": { "text": rule.demand() },
        "help": { "text": "Each message says what is wrong, and what would be right." },
        "defaultConfiguration": { "level": level },
    })
}

fn result(finding: &Finding<'_>) -> Value {
    let complaint = finding.complaint;
    json!({
        "ruleId": complaint.rule.name(),
        "ruleIndex": Rule::ALL.iter().position(|rule| *rule == complaint.rule),
        "level": if complaint.is_error() { "error" } else { "warning" },
        "message": { "text": finding.message },
        "locations": [{
            "physicalLocation": {
                "artifactLocation": { "uri": encoded(&finding.path), "uriBaseId": "%SRCROOT%" },
                "region": {
                    "startLine": complaint.diagnostic.place.line,
                    "startColumn": complaint.diagnostic.place.column,
                    "endLine": complaint.diagnostic.place.line,
                    "endColumn": finding.end_column,
                },
            },
        }],
        "partialFingerprints": { "tidegate/v1": finding.fingerprint },
    })
}

/// Encodes a path as a URI reference.
fn encoded(path: &str) -> String {
    let mut text = String::with_capacity(path.len());
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte) {
            text.push(byte.into());
        } else {
            // Writing into a String cannot fail.
            let _ = write!(text, "%{byte:02X}");
        }
    }
    text
}
