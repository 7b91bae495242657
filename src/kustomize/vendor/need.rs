//! What the declarations of a tree need from outside the repository.

use super::chart::ChartDeclaration;
use super::remote::RemoteDirectory;
use tidegate_model::diagnostic::{Diagnostic, Place};

/// What some declarations need, and why some of it cannot be determined.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Needs {
    /// The needs in the order in which they were found. The same source may be needed in several places.
    pub needs: Vec<Need>,
    /// Problems of the lock, and of declarations that can never be vendored.
    pub problems: Vec<Diagnostic>,
}

/// Something outside the repository that a declaration names.
#[derive(Debug, Clone, PartialEq)]
pub struct Need {
    /// Where it is named.
    pub place: Place,
    /// What it is.
    pub wanted: Wanted,
    /// Whether it is vendored.
    pub state: State,
}

/// What a declaration names.
#[derive(Debug, Clone, PartialEq)]
pub enum Wanted {
    /// A directory of another repository.
    Directory(RemoteDirectory),
    /// A file, by its URL as it is written.
    File(String),
    /// An entry of `resources` that may be either. kustomize requests the URL first, and clones the repository if the answer is an
    /// error or is not a YAML file with objects.
    FileOrDirectory(RemoteDirectory),
    /// The output of a chart.
    Chart(Box<ChartDeclaration>),
}

/// Whether a need is vendored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum State {
    /// The lock has no entry for it.
    Missing,
    /// The lock has an entry, but it cannot be used, or its chart was rendered with other values.
    Outdated {
        /// The directory of the entry.
        directory: String,
        /// Why it is outdated.
        why: String,
    },
    /// The lock has an entry, and its files are as the lock has them.
    Current {
        /// The directory of the entry.
        directory: String,
    },
}

impl Wanted {
    /// Returns what is wanted, for messages: the source as it is written, or the name of the chart.
    pub fn name(&self) -> &str {
        match self {
            Self::Directory(remote) | Self::FileOrDirectory(remote) => &remote.source,
            Self::File(url) => url,
            Self::Chart(chart) => &chart.name,
        }
    }
}

impl State {
    /// Returns the directory of the entry, if the lock has one.
    pub fn directory(&self) -> Option<&str> {
        match self {
            Self::Missing => None,
            Self::Outdated { directory, .. } | Self::Current { directory } => Some(directory),
        }
    }
}
