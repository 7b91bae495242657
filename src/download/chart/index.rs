//! The index of a chart repository: which versions a chart has, and where their archives are.

use std::collections::BTreeMap;

use semver::Version;
use serde::Deserialize;
use serde_json::Value;
use serde_saphyr::{MessageFormatter as _, UserMessageFormatter};
use tidegate_model::line::brief;

use super::constraint::version;
use super::requested::ChartRequest;
use crate::Error;

/// Most nodes of an index. One of 20 MiB has about a million.
const NODES: usize = 5_000_000;

/// Most characters of a message of the parser that are repeated.
const LONGEST: usize = 300;

/// One version of a chart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct IndexEntry {
    pub(super) version: String,
    /// Where the archive is, relative to the index or absolute.
    pub(super) url: String,
    pub(super) digest: Option<String>,
}

#[derive(Deserialize)]
struct Index {
    #[serde(default)]
    entries: BTreeMap<String, Option<Vec<Record>>>,
}

/// An entry as it is written. A field of the wrong type makes only its own entry useless.
#[derive(Deserialize)]
struct Record {
    #[serde(default)]
    version: Value,
    #[serde(default)]
    urls: Value,
    #[serde(default)]
    digest: Value,
}

impl Record {
    fn entry(&self) -> Option<IndexEntry> {
        // A digest that is not a string never matches.
        let digest = match &self.digest {
            Value::Null => None,
            Value::String(digest) => Some(digest.clone()).filter(|digest| !digest.is_empty()),
            other => Some(other.to_string()),
        };
        let url = self.urls.as_array()?.first()?.as_str()?.to_owned();
        Some(IndexEntry { version: self.version.as_str()?.to_owned(), url, digest })
    }
}

/// Selects the version of a chart that helm would select: the exact one, or else the highest in the range.
///
/// # Errors
/// [`Error::Content`] if this is not an index, [`Error::Version`] if no version matches.
pub(super) fn select(index: &[u8], request: &ChartRequest, address: &str) -> Result<IndexEntry, Error> {
    let entries = entries(index, &request.name, address)?.into_iter();
    let mut versions: Vec<(Version, IndexEntry)> =
        entries.filter_map(|entry| Some((version(&entry.version)?, entry))).collect();
    // The order of equal versions is that of the index.
    versions.sort_by(|(one, _), (other, _)| other.cmp_precedence(one));
    let exact = versions.iter().find(|(_, entry)| entry.version == request.version.trim());
    let found = match exact {
        Some(exact) => Some(exact),
        None => {
            let constraint = request.constraint()?;
            versions.iter().find(|(version, _)| constraint.contains(version))
        }
    };
    let known = || request.no_version(versions.iter().map(|(_, entry)| entry.version.as_str()));
    found.map(|(_, entry)| entry.clone()).ok_or_else(known)
}

/// Returns the entries of a chart.
///
/// # Errors
/// [`Error::Content`] if this is not an index.
pub(super) fn entries(index: &[u8], chart: &str, address: &str) -> Result<Vec<IndexEntry>, Error> {
    let not_an_index = |why: String| Error::Content { what: address.to_owned(), why };
    let text = std::str::from_utf8(index).map_err(|_| not_an_index("it is not UTF-8".to_owned()))?;
    let index = parse(text).map_err(|error| {
        let error = error.without_snippet();
        let at = error.location().map(|at| format!("line {}: ", at.line())).unwrap_or_default();
        let why = brief(&UserMessageFormatter.format_message(error), LONGEST);
        not_an_index(format!("it is not the index of a chart repository: {at}{why}"))
    })?;
    let records = index.entries.get(chart).and_then(Option::as_ref).map(Vec::as_slice).unwrap_or_default();
    Ok(records.iter().filter_map(Record::entry).collect())
}

/// Parses an index, which is YAML or JSON.
fn parse(text: &str) -> Result<Index, serde_saphyr::Error> {
    if let Ok(index) = serde_json::from_str(text) {
        return Ok(index);
    }
    let options = serde_saphyr::options! { budget: serde_saphyr::budget! {
        max_nodes: NODES,
        max_events: 2 * NODES,
        max_total_scalar_bytes: 256 << 20,
    } };
    serde_saphyr::from_str_with_options(text, options)
}
