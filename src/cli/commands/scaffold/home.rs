//! Where the files of a new add-on go.

use std::collections::BTreeMap;
use std::path::Path;

use crate::cli::args::HomeArgs;
use crate::cli::failure::Failure;
use crate::cli::new_files;
use crate::cli::process::Process;
use crate::cli::repository::directory;
use crate::cli::repository::discovery::{bases, is_overlay, relative};
use tidegate_repository::Repository;

/// Maximum number of bases that are followed from an overlay.
const MAX_BASES: usize = 20;

/// Where the files of a new add-on go.
pub(super) struct Home<'a> {
    /// The root of the repository.
    root: &'a Path,
    /// The directory, relative to the root of the repository.
    folder: String,
    /// The directory of the kustomization that has to name the files; `None` if every file is read.
    kustomization: Option<String>,
}

/// The files of a new add-on, in their directory.
pub(super) struct Written<'a> {
    home: Home<'a>,
    /// The paths of the files, relative to the root of the repository.
    paths: Vec<String>,
}

impl<'a> Home<'a> {
    /// Returns where the files of an add-on go.
    pub(super) fn find(args: &'a HomeArgs, repository: &Repository, addon: &str) -> Result<Self, Failure> {
        let chosen = args.dir.clone().map(|path| directory::inside("--dir", path)).transpose()?;
        let (folder, kustomization) = home(&args.repository, &repository.settings.path, addon, chosen)?;
        Ok(Self { root: &args.repository, folder, kustomization })
    }

    /// Writes files by their names, and reports each.
    pub(super) fn write(self, process: &Process, files: BTreeMap<String, String>) -> Result<Written<'a>, Failure> {
        let files: BTreeMap<String, String> =
            files.into_iter().map(|(name, text)| (format!("{}/{name}", self.folder), text)).collect();
        new_files::write(self.root, &files)?;
        for name in files.keys() {
            process.say_line(&format!("wrote {name}"))?;
        }
        Ok(Written { home: self, paths: files.into_keys().collect() })
    }
}

impl Written<'_> {
    /// Returns what to do next, in lines.
    pub(super) fn next(&self, has_chart: bool) -> String {
        let mut text = "\nNext:\n".to_owned();
        if let Some(directory) = &self.home.kustomization {
            text.push_str(&format!("  add these lines to `resources` in the kustomization of {directory}:\n"));
            for path in &self.paths {
                let inside = path.strip_prefix(directory).unwrap_or(path).trim_start_matches('/');
                text.push_str(&format!("    - {inside}\n"));
            }
        }
        if has_chart {
            text.push_str("  tidegate vendor      # renders the chart into vendor/\n");
        }
        text.push_str("  tidegate validate\n  tidegate plan");
        text
    }
}

/// Returns where the files go, and the directory of the kustomization that has to name them: to `chosen`, or to `addons/NAME` in the directory
/// that the repository declares. If that is an overlay, they go to the base that it builds on.
fn home(root: &Path, declared: &str, name: &str, chosen: Option<String>) -> Result<(String, Option<String>), Failure> {
    if let Some(folder) = chosen {
        let mut above = Path::new(&folder).ancestors();
        let found = above.find(|above| is_overlay(&root.join(above)));
        let kustomization = found.map(|found| found.display().to_string());
        return Ok((folder, kustomization));
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
    Ok((format!("{home}/addons/{name}"), kustomization))
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
