//! Recognizes policies.

/// The directory of the policies, at the root of a repository.
pub const DIRECTORY: &str = "policies/";

/// The kind of a policy.
pub(crate) const KIND: &str = "PlanPolicy";
/// The group of Tidegate's own kinds.
pub(crate) const GROUP: &str = "tidegate.io";

/// Returns `true` for the kind of a policy.
pub(crate) fn is_policy(api_version: &str, kind: &str) -> bool {
    kind == KIND && api_version.split_once('/').is_some_and(|(group, _)| group == GROUP)
}
