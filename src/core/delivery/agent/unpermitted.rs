//! Why an agent has no permissions.

/// The reason why an agent does not get all permissions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Unpermitted {
    /// A permission of type CurrentCluster has no role.
    #[error("current cluster is required when the HubPermission type is CurrentCluster")]
    NoClusterRole,
    /// A permission of type SingleNamespace has no namespace.
    #[error("single namespace is required when the HubPermission type is SingleNamespace")]
    NoNamespace,
    /// The status of the add-on does not name the identity of its agent yet.
    #[error("registration subject not ready")]
    NoSubject,
}
