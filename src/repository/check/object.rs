//! Which checks an object goes through.

use super::{addon, metadata, placement, schema, strategy, template};
use crate::api::key;
use crate::repository::complaint::{Complaint, Notes};
use crate::repository::object::Object;

/// Adds everything that is wrong with one object, whatever the others are.
pub(in crate::repository) fn check(object: &Object, complaints: &mut Vec<Complaint>) {
    let mut found = Vec::new();
    let mut notes = Notes { object, complaints: &mut found };
    metadata::check(&mut notes);
    schema::check(&mut notes);
    let by_schema = found.len();
    let mut notes = Notes { object, complaints: &mut found };
    match (object.key.group.as_str(), object.key.kind.as_str()) {
        (key::ADDON_GROUP, "ClusterManagementAddOn") => {
            addon::check(&mut notes);
            strategy::check(&mut notes);
        }
        (key::ADDON_GROUP, "AddOnTemplate") => template::check(&mut notes),
        (key::CLUSTER_GROUP, "Placement") => placement::check(&mut notes),
        (key::CLUSTER_GROUP, "ManagedClusterSetBinding") => addon::check_binding(&mut notes),
        _ => {}
    }
    // Where the schema has spoken, a second sentence about the same value helps nobody.
    let beyond = found.split_off(by_schema);
    let new = beyond.into_iter().filter(|new| found.iter().all(|old| old.place != new.place)).collect::<Vec<_>>();
    complaints.append(&mut found);
    complaints.extend(new);
}
