//! A removal that is held until a person confirms it.

use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

use tidegate_model::revision::CommitId;
use tidegate_repository::Prune;

/// A removal beyond the limits.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hold {
    /// The revision that was in force when the hold began or last grew. A commit that confirms the removal names it.
    pub revision: Option<CommitId>,
    /// What is held: names of clusters, or of objects.
    pub held: BTreeSet<String>,
    /// How many may be removed at once.
    pub limit: usize,
    /// The total number of clusters or objects.
    pub total: usize,
    /// The revision that confirmed the removal. It is then carried out, and stays here until it is complete.
    pub confirmed_by: Option<CommitId>,
}

impl Hold {
    /// Returns `true` if these settings name the revision at which the removal was held.
    pub fn is_confirmed_by(&self, limits: &Prune) -> bool {
        let Some(revision) = &self.revision else { return false };
        limits.confirm.iter().any(|named| revision.as_str().starts_with(named.as_str()))
    }

    /// Returns `true` until a commit confirms it.
    pub fn is_open(&self) -> bool {
        self.confirmed_by.is_none()
    }

    /// Returns what a person can do about it, for the end of a message.
    pub fn remedy(&self) -> String {
        match self.confirmation() {
            Some(setting) => {
                format!("to continue, commit {setting} to tidegate.toml; to keep everything, revert what caused it")
            }
            None => "to continue, raise the limits under [prune] in tidegate.toml".to_owned(),
        }
    }

    /// Returns what has to happen for the hold to end; completes the phrase `continues when`.
    pub fn opens(&self) -> String {
        match self.confirmation() {
            Some(setting) => format!("a commit adds {setting} to tidegate.toml, or reverts what caused it"),
            None => "a commit raises the limits under [prune] in tidegate.toml".to_owned(),
        }
    }

    fn confirmation(&self) -> Option<String> {
        Some(format!("[prune] confirm = [\"{}\"]", self.revision.as_ref()?.short()))
    }
}
