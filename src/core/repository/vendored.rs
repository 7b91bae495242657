//! Checks what is vendored: the lock, the vendored files, and whether they are used.

use std::collections::BTreeSet;

use super::complaint::{Complaint, Rule};
use super::reserved::{has_objects, is_vendored};
use tidegate_kustomize::{overlay, vendor};
use tidegate_model::diagnostic::{Diagnostic, Place};
use tidegate_model::tree::Tree;

/// Adds the problems of what is vendored. `path` is the directory of the declarations, and `used` are the directories of the entries that
/// AddOnTemplates use.
pub(super) fn check(tree: &Tree, path: &str, used: &BTreeSet<String>, complaints: &mut Vec<Complaint>) {
    without_lock(tree, path, complaints);
    let mut roots = overlay::overlays(tree);
    if overlay::is_overlay(tree, path) {
        roots.push(path.to_owned());
    }
    let known: BTreeSet<String> = complaints.iter().map(|complaint| complaint.diagnostic.message.clone()).collect();
    // A changed directory is reported where it is used, if it is.
    let found = vendor::audit(tree, &roots, used).into_iter().filter(|found| !known.contains(&found.message));
    complaints.extend(found.map(|found| Complaint::new(Rule::Vendor, found)));
}

/// Adds an error if files in `vendor/` may be declarations, because nothing was vendored.
fn without_lock(tree: &Tree, path: &str, complaints: &mut Vec<Complaint>) {
    if tree.files.contains_key(vendor::LOCK_FILE) || tree.skipped.contains_key(vendor::LOCK_FILE) {
        return;
    }
    let is_declared = path == vendor::DIRECTORY || is_vendored(path);
    if !matches!(path, "" | ".") && !is_declared || overlay::is_overlay(tree, path) {
        return;
    }
    let first = format!("{}/", vendor::DIRECTORY);
    let mut files = tree.files.range(first.clone()..).map(|(file, _)| file).take_while(|file| file.starts_with(&first));
    if let Some(file) = files.find(|file| has_objects(file)) {
        let message = format!(
            "this is not read, because {first} holds only what is vendored, and there is no {}; move the file to another directory, or \
             restore the lock",
            vendor::LOCK_FILE
        );
        complaints.push(Complaint::new(Rule::Vendor, Diagnostic::error(Place::start_of(file), message)));
    }
}
