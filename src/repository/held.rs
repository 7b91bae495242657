//! What is in force: the revision, but for what complaints touch.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::assemble::{Repository, assemble, dependencies};
use super::declared::is_addon_kind;
use super::load::Loaded;
use crate::api::key;
use crate::model::name::AddonName;
use crate::model::object::ObjectKey;

/// Why an add-on is kept on an older revision.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Held {
    /// The complaint that blocks it, with its place.
    pub reason: String,
}

/// Puts together what is in force.
///
/// `good` holds, by add-on, the last repository in which it was good; `last` is what was in force before. A blocked add-on is
/// taken whole from its good repository, and is absent if it has none. Other objects with complaints, and those of files that
/// could not be read, stay as they were in `last`. Pruning is off while there is a complaint.
pub fn hold(loaded: Loaded, good: &BTreeMap<AddonName, Arc<Repository>>, last: Option<&Repository>) -> Repository {
    let Loaded { mut repository, complaints } = loaded;
    let broken: BTreeSet<ObjectKey> =
        complaints.iter().filter(|c| c.is_error()).filter_map(|c| c.object.clone()).collect();
    repository.objects.retain(|key, _| !broken.contains(key));
    for (key, declared) in last.into_iter().flat_map(|last| &last.objects) {
        let is_kept = broken.contains(key) || repository.unreadable.contains(&declared.place.file);
        if is_kept && !repository.objects.contains_key(key) {
            repository.objects.insert(key.clone(), declared.clone());
        }
    }
    let mut blocked = std::mem::take(&mut repository.blocked);
    // An add-on whose declaration lies in a file that cannot be read is blocked too, although nothing says its name.
    for file in &repository.unreadable {
        let names = good.iter().filter(|(name, repository)| is_from(name, repository, file));
        for (name, _) in names {
            blocked.entry(name.clone()).or_insert_with(|| format!("{file} cannot be read"));
        }
    }
    let mut whole = BTreeMap::new();
    for (name, reason) in blocked {
        let own = ObjectKey::new(key::ADDON_GROUP, "ClusterManagementAddOn", "", name.as_str());
        let Some(good) = good.get(&name).filter(|good| good.addons.contains_key(&name)) else {
            repository.objects.remove(&own);
            repository.blocked.insert(name, reason);
            continue;
        };
        repository.objects.retain(|key, _| !(is_addon_kind(key, "ManagedClusterAddOn") && key.name == name.as_str()));
        for key in dependencies(&name, &good.objects) {
            if let Some(declared) = good.objects.get(&key) {
                repository.objects.entry(key.clone()).or_insert_with(|| declared.clone());
                if key == own || is_addon_kind(&key, "ManagedClusterAddOn") {
                    repository.objects.insert(key, declared.clone());
                }
            }
        }
        whole.extend(good.addons.get(&name).map(|addon| (name.clone(), addon.clone())));
        repository.held.insert(name, Held { reason });
    }
    assemble(&mut repository);
    repository.addons.extend(whole);
    repository
}

/// Says whether any object that an add-on rests on comes from a file.
fn is_from(name: &AddonName, repository: &Repository, file: &str) -> bool {
    let rests_on = dependencies(name, &repository.objects);
    rests_on.iter().filter_map(|key| repository.objects.get(key)).any(|declared| declared.place.file == file)
}
