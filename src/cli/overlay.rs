//! Which overlay a command is about, and where the repository around it begins.

use std::path::{Path, PathBuf};

use super::directory;
use super::failure::Failure;
use crate::model::tree::Tree;
use crate::repository::{self, is_overlay};

/// The files of a repository, and the overlay in it that is meant.
pub struct Choice {
    /// The files.
    pub tree: Tree,
    /// Where the files lie on this machine.
    pub root: PathBuf,
    /// The directory of the overlay; `None` if a directory of plain objects is meant.
    pub directory: Option<String>,
}

/// Chooses the overlay: the named one, the directory itself if it is one, or the path in `tidegate.toml`.
pub fn choose(path: &Path, named: Option<&str>) -> Result<Choice, Failure> {
    if let Some(named) = named {
        let tree = directory::tree(path)?;
        let directory = named.trim_end_matches('/').trim_start_matches("./").to_owned();
        if !is_overlay(&tree, &directory) {
            return Err(Failure::Usage(format!(
                "{} has no overlay {named}: no kustomization.yaml is there; {}",
                path.display(),
                overlays_of(&tree)
            )));
        }
        return Ok(Choice { tree, root: path.to_owned(), directory: Some(directory) });
    }
    let is_one = |directory: &Path| repository::KUSTOMIZATIONS.iter().any(|name| directory.join(name).is_file());
    if is_one(path) {
        let (root, directory) = around(path);
        return Ok(Choice { tree: directory::tree(&root)?, root, directory: Some(directory) });
    }
    let tree = directory::tree(path)?;
    let settings = repository::settings(&tree);
    let directory = Some(settings.path).filter(|directory| is_overlay(&tree, directory));
    Ok(Choice { tree, root: path.to_owned(), directory })
}

/// Finds the repository around an overlay, whose bases may lie beside it: the nearest directory above that has a `.git` or a
/// `tidegate.toml`. Without one, the overlay stands alone.
fn around(path: &Path) -> (PathBuf, String) {
    let full = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let is_root = |directory: &&Path| directory.join(".git").exists() || directory.join("tidegate.toml").exists();
    match full.ancestors().find(is_root) {
        Some(root) => {
            let inside = full.strip_prefix(root).unwrap_or(Path::new(""));
            let parts: Vec<String> = inside.iter().map(|part| part.to_string_lossy().into_owned()).collect();
            (root.to_owned(), if parts.is_empty() { ".".to_owned() } else { parts.join("/") })
        }
        None => (path.to_owned(), ".".to_owned()),
    }
}

fn overlays_of(tree: &Tree) -> String {
    let overlays = repository::overlays(tree);
    if overlays.is_empty() { "there is none".to_owned() } else { format!("there are: {}", overlays.join(", ")) }
}
