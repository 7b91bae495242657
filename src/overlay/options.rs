//! What a rendering does besides what kustomize does.

use serde::Serialize;

/// What a rendering does besides what kustomize does; nothing by default.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Options {
    /// References of add-ons, Placements and bindings of cluster sets follow objects whose names or namespaces changed.
    pub ocm_references: bool,
}
