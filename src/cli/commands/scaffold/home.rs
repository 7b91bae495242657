//! Where the files of a new add-on go.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::cli::failure::Failure;
use crate::cli::repository::discovery::{is_overlay, relative};
use tidegate_kustomize::overlay::kustomizations;

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

/// Returns the only directory of the repository that an overlay builds on; `None` if there is none.
fn base(root: &Path, overlay: &str) -> Result<Option<String>, Failure> {
    let directory = root.join(overlay);
    let full = root.canonicalize().unwrap_or_else(|_| root.to_owned());
    let named = resources(&directory).into_iter().map(|resource| directory.join(resource));
    let mut bases = named.filter(|path| path.is_dir()).filter_map(|path| path.canonicalize().ok());
    match (bases.next(), bases.next()) {
        (None, _) => Ok(None),
        (Some(only), None) if only.starts_with(&full) => Ok(Some(relative(&only, &full))),
        _ => Err(Failure::Usage(format!(
            "{overlay} builds on several directories, or on one outside of the repository; name the one for the add-on with --dir"
        ))),
    }
}

/// Returns what a kustomization lists as its resources; nothing if there is none.
fn resources(directory: &Path) -> Vec<String> {
    let texts = kustomizations("").into_iter().filter_map(|name| fs::read_to_string(directory.join(name)).ok());
    let documents = texts.filter_map(|text| serde_saphyr::from_str::<Value>(&text).ok());
    let lists = documents.flat_map(|document| document["resources"].as_array().cloned().unwrap_or_default());
    lists.filter_map(|resource| resource.as_str().map(str::to_owned)).collect()
}
