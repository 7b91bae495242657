//! Where the files of a new add-on go.

use std::path::Path;

use crate::cli::failure::Failure;
use crate::cli::repository::discovery::{bases, is_overlay, relative};

/// Maximum number of bases that are followed from an overlay.
const MAX_BASES: usize = 20;

/// Where the files of a new add-on go.
pub(super) struct Home {
    /// The directory, relative to the root of the repository.
    pub(super) folder: String,
    /// The directory of the kustomization that has to name the files; `None` if every file is read.
    pub(super) kustomization: Option<String>,
}

/// Returns where the files go: to `chosen`, or to `addons/NAME` in the directory that the repository declares. If that is an overlay, they go to
/// the base that it builds on.
pub(super) fn home(root: &Path, declared: &str, name: &str, chosen: Option<String>) -> Result<Home, Failure> {
    if let Some(folder) = chosen {
        let mut above = Path::new(&folder).ancestors();
        let found = above.find(|above| is_overlay(&root.join(above)));
        let kustomization = found.map(|found| found.display().to_string());
        return Ok(Home { folder, kustomization });
    }
    let mut home = declared.to_owned();
    // Bases that build on each other have no end; what they render is an error elsewhere.
    for _ in 0..MAX_BASES {
        match base(root, &home)? {
            Some(base) => home = base,
            None => break,
        }
    }
    let kustomization = is_overlay(&root.join(&home)).then(|| home.clone());
    Ok(Home { folder: format!("{home}/addons/{name}"), kustomization })
}

/// Returns the base of an overlay; `None` if it builds on no other directory.
fn base(root: &Path, overlay: &str) -> Result<Option<String>, Failure> {
    let full = root.canonicalize().unwrap_or_else(|_| root.to_owned());
    match &bases(&root.join(overlay))[..] {
        [] => Ok(None),
        [only] if only.starts_with(&full) => Ok(Some(relative(only, &full))),
        _ => Err(Failure::Usage(format!(
            "{overlay} builds on several directories, or on one outside of the repository; name the one for the add-on with --dir"
        ))),
    }
}
