//! Checks what is vendored: the lock, the vendored files, and whether they are used.

use std::collections::BTreeSet;

use super::application::describes_applications;
use super::complaint::{Complaint, Rule};
use super::read::object::Object;
use super::reserved::{has_objects, is_vendored};
use tidegate_kustomize::{overlay, vendor};
use tidegate_model::diagnostic::{Diagnostic, Place};
use tidegate_model::digest::Digest;
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

/// Adds the problems of the applications that another program rendered: a file that was edited afterwards is an error of its application, and a
/// file that does not follow what it was rendered from is a warning, since it was reviewed.
pub(super) fn check_applications(tree: &Tree, objects: &[Object], complaints: &mut Vec<Complaint>) {
    // A lock that cannot be read is reported already.
    for application in vendor::Lock::read(tree).unwrap_or_default().applications {
        let file = &application.file;
        let Some(content) = tree.files.get(file) else { continue };
        let place = Place::start_of(file);
        if Digest::of(content) != application.content {
            let message = format!(
                "{file} was changed after it was rendered from {}; change that file, and run `tidegate vendor`",
                application.app
            );
            let complaint = Complaint::new(Rule::Vendor, Diagnostic::error(place, message));
            let own = objects
                .iter()
                .filter(|object| describes_applications(object) && object.file() == file)
                .map(|object| Some(object.key.clone()));
            let keys: Vec<_> = own.collect();
            let keys = if keys.is_empty() { vec![None] } else { keys };
            complaints.extend(keys.into_iter().map(|object| Complaint { object, ..complaint.clone() }));
        } else if vendor::inputs(tree, &application.app, &application.definitions) != Ok(application.inputs) {
            let message = format!(
                "{} or its definitions changed after {file} was rendered; run `tidegate vendor`",
                application.app
            );
            complaints.push(Complaint::new(Rule::Vendor, Diagnostic::warning(place, message)));
        }
    }
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
