//! Finds the overlay that a command is about, and the settings of its repository.

use std::path::{Path, PathBuf};

use super::directory;
use super::discovery::{self, Around, around};
use crate::cli::failure::Failure;
use crate::cli::process::Process;
use tidegate_kustomize::overlay::{self, Options, is_overlay};
use tidegate_model::tree::Tree;
use tidegate_repository::SETTINGS_FILE;

/// The files of a repository, and the chosen overlay in it.
pub(crate) struct Choice {
    /// The files.
    pub tree: Tree,
    /// The directory of the files on this machine.
    pub root: PathBuf,
    /// The directory of the overlay; `None` for a directory of plain objects.
    pub directory: Option<String>,
    /// The rendering options in the settings of the repository.
    pub options: Options,
}

/// Chooses the overlay: the named one, the directory itself if it is one, or the path in `tidegate.toml`.
///
/// # Errors
/// [`Failure::Findings`] if the settings are wrong, after printing the complaints; [`Failure::Usage`] if there is no such overlay.
pub(crate) fn choose(process: &Process, path: &Path, named: Option<&str>) -> Result<Choice, Failure> {
    let at = match named {
        Some(named) => Some(find(path, named)?),
        None if discovery::is_overlay(path) => Some(around(path)),
        None => None,
    };
    let followed = if at.is_none() { followed(path) } else { None };
    let root = at.as_ref().map(|at| &at.root).or(followed.as_ref()).map_or(path, PathBuf::as_path).to_owned();
    let tree = directory::tree(&root)?;
    if let (Some(at), Some(named)) = (&at, named)
        && !is_overlay(&tree, &at.directory)
    {
        return Err(unknown(path, named, &tree));
    }
    let settings = tidegate_repository::settings(&tree).map_err(|complaints| {
        complaints.iter().for_each(|complaint| process.warn_line(&complaint.to_string()));
        Failure::Findings
    })?;
    let directory = match at {
        Some(at) => Some(at.directory),
        None => Some(settings.path).filter(|directory| is_overlay(&tree, directory)),
    };
    Ok(Choice { tree, root, directory, options: settings.render })
}

/// Returns the root of the repository around a directory, if its settings say that it has the declarations.
fn followed(path: &Path) -> Option<PathBuf> {
    let Around { root, directory } = discovery::around_plain(path)?;
    let mut settings = Tree::default();
    settings.files.insert(SETTINGS_FILE.to_owned(), std::fs::read(root.join(SETTINGS_FILE)).ok()?);
    tidegate_repository::settings(&settings).is_ok_and(|settings| settings.path == directory).then_some(root)
}

/// Finds an overlay by its name: below the path, which then is the root of the repository, or else anywhere, with the
/// repository around it.
fn find(path: &Path, named: &str) -> Result<Around, Failure> {
    if named.is_empty() {
        let message =
            "--overlay is empty; write the directory of an overlay, relative to PATH, or leave the option out";
        return Err(Failure::Usage(message.to_owned()));
    }
    let below = |directory: String| Around { root: path.to_owned(), directory };
    let (Ok(root), Ok(full)) = (path.canonicalize(), path.join(named).canonicalize()) else {
        return Ok(below(named.to_owned()));
    };
    if full != root && full.starts_with(&root) {
        return Ok(below(discovery::relative(&full, &root)));
    }
    Ok(if discovery::is_overlay(&full) { around(&full) } else { below(named.to_owned()) })
}

fn unknown(path: &Path, named: &str, tree: &Tree) -> Failure {
    let overlays = overlay::overlays(tree);
    let known = if overlays.is_empty() {
        "PATH contains no overlay".to_owned()
    } else {
        format!("there are: {}", overlays.join(", "))
    };
    Failure::Usage(format!(
        "there is no overlay {named:?}: --overlay is relative to PATH, and {} has no kustomization.yaml; {known}",
        path.join(named).display()
    ))
}
