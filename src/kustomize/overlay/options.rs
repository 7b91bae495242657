//! What a rendering does besides what kustomize does, and how much of it.

use serde::Serialize;

/// The most visits of entries to objects: some seconds.
const MAX_WORK: usize = 20_000_000;

/// What a rendering does besides what kustomize does; nothing by default.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Options {
    /// References of add-ons, Placements and bindings of cluster sets follow objects whose names or namespaces changed.
    pub ocm_references: bool,
    /// The most work before it is refused, in visits of one entry to one small object.
    #[serde(skip)]
    pub max_work: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self { ocm_references: false, max_work: MAX_WORK }
    }
}
