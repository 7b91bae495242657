//! Creation of objects.

use std::sync::Arc;

use serde_json::{Value, json};

use super::Input;
use super::transaction::{Transaction, writable};
use crate::api_error::ApiError;
use crate::fields::{Actor, Managers};
use crate::object;
use crate::request::{Subresource, Target, WriteOptions};
use crate::verbs::body::admission;
use crate::verbs::body::decoding;
use crate::verbs::body::metadata;
use crate::verbs::body::validation;
use crate::verbs::core_kinds::strategy;
use crate::verbs::lifecycle::namespace;

/// How many names are tried if the generated ones exist.
///
/// # Source
/// `maxNameGenerationCreateAttempts` in `k8s.io/apiserver/pkg/registry/generic/registry/store.go`.
const NAME_ATTEMPTS: u32 = 8;

/// Maximum length of the `generateName` prefix in a generated name.
const STEM_LIMIT: usize = 58;

/// The largest object that etcd accepts, in bytes.
const OBJECT_LIMIT: usize = 1536 * 1024;

impl Transaction<'_> {
    /// Creates an object and returns it in the version of the request.
    ///
    /// # Errors
    /// If the body is not a valid object of the kind, the namespace is missing or terminating, or the name is already in use.
    pub(crate) fn create(
        &mut self,
        target: &Target,
        input: impl Into<Input>,
        options: &WriteOptions,
    ) -> Result<Arc<Value>, ApiError> {
        writable(target)?;
        let Input { value: mut body, duplicates } = input.into();
        // A wrong kind is reported only after the checks of the namespace.
        let wrong_kind = match admission::accept_type(target, &mut body) {
            Err(error) if error.code == 422 => Some(error),
            accepted => accepted.map(|()| None)?,
        };
        let decoded = decoding::decode(target, &mut body)
            .and_then(|unknown| self.check_fields(&duplicates, &unknown, options.validation))
            .map_err(|why| admission::undecodable(target, &target.kind.kind, &why));
        decoded?;
        admission::accept_namespace(target, &mut body)?;
        self.namespace_accepts(target, object::text(&body, "name"))?;
        if let Some(error) = wrong_kind {
            return Err(error);
        }
        self.insert(target, body, None, options)
    }

    /// Inserts an object that does not exist yet. Without `managers`, the manager of the write owns all its fields.
    pub(super) fn insert(
        &mut self,
        target: &Target,
        mut object: Value,
        managers: Option<Managers>,
        options: &WriteOptions,
    ) -> Result<Arc<Value>, ApiError> {
        if target.requested_version().has_status {
            object::members_mut(&mut object).remove("status");
        }
        let resource_version = object::text(&object, "resourceVersion").to_owned();
        object::set(&mut object, "resourceVersion", None);
        self.stamp(target, &mut object);
        namespace::label(target, &mut object);
        strategy::prepare(target, None, &mut object);
        validation::validate(target, &object, None, metadata::created(&target.kind, &object))?;
        strategy::validate(target, None, &object)?;
        if target.kind.custom {
            self.warnings.extend(metadata::finalizer_warnings(None, &object));
        }
        let managers = managers.unwrap_or_else(|| {
            let mut managers = Managers::default();
            managers.record_update(&blank(target), &object, &self.actor(target, &options.manager));
            managers
        });
        managers.write(&mut object);
        namespace::activate(target, &mut object);
        strategy::finish(target, &options.requester, &mut object);
        let name = object::text(&object, "name").to_owned();
        if !resource_version.is_empty() {
            return Err(ApiError::unclassified("resourceVersion should not be set on objects to be created"));
        }
        if self.store.contains(&target.place(&name)) {
            return Err(ApiError::already_exists(&target.kind, &name));
        }
        too_large(&object)?;
        if options.dry_run {
            return Ok(Arc::new(object));
        }
        let stored = self.put(target, &name, object);
        Ok(target.kind.present(&stored, &target.version))
    }

    /// Returns the actor of a write.
    pub(super) fn actor<'b>(&self, target: &'b Target, manager: &'b str) -> Actor<'b> {
        let subresource = target.subresource.map_or("", Subresource::as_str);
        Actor { kind: &target.kind, version: &target.version, manager, subresource, now: self.now }
    }

    /// Sets the metadata that only the server sets.
    pub(super) fn stamp(&self, target: &Target, object: &mut Value) {
        let stem = object::text(object, "generateName").to_owned();
        if object::text(object, "name").is_empty() && !stem.is_empty() {
            object::set(object, "name", Some(json!(self.generated_name(target, &stem))));
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

    /// Returns a name with this prefix that no object has, or the last name that was tried.
    fn generated_name(&self, target: &Target, prefix: &str) -> String {
        let stem: String = prefix.chars().take(STEM_LIMIT).collect();
        let name = |attempt: u32| stem.clone() + &suffix(self.unique(target, &format!("{attempt}/{prefix}")));
        (1..NAME_ATTEMPTS).map(name).find(|name| !self.store.contains(&target.place(name))).unwrap_or_else(|| name(0))
    }
}

/// Returns an empty object of a kind.
pub(super) fn blank(target: &Target) -> Value {
    let mut blank = json!({ "apiVersion": target.api_version(), "kind": target.kind.kind, "metadata": {} });
    object::fill_absent(&mut blank, &strategy::silent(target));
    blank
}

/// Refuses an object that is too large for etcd.
///
/// # Errors
/// Code 500, with the message of a real server.
pub(super) fn too_large(object: &Value) -> Result<(), ApiError> {
    let size = size(object, OBJECT_LIMIT);
    if size <= OBJECT_LIMIT {
        return Ok(());
    }
    Err(ApiError::unclassified("etcdserver: request is too large"))
}

/// Returns the approximate size of a value as JSON, in bytes; stops counting once it exceeds the limit.
fn size(value: &Value, limit: usize) -> usize {
    match value {
        Value::String(text) => text.len() + 2,
        Value::Array(items) => {
            items.iter().fold(2, |sum, item| if sum > limit { sum } else { sum + size(item, limit) + 1 })
        }
        Value::Object(members) => members
            .iter()
            .fold(2, |sum, (name, member)| if sum > limit { sum } else { sum + name.len() + 4 + size(member, limit) }),
        _ => 4,
    }
}

fn uid(bytes: [u8; 32]) -> String {
    let hex: String = bytes.iter().take(16).map(|byte| format!("{byte:02x}")).collect();
    let part = |from: usize, to: usize| hex.get(from..to).unwrap_or_default().to_owned();
    [part(0, 8), part(8, 12), format!("4{}", part(13, 16)), format!("8{}", part(17, 20)), part(20, 32)].join("-")
}

/// Returns a random-looking suffix of five characters, from the alphabet of a real server, which cannot form words.
fn suffix(bytes: [u8; 32]) -> String {
    const ALPHABET: &[u8; 27] = b"bcdfghjklmnpqrstvwxz2456789";
    bytes.iter().take(5).map(|byte| char::from(ALPHABET[usize::from(*byte) % ALPHABET.len()])).collect()
}
