//! Loading: everything is read, everything is checked, all complaints are collected.

use std::collections::{BTreeMap, BTreeSet};

use super::assemble::{Repository, assemble, dependencies};
use super::complaint::{Complaint, Place};
use super::declared::{is_addon_kind, objects};
use super::{reference, settings, strategy};
use crate::model::name::AddonName;
use crate::model::object::ObjectKey;
use crate::model::tree::Tree;

/// A revision as it was read.
#[derive(Debug, Clone, Default)]
pub struct Loaded {
    /// What it declares, what complaints touch included; see [`hold`](super::hold) for what is in force.
    pub repository: Repository,
    /// Everything that is wrong with it, sorted by place.
    pub complaints: Vec<Complaint>,
}

/// Reads a revision. `path` is the directory of declarations; empty for what `tidegate.toml` says.
///
/// # Guarantees
/// It ends and does not panic, whatever the bytes are; the same tree gives the same answer.
pub fn load(tree: &Tree, path: &str) -> Loaded {
    let (settings, complaint) = settings::read(tree.files.get(settings::FILE).map(Vec::as_slice));
    let chosen = if path.is_empty() { settings.repository.path.as_str() } else { path };
    let directory = normalised(chosen);
    let mut objects = objects(tree, &directory);
    let mut complaints = std::mem::take(&mut objects.complaints);
    complaints.extend(complaint);
    if objects.found.is_empty() && complaints.is_empty() {
        let place = Place { file: settings::FILE.to_owned(), line: 0, column: 0 };
        let message = format!("there is no declaration below {chosen:?}; name the right directory in repository.path");
        complaints.push(Complaint::error(place, message, None));
    }
    let mut repository =
        Repository { settings, objects: objects.found, unreadable: objects.unreadable, ..Repository::default() };
    // What the schema has complained about needs no second complaint at the same place.
    let told: BTreeSet<Place> = complaints.iter().map(|complaint| complaint.place.clone()).collect();
    let beyond =
        reference::complaints(&repository.objects).into_iter().chain(strategy::complaints(&repository.objects));
    complaints.extend(beyond.filter(|complaint| !told.contains(&complaint.place)));
    for (path, why) in &tree.skipped {
        let place = Place { file: path.clone(), line: 0, column: 0 };
        complaints.push(Complaint::warning(
            place,
            format!("not read: {why}; nothing is pruned while something is not read"),
            None,
        ));
    }
    block(&repository, &mut complaints);
    complaints.sort();
    complaints.dedup();
    for complaint in complaints.iter().filter(|c| c.is_error()) {
        for addon in &complaint.addons {
            repository.blocked.entry(addon.clone()).or_insert_with(|| complaint.to_string());
        }
    }
    // What was not read may hold what seems to be gone.
    repository.may_prune = tree.skipped.is_empty() && !complaints.iter().any(Complaint::is_error);
    assemble(&mut repository);
    Loaded { repository, complaints }
}

/// Returns a directory with `/` at its end, empty for the root.
fn normalised(path: &str) -> String {
    let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty() && *part != ".").collect();
    if parts.is_empty() { String::new() } else { format!("{}/", parts.join("/")) }
}

/// Notes with each complaint which add-ons it blocks: those that rest on its object.
fn block(repository: &Repository, complaints: &mut [Complaint]) {
    let names = repository.objects.keys().filter(|key| is_addon_kind(key, "ClusterManagementAddOn"));
    let resting: BTreeMap<AddonName, BTreeSet<ObjectKey>> = names
        .filter_map(|key| key.name.parse().ok())
        .map(|name| {
            let rests_on = dependencies(&name, &repository.objects);
            (name, rests_on)
        })
        .collect();
    for complaint in complaints.iter_mut().filter(|complaint| complaint.is_error()) {
        let Some(object) = &complaint.object else { continue };
        complaint
            .addons
            .extend(resting.iter().filter(|(_, rests_on)| rests_on.contains(object)).map(|(name, _)| name.clone()));
    }
}
