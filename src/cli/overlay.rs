//! Which overlay a command is about, and where the repository around it begins.

use std::path::{Path, PathBuf};

use super::directory;
use super::failure::Failure;
use crate::model::tree::Tree;
use crate::overlay::{self, is_overlay};
use crate::repository;

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
    let is_one = |directory: &Path| overlay::kustomizations("").iter().any(|name| directory.join(name).is_file());
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
/// `tidegate.toml`, or without one the nearest that everything lies in which the overlay builds on.
fn around(path: &Path) -> (PathBuf, String) {
    let full = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let is_root = |directory: &&Path| directory.join(".git").exists() || directory.join("tidegate.toml").exists();
    let root = full.ancestors().find(is_root).map_or_else(|| around_all(&full), Path::to_owned);
    let inside = full.strip_prefix(&root).unwrap_or(Path::new(""));
    let parts: Vec<String> = inside.iter().map(|part| part.to_string_lossy().into_owned()).collect();
    (root, if parts.is_empty() { ".".to_owned() } else { parts.join("/") })
}

/// So many directories are followed from base to base; an overlay of more is in a repository.
const MAX_BASES: usize = 1_000;

/// Returns the nearest directory that holds an overlay and every directory that it builds on.
fn around_all(overlay: &Path) -> PathBuf {
    let mut found = vec![overlay.to_owned()];
    let mut next = 0;
    while let Some(directory) = found.get(next).cloned() {
        next += 1;
        for base in bases(&directory) {
            if !found.contains(&base) && found.len() < MAX_BASES {
                found.push(base);
            }
        }
    }
    let holds_all = |root: &&Path| found.iter().all(|directory| directory.starts_with(root));
    overlay.ancestors().find(holds_all).unwrap_or(overlay).to_owned()
}

/// Returns the directories that a kustomization names, as far as it can be read; what is wrong with it is told by the renderer.
fn bases(directory: &Path) -> Vec<PathBuf> {
    let kustomization = overlay::kustomizations("").iter().find_map(|name| std::fs::read(directory.join(name)).ok());
    let named = overlay::bases(&kustomization.unwrap_or_default());
    let paths = named.iter().filter_map(|path| directory.join(path).canonicalize().ok());
    paths.filter(|path| path.is_dir()).collect()
}

fn overlays_of(tree: &Tree) -> String {
    let overlays = overlay::overlays(tree);
    if overlays.is_empty() { "there is none".to_owned() } else { format!("there are: {}", overlays.join(", ")) }
}
