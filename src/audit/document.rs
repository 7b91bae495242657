//! Documents as they are read from the journal, and compared with how Tidegate writes them.

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::finding::{Problem, Rule};
use super::text::{difference, quoted};
use crate::journal::entry;

/// A document that was read, with its text.
#[derive(Debug, Clone)]
pub struct Read<T> {
    /// What it says.
    pub value: T,
    /// Its text.
    pub text: String,
}

/// Reads a document, and says where it does not stand as Tidegate writes it.
///
/// # Errors
/// A [`Problem`] if it cannot be read at all.
pub fn read<T: DeserializeOwned + Serialize>(path: &str, bytes: &[u8]) -> Result<(Read<T>, Option<Problem>), Problem> {
    let text = text(bytes)?;
    let value: T = serde_saphyr::from_str(&text).map_err(|error| unreadable(&error.to_string()))?;
    let problem = match entry::yaml(path, &value) {
        Ok(bytes) => bytes_problem(&text, &String::from_utf8_lossy(&bytes)),
        Err(error) => Some(Problem::new(Rule::Document, error.to_string())),
    };
    Ok((Read { value, text }, problem))
}

/// Returns the text of a file.
///
/// # Errors
/// A [`Problem`] if it is not UTF-8.
pub fn text(bytes: &[u8]) -> Result<String, Problem> {
    String::from_utf8(bytes.to_vec()).map_err(|_| Problem::new(Rule::Document, "it is not UTF-8"))
}

/// Says where a text does not stand as Tidegate writes it.
pub fn bytes_problem(found: &str, wanted: &str) -> Option<Problem> {
    difference(found, wanted).map(|at| {
        let problem = format!("{} is not what Tidegate writes", quoted(at.found));
        Problem::new(Rule::Bytes, problem).at(Some(at.line)).expected(quoted(at.wanted))
    })
}

/// Says that a document names itself otherwise than its place does.
pub fn identity(text: &str, field: &str, found: &str, wanted: &str) -> Option<Problem> {
    (found != wanted).then(|| {
        let line = super::text::line_of(text, &format!("{field}:"));
        Problem::new(Rule::Document, format!("{field} is {found:?}")).at(line).expected(format!("{field}: {wanted}"))
    })
}

/// Says why a text could not be read, at the line that the parser names.
fn unreadable(error: &str) -> Problem {
    let why = error.lines().next().unwrap_or_default();
    let line = why.split("line ").nth(1).and_then(|rest| rest.split(' ').next()?.parse().ok());
    Problem::new(Rule::Document, format!("it cannot be read: {why}")).at(line)
}
