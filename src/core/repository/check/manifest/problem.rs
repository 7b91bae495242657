//! The problems of the manifests of a template.

use crate::read::notes::MAX_PER_OBJECT;
use tidegate_kustomize::yaml::Origin;

/// The problems of all manifests of a template, up to a limit.
#[derive(Default)]
pub(super) struct Problems {
    pub(super) errors: Vec<(Origin, String)>,
    pub(super) warnings: Vec<(Origin, String)>,
}

impl Problems {
    /// Adds a problem that every API server refuses.
    pub(super) fn error(&mut self, origin: Origin, message: impl FnOnce() -> String) {
        if self.errors.len() <= MAX_PER_OBJECT {
            self.errors.push((origin, message()));
        }
    }

    /// Adds a problem that some API servers accept.
    pub(super) fn warning(&mut self, origin: Origin, message: impl FnOnce() -> String) {
        if self.warnings.len() < MAX_PER_OBJECT {
            self.warnings.push((origin, message()));
        }
    }
}
