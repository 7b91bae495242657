//! Which units write an object.

use std::collections::{BTreeMap, BTreeSet};

use tidegate_model::name::UnitName;
use tidegate_model::object::ObjectKey;
use tidegate_repository::{Repository, known_objects};

/// The units that write an object, by the object.
pub(crate) type Writers = BTreeMap<ObjectKey, BTreeSet<UnitName>>;

/// Returns the units that write each object.
pub(crate) fn writers(repository: &Repository) -> Writers {
    let mut writers = Writers::new();
    for (name, unit) in repository.addons.iter() {
        for object in known_objects(name, unit) {
            writers.entry(object).or_default().insert(name.clone());
        }
    }
    writers
}
