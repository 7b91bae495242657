//! Options that go beyond kustomize, and the work limit.

use serde::{Deserialize, Serialize};

/// Default limit on visits of entries to objects: a few seconds of work.
const MAX_WORK: usize = 20_000_000;

/// What a rendering does beyond kustomize: nothing by default.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Options {
    /// Whether references in add-ons, Placements and ManagedClusterSetBindings follow objects whose names or namespaces changed.
    pub ocm_references: bool,
    /// Maximum amount of work, in visits of one entry to one small object. More is refused.
    #[serde(skip)]
    pub max_work: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self { ocm_references: false, max_work: MAX_WORK }
    }
}
