//! What a change of one add-on changes besides, and what it breaks.

use std::collections::BTreeSet;

use crate::complaint::Complaint;
use crate::types::{Loaded, Repository};
use tidegate_model::name::UnitName;
use tidegate_model::object::ObjectKey;

/// Maximum complaints, add-ons and objects that a refusal lists.
pub(crate) const MAX_LISTED: usize = 5;

/// Returns the first errors that a repository did not have before.
pub(crate) fn new_errors(before: &Loaded, after: &Loaded) -> Vec<String> {
    let is_new = |complaint: &&Complaint| complaint.is_error() && !before.complaints.contains(complaint);
    after.complaints.iter().filter(is_new).take(MAX_LISTED).map(ToString::to_string).collect()
}

/// Returns the first of the other add-ons and objects that a repository has differently. `own` are the objects of the add-on.
pub(crate) fn others(
    before: &Repository,
    after: &Repository,
    addon: &UnitName,
    own: &BTreeSet<ObjectKey>,
) -> Vec<String> {
    let addons = before.addons.keys().chain(after.addons.keys().filter(|addon| !before.addons.contains_key(*addon)));
    let addons = addons.filter(|other| *other != addon && before.digest(other) != after.digest(other));
    let objects = before.objects.keys().chain(after.objects.keys().filter(|key| !before.objects.contains_key(*key)));
    let object =
        |repository: &Repository, key: &ObjectKey| repository.objects.get(key).map(|declared| declared.object.clone());
    let objects = objects.filter(|key| !own.contains(*key) && object(before, key) != object(after, key));
    let addons = addons.map(|addon| format!("add-on {addon}")).take(MAX_LISTED);
    addons.chain(objects.map(ToString::to_string).take(MAX_LISTED)).collect()
}
