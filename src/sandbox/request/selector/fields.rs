//! Field selectors.
//!
//! # Source
//! `k8s.io/apimachinery/pkg/fields` and the field label conversions of the kinds.

use serde_json::Value;

use crate::kind::Kind;
use tidegate_go::quote::go_quoted;

/// One term of a field selector.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Field {
    path: String,
    value: String,
    equal: bool,
}

impl Field {
    /// Returns `true` if an object matches the term.
    pub(super) fn holds(&self, object: &Value) -> bool {
        let found = self.path.split('.').try_fold(object, |value, member| value.get(member));
        let found = match found {
            Some(Value::String(text)) => text.as_str(),
            Some(Value::Bool(true)) => "true",
            Some(Value::Bool(false)) => "false",
            _ => "",
        };
        (found == self.value) == self.equal
    }
}

/// Parses a field selector for objects of a kind.
///
/// # Errors
/// The message, if the selector is malformed or a field is not supported.
pub(super) fn parse(text: &str, kind: &Kind) -> Result<Vec<Field>, String> {
    let mut fields = Vec::new();
    for term in terms(text).into_iter().filter(|term| !term.is_empty()) {
        let unreadable = || format!("invalid selector: '{text}'; can't understand '{term}'");
        let (path, equal, value) = split(term).ok_or_else(unreadable)?;
        fields.push(Field { path: path.to_owned(), value: unescaped(value).ok_or_else(unreadable)?, equal });
    }
    fields.iter().try_for_each(|field| check(&field.path, kind))?;
    Ok(fields)
}

/// Splits at commas that are not escaped with a backslash.
fn terms(text: &str) -> Vec<&str> {
    let (mut terms, mut start, mut escaped) = (Vec::new(), 0, false);
    for (at, character) in text.char_indices() {
        match character {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            ',' => {
                terms.push(text.get(start..at).unwrap_or_default());
                start = at + 1;
            }
            _ => {}
        }
    }
    terms.push(text.get(start..).unwrap_or_default());
    terms
}

fn split(term: &str) -> Option<(&str, bool, &str)> {
    term.char_indices().find_map(|(at, _)| {
        let (path, rest) = term.split_at(at);
        let value = |operator: &str| rest.strip_prefix(operator);
        if let Some(value) = value("!=") {
            return Some((path, false, value));
        }
        value("==").or_else(|| value("=")).map(|value| (path, true, value))
    })
}

fn unescaped(text: &str) -> Option<String> {
    let mut out = String::new();
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        match character {
            '\\' => out.push(characters.next().filter(|c| matches!(c, '\\' | ',' | '='))?),
            ',' | '=' => return None,
            other => out.push(other),
        }
    }
    Some(out)
}

fn check(path: &str, kind: &Kind) -> Result<(), String> {
    let is_namespace = kind.group.is_empty() && kind.kind == "Namespace";
    let is_known = match path {
        "metadata.name" => true,
        "metadata.namespace" => {
            if kind.custom {
                kind.namespaced
            } else {
                !is_namespace
            }
        }
        "name" | "status.phase" => is_namespace,
        "type" => matches!(kind.kind.as_str(), "Secret" | "Event") && !kind.custom,
        "spec.signerName" => kind.kind == "CertificateSigningRequest",
        "reason" | "reportingComponent" | "source" => kind.kind == "Event",
        path => kind.kind == "Event" && path.starts_with("involvedObject."),
    };
    if is_known {
        return Ok(());
    }
    if kind.custom || matches!(kind.kind.as_str(), "Namespace" | "Secret" | "Event" | "CertificateSigningRequest") {
        return Err(format!("field label not supported: {path}"));
    }
    let known = "only \"metadata.name\", \"metadata.namespace\"";
    Err(format!("{} is not a known field selector: {known}", go_quoted(path)))
}
