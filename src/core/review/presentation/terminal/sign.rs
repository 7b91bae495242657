//! The sign of a change.

use owo_colors::OwoColorize as _;

use crate::proposal::document::Change;

/// Returns the colored sign of a change.
pub(super) fn sign(change: Change) -> String {
    match change {
        Change::Added => "+".green().to_string(),
        Change::Removed => "-".red().to_string(),
        Change::Changed => "~".yellow().to_string(),
        Change::Blocked => "!".red().to_string(),
        Change::Unchanged => "=".to_owned(),
    }
}
