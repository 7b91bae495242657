//! The names that a user chooses.

use crate::cli::failure::Failure;
use tidegate_go::label::dns_label_faults;

/// Refuses a name that the hub would not accept. `flag` is where it was given.
pub(super) fn check(flag: &str, name: &str) -> Result<(), Failure> {
    if dns_label_faults(name).is_empty() {
        return Ok(());
    }
    Err(Failure::Usage(format!(
        "{flag} {name:?} cannot be a name: use at most 63 lower-case letters, digits and '-', with a letter or a digit at both ends"
    )))
}
