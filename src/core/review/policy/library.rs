//! The library: policies that many platform teams want, each with its tests.

/// A file of the library.
#[derive(Debug, Clone, Copy)]
pub struct File {
    /// Its name.
    pub name: &'static str,
    /// Its text.
    pub text: &'static str,
}

/// Returns a file of the library in the repository of this project.
macro_rules! file {
    ($name:literal) => {
        File { name: $name, text: include_str!(concat!("../../../../policies/library/", $name)) }
    };
}

/// The files of the library, in the order of their names.
pub const FILES: &[File] = &[
    file!("at-most-20-percent-at-once.yaml"),
    file!("large-changes-need-an-approval.yaml"),
    file!("no-downgrade.yaml"),
    file!("no-removal-with-an-upgrade.yaml"),
    file!("not-on-friday-afternoon.yaml"),
    file!("one-add-on-per-change.yaml"),
    file!("production-needs-a-canary.yaml"),
    file!("progress-deadline.yaml"),
    file!("small-mandatory-groups.yaml"),
    file!("soak-time.yaml"),
];
