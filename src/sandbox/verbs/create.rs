//! Creation of objects.

use std::sync::Arc;

use serde_json::{Value, json};

use super::transaction::{Transaction, writable};
use super::{admission, namespace, validation};
use crate::sandbox::fields::{Actor, Managers};
use crate::sandbox::object;
use crate::sandbox::refusal::Refusal;
use crate::sandbox::request::{Target, WriteOptions};

impl Transaction<'_> {
    /// Creates an object and returns it in the version that is spoken.
    ///
    /// # Errors
    /// If the body is no such object, the namespace does not take it, or the name is taken.
    pub(crate) fn create(
        &mut self,
        target: &Target,
        mut body: Value,
        options: &WriteOptions,
    ) -> Result<Arc<Value>, Refusal> {
        writable(target)?;
        admission::accept_type(target, &mut body)?;
        admission::accept_namespace(target, &mut body)?;
        if !object::text(&body, "resourceVersion").is_empty() {
            return Err(Refusal::unclassified("resourceVersion should not be set on objects to be created"));
        }
        self.namespace_accepts(target, object::text(&body, "name"))?;
        self.insert(target, body, None, options)
    }

    /// Puts in an object that is not there yet. Without `managers` all its fields belong to who writes.
    pub(super) fn insert(
        &mut self,
        target: &Target,
        mut object: Value,
        managers: Option<Managers>,
        options: &WriteOptions,
    ) -> Result<Arc<Value>, Refusal> {
        admission::conform(target, &mut object, options.strict)?;
        if target.spoken().has_status {
            object::members_mut(&mut object).remove("status");
        }
        self.stamp(target, &mut object);
        namespace::label(target, &mut object);
        validation::validate(target, &object, None)?;
        let managers = managers.unwrap_or_else(|| {
            let mut managers = Managers::default();
            managers.record_update(&blank(target), &object, &self.actor(target, &options.manager));
            managers
        });
        managers.write(&mut object);
        namespace::activate(target, &mut object);
        let name = object::text(&object, "name").to_owned();
        if self.store.get(&target.place(&name)).is_some() {
            return Err(Refusal::already_exists(&target.kind, &name));
        }
        if options.dry_run {
            return Ok(Arc::new(object));
        }
        let stored = self.put(target, &name, &object);
        Ok(target.kind.present(&stored, &target.version))
    }

    /// Returns who writes.
    pub(super) fn actor<'b>(&self, target: &'b Target, manager: &'b str) -> Actor<'b> {
        let subresource = if target.status { "status" } else { "" };
        Actor { kind: &target.kind, version: &target.version, manager, subresource, now: self.now }
    }

    /// Sets the metadata that is the hub's to set.
    pub(super) fn stamp(&self, target: &Target, object: &mut Value) {
        let stem = object::text(object, "generateName").to_owned();
        if object::text(object, "name").is_empty() && !stem.is_empty() {
            let suffix = suffix(self.unique(target, &stem));
            object::set(object, "name", Some(json!(stem + &suffix)));
        }
        let uid = uid(self.unique(target, object::text(object, "name")));
        let now = self.timestamp();
        let metadata = object::metadata_mut(object);
        for member in ["selfLink", "deletionTimestamp", "deletionGracePeriodSeconds", "generation"] {
            metadata.remove(member);
        }
        metadata.insert("uid".to_owned(), json!(uid));
        metadata.insert("creationTimestamp".to_owned(), now);
        if target.kind.custom {
            metadata.insert("generation".to_owned(), json!(1));
        }
    }
}

/// Returns the object from which every object of a kind begins. The `spec` of a core kind is always there.
pub(super) fn blank(target: &Target) -> Value {
    let mut blank = json!({ "apiVersion": target.api_version(), "kind": target.kind.kind, "metadata": {} });
    if !target.kind.custom {
        blank["spec"] = json!({});
    }
    blank
}

fn uid(bytes: [u8; 32]) -> String {
    let hex: String = bytes.iter().take(16).map(|byte| format!("{byte:02x}")).collect();
    let part = |from: usize, to: usize| hex.get(from..to).unwrap_or_default().to_owned();
    [part(0, 8), part(8, 12), format!("4{}", part(13, 16)), format!("8{}", part(17, 20)), part(20, 32)].join("-")
}

/// Five characters that make no words, as a real server chooses them.
fn suffix(bytes: [u8; 32]) -> String {
    const ALPHABET: &[u8; 27] = b"bcdfghjklmnpqrstvwxz2456789";
    bytes.iter().take(5).map(|byte| char::from(ALPHABET[usize::from(*byte) % ALPHABET.len()])).collect()
}
