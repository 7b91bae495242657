//! Reads documents of the journal and compares them with what Tidegate writes.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_saphyr::{Error, MessageFormatter as _, UserMessageFormatter};

use super::text::{difference, quoted};
use crate::audit::finding::{Problem, Rule};

/// A parsed document and its source.
#[derive(Debug, Clone)]
pub(in crate::audit) struct Read<T> {
    /// The parsed value.
    pub value: T,
    /// The YAML that it was parsed from.
    pub text: String,
}

/// Parses a document. The returned problem points at the first difference from what Tidegate writes.
///
/// # Errors
/// A [`Problem`] if it cannot be parsed at all.
pub(in crate::audit) fn read<T: DeserializeOwned + Serialize>(
    path: &str,
    bytes: &[u8],
) -> Result<(Read<T>, Option<Problem>), Problem> {
    let text = text(bytes)?;
    let value: T = serde_saphyr::from_str(&text).map_err(|error| unreadable(&error, &text))?;
    let problem = match tidegate_journal::yaml::yaml(path, &value) {
        Ok(bytes) => bytes_problem(&text, &String::from_utf8_lossy(&bytes)),
        Err(error) => Some(Problem::new(Rule::Document, error.to_string())),
    };
    Ok((Read { value, text }, problem))
}

/// Returns the content of a file as a string.
///
/// # Errors
/// A [`Problem`] if it is not UTF-8.
pub(in crate::audit) fn text(bytes: &[u8]) -> Result<String, Problem> {
    String::from_utf8(bytes.to_vec()).map_err(|_| Problem::new(Rule::Document, "it is not UTF-8"))
}

/// Returns the first difference from what Tidegate writes.
pub(in crate::audit) fn bytes_problem(found: &str, wanted: &str) -> Option<Problem> {
    difference(found, wanted).map(|at| {
        let problem = format!("{} is not what Tidegate writes", quoted(at.found));
        Problem::new(Rule::Bytes, problem).at(Some(at.line)).expected(quoted(at.wanted))
    })
}

/// Returns a problem if a document's field does not match its path.
pub(in crate::audit) fn identity(text: &str, field: &str, found: &str, wanted: &str) -> Option<Problem> {
    (found != wanted).then(|| {
        let line = super::text::line_of(text, &format!("{field}:"));
        Problem::new(Rule::Document, format!("{field} is {found:?}")).at(line).expected(format!("{field}: {wanted}"))
    })
}

/// Describes why a document cannot be parsed, with the line and, if known, the field.
pub(in crate::audit) fn unreadable(error: &Error, text: &str) -> Problem {
    let place = error.location().map(|at| (at.line() as usize, at.column() as usize));
    let error = error.without_snippet();
    let field = place.and_then(|(line, column)| field_at(text.lines().nth(line.checked_sub(1)?)?, column));
    let why = match (field, words(error)) {
        (Some(field), why) if !matches!(error, Error::SerdeMissingField { .. }) => format!("{field}: {why}"),
        (_, why) => why,
    };
    Problem::new(Rule::Document, format!("it cannot be read: {why}")).at(place.map(|(line, _)| line))
}

/// Returns the field whose value is at a column, counted from 1: the key before the colon in front of it.
fn field_at(line: &str, column: usize) -> Option<String> {
    let before: String = line.chars().take(column.checked_sub(1)?).collect();
    let before = before.trim_end().strip_suffix(':')?;
    let name = before.rsplit([' ', '{', ',']).next()?.trim_matches('"');
    (!name.is_empty()).then(|| name.to_owned())
}

/// Describes a parse error in plain words.
fn words(error: &Error) -> String {
    match error {
        Error::NullIntoString { .. } => "a string is expected, but the value is null".to_owned(),
        Error::SerdeMissingField { field, .. } => format!("the field {field} is missing"),
        Error::SerdeUnknownVariant { variant, expected, .. } => {
            format!("{variant:?} is not one of {}", expected.join(", "))
        }
        Error::SerdeInvalidType { expected, .. } | Error::SerdeInvalidValue { expected, .. } => {
            format!("{} is expected", plain(expected))
        }
        Error::Unexpected { expected, .. } => format!("{} is expected", plain(expected)),
        Error::InvalidScalar { ty, .. } => format!("{} is expected", plain(ty)),
        error => UserMessageFormatter.format_message(error).lines().next().unwrap_or_default().to_owned(),
    }
}

/// Translates the parser's name of a type into plain words.
fn plain(kind: &str) -> &str {
    match kind {
        _ if kind.starts_with("struct ") || kind.starts_with("internally tagged") => "a mapping of fields",
        "a map" | "map" | "mapping" | "mapping start" => "a mapping of fields",
        "a sequence" | "sequence" | "sequence start" => "a list",
        "string" | "a string" | "string scalar" | "scalar" => "a string",
        "bool" | "boolean" | "a boolean" => "true or false",
        "u8" | "u16" | "u32" | "u64" | "usize" | "i8" | "i16" | "i32" | "i64" | "isize" => "a whole number",
        other => other,
    }
}
