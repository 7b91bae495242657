//! Objects that a change moves to another unit.

use std::collections::BTreeMap;

use super::request::Request;
use super::way_back::taken_newly;
use tidegate_model::name::UnitName;
use tidegate_model::object::ObjectKey;
use tidegate_model::plural::counted;
use tidegate_repository::known_objects;

/// Returns a notice for each application that gives objects to another unit: its diff shows them as deleted, and its clusters keep them until the
/// other one has them. A plan of one unit has none.
pub(super) fn notices(request: &Request<'_>) -> Vec<String> {
    if request.only.is_some() {
        return Vec::new();
    }
    let (base, head) = (request.base.repository, request.head.repository);
    let changed =
        base.addons.iter().filter(|(name, unit)| name.addon().is_none() && head.digest(name) != Some(&unit.digest));
    let mut new = None;
    let mut moves: BTreeMap<(&UnitName, &UnitName), Vec<ObjectKey>> = BTreeMap::new();
    for (name, before) in changed {
        let kept = head.addons.get(name).map(|after| known_objects(name, after)).unwrap_or_default();
        let new = new.get_or_insert_with(|| taken_newly(base, head));
        for object in known_objects(name, before).into_iter().filter(|object| !kept.contains(object)) {
            if let Some(to) = new.get(&object) {
                moves.entry((name, to)).or_default().push(object);
            }
        }
    }
    moves.into_iter().filter_map(|((from, to), objects)| notice((from, to), &objects)).collect()
}

fn notice((from, to): (&UnitName, &UnitName), objects: &[ObjectKey]) -> Option<String> {
    let first = objects.first()?;
    let (what, verb, them) = match objects.len() - 1 {
        0 => (first.to_string(), "moves", "it"),
        more => (format!("{first} and {}", counted(more, "more object")), "move", "them"),
    };
    Some(format!("{what} {verb} from {from} to {to}: a cluster that will get {to} keeps {them} until then"))
}
