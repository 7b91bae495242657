//! The names that a user chooses.

use crate::cli::failure::Failure;
use tidegate_go::label::{dns_label_faults, label_key_faults, subdomain_faults};

/// Refuses a name that the hub would not accept. `flag` is where it was given.
pub(super) fn check(flag: &str, name: &str) -> Result<(), Failure> {
    if dns_label_faults(name).is_empty() {
        return Ok(());
    }
    Err(Failure::Usage(format!(
        "{flag} {name:?} cannot be a name: use at most 63 lower-case letters, digits and '-', with a letter or a digit at both ends"
    )))
}

/// Refuses a version that cannot be part of the name of a template.
pub(super) fn check_version(addon: &str, version: &str) -> Result<(), Failure> {
    if subdomain_faults(&format!("{addon}-{version}")).is_empty() {
        return Ok(());
    }
    Err(Failure::Usage(format!(
        "--version {version:?} cannot be part of a name: use lower-case letters, digits, '.' and '-', such as 1.2.3"
    )))
}

/// Refuses a label that clusters cannot have.
pub(super) fn check_label_key(key: &str) -> Result<(), Failure> {
    match label_key_faults(key).first() {
        None => Ok(()),
        Some(fault) => Err(Failure::Usage(format!("--group-label {key:?} cannot be a label: {fault}"))),
    }
}

/// Refuses the address of a chart that is not one word.
pub(super) fn check_chart(address: &str) -> Result<(), Failure> {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "-._~:/@+%".contains(letter);
    if address.ends_with(".yaml") || address.ends_with(".yml") {
        return Err(Failure::Usage(format!("--from {address} is no chart; download the file, and name it")));
    }
    if address.chars().all(is_plain) {
        return Ok(());
    }
    Err(Failure::Usage(format!(
        "--from {address:?} is not the address of a chart, such as oci://registry.example.com/charts/name"
    )))
}

/// Refuses the name of an owner that is not one word.
pub(super) fn check_owner(owner: &str) -> Result<(), Failure> {
    let is_address = owner.contains('@') && !owner.ends_with('@');
    if is_address && owner.chars().all(|letter| letter.is_ascii_graphic() && letter != '#') {
        return Ok(());
    }
    Err(Failure::Usage(format!("--owner {owner:?}: name a user or a team, such as @acme/platform, or a mail address")))
}
