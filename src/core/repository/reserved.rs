//! The directories at the root of a repository whose files are not declarations.

use tidegate_kustomize::{overlay, vendor};
pub(super) use tidegate_model::reserved::{APPROVALS, CONTROL};
use tidegate_model::reserved::{JOURNAL, reserved};

/// Returns `true` for a file in a directory whose files are never declarations. Paths are relative to the root of the repository.
pub(super) fn is_reserved(file: &str) -> bool {
    reserved(file).is_some()
}

/// Returns `true` for a file that is vendored, and no declaration of its own: one in `vendor/` at the root of the repository.
pub(super) fn is_vendored(file: &str) -> bool {
    file.split_once('/').is_some_and(|(top, _)| top == vendor::DIRECTORY)
}

/// Returns `true` for a file that decides what is vendored: the lock, or a vendored file. Declarations anywhere may use it.
pub fn vendors(file: &str) -> bool {
    file == vendor::LOCK_FILE || is_vendored(file)
}

/// Returns `true` for a file with which people decide about rollouts: one in `control/` or `approvals/` at the root of the
/// repository. It is followed wherever the declarations are.
pub fn decides(file: &str) -> bool {
    reserved(file).is_some_and(|directory| directory != JOURNAL)
}

/// Returns `true` for a file that is read as objects if it is not in one of these directories.
pub(super) fn has_objects(file: &str) -> bool {
    [".yaml", ".yml", ".json"].iter().any(|ending| file.ends_with(ending)) || overlay::is_kustomization(file)
}
