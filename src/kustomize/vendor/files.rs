//! The files that a kustomization may read, and a record of those that were looked for.

use std::collections::{BTreeSet, HashMap};

use super::path::{is_remote_file, is_within, join, parent, shown};
use super::remote::{NotRemote, RemoteDirectory};
use super::vendored::Vendored;
use crate::yaml::{Error, Input, NodeBudget, Origin, Provenance, SourceId, Text};
use tidegate_model::near::nearest;
use tidegate_model::reserved::reserved;
use tidegate_model::tree::{Lost, Tree};

/// Maximum number of bytes that a rendering reads. A file counts once per use.
const MAX_READ: usize = 64 << 20;

/// A file that was found.
#[derive(Debug, Clone)]
pub(crate) struct File<'t> {
    pub(crate) path: String,
    pub(crate) source: SourceId,
    pub(crate) bytes: &'t [u8],
    budget: &'t NodeBudget,
}

impl<'t> File<'t> {
    pub(crate) fn input(&self) -> Input<'t> {
        Input::of_file(self.source, self.bytes).within(self.budget)
    }
}

/// What a path resolves to.
pub(crate) enum Found<'t> {
    File(File<'t>),
    Directory(String),
}

/// The files of the repository, and a record of those that were looked for.
pub(crate) struct Files<'t> {
    pub(super) tree: &'t Tree,
    pub(super) vendored: Vendored,
    sources: HashMap<String, SourceId>,
    pub(crate) looked_at: BTreeSet<String>,
    bytes: usize,
    pub(crate) budget: &'t NodeBudget,
}

impl<'t> Files<'t> {
    pub(crate) fn new(tree: &'t Tree, budget: &'t NodeBudget) -> Self {
        let (vendored, sources) = (Vendored::default(), HashMap::new());
        Self { tree, vendored, sources, looked_at: BTreeSet::new(), bytes: 0, budget }
    }

    /// Returns the file at a path of the repository, if it exists and is not in a reserved directory. Follows symbolic links.
    pub(crate) fn get(&mut self, path: &str, provenance: &mut Provenance) -> Option<File<'t>> {
        self.looked_at.insert(path.to_owned());
        let path = &self.follow(path).ok().filter(|path| reserved(path).is_none())?;
        let bytes = self.tree.files.get(path)?;
        self.bytes = self.bytes.saturating_add(bytes.len());
        let source = match self.sources.get(path) {
            Some(source) => *source,
            None => {
                let source = provenance.add_source(path.as_str());
                self.sources.insert(path.to_owned(), source);
                source
            }
        };
        Some(File { path: path.to_owned(), source, bytes, budget: self.budget })
    }

    /// Resolves the symbolic links of a path, and records each of them.
    pub(crate) fn follow(&mut self, path: &str) -> Result<String, Lost> {
        let mut passed = Vec::new();
        let followed = self.tree.follow(path, &mut passed);
        for link in passed {
            self.bytes = self.bytes.saturating_add(self.tree.links.get(&link).map_or(0, String::len));
            self.looked_at.insert(link);
        }
        self.looked_at.extend(followed.iter().filter(|followed| *followed != path).cloned());
        followed
    }

    pub(crate) fn is_directory(&mut self, path: &str) -> bool {
        self.looked_at.insert(path.to_owned());
        let first = if path.is_empty() { String::new() } else { format!("{path}/") };
        self.tree.files.range(first.clone()..).next().is_some_and(|(file, _)| file.starts_with(&first))
    }

    /// Returns `true` if a file exists at a path of the repository.
    pub(super) fn exists(&mut self, path: &str) -> bool {
        self.looked_at.insert(path.to_owned());
        self.tree.files.contains_key(path)
    }

    /// Returns the file at a path relative to a directory. It must be in or below that directory, or vendored.
    ///
    /// # Errors
    /// [`Error`] if no such file exists, or the directory may not use it.
    pub(crate) fn load(
        &mut self,
        directory: &str,
        path: &Text,
        provenance: &mut Provenance,
    ) -> Result<File<'t>, Error> {
        if is_remote_file(&path.text) {
            return self.remote_file(path, provenance);
        }
        match self.find(directory, path, provenance)? {
            Found::File(file) => Ok(file),
            Found::Directory(_) => Err(path.error(format!("{} is a directory; name a file in it", path.text))),
        }
    }

    /// Returns the content of the file at a path relative to a directory, anywhere in the repository.
    ///
    /// # Errors
    /// [`Error`] if no such file exists, or the directory may not use it.
    pub(crate) fn read(&mut self, directory: &str, path: &Text) -> Result<&'t [u8], Error> {
        let provenance = &mut Provenance::default();
        if is_remote_file(&path.text) {
            return Ok(self.remote_file(path, provenance)?.bytes);
        }
        let target = self.target(directory, path)?;
        match self.get(&target, provenance) {
            Some(file) => Ok(file.bytes),
            None => Err(path.error(self.missing(&path.text, &target))),
        }
    }

    /// Returns the directory at a path relative to another directory, or `None` if it does not exist. Problems are reported at `at`.
    ///
    /// # Errors
    /// [`Error`] if the path leads out of the repository, or the directory may not use it.
    pub(crate) fn directory(&mut self, directory: &str, path: &str, at: &Text) -> Result<Option<String>, Error> {
        let target = self.target(directory, &Text { text: path.into(), ..at.clone() })?;
        Ok(self.is_directory(&target).then_some(target))
    }

    /// Returns the file or directory at a path relative to a directory. Files must be in or below that directory, or vendored.
    ///
    /// # Errors
    /// [`Error`] if nothing exists there, or the directory may not use it.
    pub(crate) fn find(
        &mut self,
        directory: &str,
        path: &Text,
        provenance: &mut Provenance,
    ) -> Result<Found<'t>, Error> {
        let text = &*path.text;
        if is_remote_file(text) {
            return match self.vendored_file(path, provenance)? {
                Some(file) => Ok(Found::File(file)),
                None => self.remote_directory(path),
            };
        }
        let target = self.target(directory, path);
        let file = target.as_ref().ok().and_then(|target| self.get(target, provenance));
        if let Some(file) = file {
            if !is_within(&file.path, directory) {
                return Err(path.error(format!(
                    "{} is not in or below {}; move it there, or give its directory a kustomization.yaml and name the directory",
                    file.path,
                    shown(directory)
                )));
            }
            self.check_size(path.origin)?;
            return Ok(Found::File(file));
        }
        if RemoteDirectory::parse(text) != Err(NotRemote::Path) {
            return self.remote_directory(path);
        }
        let target = target?;
        if self.is_directory(&target) {
            return Ok(Found::Directory(target));
        }
        Err(path.error(self.missing(text, &target)))
    }

    /// Returns where a path relative to a directory leads. Nothing needs to exist there.
    fn target(&mut self, directory: &str, path: &Text) -> Result<String, Error> {
        let text = &*path.text;
        if text.is_empty() {
            return Err(path.error("the path is empty; name a file or a directory"));
        }
        if text.starts_with('/') {
            return Err(path.error(format!("{text} is an absolute path; write it relative to {}", shown(directory))));
        }
        let Some(target) = join(directory, text) else {
            return Err(path.error(format!("{text} leaves the repository; copy what is needed into it")));
        };
        let target = self.follow(&target).map_err(|lost| path.error(lost_message(text, lost)))?;
        check_reserved(&target, path)?;
        self.check_vendored(directory, &target, path)?;
        Ok(target)
    }

    pub(super) fn check_size(&self, at: Origin) -> Result<(), Error> {
        if self.bytes > MAX_READ {
            return Err(at.error(format!("more than {MAX_READ} bytes would be read; use fewer or smaller files")));
        }
        Ok(())
    }

    /// Returns a message that explains why nothing was found at a path.
    fn missing(&self, text: &str, target: &str) -> String {
        let mut above = Some(target);
        while let Some(path) = above {
            if let Some(reason) = self.tree.skipped.get(path) {
                return format!("{text} is not read: {reason}");
            }
            above = if path.is_empty() { None } else { Some(parent(path)) };
        }
        let directory = parent(target);
        let names = self.names(directory);
        let name = target.rsplit('/').next().unwrap_or(target);
        match nearest(name, names.iter().map(String::as_str)) {
            _ if name.contains(['*', '?']) => {
                format!("there is no {target}: glob patterns are not supported; list each file")
            }
            Some(near) => format!("there is no {target}; did you mean {near:?}?"),
            None => format!("there is no {target}; add it, or remove the entry"),
        }
    }

    /// Returns the names of some entries of a directory.
    fn names(&self, directory: &str) -> BTreeSet<String> {
        let first = if directory.is_empty() { String::new() } else { format!("{directory}/") };
        let files = self.tree.files.range(first.clone()..).map(|(path, _)| path);
        let below = files.map_while(|path| path.strip_prefix(&first)).take(1000);
        below.filter_map(|rest| rest.split('/').next()).map(str::to_owned).collect()
    }
}

/// Checks that a path is not in a directory whose files are not declarations: changes of those need no approval, and have no author.
pub(super) fn check_reserved(target: &str, path: &Text) -> Result<(), Error> {
    let Some(directory) = reserved(target) else { return Ok(()) };
    let message = format!(
        "{} is in {directory}/ at the root of the repository, whose files are not declarations; move it to another directory",
        path.text
    );
    Err(path.error(message))
}

/// Returns the message for a path whose symbolic links cannot be followed.
fn lost_message(text: &str, lost: Lost) -> String {
    match lost {
        Lost::Outside => {
            format!("{text} leads out of the repository through a symbolic link; copy what is needed into it")
        }
        Lost::Endless => format!("{text} leads through too many symbolic links; replace it with a regular file"),
    }
}
