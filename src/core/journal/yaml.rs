//! Documents as YAML.

use serde::Serialize;

/// A document could not be written as YAML. This happens only if there is a mistake in the types.
#[derive(Debug, thiserror::Error)]
#[error("{path} cannot be written as YAML")]
pub struct Unwritable {
    path: String,
    source: serde_saphyr::ser::Error,
}

/// Returns a document as it is written to the journal.
///
/// # Errors
/// [`Unwritable`] if it cannot be written as YAML.
pub fn yaml(path: &str, document: &impl Serialize) -> Result<Vec<u8>, Unwritable> {
    serde_saphyr::to_string(document)
        .map(String::into_bytes)
        .map_err(|source| Unwritable { path: path.to_owned(), source })
}
