//! The traits of a component.

use serde_json::Value;

use super::schema::{listed, properties};
use crate::application::{Mistake, TRAITS, mistakes};
use crate::read::notes::Notes;
use tidegate_api::schema::path::Path;
use tidegate_model::name::{ApplicationName, NamespacedName};

/// Adds the problems of the traits. What they change is known only if the component is sound.
pub(super) fn check(notes: &mut Notes<'_>, at: &Path, component: &Value, is_sound: bool) {
    let before = notes.complaints.len();
    let at = at.member("traits");
    for (index, of_component) in listed(component, "/traits") {
        properties(notes, (&at.item(index), of_component), &TRAITS);
    }
    let key = &notes.object.key;
    let name = ApplicationName::try_from(&NamespacedName::new(&key.namespace, &key.name));
    let Ok(name) = name else { return };
    if is_sound && notes.complaints.len() == before {
        mistakes(&name, component).into_iter().for_each(|mistake| add(notes, &at, mistake));
    }
}

fn add(notes: &mut Notes<'_>, traits: &Path, mistake: Mistake) {
    let object = notes.object;
    match mistake {
        Mistake::At { index, at, why } => {
            let at = Path(traits.item(index).0.into_iter().chain(at.0).collect());
            notes.error(object.value_origin(&at), format!("{at} {why}"));
        }
        Mistake::Conflict { index, earlier, field } => {
            let (at, earlier) = (traits.item(index), traits.item(earlier));
            let place = object.place_of(object.value_origin(&earlier));
            let message = format!(
                "{at} sets {field} of the workload, which {earlier} at {place} sets to another value; keep one of the two"
            );
            notes.error(object.value_origin(&at), message);
        }
    }
}
