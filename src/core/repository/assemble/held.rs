//! The effective repository: the sound part of a revision, completed from earlier revisions.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::{contested, republished};
use crate::complaint::Complaint;
use crate::reserved::CONTROL;
use crate::settings::SETTINGS_FILE;
use crate::types::{Held, Loaded, Repository};
use crate::unit::Source;
use tidegate_api::key;
use tidegate_api::object_key;
use tidegate_model::name::{NamespacedName, UnitName};
use tidegate_model::object::ObjectKey;

/// Fills the gaps of a revision from earlier ones, so that a mistake changes nothing on the hub.
///
/// `good` maps each add-on to the last repository in which nothing blocked it; `last` is the previous result of this
/// function.
/// - A blocked add-on is taken as a whole from its last good repository: the add-on, its overrides, and the objects that it
///   refers to, unless an add-on that is not blocked refers to them too. Without a good repository it is absent.
/// - An object with an error, or whose file could not be read, is taken from `last`. While a RolloutPolicy has an error, none is removed.
/// - If the settings cannot be read, everything is taken from `last`.
/// - A candidate is never taken from another repository, so nothing happens to it on clusters, whatever its errors are. One that is lost
///   stays a candidate.
/// - A unit that has an object of a blocked one is blocked as well, unless it had the object before.
/// - A revision that was published with another digest before blocks the AppDeployments that use it.
/// - The decisions about rollouts are those of the revision, except if it could not be read completely: then, they are those of `last`.
pub fn hold(loaded: Loaded, good: &BTreeMap<UnitName, Arc<Repository>>, last: Option<&Repository>) -> Repository {
    let Loaded { mut repository, complaints, .. } = loaded;
    let errors: Vec<Complaint> = complaints.into_iter().filter(Complaint::is_about_declarations).collect();
    let lost = Lost { files: repository.unreadable_files.clone() };
    if lost.everything() {
        if let Some(last) = last {
            repository.settings = last.settings.clone();
        }
        repository.blocked.extend(good.keys().map(|addon| (addon.clone(), errors.clone())));
    }
    if let Some(last) = last {
        if lost.files.contains(CONTROL) {
            // Some control files may be missing, and a missing one must not resume anything.
            repository.controls = last.controls.clone();
        }
        restore(&mut repository, last, &lost, &errors);
        keep_candidates(&mut repository, last, &lost, &errors);
        block_lost(&mut repository, last, &lost, &errors);
    }
    republished::block(&mut repository, good, last);
    contested::block(&mut repository, good);
    let blocked = repository.blocked.clone();
    // All blocked add-ons are removed before the first is restored, so that none of them counts as not blocked.
    repository.addons.retain(|addon, _| !blocked.contains_key(addon));
    repository.objects.retain(|key, _| addon_of(key).is_none_or(|addon| !blocked.contains_key(&addon)));
    for (addon, complaints) in blocked {
        if repository.candidates.contains_key(&addon) {
            continue;
        }
        if let Some(good) = good.get(&addon).filter(|good| good.addons.contains_key(&addon)) {
            let objects = take_addon(&mut repository, &addon, good);
            repository.held.insert(addon, Held { complaints, objects });
        }
    }
    repository
}

/// Replaces an add-on, as a whole, by what another repository has of it.
pub(super) fn replace(repository: &mut Repository, addon: &UnitName, good: &Repository) {
    repository.addons.remove(addon);
    repository.objects.retain(|key, _| addon_of(key).is_none_or(|other| other != *addon));
    take_addon(repository, addon, good);
}

/// Returns what is in force: the last repository, with each add-on on its last good revision, and without those that have none. After a
/// restart, the last repository is older than some of these revisions.
pub fn in_force(last: Option<&Repository>, good: &BTreeMap<UnitName, Arc<Repository>>) -> Repository {
    let mut repository = last.cloned().unwrap_or_default();
    repository.addons.retain(|addon, _| good.contains_key(addon));
    repository.held.clear();
    let is_other = |addon: &UnitName, good: &Repository| repository.digest(addon) != good.digest(addon);
    let others = good.iter().filter(|(addon, good)| is_other(addon, good));
    repository.blocked = others.map(|(addon, _)| (addon.clone(), Vec::new())).collect();
    let loaded = Loaded { repository, complaints: Vec::new(), hub_permissions: Vec::new() };
    let repository = hold(loaded, good, None);
    Repository { blocked: BTreeMap::new(), held: BTreeMap::new(), ..repository }
}

/// The files that could not be read.
struct Lost {
    files: BTreeSet<String>,
}

impl Lost {
    fn everything(&self) -> bool {
        self.files.contains(SETTINGS_FILE)
    }

    fn file(&self, file: &str) -> bool {
        self.everything() || self.files.iter().any(|lost| covers(lost, file))
    }

    /// Returns the errors that explain why a file was lost.
    fn errors_about(&self, errors: &[Complaint], file: &str) -> Vec<Complaint> {
        let about = |error: &&Complaint| self.everything() || covers(&error.diagnostic.place.file, file);
        errors.iter().filter(about).cloned().collect()
    }
}

/// Blocks the applications whose file could not be read, and those that are no longer found in a file with an error: it may be about them.
fn block_lost(repository: &mut Repository, last: &Repository, lost: &Lost, errors: &[Complaint]) {
    for (name, unit) in last.addons.iter() {
        let Source::Application(application) = &unit.source else { continue };
        let file = &application.place.file;
        let errors = lost.errors_about(errors, file);
        if repository.addons.contains_key(name) || (!lost.file(file) && errors.is_empty()) {
            continue;
        }
        repository.blocked.entry(name.clone()).or_insert(errors);
    }
}

/// Keeps the candidates whose file could not be read, and those that are no longer found in a file with an error.
fn keep_candidates(repository: &mut Repository, last: &Repository, lost: &Lost, errors: &[Complaint]) {
    for (name, place) in &last.candidates {
        let may_be_lost = lost.file(&place.file) || !lost.errors_about(errors, &place.file).is_empty();
        if may_be_lost && !repository.addons.contains_key(name) {
            repository.candidates.entry(name.clone()).or_insert_with(|| place.clone());
        }
    }
}

/// Returns `true` if a path is the path of a file, or of a directory above it.
fn covers(path: &str, file: &str) -> bool {
    file.strip_prefix(path).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Restores objects with errors and lost objects from the last repository, and blocks the add-ons that lost an object.
fn restore(repository: &mut Repository, last: &Repository, lost: &Lost, errors: &[Complaint]) {
    let faulty: BTreeSet<&ObjectKey> = errors.iter().filter_map(|error| error.object.as_ref()).collect();
    // The policy with the error may be the one that is missing, with another name.
    let keeps_policies = faulty.iter().any(|key| is_policy(key));
    for (key, declared) in &last.objects {
        let is_lost = lost.file(&declared.place.file);
        let is_kept = is_lost || faulty.contains(key) || (keeps_policies && is_policy(key));
        if repository.objects.contains_key(key) || !is_kept {
            continue;
        }
        match addon_of(key) {
            // An add-on is never restored in part.
            Some(addon) if is_lost => {
                let errors = lost.errors_about(errors, &declared.place.file);
                repository.blocked.entry(addon).or_insert(errors);
            }
            Some(_) => {}
            None => adopt(repository, key, last),
        }
    }
}

fn is_policy(key: &ObjectKey) -> bool {
    key.group == key::TIDEGATE_GROUP && key.kind == "RolloutPolicy"
}

/// Returns the add-on that an object declares or overrides.
fn addon_of(key: &ObjectKey) -> Option<UnitName> {
    let is_part = matches!(key.kind.as_str(), "ClusterManagementAddOn" | "ManagedClusterAddOn");
    if key.group == key::ADDON_GROUP && is_part { key.name.parse().ok() } else { None }
}

/// Restores an add-on from its last good repository; returns the objects that were restored with it.
fn take_addon(repository: &mut Repository, addon: &UnitName, good: &Repository) -> BTreeSet<ObjectKey> {
    let free: BTreeSet<ObjectKey> = repository
        .addons
        .keys()
        .filter(|name| !repository.held.contains_key(*name))
        .flat_map(|name| parts(repository, name))
        .collect();
    if let Some(held) = good.addons.get(addon) {
        repository.addons.insert(addon.clone(), held.clone());
    }
    let taken: BTreeSet<ObjectKey> =
        parts(good, addon).difference(&free).filter(|key| good.objects.contains_key(key)).cloned().collect();
    for key in &taken {
        adopt(repository, key, good);
    }
    taken
}

/// Returns the objects of an add-on: its declaration, overrides, configurations and placements.
pub(crate) fn parts(repository: &Repository, addon: &UnitName) -> BTreeSet<ObjectKey> {
    let Some(found) = repository.addons.get(addon) else { return BTreeSet::new() };
    let declaration = object_key::addon(addon.as_str());
    let overrides = found.overrides.keys();
    std::iter::once(declaration)
        .chain(found.parts().iter().map(|used| object_key::placement(&used.namespace, &used.name)))
        .chain(overrides.map(|cluster| object_key::cluster_addon(cluster.as_str(), addon.as_str())))
        .chain(found.configurations.values().filter_map(|configuration| ObjectKey::of(&configuration.object)))
        .collect()
}

/// Copies one object, declared and typed, from another repository.
fn adopt(repository: &mut Repository, key: &ObjectKey, from: &Repository) {
    let Some(declared) = from.objects.get(key) else { return };
    repository.objects.insert(key.clone(), declared.clone());
    let name = NamespacedName::new(&key.namespace, &key.name);
    match (key.group.as_str(), key.kind.as_str()) {
        (key::CLUSTER_GROUP, "Placement") => copy(&mut repository.placements, &from.placements, &name),
        (key::CLUSTER_GROUP, "ManagedClusterSet") => copy(&mut repository.cluster_sets, &from.cluster_sets, &key.name),
        (key::CLUSTER_GROUP, "ManagedClusterSetBinding") => {
            copy(&mut repository.cluster_set_bindings, &from.cluster_set_bindings, &name);
        }
        (key::TIDEGATE_GROUP, "RolloutPolicy") => copy(&mut repository.policies, &from.policies, &key.name),
        (key::CLUSTER_GROUP, "ManagedCluster") => {
            if let Ok(name) = key.name.parse() {
                copy(&mut repository.clusters, &from.clusters, &name);
            }
        }
        _ => {}
    }
}

fn copy<K: Ord + Clone, V: Clone>(to: &mut BTreeMap<K, V>, from: &BTreeMap<K, V>, name: &K) {
    if let Some(value) = from.get(name) {
        to.insert(name.clone(), value.clone());
    }
}
