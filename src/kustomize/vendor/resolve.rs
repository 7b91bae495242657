//! Resolves remote sources to their vendored copies, and checks these copies.

use super::digest::hash;
use super::files::{File, Files, Found, check_reserved};
use super::lock::{Entry, Lock};
use super::path::{is_remote_file, is_within, join};
use super::remote::{NotRemote, RemoteDirectory};
use super::vendored::UnusableLock;
use super::{DIRECTORY, LOCK_FILE};
use crate::yaml::{Base, Error, Origin, Provenance, Text};
use tidegate_model::tree::Tree;

/// What to do if something is not vendored, or not as it is declared.
pub(super) const VENDOR: &str = "run `tidegate vendor`";

impl<'t> Files<'t> {
    /// Returns the lock, and records that it was looked at.
    pub(super) fn lock(&mut self) -> Result<&Lock, UnusableLock> {
        self.looked_at.insert(LOCK_FILE.to_owned());
        self.vendored.lock(self.tree)
    }

    /// Checks that a directory may use a path: one below [`DIRECTORY`] must be as the lock has it, and a vendored kustomization may not
    /// leave its vendored directory.
    pub(super) fn check_vendored(&mut self, directory: &str, target: &str, path: &Text) -> Result<(), Error> {
        let is_vendored = |path: &str| is_within(path, DIRECTORY);
        if !is_vendored(directory) && !is_vendored(target) {
            return Ok(());
        }
        let text = &path.text;
        let lock = self.lock().map_err(|why| path.error(why))?;
        if let Some(entry) = lock.owner(directory).filter(|entry| !is_within(target, &entry.directory)) {
            let message = format!(
                "{text} leads out of {}; what is vendored may only use what is vendored with it",
                entry.directory
            );
            return Err(path.error(message));
        }
        let Some(entry) = lock.owner(target).cloned() else {
            let message = format!("{text} is below {DIRECTORY}/, but not in {LOCK_FILE}; {VENDOR}, or move it");
            return Err(path.error(message));
        };
        self.check(&entry, path.origin)
    }

    /// Checks that a directory that is rendered by itself is not reserved, and is not vendored or is as the lock has it.
    pub(crate) fn check_entry(&mut self, directory: &str) -> Result<(), Error> {
        let text = Text { text: directory.into(), origin: Origin::default(), base: Base::default() };
        check_reserved(directory, &text)?;
        self.check_vendored("", directory, &text)
    }

    /// Checks that the files of an entry are those that were vendored.
    pub(super) fn check(&mut self, entry: &Entry, at: Origin) -> Result<(), Error> {
        let directory = &entry.directory;
        // Any file in the directory decides the result.
        self.looked_at.insert(format!("{directory}/"));
        let followed = self.follow(directory);
        let why = self.vendored.checked.entry(directory.clone()).or_insert_with(|| {
            if followed.as_ref() != Ok(directory) {
                return Some(format!("{directory} is a symbolic link; {VENDOR}"));
            }
            problem(self.tree, entry)
        });
        why.as_ref().map_or(Ok(()), |why| Err(at.error(why.as_str())))
    }

    /// Returns the vendored copy of a remote file.
    pub(super) fn remote_file(&mut self, path: &Text, provenance: &mut Provenance) -> Result<File<'t>, Error> {
        self.vendored_file(path, provenance)?.ok_or_else(|| path.error(not_vendored(&path.text)))
    }

    /// Returns the vendored copy of a remote file, or `None` if it is not in the lock.
    pub(super) fn vendored_file(
        &mut self,
        path: &Text,
        provenance: &mut Provenance,
    ) -> Result<Option<File<'t>>, Error> {
        let lock = self.lock().map_err(|why| path.error(why))?;
        let Some((entry, file)) = lock.file(&path.text) else { return Ok(None) };
        let (entry, name) = (entry.clone(), file.name.clone());
        self.check(&entry, path.origin)?;
        self.vendored_at(&entry, &name, path.origin, provenance).map(Some)
    }

    /// Returns a file in the directory of an entry. It may not be a symbolic link.
    pub(super) fn vendored_at(
        &mut self,
        entry: &Entry,
        name: &str,
        at: Origin,
        provenance: &mut Provenance,
    ) -> Result<File<'t>, Error> {
        let path = format!("{}/{name}", entry.directory);
        let file = self.get(&path, provenance).filter(|file| file.path == path);
        self.check_size(at)?;
        file.ok_or_else(|| at.error(format!("there is no regular file {path}; {VENDOR}")))
    }

    /// Returns the vendored copy of a directory of another repository.
    pub(super) fn remote_directory(&mut self, path: &Text) -> Result<Found<'t>, Error> {
        let remote = RemoteDirectory::parse(&path.text);
        let lock = self.lock().map_err(|why| path.error(why))?;
        let Some((entry, git)) = lock.directory(&path.text) else {
            return Err(path.error(match remote {
                Ok(_) => not_vendored(&path.text),
                // It may be the URL of a file.
                Err(_) if is_remote_file(&path.text) => not_vendored(&path.text),
                Err(why) => why.about(&path.text),
            }));
        };
        let remote = remote.map_err(|why| path.error(why.about(&path.text)))?;
        if (&remote.repository, &remote.reference, &remote.path) != (&git.repository, &git.reference, &git.path) {
            let message = format!("{} has another repository, reference or path in {LOCK_FILE}; {VENDOR}", path.text);
            return Err(path.error(message));
        }
        let entry = entry.clone();
        self.check(&entry, path.origin)?;
        let target = join(&entry.directory, &remote.path).unwrap_or_default();
        let followed = self.follow(&target).ok().filter(|followed| is_within(followed, &entry.directory));
        match followed {
            Some(directory) if self.is_directory(&directory) => Ok(Found::Directory(directory)),
            _ => Err(path.error(format!("there is no directory {target}; {VENDOR}"))),
        }
    }

    /// Returns the directory of the entry of a remote file.
    pub(super) fn entry_of_file(&mut self, source: &str) -> Option<String> {
        Some(self.lock().ok()?.file(source)?.0.directory.clone())
    }

    /// Returns the directory of the entry of a remote directory.
    pub(super) fn entry_of_directory(&mut self, source: &str) -> Option<String> {
        Some(self.lock().ok()?.directory(source)?.0.directory.clone())
    }
}

/// Returns why the files of an entry cannot be used.
pub(super) fn problem(tree: &Tree, entry: &Entry) -> Option<String> {
    let directory = &entry.directory;
    match hash(tree, directory) {
        Ok(found) if found == entry.files => None,
        Ok(_) => Some(format!(
            "{directory} was changed after it was vendored; restore its files, or {VENDOR} (vendored files are not edited; use patches)"
        )),
        Err(unhashable) => Some(format!("{directory} cannot be checked: {unhashable}")),
    }
}

fn not_vendored(text: &str) -> String {
    match RemoteDirectory::parse(text) {
        // The URL is not repeated.
        Err(why @ NotRemote::Password) => why.about(text),
        _ => format!("{text} is not vendored; {VENDOR}"),
    }
}
