//! The policies of a directory.

use std::path::Path;

use crate::cli::failure::Failure;
use crate::cli::process::Process;
use crate::cli::repository::directory;
use tidegate_repository::{Complaint, POLICIES, PlanPolicy, plan_policies};

/// The policies of a directory, and what is wrong with others.
pub(super) struct Found {
    pub(super) policies: Vec<PlanPolicy>,
    pub(super) complaints: Vec<Complaint>,
}

/// Reads the policies of a repository, or else of any directory.
///
/// # Errors
/// [`Failure::Usage`] if there is none.
pub(super) fn found(path: &Path) -> Result<Found, Failure> {
    let inside = path.join(POLICIES);
    let (directory, prefix) = if inside.is_dir() { (inside.as_path(), POLICIES) } else { (path, "") };
    let mut tree = directory::tree(directory)?;
    tree.files = tree.files.into_iter().map(|(file, bytes)| (format!("{prefix}{file}"), bytes)).collect();
    let (policies, complaints) = plan_policies(&tree, "");
    if policies.is_empty() && complaints.is_empty() {
        return Err(Failure::Usage(format!(
            "{} has no PlanPolicy; name the root of a repository with {POLICIES}, or start with `tidegate policy library --write policies`",
            path.display()
        )));
    }
    Ok(Found { policies, complaints })
}

impl Found {
    /// Prints the complaints for people.
    pub(super) fn warn(&self, process: &Process) {
        self.complaints.iter().for_each(|complaint| process.warn_line(&complaint.to_string()));
    }

    /// Returns `true` if a policy cannot be used.
    pub(super) fn has_errors(&self) -> bool {
        self.complaints.iter().any(Complaint::is_error)
    }
}
