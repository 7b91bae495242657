//! What Tidegate's own documents have in common.

/// The `apiVersion` of the documents that Tidegate writes.
pub const API_VERSION: &str = "tidegate.io/v1alpha1";
