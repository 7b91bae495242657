//! The root of the repository. Tests of a member run in the directory of its manifest.

use std::path::PathBuf;

/// Returns the path of a file of the repository.
pub(crate) fn path(relative: &str) -> PathBuf {
    let manifest = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let root = manifest.ancestors().find(|directory| directory.join("Cargo.lock").exists()).unwrap();
    root.join(relative)
}
