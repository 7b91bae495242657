//! The lifecycle of CRDs: initial registration, completion of their status, and cleanup when they are deleted.

use std::sync::Arc;

use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use serde_json::{Map, Value, json};

use crate::kind::Catalog;
use crate::object;
use crate::request::Target;
use crate::store::Place;
use crate::verbs::transaction::Transaction;

/// The finalizer that keeps a CRD until its custom resources are gone.
const CLEANUP: &str = "customresourcecleanup.apiextensions.k8s.io";

impl Transaction<'_> {
    /// Inserts the CRDs from which the catalog was created.
    pub(crate) fn define(&mut self, crds: &[CustomResourceDefinition]) {
        let Some(target) = self.definitions() else { return };
        for crd in crds {
            // A typed CRD always serializes to JSON.
            let Ok(mut definition) = serde_json::to_value(crd) else { continue };
            self.stamp(&target, &mut definition);
            let name = object::text(&definition, "name").to_owned();
            self.put(&target, &name, definition);
        }
        self.redefines = false;
    }

    fn definitions(&self) -> Option<Target> {
        let kind = self.catalog.kinds().iter().find(|kind| kind.is_definition())?;
        let version = kind.storage.clone();
        Some(Target { kind: Arc::clone(kind), version, namespace: String::new(), name: None, subresource: None })
    }

    /// Completes a CRD before it is written: defaults its names, and sets its finalizer, generation and status.
    pub(in crate::verbs) fn establish(&self, place: &Place, definition: &mut Value) {
        let before = self.store.get(place);
        complete(definition);
        if !object::is_being_deleted(definition) && !object::finalizers(definition).contains(&CLEANUP) {
            let mut finalizers = object::finalizers(definition);
            finalizers.push(CLEANUP);
            let finalizers = json!(finalizers);
            object::set(definition, "finalizers", Some(finalizers));
        }
        let generation = |object: &Value| object::metadata(object, "generation").and_then(Value::as_u64);
        let generation = match &before {
            Some(before) if before.get("spec") == definition.get("spec") => generation(before).unwrap_or(1),
            Some(before) => generation(before).unwrap_or(0) + 1,
            None => 1,
        };
        object::set(definition, "generation", Some(json!(generation)));
        definition["status"] = self.established(definition, before.as_ref().and_then(|before| before.get("status")));
    }

    fn established(&self, definition: &Value, before: Option<&Value>) -> Value {
        let condition = |type_: &str, reason: &str, message: &str| {
            let conditions = before.and_then(|status| status.get("conditions")?.as_array()).into_iter().flatten();
            let known = conditions.into_iter().find(|condition| condition.get("type") == Some(&json!(type_)));
            known.cloned().unwrap_or_else(|| {
                json!({
                    "type": type_, "status": "True", "reason": reason, "message": message,
                    "lastTransitionTime": self.timestamp(),
                })
            })
        };
        let list = before.and_then(|status| status.get("storedVersions")?.as_array());
        let mut stored: Vec<Value> = list.cloned().unwrap_or_default();
        let versions = definition.pointer("/spec/versions").and_then(Value::as_array).into_iter().flatten();
        let storage = versions.filter(|version| version.get("storage") == Some(&json!(true)));
        for name in storage.filter_map(|version| version.get("name")) {
            if !stored.contains(name) {
                stored.push(name.clone());
            }
        }
        json!({
            "acceptedNames": definition.pointer("/spec/names"),
            "storedVersions": stored,
            "conditions": [
                condition("NamesAccepted", "NoConflicts", "no conflicts found"),
                condition("Established", "InitialNamesAccepted", "the initial names have been accepted"),
            ],
        })
    }

    /// Returns the catalog after this transaction if it may have changed. First deletes the custom resources of terminating CRDs,
    /// and the CRDs that have none left.
    pub(crate) fn redefined(&mut self) -> Option<Catalog> {
        if !self.redefines {
            return None;
        }
        let index = self.definitions()?.kind.index;
        let all: Vec<(Place, Value)> = self
            .store
            .objects(index, "")
            .map(|(key, object)| (Place::new(index, key.clone()), object.value()))
            .collect();
        for (place, definition) in all.iter().filter(|(_, definition)| object::is_being_deleted(definition)) {
            self.end_definition(place, definition);
        }
        let left = self.store.objects(index, "");
        let left = left.filter_map(|(_, definition)| serde_json::from_slice(definition.text()).ok());
        Some(self.catalog.redefined(&left.collect::<Vec<CustomResourceDefinition>>()))
    }

    fn end_definition(&mut self, place: &Place, definition: &Value) {
        let text = |path: &str| definition.pointer(path).and_then(Value::as_str).unwrap_or_default();
        let (group, plural) = (text("/spec/group"), text("/spec/names/plural"));
        let kind = self.catalog.kinds().iter().find(|kind| kind.custom && kind.group == group && kind.plural == plural);
        if let Some(index) = kind.map(|kind| kind.index) {
            let places: Vec<Place> =
                self.store.objects(index, "").map(|(key, _)| Place::new(index, key.clone())).collect();
            for place in &places {
                self.delete_at(place);
            }
            if self.store.objects(index, "").next().is_some() {
                return;
            }
        }
        if object::finalizers(definition).contains(&CLEANUP) {
            self.end_finalizer(place, definition, CLEANUP);
        }
    }
}

/// Fills in the names and the conversion strategy that a CRD leaves out.
fn complete(definition: &mut Value) {
    let Some(spec) = definition.get_mut("spec") else { return };
    integral_floats_to_integers(spec);
    let Some(spec) = spec.as_object_mut() else { return };
    if let Some(names) = spec.get_mut("names").and_then(Value::as_object_mut) {
        let kind = names.get("kind").and_then(Value::as_str).unwrap_or_default().to_owned();
        let missing = |names: &Map<String, Value>, name: &str| {
            names.get(name).and_then(Value::as_str).unwrap_or_default().is_empty()
        };
        if missing(names, "singular") {
            names.insert("singular".to_owned(), json!(kind.to_lowercase()));
        }
        if missing(names, "listKind") {
            names.insert("listKind".to_owned(), json!(format!("{kind}List")));
        }
    }
    spec.entry("conversion").or_insert_with(|| json!({ "strategy": "None" }));
}

/// Rewrites whole floating-point numbers as integers, as a real server does: the typed schema holds bounds as floats.
fn integral_floats_to_integers(value: &mut Value) {
    /// Beyond this, not every integer is exactly representable as a float.
    const EXACT: f64 = 9_007_199_254_740_992.0;
    match value {
        Value::Number(number) => {
            let float = number.as_f64().filter(|float| number.is_f64() && float.fract() == 0.0 && float.abs() < EXACT);
            if let Some(whole) = float.and_then(|float| format!("{float:.0}").parse::<i64>().ok()) {
                *value = json!(whole);
            }
        }
        Value::Array(items) => items.iter_mut().for_each(integral_floats_to_integers),
        Value::Object(members) => members.values_mut().for_each(integral_floats_to_integers),
        _ => {}
    }
}
