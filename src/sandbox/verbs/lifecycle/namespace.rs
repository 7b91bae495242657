//! The lifecycle of namespaces.

use serde_json::{Value, json};

use crate::api_error::{ApiError, Cause};
use crate::object;
use crate::request::Target;
use crate::store::{Key, Place};
use crate::verbs::transaction::Transaction;

/// The finalizer in the `spec` that keeps a namespace until it is empty.
const FINALIZER: &str = "kubernetes";

/// The namespaces that cannot be deleted.
const IMMORTAL: [&str; 3] = ["default", "kube-system", "kube-public"];

const NAME_LABEL: &str = "kubernetes.io/metadata.name";

/// Returns `true` if the objects of a target are namespaces.
pub(in crate::verbs) fn is_namespace(target: &Target) -> bool {
    target.kind.group.is_empty() && target.kind.kind == "Namespace"
}

/// Sets the label that every namespace has.
pub(in crate::verbs) fn label(target: &Target, object: &mut Value) {
    if is_namespace(target) {
        let name = json!(object::text(object, "name"));
        let labels = object::metadata_mut(object).entry("labels").or_insert_with(|| json!({}));
        object::members_mut(labels).insert(NAME_LABEL.to_owned(), name);
    }
}

/// Sets the finalizer and the phase of a new namespace, which only the server sets.
pub(in crate::verbs) fn activate(target: &Target, object: &mut Value) {
    if is_namespace(target) {
        let listed = object.pointer("/spec/finalizers").and_then(Value::as_array);
        let mut finalizers = listed.cloned().unwrap_or_default();
        if !finalizers.contains(&json!(FINALIZER)) {
            finalizers.push(json!(FINALIZER));
        }
        object["spec"] = json!({ "finalizers": finalizers });
        object["status"] = json!({ "phase": "Active" });
    }
}

/// Returns `true` if an object is a namespace that still has finalizers in its `spec`.
pub(in crate::verbs) fn is_used(target: &Target, object: &Value) -> bool {
    let finalizers = object.pointer("/spec/finalizers").and_then(Value::as_array);
    is_namespace(target) && finalizers.is_some_and(|finalizers| !finalizers.is_empty())
}

/// Returns `true` if nothing but the finalizers in its metadata can keep an object that is being deleted.
pub(in crate::verbs) fn is_finished(target: &Target, object: &Value) -> bool {
    !is_used(target, object)
}

/// Refuses the deletion of namespaces that every cluster must have.
///
/// # Errors
/// Forbidden.
pub(in crate::verbs) fn may_be_deleted(target: &Target, name: &str) -> Result<(), ApiError> {
    if is_namespace(target) && IMMORTAL.contains(&name) {
        return Err(ApiError::forbidden(&target.kind, name, "this namespace may not be deleted"));
    }
    Ok(())
}

impl Transaction<'_> {
    /// Returns the place of a namespace.
    pub(in crate::verbs) fn namespace_place(&self, name: &str) -> Option<Place> {
        Some(Place::new(self.catalog.named("", "Namespace")?.index, Key::new("", name)))
    }

    /// Checks that objects may be created in the namespace of a target.
    ///
    /// # Errors
    /// Not found, or forbidden if the namespace is terminating.
    pub(in crate::verbs) fn namespace_accepts(&self, target: &Target, name: &str) -> Result<(), ApiError> {
        if target.namespace.is_empty() {
            return Ok(());
        }
        let namespaces = self.catalog.named("", "Namespace");
        let found = self.namespace_place(&target.namespace).and_then(|place| self.store.get(&place));
        match (found, namespaces) {
            (Some(namespace), _) if object::is_being_deleted(&namespace) => {
                let why = format!(
                    "unable to create new content in namespace {} because it is being terminated",
                    target.namespace
                );
                let is_ending = format!("namespace {} is being terminated", target.namespace);
                let cause = Cause::new("NamespaceTerminating", "metadata.namespace", is_ending);
                Err(ApiError::forbidden(&target.kind, name, &why).because(&cause))
            }
            (None, Some(namespaces)) => Err(ApiError::not_found(namespaces, &target.namespace)),
            _ => Ok(()),
        }
    }
}
