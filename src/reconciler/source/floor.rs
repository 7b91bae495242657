//! Reads the policies of the daemon's own file, which every repository must obey in addition to its own.

use std::path::{Path, PathBuf};

use tidegate_core::repository::{PlanPolicy, plan_policies};
use tidegate_model::tree::Tree;

/// Why the policies of the daemon cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum UnusablePolicies {
    /// A file cannot be read.
    #[error("the policies in {} cannot be read: {why}", file.display())]
    Unreadable {
        /// The file.
        file: PathBuf,
        /// The message of the operating system.
        why: String,
    },
    /// A file contains a mistake.
    #[error("the policies of [policies] files cannot be used: {first}")]
    Invalid {
        /// The first mistake, with its place.
        first: String,
    },
    /// A file contains no policy.
    #[error("{} contains no PlanPolicy; write one, or remove the file from [policies] files", file.display())]
    Empty {
        /// The file.
        file: PathBuf,
    },
}

/// Reads files of policies. Their names are unique in all files together.
///
/// # Errors
/// [`UnusablePolicies`] for the first file that cannot be used.
pub(crate) fn read_floor(files: &[PathBuf]) -> Result<Vec<PlanPolicy>, UnusablePolicies> {
    let mut tree = Tree::default();
    for file in files {
        let bytes = std::fs::read(file)
            .map_err(|error| UnusablePolicies::Unreadable { file: file.clone(), why: error.to_string() })?;
        tree.files.insert(name(file), bytes);
    }
    let (policies, complaints) = plan_policies(&tree, "");
    if let Some(first) = complaints.iter().find(|complaint| complaint.is_error()) {
        return Err(UnusablePolicies::Invalid { first: first.to_string() });
    }
    let is_empty = |file: &&PathBuf| policies.iter().all(|policy| policy.place.file != name(file));
    match files.iter().find(is_empty) {
        Some(file) => Err(UnusablePolicies::Empty { file: file.clone() }),
        None => Ok(policies),
    }
}

fn name(file: &Path) -> String {
    file.to_string_lossy().into_owned()
}
