//! Rollbacks that a change makes impossible: another unit gets an object that a unit would have again.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::request::Request;
use tidegate_api::key::CONFIG_SPEC_HASH;
use tidegate_api::ocm::manifest_work::ManifestWork;
use tidegate_model::name::UnitName;
use tidegate_model::object::ObjectKey;
use tidegate_repository::{Repository, Unit, known_objects, taken};

/// Returns a notice for each unit that could no longer go back: to the base, or to what clusters still have of it. A plan of one unit has none.
pub(super) fn lost(request: &Request<'_>) -> Vec<String> {
    if request.only.is_some() {
        return Vec::new();
    }
    let (base, head) = (request.base.repository, request.head.repository);
    let revision = &request.base.revision;
    let of_base = revision.commit.as_ref().map_or_else(|| revision.name.clone(), |commit| commit.short().to_owned());
    let mut notices = Vec::new();
    let mut new = None;
    for (name, after) in head.addons.iter() {
        let before = base.addons.get(name);
        if let Some(why) = before.and_then(|before| taken(head, (name, after, before))) {
            notices.push(format!("{name} could not go back to {of_base}: {why}"));
            continue;
        }
        let new = new.get_or_insert_with(|| taken_newly(base, head));
        let Some((object, taker)) = still_there(request, (name, after, before), new) else { continue };
        notices.push(format!(
            "{name} could not go back to what clusters still have of it: {object} belongs to {taker} now"
        ));
    }
    notices
}

/// Returns the objects that units of the head have, and not in the base, with these units.
pub(super) fn taken_newly<'r>(base: &Repository, head: &'r Repository) -> BTreeMap<ObjectKey, &'r UnitName> {
    let mut new = BTreeMap::new();
    let changed = head.addons.iter().filter(|(name, unit)| base.digest(name) != Some(&unit.digest));
    for (name, unit) in changed {
        let before = base.addons.get(name).map(|before| known_objects(name, before)).unwrap_or_default();
        new.extend(known_objects(name, unit).difference(&before).map(|object| (object.clone(), name)));
    }
    new
}

/// Returns an object in a work of an earlier version of a unit that another unit has newly, with that unit.
fn still_there<'n>(
    request: &Request<'_>,
    (name, after, before): (&UnitName, &Unit, Option<&Unit>),
    new: &'n BTreeMap<ObjectKey, &UnitName>,
) -> Option<(&'n ObjectKey, &'n UnitName)> {
    let hashes: BTreeSet<&str> = [Some(after), before]
        .into_iter()
        .flatten()
        .flat_map(|unit| unit.configurations.values())
        .map(|content| content.spec_hash.as_str())
        .collect();
    // Most works have the content of one of the two revisions, and are not read.
    let is_earlier = |work: &&Arc<ManifestWork>| {
        let annotations = work.metadata.annotations.as_ref();
        let carried = annotations.and_then(|all| all.get(CONFIG_SPEC_HASH));
        carried.is_some_and(|carried| !hashes.iter().any(|hash| carried.contains(hash)))
    };
    let clusters = request.fleet.works.get(name).into_iter().flat_map(|clusters| clusters.values());
    let works = clusters.flat_map(|works| works.values()).filter(|_| !new.is_empty()).filter(is_earlier);
    let mut objects = works
        .filter_map(|work| work.spec.workload.as_ref())
        .flat_map(|workload| workload.objects())
        .filter_map(|object| ObjectKey::of(&object));
    objects.find_map(|object| {
        new.get_key_value(&object).filter(|(_, taker)| **taker != name).map(|(key, taker)| (key, *taker))
    })
}
