//! Finds the files that take an add-on back.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::refusal::Refusal;
use crate::assemble::held::parts;
use crate::load::load_with;
use crate::operator::OperatorRules;
use crate::other_changes::{MAX_LISTED, new_errors, others};
use crate::reserved::is_reserved;
use crate::settings::SETTINGS_FILE;
use crate::types::{Loaded, Repository};
use tidegate_model::digest::Digest;
use tidegate_model::name::UnitName;
use tidegate_model::object::ObjectKey;
use tidegate_model::tree::Tree;

/// Maximum number of times that the files are loaded to find out which of them matter.
const MAX_TRIES: usize = 400;

/// The files to change, by path: the new content, or `None` to remove the file.
pub type Files = BTreeMap<String, Option<Vec<u8>>>;

/// An add-on, and the revision to take it back to.
#[derive(Debug, Clone, Copy)]
pub struct Request<'a> {
    /// The files of the newest revision.
    pub tip: &'a Tree,
    /// The files of the earlier revision.
    pub past: &'a Tree,
    /// The directory of declarations; empty for the one in `tidegate.toml`.
    pub path: &'a str,
    /// What the operator lets the repository do on the hub.
    pub operator: &'a Arc<OperatorRules>,
    /// The add-on.
    pub addon: &'a UnitName,
    /// The digest that it had in the earlier revision.
    pub digest: &'a Digest,
}

impl Request<'_> {
    fn loaded(&self, tree: &Tree) -> Loaded {
        load_with(tree, self.path, self.operator)
    }
}

/// Returns the files to change so that the add-on has its earlier digest, and all other add-ons and objects stay as they are.
///
/// These are the files that declare the add-on and its configurations, if that is enough, or else the smallest set of files that is found.
///
/// # Errors
/// [`Refusal`] if there is no such set.
pub fn revert(request: &Request<'_>) -> Result<Files, Refusal> {
    let Request { tip, past, addon, digest, .. } = *request;
    let (before, then) = (request.loaded(tip), request.loaded(past));
    if has(&before, addon, digest) {
        return Err(Refusal::Same { addon: addon.clone(), digest: digest.clone() });
    }
    if !has(&then, addon, digest) {
        let found = then
            .repository
            .digest(addon)
            .map_or_else(|| "no usable add-on".to_owned(), |found| found.short().to_owned());
        return Err(Refusal::Reading { addon: addon.clone(), digest: digest.clone(), found });
    }
    let differing = differing(tip, past);
    let own: BTreeSet<ObjectKey> =
        parts(&before.repository, addon).union(&parts(&then.repository, addon)).cloned().collect();
    let declare = declaring(&[&before.repository, &then.repository], &own);
    let first = differing.iter().filter(|file| declare.contains(file.as_str())).cloned().collect();
    let search = Search { request, before: &before, own: &own };
    if let Ok(files) = search.checked(&first) {
        return Ok(files);
    }
    let needed = search.needed(differing)?;
    search.checked(&needed)
}

/// Returns `true` if an add-on has a digest and no errors.
fn has(loaded: &Loaded, addon: &UnitName, digest: &Digest) -> bool {
    loaded.repository.digest(addon) == Some(digest) && !loaded.repository.blocked.contains_key(addon)
}

/// Returns the files that differ between two trees, without settings and decisions.
fn differing(tip: &Tree, past: &Tree) -> BTreeSet<String> {
    let all = tip.files.keys().chain(past.files.keys());
    let differs = |file: &&String| tip.files.get(*file) != past.files.get(*file);
    all.filter(differs).filter(|file| *file != SETTINGS_FILE && !is_reserved(file)).cloned().collect()
}

/// Returns the files that declare some objects.
fn declaring<'a>(repositories: &[&'a Repository], objects: &BTreeSet<ObjectKey>) -> BTreeSet<&'a str> {
    let declared = repositories.iter().flat_map(|repository| &repository.objects);
    declared.filter(|(key, _)| objects.contains(*key)).map(|(_, declared)| declared.place.file.as_str()).collect()
}

struct Search<'a> {
    request: &'a Request<'a>,
    before: &'a Loaded,
    /// The objects of the add-on, now and then.
    own: &'a BTreeSet<ObjectKey>,
}

impl Search<'_> {
    /// Returns the newest revision with some files as they were.
    fn with(&self, files: &BTreeSet<String>) -> Tree {
        let mut tree = self.request.tip.clone();
        for (file, bytes) in self.files(files) {
            match bytes {
                Some(bytes) => drop(tree.files.insert(file, bytes)),
                None => drop(tree.files.remove(&file)),
            }
        }
        tree
    }

    fn files(&self, files: &BTreeSet<String>) -> Files {
        files.iter().map(|file| (file.clone(), self.request.past.files.get(file).cloned())).collect()
    }

    fn reaches(&self, files: &BTreeSet<String>) -> bool {
        has(&self.request.loaded(&self.with(files)), self.request.addon, self.request.digest)
    }

    /// Returns a set of files without which the digest is not reached: halves, then quarters, down to single files are left out as long as
    /// the digest stays.
    fn needed(&self, mut files: BTreeSet<String>) -> Result<BTreeSet<String>, Refusal> {
        if !self.reaches(&files) {
            let (addon, digest) = (self.request.addon.clone(), self.request.digest.clone());
            return Err(Refusal::Settings { addon, digest });
        }
        let (mut size, mut tries) = (files.len().div_ceil(2), 0);
        while size > 0 {
            let all: Vec<String> = files.iter().cloned().collect();
            for part in all.chunks(size) {
                let rest: BTreeSet<String> = files.iter().filter(|file| !part.contains(file)).cloned().collect();
                tries += 1;
                if tries <= MAX_TRIES && self.reaches(&rest) {
                    files = rest;
                }
            }
            size = if size == 1 { 0 } else { size.div_ceil(2) };
        }
        Ok(files)
    }

    /// Returns the files with their content, if they change the add-on and nothing else.
    fn checked(&self, files: &BTreeSet<String>) -> Result<Files, Refusal> {
        let (addon, digest) = (self.request.addon, self.request.digest);
        let after = self.request.loaded(&self.with(files));
        let errors = new_errors(self.before, &after);
        if !errors.is_empty() {
            return Err(Refusal::Errors { complaints: errors });
        }
        let others = others(&self.before.repository, &after.repository, addon, self.own);
        if !others.is_empty() {
            let files = files.iter().take(MAX_LISTED).cloned().collect();
            return Err(Refusal::Shared { addon: addon.clone(), others: others.join(", "), files });
        }
        if !has(&after, addon, digest) {
            return Err(Refusal::Settings { addon: addon.clone(), digest: digest.clone() });
        }
        Ok(self.files(files))
    }
}
