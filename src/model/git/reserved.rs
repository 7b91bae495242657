//! The directories at the root of a repository with which people and Tidegate itself decide. Their files are never declarations, so a change
//! of them is no change of what is declared.

/// The directory that Tidegate itself writes to if the journal shares the branch.
pub const JOURNAL: &str = "status";
/// The directory of the control files.
pub const CONTROL: &str = "control";
/// The directory of the approvals.
pub const APPROVALS: &str = "approvals";

/// Returns the reserved directory that a path is or is in. Paths are relative to the root of the repository.
pub fn reserved(path: &str) -> Option<&'static str> {
    let top = path.split('/').next().unwrap_or_default();
    [JOURNAL, CONTROL, APPROVALS].into_iter().find(|reserved| *reserved == top)
}

#[cfg(test)]
mod tests {
    use super::reserved;

    #[test]
    fn only_directories_at_the_root_are_reserved() {
        assert_eq!(reserved("status/addons/hello/status.yaml"), Some("status"));
        assert_eq!(reserved("approvals"), Some("approvals"));
        for path in ["", "fleet/status/a.yaml", "approvals.yaml", "controls/a.yaml"] {
            assert_eq!(reserved(path), None, "{path}");
        }
    }
}
