//! Looks for newer versions of what is in use.

use std::collections::BTreeSet;

use super::in_use::in_use;
use crate::cli::args::UpgradeArgs;
use crate::cli::downloads::downloads;
use crate::cli::failure::Failure;
use crate::cli::process::Process;
use crate::cli::repository::directory;
use tidegate_download::{Reach, Versioned};
use tidegate_model::plural::counted;

/// What has a newer version.
pub(super) struct Found {
    /// Its kind and name, for people.
    pub(super) name: String,
    pub(super) what: Versioned,
    /// The version in use.
    pub(super) from: String,
    /// The newest one.
    pub(super) to: String,
    /// The add-ons whose default template has it.
    pub(super) addons: BTreeSet<String>,
    /// The sources of a base, as files declare them.
    pub(super) sources: BTreeSet<String>,
}

/// What was found.
pub(super) struct Checked {
    pub(super) newer: Vec<Found>,
    /// How many versions could not be checked.
    pub(super) failed: usize,
}

/// Prints what has a newer version, and returns it.
pub(super) fn check(process: &Process, args: &UpgradeArgs) -> Result<Checked, Failure> {
    let tree = directory::tree(std::path::Path::new("."))?;
    let all = in_use(&tree)?;
    let (own, public) = (downloads(&args.download, Reach::Declared)?, downloads(&args.download, Reach::Public)?);
    let mut checked = Checked { newer: Vec::new(), failed: 0 };
    let count = all.len();
    for ((name, from), entry) in all {
        let used = entry.users.iter().map(String::as_str).collect::<Vec<_>>().join(", ");
        let downloads = if entry.is_own { &own } else { &public };
        match downloads.newer(&entry.what, &from) {
            Ok(None) => {}
            Ok(Some(to)) => {
                process.say_line(&format!("{name} {from}: {to} is newer (used by {used})"))?;
                let (what, addons, sources) = (entry.what, entry.addons, entry.sources);
                checked.newer.push(Found { name, what, from, to, addons, sources });
            }
            Err(error) => {
                checked.failed += 1;
                process.warn_line(&format!("{name} {from} (used by {used}): {error}"));
            }
        }
    }
    process.say_line(&format!("{} checked, {} newer", counted(count, "version"), checked.newer.len()))?;
    Ok(checked)
}

/// Returns that versions could not be checked.
pub(super) fn unreachable(failed: usize) -> Failure {
    Failure::Unreachable {
        message: format!("{} could not be checked", counted(failed, "version")),
        hint: "look at the warnings above; private registries need --credentials-file".to_owned(),
    }
}
