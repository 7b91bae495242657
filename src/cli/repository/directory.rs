//! Reads a directory on this machine as a tree, for commands that check declarations before they are committed.

use std::fs;
use std::path::Path;

use crate::cli::failure::Failure;
use tidegate_model::tree::Tree;

/// Reads every regular file below a directory, as in a commit: `.git` is left out, and symbolic links are recorded.
pub(crate) fn tree(root: &Path) -> Result<Tree, Failure> {
    let mut tree = Tree::default();
    if !root.is_dir() {
        return Err(Failure::Usage(format!(
            "{} is not a directory; name the root of a config repository",
            root.display()
        )));
    }
    read(root, "", &mut tree)?;
    Ok(tree)
}

/// Returns a path, unless it leaves the repository. `flag` is where it was given.
pub(crate) fn inside(flag: &str, path: String) -> Result<String, Failure> {
    if path.starts_with('/') || path.split('/').any(|part| part == "..") {
        return Err(Failure::Usage(format!("{flag} {path}: it leaves the repository; write it relative to its root")));
    }
    Ok(path)
}

fn read(directory: &Path, prefix: &str, tree: &mut Tree) -> Result<(), Failure> {
    let unreadable =
        |path: &Path, error: std::io::Error| Failure::Usage(format!("{} cannot be read: {error}", path.display()));
    for entry in fs::read_dir(directory).map_err(|error| unreadable(directory, error))? {
        let entry = entry.map_err(|error| unreadable(directory, error))?;
        let path = entry.path();
        let name = entry.file_name();
        let Some(name) = name.to_str() else {
            let shown = format!("{prefix}/{}", name.to_string_lossy());
            tree.skipped.insert(shown.trim_start_matches('/').to_owned(), "its name is not UTF-8".to_owned());
            continue;
        };
        if name == ".git" {
            continue;
        }
        let name = name.to_owned();
        let name = if prefix.is_empty() { name } else { format!("{prefix}/{name}") };
        let kind = entry.file_type().map_err(|error| unreadable(&path, error))?;
        if kind.is_dir() {
            read(&path, &name, tree)?;
        } else if kind.is_file() {
            tree.files.insert(name, fs::read(&path).map_err(|error| unreadable(&path, error))?);
        } else if kind.is_symlink() {
            let target = fs::read_link(&path).map_err(|error| unreadable(&path, error))?;
            tree.links.extend(target.to_str().map(|target| (name.clone(), target.to_owned())));
            tree.skipped.insert(name, "it is a symbolic link, and only overlays follow links".to_owned());
        } else {
            tree.skipped.insert(name, "it is not a regular file, but a pipe, a socket or a device".to_owned());
        }
    }
    Ok(())
}
