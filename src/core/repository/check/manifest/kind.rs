//! Checks of the kind of a manifest in Kubernetes' own groups.

use super::{Manifest, Problems};
use crate::check::core::unknown_kind;

/// Adds a warning about a kind that its group does not have. A cluster may be newer than this program.
pub(super) fn check(manifest: Manifest<'_>, problems: &mut Problems) {
    // A list of objects has a kind of its own.
    if manifest.kind.ends_with("List") {
        return;
    }
    if let Some(unknown) = unknown_kind(manifest.group, manifest.kind, "the clusters have") {
        let at = manifest.path(&["kind"]);
        problems.warning(manifest.template.value_origin(&at), || format!("{at}: {}", unknown.message));
    }
}
