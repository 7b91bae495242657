//! Objects that a unit takes from one that is held at its last good revision.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::complaint::{Complaint, Rule};
use crate::digest::known_objects as objects;
use crate::types::Repository;
use crate::unit::{Source, Unit};
use tidegate_api::object_key;
use tidegate_model::diagnostic::{Diagnostic, Place};
use tidegate_model::name::UnitName;
use tidegate_model::object::ObjectKey;

/// Last good repositories by unit.
type Good = BTreeMap<UnitName, Arc<Repository>>;

/// Blocks the units with an object of another unit that is blocked, and so is in force as it was: the two would overwrite each other. A unit
/// whose own last good revision has the object takes nothing.
///
/// A unit that is blocked here is in force as it was as well, so others may be blocked because of it.
pub(super) fn block(repository: &mut Repository, good: &Good) {
    let is_held = |unit: &&UnitName| !repository.candidates.contains_key(*unit);
    let mut new: Vec<UnitName> = repository.blocked.keys().filter(is_held).cloned().collect();
    if new.is_empty() {
        return;
    }
    let mut writers: BTreeMap<ObjectKey, Vec<UnitName>> = BTreeMap::new();
    for (name, unit) in repository.addons.iter() {
        for object in objects(name, unit) {
            writers.entry(object).or_default().push(name.clone());
        }
    }
    while let Some(holder) = new.pop() {
        for object in last_good(&holder, good) {
            for taker in writers.get(&object).into_iter().flatten() {
                let is_own = *taker == holder || last_good(taker, good).contains(&object);
                if is_own || repository.blocked.contains_key(taker) {
                    continue;
                }
                let complaint = complaint(repository, taker, (&object, &holder));
                repository.blocked.insert(taker.clone(), vec![complaint]);
                new.push(taker.clone());
            }
        }
    }
}

/// Returns why a unit cannot go back from `new` to `old`: another unit has an object now that it would have again.
pub fn taken(repository: &Repository, (name, new, old): (&UnitName, &Unit, &Unit)) -> Option<String> {
    let (now, before) = (objects(name, new), objects(name, old));
    let again: BTreeSet<&ObjectKey> = before.difference(&now).collect();
    let others = repository.addons.iter().filter(|(other, _)| !again.is_empty() && *other != name);
    let mut taken = others.filter_map(|(other, unit)| {
        let object = objects(other, unit).into_iter().find(|object| again.contains(object))?;
        Some(format!("{object} belongs to {other} now"))
    });
    taken.next()
}

/// Returns the objects that a unit has as it was; none if it was never good.
fn last_good(unit: &UnitName, good: &Good) -> BTreeSet<ObjectKey> {
    let before = good.get(unit).and_then(|good| good.addons.get(unit));
    before.map(|before| objects(unit, before)).unwrap_or_default()
}

fn complaint(repository: &Repository, taker: &UnitName, (object, holder): (&ObjectKey, &UnitName)) -> Complaint {
    let message = format!(
        "{object} would be taken over from {holder}, which stays at its last good revision because of its errors; fix them first"
    );
    let diagnostic = Diagnostic::error(place(repository, taker), message);
    Complaint { addons: Arc::new([taker.clone()].into()), ..Complaint::new(Rule::Template, diagnostic) }
}

/// Returns the place where a unit is declared.
fn place(repository: &Repository, unit: &UnitName) -> Place {
    let declared = || repository.objects.get(&object_key::addon(unit.as_str())).map(|declared| declared.place.clone());
    match repository.addons.get(unit).map(|unit| &unit.source) {
        Some(Source::Application(application)) => application.place.clone(),
        _ => declared().unwrap_or_else(|| Place::start_of("")),
    }
}
