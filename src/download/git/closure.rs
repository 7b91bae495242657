//! Selects the files of a repository that a base needs: those that its kustomizations name, and theirs.
//!
//! What a string in a kustomization means depends on its field, and new fields are added. So every string that is the path of a
//! file or directory counts as one: a file too many costs a few bytes, and one too few breaks the base.

use std::collections::BTreeSet;

use tidegate_kustomize::overlay::{is_overlay, kustomizations};
use tidegate_kustomize::yaml::{self, Content, Input, Node, SourceId};
use tidegate_model::tree::{Lost, Tree};

/// The longest path in bytes; longer strings are no paths.
const PATH_BYTES: usize = 1024;

/// Where kustomize looks for local charts by default.
const CHART_HOME: &str = "charts";

/// What a file of plugin configuration contains, which may name files itself.
const PLUGINS: [&str; 2] = ["HelmChartInflationGenerator", "apiVersion: builtin"];

/// A base whose files cannot be selected.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum Incomplete {
    #[error("{0:?} leads out of the repository")]
    Outside(String),
    #[error("there is no directory {0:?}")]
    NoDirectory(String),
    #[error("{0} has no kustomization.yaml")]
    NoKustomization(String),
    #[error("{path:?} cannot be vendored: {why}")]
    Skipped { path: String, why: String },
    #[error("{0:?} is or contains a symbolic link that leaves the repository")]
    LinkOutside(String),
    #[error("the symbolic links on the way to {0:?} do not end")]
    EndlessLinks(String),
}

/// A selection in progress.
struct Closure<'a> {
    whole: &'a Tree,
    found: Tree,
    waiting: Vec<String>,
    seen: BTreeSet<String>,
}

/// Returns the files that the base in a directory needs, in the layout of the repository.
///
/// # Errors
/// [`Incomplete`]
pub(super) fn closure(whole: &Tree, directory: &str) -> Result<Tree, Incomplete> {
    let directory = join("", directory).ok_or_else(|| Incomplete::Outside(directory.to_owned()))?;
    let mut closure = Closure { whole, found: Tree::default(), waiting: Vec::new(), seen: BTreeSet::new() };
    let start = closure.follow(&directory)?;
    if !is_overlay(whole, &start) {
        return Err(if start.is_empty() {
            Incomplete::NoKustomization("the root".to_owned())
        } else if closure.is_directory(&start) {
            Incomplete::NoKustomization(directory)
        } else {
            Incomplete::NoDirectory(directory)
        });
    }
    closure.waiting.push(start);
    while let Some(directory) = closure.waiting.pop() {
        if closure.seen.insert(directory.clone()) {
            closure.kustomization(&directory)?;
        }
    }
    Ok(closure.found)
}

impl Closure<'_> {
    /// Adds the kustomization of a directory, and what it names.
    fn kustomization(&mut self, directory: &str) -> Result<(), Incomplete> {
        for path in kustomizations(directory) {
            let Some(bytes) = self.file(&path)? else { continue };
            let Ok(Some(node)) = yaml::kustomization(Input::of_file(SourceId::default(), &bytes)) else { continue };
            self.names(directory, &node)?;
        }
        Ok(())
    }

    /// Adds what the strings of a document name, relative to a directory.
    fn names(&mut self, directory: &str, node: &Node) -> Result<(), Incomplete> {
        let mut strings = BTreeSet::new();
        collect(node, &mut strings);
        let charts: Vec<String> = strings.iter().map(|name| format!("{CHART_HOME}/{name}")).collect();
        for text in strings.iter().map(String::as_str).chain(charts.iter().map(String::as_str)) {
            // Files of generators are `key=path`.
            let after_key = text.split_once('=').map(|(_, path)| path);
            for path in std::iter::once(text).chain(after_key) {
                if let Some(path) = join(directory, path) {
                    self.path(directory, &path)?;
                }
            }
        }
        Ok(())
    }

    /// Adds a file or directory, if it exists.
    fn path(&mut self, directory: &str, path: &str) -> Result<(), Incomplete> {
        if let Some(why) = self.whole.skipped.get(path).filter(|_| !self.whole.links.contains_key(path)) {
            return Err(Incomplete::Skipped { path: path.to_owned(), why: why.clone() });
        }
        if path.is_empty() || (!self.exists(path) && self.whole.links.is_empty()) {
            return Ok(());
        }
        if let Some(bytes) = self.file(path)? {
            let text = String::from_utf8_lossy(&bytes);
            if !PLUGINS.iter().any(|sign| text.contains(sign)) || !self.seen.insert(format!("{directory}\0{path}")) {
                return Ok(());
            }
            let nodes = yaml::manifests(Input::of_file(SourceId::default(), &bytes)).unwrap_or_default();
            return nodes.iter().try_for_each(|node| self.names(directory, node));
        }
        let target = self.follow(path)?;
        if is_overlay(self.whole, &target) {
            self.waiting.push(target);
        } else if self.is_directory(&target) {
            self.everything(&target)?;
        }
        Ok(())
    }

    /// Adds a file, and returns its content.
    fn file(&mut self, path: &str) -> Result<Option<Vec<u8>>, Incomplete> {
        if !self.exists(path) && self.whole.links.is_empty() {
            return Ok(None);
        }
        let target = self.follow(path)?;
        let Some(bytes) = self.whole.files.get(&target) else { return Ok(None) };
        self.found.files.insert(target, bytes.clone());
        Ok(Some(bytes.clone()))
    }

    /// Adds all files below a directory: a local chart, for example.
    fn everything(&mut self, directory: &str) -> Result<(), Incomplete> {
        if !self.seen.insert(format!("{directory}/")) {
            return Ok(());
        }
        let below = format!("{directory}/");
        let files = self.whole.files.range(below.clone()..).take_while(|(path, _)| path.starts_with(&below));
        self.found.files.extend(files.map(|(path, bytes)| (path.clone(), bytes.clone())));
        let links = self.whole.links.keys().filter(|path| path.starts_with(&below)).cloned().collect::<Vec<_>>();
        for link in links {
            let target = self.follow(&link)?;
            if let Some(bytes) = self.whole.files.get(&target) {
                self.found.files.insert(target, bytes.clone());
            }
        }
        Ok(())
    }

    /// Returns where a path leads, and adds the symbolic links on it.
    fn follow(&mut self, path: &str) -> Result<String, Incomplete> {
        let mut passed = Vec::new();
        let followed = self.whole.follow(path, &mut passed).map_err(|lost| match lost {
            Lost::Outside => Incomplete::LinkOutside(path.to_owned()),
            Lost::Endless => Incomplete::EndlessLinks(path.to_owned()),
        })?;
        for link in passed {
            if let Some(target) = self.whole.links.get(&link) {
                self.found.links.insert(link, target.clone());
            }
        }
        Ok(followed)
    }

    fn exists(&self, path: &str) -> bool {
        self.whole.files.contains_key(path) || self.is_directory(path)
    }

    fn is_directory(&self, path: &str) -> bool {
        let below = format!("{path}/");
        let first = |next: Option<&String>| next.is_some_and(|path| path.starts_with(&below));
        first(self.whole.files.range(below.clone()..).map(|(path, _)| path).next())
            || first(self.whole.links.range(below.clone()..).map(|(path, _)| path).next())
    }
}

/// Collects the strings of a document that may be paths.
fn collect(node: &Node, strings: &mut BTreeSet<String>) {
    match &node.content {
        Content::Mapping(mapping) => mapping.iter().for_each(|entry| collect(&entry.value, strings)),
        Content::Sequence(items) => items.iter().for_each(|item| collect(item, strings)),
        _ => strings.extend(
            node.as_str().filter(|text| text.len() <= PATH_BYTES && !text.contains(['\n', '\0'])).map(str::to_owned),
        ),
    }
}

/// Returns a path relative to a directory without `.` and `..`; `None` if it is absolute or leads out of the repository.
fn join(directory: &str, path: &str) -> Option<String> {
    if path.starts_with('/') {
        return None;
    }
    let mut parts: Vec<&str> = Vec::new();
    for part in directory.split('/').chain(path.split('/')) {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()?),
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}
