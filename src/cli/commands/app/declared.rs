//! The applications that a directory declares.

use std::path::PathBuf;

use crate::cli::args::AppSourceArgs;
use crate::cli::config::File;
use crate::cli::failure::Failure;
use crate::cli::process::Process;
use crate::cli::repository::overlay::{self, Choice};
use tidegate_repository::{Complaint, Loaded, Outline, SETTINGS_FILE, outlines};

/// What a directory declares.
pub(super) struct Declared {
    /// The directory of the files on this machine.
    pub(super) root: PathBuf,
    /// The applications, in the order of their names.
    pub(super) applications: Vec<Outline>,
    /// The whole repository.
    pub(super) loaded: Loaded,
}

impl Declared {
    /// Reads a directory.
    ///
    /// # Errors
    /// [`Failure::Usage`] if there is none, or it does not switch applications on.
    pub(super) fn read(process: &Process, args: &AppSourceArgs) -> Result<Self, Failure> {
        let Choice { tree, root, directory, .. } = overlay::choose(process, &args.path, None)?;
        let directory = directory.unwrap_or_default();
        let operator = File::read(args.journal.config.as_deref())?.operator();
        let loaded = tidegate_repository::load_with(&tree, &directory, &operator);
        if !loaded.repository.settings.applications.enabled {
            return Err(Failure::Usage(format!(
                "{} does not read applications; write `[applications]` with `enabled = true` to {SETTINGS_FILE}",
                root.display()
            )));
        }
        let mut applications = outlines(&tree, &directory);
        applications.sort_by(|one, other| one.name.as_str().cmp(other.name.as_str()));
        Ok(Self { root, applications, loaded })
    }

    /// Prints the errors of the declarations, and returns `true` if there are some.
    pub(super) fn warn(&self, process: &Process) -> bool {
        let errors = self.loaded.complaints.iter().filter(|complaint| complaint.is_error());
        errors.clone().for_each(|complaint: &Complaint| process.warn_line(&complaint.to_string()));
        errors.count() > 0
    }
}
