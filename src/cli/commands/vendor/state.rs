//! The vendored files and their lock, in memory: what is put there, and what nothing uses.

use std::collections::BTreeSet;

use super::fetcher::{Fetched, NotFetched};
use tidegate_kustomize::vendor::{
    DIRECTORY, Entry, LOCK_FILE, Lock, Need, VendoredApplication, Wanted, What, directory, hash,
};
use tidegate_model::diagnostic::{Diagnostic, Place};
use tidegate_model::tree::Tree;

/// A repository whose vendored files change.
pub(super) struct State {
    pub(super) tree: Tree,
    pub(super) lock: Lock,
}

impl State {
    /// Reads the lock of a tree.
    ///
    /// # Errors
    /// The problems of the lock.
    pub(super) fn new(tree: Tree) -> Result<Self, Vec<Diagnostic>> {
        let lock = Lock::read(&tree)?;
        Ok(Self { tree, lock })
    }

    /// Returns the entry with a directory.
    pub(super) fn entry(&self, directory: &str) -> Option<&Entry> {
        self.lock.entries.iter().find(|entry| entry.directory == directory)
    }

    /// Returns the directory for something that is fetched for a need: that of its entry, or else a new one. `kept` are the directories that
    /// other needs use.
    pub(super) fn directory_for(&self, need: &Need, what: &What, kept: &BTreeSet<String>) -> String {
        if let Some(directory) = need.state.directory() {
            return directory.to_owned();
        }
        // A chart with another version or repository takes the place of the old one, unless that is in use as well.
        let is_replaced = |entry: &Entry| match (&need.wanted, &entry.what) {
            (Wanted::Chart(chart), What::Chart(old)) => {
                chart.name == old.name && chart.is_like(old) && !kept.contains(&entry.directory)
            }
            _ => false,
        };
        if let Some(replaced) = self.lock.entries.iter().find(|entry| is_replaced(entry)) {
            return replaced.directory.clone();
        }
        directory(what, self.lock.entries.iter().map(|entry| entry.directory.as_str()))
    }

    /// Puts something that was fetched into a directory, instead of what was there.
    ///
    /// # Errors
    /// [`NotFetched`] if the directory is not one where files can be put.
    pub(super) fn put(&mut self, directory: &str, fetched: &Fetched) -> Result<(), NotFetched> {
        if let Some(link) = self.link_to(directory) {
            let message = format!("{link} is a symbolic link; remove it, so that files can be written to {directory}");
            return Err(message.into());
        }
        self.remove(directory);
        let below = |path: &String| format!("{directory}/{path}");
        self.tree.files.extend(fetched.files.files.iter().map(|(path, bytes)| (below(path), bytes.clone())));
        for (path, target) in &fetched.files.links {
            self.tree.links.insert(below(path), target.clone());
            self.tree.skipped.insert(below(path), "it is a symbolic link, and only overlays follow links".to_owned());
        }
        let files = hash(&self.tree, directory).map_err(|unhashable| unhashable.to_string())?;
        let entry =
            Entry { directory: directory.to_owned(), what: fetched.what.clone(), files, place: Place::default() };
        self.lock.entries.push(entry);
        self.lock.entries.sort_by(|a, b| a.directory.cmp(&b.directory));
        self.write_lock();
        Ok(())
    }

    /// Puts the file of an application that was rendered into its place.
    ///
    /// # Errors
    /// [`NotFetched`] if the file cannot be there.
    pub(super) fn put_application(
        &mut self,
        application: VendoredApplication,
        content: Vec<u8>,
    ) -> Result<(), NotFetched> {
        let file = &application.file;
        if let Some(link) = self.link_to(file) {
            return Err(format!("{link} is a symbolic link; remove it, so that {file} can be written").into());
        }
        self.tree.files.insert(file.clone(), content);
        self.lock.applications.retain(|known| known.file != *file);
        self.lock.applications.push(application);
        self.lock.applications.sort_by(|a, b| a.file.cmp(&b.file));
        self.write_lock();
        Ok(())
    }

    /// Removes the entry of an application. Its file stays.
    pub(super) fn release(&mut self, file: &str) {
        self.lock.applications.retain(|known| known.file != file);
        self.write_lock();
    }

    /// Removes a directory and its entry.
    pub(super) fn remove(&mut self, directory: &str) {
        let below = format!("{directory}/");
        self.tree.files.retain(|path, _| !path.starts_with(&below));
        self.tree.links.retain(|path, _| !path.starts_with(&below));
        self.tree.skipped.retain(|path, _| !path.starts_with(&below));
        self.lock.entries.retain(|entry| entry.directory != directory);
        self.write_lock();
    }

    /// Puts the lock where the needs are read from. A repository that never had one needs none.
    fn write_lock(&mut self) {
        self.tree.files.insert(LOCK_FILE.to_owned(), self.lock.write().into_bytes());
    }

    /// Returns the symbolic link on the way to a directory, if there is one.
    fn link_to<'d>(&self, directory: &'d str) -> Option<&'d str> {
        let ends = directory.match_indices('/').map(|(at, _)| at).chain([directory.len()]);
        ends.filter_map(|end| directory.get(..end)).find(|path| self.tree.links.contains_key(*path))
    }

    /// Returns the directories of the entries that nothing uses.
    pub(super) fn unused(&self, needs: &[Need]) -> Vec<String> {
        let used: BTreeSet<&str> = needs.iter().filter_map(|need| need.state.directory()).collect();
        let directories = self.lock.entries.iter().map(|entry| entry.directory.clone());
        directories.filter(|directory| !used.contains(directory.as_str())).collect()
    }

    /// Returns the files below the directory of vendored files that no entry owns.
    pub(super) fn strays(&self) -> Vec<String> {
        let below = format!("{DIRECTORY}/");
        let files = self.tree.files.keys().chain(self.tree.skipped.keys());
        let stray = |path: &&String| path.starts_with(&below) && self.lock.owner(path).is_none();
        files.filter(stray).cloned().collect()
    }
}
