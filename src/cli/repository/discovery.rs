//! Finds the root of the repository around a directory, for commands that are started inside of one.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use tidegate_kustomize::overlay;
use tidegate_kustomize::vendor::LOCK_FILE;
use tidegate_repository::SETTINGS_FILE;

/// A directory in the repository around it.
#[derive(Debug)]
pub(crate) struct Around {
    /// The root of the repository.
    pub root: PathBuf,
    /// The directory, relative to the root; the root itself is `.`.
    pub directory: String,
}

/// Returns `true` if a directory on this machine is an overlay.
pub(crate) fn is_overlay(directory: &Path) -> bool {
    overlay::kustomizations("").iter().any(|name| directory.join(name).is_file())
}

/// Returns `true` if a directory is the root of a repository.
fn is_root(directory: &Path) -> bool {
    [".git", SETTINGS_FILE, LOCK_FILE].into_iter().any(|name| directory.join(name).exists())
}

/// Finds the repository around an overlay, whose bases may be in sibling directories: the nearest directory with a `.git`, a
/// `tidegate.toml` or a `vendor.lock`. If no such directory exists, the nearest directory that contains the overlay and everything that
/// it builds on.
pub(crate) fn around(overlay: &Path) -> Around {
    let full = full(overlay);
    let root = full.ancestors().find(|directory| is_root(directory));
    let root = root.map_or_else(|| holding_all(&full, vec![full.clone()]), Path::to_owned);
    let directory = relative(&full, &root);
    Around { root, directory }
}

/// Finds the repository around a directory with overlays, like [`around`]; `None` if the directory itself is its root.
///
/// If possible, the path of the root is relative if the path of the directory is.
pub(crate) fn around_several(directory: &Path, overlays: &[String]) -> Option<Around> {
    if overlays.is_empty() || is_root(directory) {
        return None;
    }
    let full = full(directory);
    let root = full.ancestors().find(|directory| is_root(directory)).map(Path::to_owned);
    let root = root.unwrap_or_else(|| {
        let each = overlays.iter().filter_map(|overlay| full.join(overlay).canonicalize().ok());
        holding_all(&full, each.collect())
    });
    below(directory, &full, root)
}

/// Finds the repository around a directory of plain objects: the nearest directory above it with a `tidegate.toml`, in the same work tree of
/// Git. `None` if no directory has one, or if the directory itself is the root of a repository.
///
/// If possible, the path of the root is relative if the path of the directory is.
pub(crate) fn around_plain(directory: &Path) -> Option<Around> {
    let full = full(directory);
    let is_end = |directory: &Path| directory.join(".git").exists();
    if is_root(directory) || is_end(&full) {
        return None;
    }
    let mut above = full.ancestors().skip(1);
    let root = above.find(|directory| directory.join(SETTINGS_FILE).exists() || is_end(directory))?;
    let root = root.join(SETTINGS_FILE).exists().then(|| root.to_owned())?;
    below(directory, &full, root)
}

/// Returns a directory in the repository with a root; `None` if it is the root. `full` is its full path.
fn below(directory: &Path, full: &Path, root: PathBuf) -> Option<Around> {
    let inside = full.strip_prefix(&root).ok().filter(|inside| !inside.as_os_str().is_empty())?;
    let directory_inside = relative(full, &root);
    let levels = inside.components().count();
    let named = directory.ancestors().nth(levels).filter(|_| directory.ends_with(inside));
    let root = match named {
        Some(above) if above.as_os_str().is_empty() => PathBuf::from("."),
        Some(above) => above.to_owned(),
        None => root,
    };
    Some(Around { root, directory: directory_inside })
}

fn full(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

/// Returns the path of a directory relative to the root, as in a tree of files; the root is `.`.
pub(crate) fn relative(directory: &Path, root: &Path) -> String {
    let inside = directory.strip_prefix(root).unwrap_or(Path::new(""));
    let parts: Vec<String> = inside.iter().map(|part| part.to_string_lossy().into_owned()).collect();
    if parts.is_empty() { ".".to_owned() } else { parts.join("/") }
}

/// Maximum number of directories that are followed from base to base. An overlay with more is expected to be in a repository.
const MAX_BASES: usize = 1_000;

/// Returns the nearest directory that contains a directory, overlays and everything that these build on; never the root of the file
/// system.
fn holding_all(directory: &Path, overlays: Vec<PathBuf>) -> PathBuf {
    let mut next = overlays;
    let mut found: BTreeSet<PathBuf> = BTreeSet::new();
    while let Some(overlay) = next.pop() {
        if found.len() < MAX_BASES && !found.contains(&overlay) {
            next.extend(bases(&overlay));
            found.insert(overlay);
        }
    }
    let holds_all = |root: &&Path| root.parent().is_some() && found.iter().all(|base| base.starts_with(root));
    directory.ancestors().find(holds_all).unwrap_or(directory).to_owned()
}

/// Returns the overlays that a kustomization names, as far as it can be read; the renderer reports what is wrong with it.
pub(crate) fn bases(directory: &Path) -> Vec<PathBuf> {
    let kustomization = overlay::kustomizations("").iter().find_map(|name| std::fs::read(directory.join(name)).ok());
    let named = overlay::bases(&kustomization.unwrap_or_default());
    let paths = named.iter().filter_map(|path| directory.join(path).canonicalize().ok());
    paths.filter(|path| path.is_dir() && is_overlay(path)).collect()
}
