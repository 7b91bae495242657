//! Why a document is not a fleet.

use tidegate_model::document::API_VERSION;

/// Why a document is not a fleet.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// It is not text.
    #[error("the file is not UTF-8 text")]
    Text(#[source] std::str::Utf8Error),
    /// Its `apiVersion` is not known.
    #[error(
        "line {line}: apiVersion {found:?} is not known to this version of Tidegate, which reads {API_VERSION}: use a newer Tidegate"
    )]
    Version {
        /// The line, from 1.
        line: usize,
        /// What is there.
        found: String,
    },
    /// It is another document.
    #[error(
        "line {line}: kind {found:?} is not Fleet: this is another document; `tidegate run` writes the fleet to fleet.yaml of the journal"
    )]
    Kind {
        /// The line, from 1.
        line: usize,
        /// What is there.
        found: String,
    },
    /// It does not show what it is.
    #[error("the file has no {0}: a fleet starts with `apiVersion: {API_VERSION}` and `kind: Fleet`")]
    Unmarked(&'static str),
    /// A name occurs twice.
    #[error("line {line}: {section}: {name:?} is already defined in line {first}; remove one of the two")]
    Duplicate {
        /// The line, from 1.
        line: usize,
        /// The section.
        section: String,
        /// The name.
        name: String,
        /// The line of the first occurrence.
        first: usize,
    },
    /// A name is not valid.
    #[error("line {line}: {section}: {why}")]
    Name {
        /// The line, from 1.
        line: usize,
        /// The section.
        section: String,
        /// Why.
        why: String,
    },
    /// A value does not have the form that its field should have.
    #[error("line {line}, column {column}: {field}: {why}")]
    Field {
        /// The line, from 1.
        line: usize,
        /// The column in characters, from 1.
        column: usize,
        /// The field, such as `clusters.c1.labels`.
        field: String,
        /// Why.
        why: String,
    },
    /// A cluster refers to configurations that the table does not have.
    #[error(
        "{field}: {key:?} is not among the configurations at the top of the file: restore the file from the journal"
    )]
    Unlisted {
        /// The field, such as `clusters.c1.addons.hello.assigned`.
        field: String,
        /// The key.
        key: String,
    },
    /// It is not YAML, or does not have the form of a fleet.
    #[error("line {line}: {why}: this is not a fleet; restore the file from the journal")]
    Yaml {
        /// The line, from 1; 0 if it is not known.
        line: usize,
        /// Why.
        why: String,
    },
}

impl Error {
    /// Returns the line, from 1, if the error is in one.
    pub fn line(&self) -> Option<usize> {
        match self {
            Self::Version { line, .. }
            | Self::Kind { line, .. }
            | Self::Duplicate { line, .. }
            | Self::Name { line, .. }
            | Self::Field { line, .. }
            | Self::Yaml { line, .. } => Some(*line),
            Self::Text(_) | Self::Unmarked(_) | Self::Unlisted { .. } => None,
        }
    }
}
