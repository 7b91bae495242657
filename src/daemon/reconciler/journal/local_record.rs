//! This machine's own record of the journal.

use std::path::{Path, PathBuf};

use tidegate_model::revision::CommitId;

/// The file with the record, in the state directory.
const FILE: &str = "journal";

/// This machine's own record of the journal: where it is, and what was written to it last.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct LocalRecord {
    /// The branch.
    pub(crate) branch: String,
    /// The last commit that this machine wrote.
    pub(crate) commit: Option<CommitId>,
}

impl LocalRecord {
    /// Writes the record to a state directory. A failure is only logged.
    pub(super) fn write(&self, directory: &Path) {
        let commit = self.commit.as_ref().map(|commit| format!("commit {commit}\n")).unwrap_or_default();
        let aside = directory.join(format!("{FILE}.new"));
        let text = format!("branch {}\n{commit}", self.branch);
        let written = std::fs::write(&aside, text).and_then(|()| std::fs::rename(&aside, path(directory)));
        if let Err(error) = written {
            tracing::warn!(%error, directory = %directory.display(), "failed to record the journal on this machine");
        }
    }

    /// Returns the record in a state directory.
    pub(crate) fn read(directory: &Path) -> Option<Self> {
        let text = std::fs::read_to_string(path(directory)).ok()?;
        let value = |name: &str| text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
        Some(Self { branch: value("branch")?.to_owned(), commit: value("commit").and_then(|c| c.parse().ok()) })
    }
}

fn path(directory: &Path) -> PathBuf {
    directory.join(FILE)
}
