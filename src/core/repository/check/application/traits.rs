//! The traits of a component.

use std::collections::BTreeSet;

use serde_json::Value;

use super::schema::{listed, properties};
use crate::application::{COMPONENTS, Mistake, TRAITS, Types, mistakes};
use crate::definition::Definitions;
use crate::read::notes::Notes;
use tidegate_api::schema::path::Path;
use tidegate_model::name::{ApplicationName, NamespacedName};

/// What components are checked with.
pub(super) struct Basis<'d> {
    pub(super) definitions: &'d Definitions,
    /// The namespaces in which their objects are on clusters.
    pub(super) namespaces: BTreeSet<String>,
}

/// Returns the paths of the traits of a component as it is written.
pub(super) fn places(of_component: &Path, component: &Value) -> Vec<Path> {
    let at = of_component.member("traits");
    listed(component, "/traits").map(|(index, _)| at.item(index)).collect()
}

/// Adds the problems of the traits of a component, each at the path where it is written. What they change is known only if the component is
/// sound.
pub(super) fn check(
    notes: &mut Notes<'_>,
    (of_component, places, component): (&Path, &[Path], &Value),
    is_sound: bool,
    Basis { definitions, namespaces }: &Basis<'_>,
) {
    let before = notes.complaints.len();
    for ((_, given), at) in listed(component, "/traits").zip(places) {
        properties(notes, (at, given), &TRAITS, definitions);
    }
    let key = &notes.object.key;
    let name = ApplicationName::try_from(&NamespacedName::new(&key.namespace, &key.name));
    let Ok(name) = name else { return };
    if !is_sound || notes.complaints.len() > before {
        return;
    }
    // Only a definition can make a difference between namespaces.
    let is_built_in =
        |value: &Value, types: &Types| value["type"].as_str().is_some_and(|type_| types.schema(type_).is_some());
    let is_fixed = is_built_in(component, &COMPONENTS)
        && listed(component, "/traits").all(|(_, given)| is_built_in(given, &TRAITS));
    let found = namespaces.iter().take(if is_fixed { 1 } else { usize::MAX });
    let found = found.map(|namespace| mistakes((&name, namespace), component, definitions));
    let found = found.into_iter().find(|found| !found.is_empty());
    found.into_iter().flatten().for_each(|mistake| add(notes, (of_component, places), mistake));
}

fn add(notes: &mut Notes<'_>, (component, places): (&Path, &[Path]), mistake: Mistake) {
    let object = notes.object;
    let place = |index: usize| places.get(index).unwrap_or(component);
    match mistake {
        Mistake::Component(why) => notes.error(object.value_origin(component), format!("{component} {why}")),
        Mistake::At { index, at, why } => {
            let at = Path(place(index).0.iter().cloned().chain(at.0).collect());
            notes.error(object.value_origin(&at), format!("{at} {why}"));
        }
        Mistake::Conflict { index, earlier, field } => {
            let (at, earlier) = (place(index), place(earlier));
            let place = object.place_of(object.value_origin(earlier));
            let message = format!(
                "{at} sets {field} of the workload, which {earlier} at {place} sets to another value; keep one of the two"
            );
            notes.error(object.value_origin(at), message);
        }
    }
}
