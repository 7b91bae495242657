//! The trait `env`.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::pods::first_container;
use crate::application::parsed::set;
use crate::application::schema::{object, text_map};
use crate::application::traits::target::Target;

/// Returns the schema of the properties.
pub(in crate::application::traits) fn schema() -> Value {
    object(&["env"], json!({ "env": text_map() }))
}

/// Sets variables of the first container. A variable that it has gets the new value, in its place.
pub(in crate::application::traits) fn apply(properties: &Map<String, Value>, target: &mut Target<'_>) {
    let Some(container) = target.objects.first_mut().and_then(first_container) else { return };
    let mut variables = container.get("env").and_then(Value::as_array).cloned().unwrap_or_default();
    let named = |(at, variable): (usize, &Value)| Some((variable.get("name")?.as_str()?.to_owned(), at));
    let known: BTreeMap<String, usize> = variables.iter().enumerate().filter_map(named).collect();
    for (name, value) in properties.get("env").and_then(Value::as_object).into_iter().flatten() {
        let new = json!({ "name": name, "value": value });
        match known.get(name).and_then(|at| variables.get_mut(*at)) {
            Some(known) => *known = new,
            None => variables.push(new),
        }
    }
    set(container, &["env"], Value::Array(variables));
}
