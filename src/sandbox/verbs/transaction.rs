//! Transactions: a write with all of its consequences.

use std::collections::VecDeque;
use std::sync::Arc;

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::api_error::ApiError;
use crate::kind::Catalog;
use crate::object;
use crate::request::{FieldValidation, Target};
use crate::store::{Place, Store};
use tidegate_model::time::{Timestamp, to_seconds};

/// A follow-up task of a write.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Task {
    /// Delete the object if all of its owners are gone.
    Ownership(Place),
    /// Process the dependents of an object that is being deleted.
    Dependants(Place),
    /// Delete the contents of a terminating namespace, then the namespace.
    Namespace(String),
}

/// The result of a write of one object.
#[derive(Debug, Clone)]
pub(crate) struct Written {
    /// The object, in the version of the request.
    pub(crate) object: Arc<Value>,
    /// Whether the object was created.
    pub(crate) is_new: bool,
    /// The warnings for the response.
    pub(crate) warnings: Vec<String>,
}

/// A write to the store.
pub(crate) struct Transaction<'a> {
    /// The catalog of served kinds.
    pub(crate) catalog: &'a Catalog,
    /// The store to write to.
    pub(crate) store: &'a mut Store,
    /// The time of the write.
    pub(crate) now: Timestamp,
    /// The warnings for the response.
    pub(crate) warnings: Vec<String>,
    /// Whether the served kinds may have changed.
    pub(super) redefines: bool,
    /// The follow-up tasks that remain.
    pub(super) tasks: VecDeque<Task>,
}

impl<'a> Transaction<'a> {
    /// Starts a transaction.
    pub(crate) fn new(catalog: &'a Catalog, store: &'a mut Store, now: Timestamp) -> Self {
        Self { catalog, store, now, warnings: Vec::new(), redefines: false, tasks: VecDeque::new() }
    }

    /// Returns the result of a write, with the warnings so far.
    pub(crate) fn written(&mut self, object: Arc<Value>, is_new: bool) -> Written {
        Written { object, is_new, warnings: std::mem::take(&mut self.warnings) }
    }

    /// Returns `true` if the writes so far have no further consequences.
    pub(crate) fn is_all(&self) -> bool {
        self.tasks.is_empty() && !self.redefines
    }

    /// Stores an object given in any served version.
    pub(super) fn put(&mut self, target: &Target, name: &str, value: Value) -> Arc<Value> {
        let place = target.place(name);
        let mut value = target.kind.converted(value, &target.kind.storage);
        if target.kind.is_definition() {
            self.redefines = true;
            self.establish(&place, &mut value);
        }
        let known = self.store.stored(&place).cloned();
        let stored = self.store.put(place.clone(), value);
        let is_owned_alike = known.is_some_and(|known| known.owners().eq(object::owners(&stored)));
        if !is_owned_alike && object::owners(&stored).next().is_some() {
            self.tasks.push_back(Task::Ownership(place.clone()));
        }
        if object::is_being_deleted(&stored) {
            self.tasks.push_back(Task::Dependants(place));
        }
        stored
    }

    /// Removes an object and returns its last state.
    pub(super) fn remove(&mut self, place: &Place) -> Option<Arc<Value>> {
        let last = self.store.remove(place)?;
        let kind = self.catalog.kinds().get(place.kind);
        self.redefines |= kind.is_some_and(|kind| kind.is_definition() || kind.is_ending);
        let orphans = self.store.dependants(object::text(&last, "uid")).cloned().map(Task::Ownership);
        self.tasks.extend(orphans);
        let owners = object::owners(&last).filter_map(|uid| self.store.place_of(uid).cloned());
        self.tasks.extend(owners.map(Task::Dependants));
        if !place.key.namespace().is_empty() {
            self.tasks.push_back(Task::Namespace(place.key.namespace().to_owned()));
        }
        Some(last)
    }

    /// Returns the object that a request names, in the version of the request.
    ///
    /// # Errors
    /// Not found.
    pub(super) fn live(&self, target: &Target, name: &str) -> Result<Arc<Value>, ApiError> {
        let found = self.store.get(&target.place(name)).ok_or_else(|| ApiError::not_found(&target.kind, name))?;
        Ok(target.kind.present(&found, &target.version))
    }

    /// Handles duplicate and unknown fields according to the `fieldValidation` option.
    ///
    /// # Errors
    /// The message that lists all of them, if the validation is strict.
    pub(super) fn check_fields(
        &mut self,
        duplicates: &[String],
        unknown: &[String],
        validation: FieldValidation,
    ) -> Result<(), String> {
        let duplicates = duplicates.iter().map(|path| format!("duplicate field \"{path}\""));
        let unknown = unknown.iter().map(|path| format!("unknown field \"{path}\""));
        let odd: Vec<String> = duplicates.chain(unknown).collect();
        match validation {
            FieldValidation::Strict if !odd.is_empty() => Err(format!("strict decoding error: {}", odd.join(", "))),
            FieldValidation::Warn => {
                self.warnings.extend(odd);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Returns the current time in the format of metadata.
    pub(super) fn timestamp(&self) -> Value {
        json!(to_seconds(self.now).to_string())
    }

    /// Returns a hash that is unique to an object, because every write has its own revision.
    pub(super) fn unique(&self, target: &Target, name: &str) -> [u8; 32] {
        let text =
            format!("{}/{}/{}/{name}/{}", self.store.revision(), target.kind.qualified(), target.namespace, self.now);
        Sha256::digest(text).into()
    }
}

/// Refuses writes of namespaced objects without a namespace.
///
/// # Errors
/// Method not allowed.
pub(super) fn writable(target: &Target) -> Result<(), ApiError> {
    if target.kind.namespaced && target.namespace.is_empty() {
        return Err(ApiError::method_not_allowed());
    }
    Ok(())
}
