//! The definitions of the served kinds, as objects that clients can read.

use std::sync::Arc;

use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use serde_json::{Value, json};

use super::transaction::Transaction;
use crate::sandbox::object;
use crate::sandbox::request::Target;

impl Transaction<'_> {
    /// Puts in the CRDs, as established.
    pub(crate) fn define(&mut self, crds: &[CustomResourceDefinition]) {
        let Some(kind) = self.catalog.named("apiextensions.k8s.io", "CustomResourceDefinition") else { return };
        let version = kind.storage.clone();
        let target =
            Target { kind: Arc::clone(kind), version, namespace: String::new(), name: None, subresource: None };
        for crd in crds {
            // A typed CRD always turns into JSON; one that did not could only be missing from this list.
            let Ok(mut definition) = serde_json::to_value(crd) else { continue };
            self.stamp(&target, &mut definition);
            object::set(&mut definition, "generation", Some(json!(1)));
            definition["status"] = self.established(&definition);
            self.put(&target, object::text(&definition.clone(), "name"), &definition);
        }
    }

    fn established(&self, definition: &Value) -> Value {
        let condition = |type_: &str, reason: &str, message: &str| {
            json!({
                "type": type_, "status": "True", "reason": reason, "message": message,
                "lastTransitionTime": self.timestamp(),
            })
        };
        let versions = definition.pointer("/spec/versions").and_then(Value::as_array).into_iter().flatten();
        let stored: Vec<&Value> = versions
            .filter(|version| version.get("storage") == Some(&json!(true)))
            .filter_map(|version| version.get("name"))
            .collect();
        json!({
            "acceptedNames": definition.pointer("/spec/names"),
            "storedVersions": stored,
            "conditions": [
                condition("NamesAccepted", "NoConflicts", "no conflicts found"),
                condition("Established", "InitialNamesAccepted", "the initial names have been accepted"),
            ],
        })
    }
}
