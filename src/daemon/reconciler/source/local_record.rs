//! This machine's own record of the revision that was followed last.

use std::path::Path;

use tidegate_git::Reference;
use tidegate_model::revision::CommitId;

/// The file with the record, in the state directory.
const FILE: &str = "followed";

/// This machine's own record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct LocalRecord {
    /// The revision that was followed last.
    pub(super) seen: CommitId,
    /// The last revision whose signatures were good.
    pub(super) verified: Option<CommitId>,
}

impl LocalRecord {
    /// Writes the record to a state directory. A failure is only logged.
    pub(super) fn write(&self, directory: &Path, reference: &Reference) {
        let verified = self.verified.as_ref().map(|commit| format!("verified {commit}\n")).unwrap_or_default();
        let text = format!("ref {reference}\nseen {}\n{verified}", self.seen);
        let aside = directory.join(format!("{FILE}.new"));
        let written = std::fs::write(&aside, text).and_then(|()| std::fs::rename(&aside, directory.join(FILE)));
        if let Err(error) = written {
            tracing::warn!(%error, directory = %directory.display(), "failed to record the followed revision on this machine");
        }
    }

    /// Returns the record in a state directory, if it is about the same reference.
    pub(super) fn read(directory: &Path, reference: &Reference) -> Option<Self> {
        let text = std::fs::read_to_string(directory.join(FILE)).ok()?;
        let value = |name: &str| text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
        let is_same = value("ref") == Some(reference.to_string().as_str());
        is_same.then(|| {
            Some(Self { seen: value("seen")?.parse().ok()?, verified: value("verified").and_then(|v| v.parse().ok()) })
        })?
    }
}
