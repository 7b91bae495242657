//! The schemas that a build uses.

/// The state of the types of a rendering.
#[derive(Debug, Default)]
pub(crate) struct OpenApiState {
    /// Whether a kustomization has chosen the types. The first one counts.
    pub(crate) is_set: bool,
    /// Whether a lookup has already loaded the built-in types, so that a later document does not replace them.
    pub(crate) is_builtin_loaded: bool,
}
