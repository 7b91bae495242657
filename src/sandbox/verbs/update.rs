//! Updates of existing objects.

use std::sync::Arc;

use serde_json::{Value, json};

use super::Input;
use super::create;
use super::transaction::{Transaction, writable};
use crate::api_error::{ApiError, Cause};
use crate::fields::Managers;
use crate::object;
use crate::request::{Subresource, Target, WriteOptions};
use crate::verbs::body::admission;
use crate::verbs::body::decoding;
use crate::verbs::body::metadata;
use crate::verbs::body::validation;
use crate::verbs::core_kinds::strategy;
use crate::verbs::lifecycle::namespace;
use tidegate_go::quote::go_quoted;

/// The metadata fields that no update can change.
const FIXED: [&str; 7] = [
    "uid",
    "creationTimestamp",
    "generation",
    "deletionTimestamp",
    "deletionGracePeriodSeconds",
    "selfLink",
    "resourceVersion",
];

impl Transaction<'_> {
    /// Replaces an object or a subresource of it. Returns the object and whether it was created.
    ///
    /// # Errors
    /// If the body is not a valid object of the kind, or has an outdated resourceVersion.
    pub(crate) fn replace(
        &mut self,
        target: &Target,
        name: &str,
        input: impl Into<Input>,
        options: &WriteOptions,
    ) -> Result<(Arc<Value>, bool), ApiError> {
        writable(target)?;
        let Input { value: mut body, duplicates } = input.into();
        let wrong_kind = match admission::accept_type(target, &mut body) {
            Err(error) if error.code == 422 => Some(error),
            accepted => accepted.map(|()| None)?,
        };
        let managers = given_managers(&body);
        let decoded = decoding::decode(target, &mut body)
            .and_then(|unknown| self.check_fields(&duplicates, &unknown, options.validation))
            .map_err(|why| admission::undecodable(target, &target.kind.kind, &why));
        decoded?;
        admission::accept_namespace(target, &mut body)?;
        admission::accept_name(name, &body)?;
        let live = match self.live(target, name) {
            Err(_) if strategy::is_created_by_update(target) => {
                self.namespace_accepts(target, name)?;
                return Ok((self.insert(target, body, None, options)?, true));
            }
            live => live?,
        };
        check_uid(target, &live, &body)?;
        if let Some(error) = wrong_kind {
            return Err(error);
        }
        Ok((self.update(target, &live, body, managers, options)?, false))
    }

    /// Updates an object to its decoded next state.
    pub(super) fn update(
        &mut self,
        target: &Target,
        live: &Arc<Value>,
        next: Value,
        managers: Ownership,
        options: &WriteOptions,
    ) -> Result<Arc<Value>, ApiError> {
        let name = object::text(live, "name").to_owned();
        check_revision(target, live, &next)?;
        let uid = object::metadata(&next, "uid").cloned();
        let mut next = in_scope(target, live, next);
        namespace::label(target, &mut next);
        strategy::prepare(target, Some(live), &mut next);
        let mut as_given = json!({});
        as_given["metadata"] = next.get("metadata").cloned().unwrap_or_default();
        object::set(&mut as_given, "uid", uid.or_else(|| object::metadata(live, "uid").cloned()));
        validation::validate(target, &next, Some(live), metadata::changed(&target.kind, live, &as_given))?;
        strategy::validate(target, Some(live), &next)?;
        if target.kind.custom {
            self.warnings.extend(metadata::finalizer_warnings(Some(live), &next));
        }
        if target.kind.custom && admission::wants_something_else(target, live, &next) {
            let generation = object::metadata(live, "generation").and_then(Value::as_u64).unwrap_or(0);
            object::set(&mut next, "generation", Some(json!(generation + 1)));
        }
        self.managed(target, live, &next, managers, options).write(&mut next);
        if next == **live {
            return Ok(Arc::clone(live));
        }
        create::too_large(&next)?;
        if options.dry_run {
            return Ok(Arc::new(next));
        }
        // An object that is being deleted is removed together with its last finalizer.
        let is_finished = object::is_being_deleted(&next)
            && object::finalizers(&next).is_empty()
            && namespace::is_finished(target, &next);
        let stored = self.put(target, &name, next);
        if is_finished {
            self.remove(&target.place(&name));
        }
        Ok(target.kind.present(&stored, &target.version))
    }

    /// Returns the managers after an update.
    fn managed(
        &self,
        target: &Target,
        live: &Value,
        next: &Value,
        managers: Ownership,
        options: &WriteOptions,
    ) -> Managers {
        let mut managers = match managers {
            Ownership::Decided(managers) => return managers,
            // A write to a subresource cannot change `managedFields`.
            Ownership::Given(managers) if target.subresource.is_none() => managers,
            Ownership::Given(_) | Ownership::Kept => Managers::of(live),
        };
        managers.record_update(live, next, &self.actor(target, &options.manager));
        managers
    }
}

/// How a write determines the field managers.
pub(super) enum Ownership {
    /// The write does not set `managedFields`: its manager takes ownership of the fields that it changes.
    Kept,
    /// The write sets `managedFields` to this, before its own changes are recorded.
    Given(Managers),
    /// The managers after the write are already known.
    Decided(Managers),
}

/// Parses the `managedFields` of the body of a write.
///
/// # Source
/// `decodeLiveOrNew` of `k8s.io/apimachinery/pkg/util/managedfields`.
pub(super) fn given_managers(next: &Value) -> Ownership {
    if is_reset(next) {
        return Ownership::Given(Managers::default());
    }
    let given = Managers::of(next);
    if given.is_empty() { Ownership::Kept } else { Ownership::Given(given) }
}

/// # Source
/// `Preconditions.Check` of `k8s.io/apiserver/pkg/storage`.
fn check_uid(target: &Target, live: &Value, next: &Value) -> Result<(), ApiError> {
    let name = object::text(live, "name");
    let (expected, found) = (object::text(next, "uid"), object::text(live, "uid"));
    if expected.is_empty() || expected == found {
        return Ok(());
    }
    let group = match target.kind.group.as_str() {
        group if target.kind.custom => format!("{group}/"),
        _ => String::new(),
    };
    let key = target.place(name).key;
    let why = format!(
        "StorageError: invalid object, Code: 4, Key: /registry/{group}{}/{}, ResourceVersion: 0, AdditionalErrorMsg: \
         Precondition failed: UID in precondition: {expected}, UID in object meta: {found}",
        target.kind.plural,
        key.as_str()
    );
    Err(ApiError::conflict(&target.kind, name, &why))
}

fn check_revision(target: &Target, live: &Value, next: &Value) -> Result<(), ApiError> {
    let name = object::text(live, "name");
    match object::text(next, "resourceVersion") {
        "" | "0" if strategy::needs_revision(target) => {
            let cause = Cause::invalid("metadata.resourceVersion", "0", "must be specified for an update");
            Err(ApiError::invalid(&target.kind.group, &target.kind.plural, name, &[cause]))
        }
        "" | "0" => Ok(()),
        given if given.parse::<u64>().is_err() => {
            let given = go_quoted(given);
            Err(ApiError::unclassified(format!(
                "resourceVersion: Invalid value: {given}: strconv.ParseUint: parsing {given}: invalid syntax"
            )))
        }
        given if given != object::text(live, "resourceVersion") => Err(ApiError::modified(&target.kind, name)),
        _ => Ok(()),
    }
}

/// Returns `true` if `managedFields` is an empty list, or a list with one empty entry, which resets all ownership.
fn is_reset(next: &Value) -> bool {
    match object::metadata(next, "managedFields").and_then(Value::as_array).map(Vec::as_slice) {
        Some([]) => true,
        Some([only]) => only.as_object().is_some_and(serde_json::Map::is_empty),
        _ => false,
    }
}

/// Restores the fields that a write to this target cannot change: the metadata of the server, and the subresources or everything
/// but the subresource.
fn in_scope(target: &Target, live: &Value, next: Value) -> Value {
    if target.subresource == Some(Subresource::Status) && target.kind.custom {
        return with_status_alone(live, next);
    }
    let (mut kept, given) = if target.subresource.is_some() { (live.clone(), next) } else { (next, live.clone()) };
    match target.subresource {
        Some(Subresource::Finalize) => carry(&mut kept, &given, "spec"),
        Some(Subresource::Approval) => strategy::carry_approval(&mut kept, &given),
        Some(Subresource::Status) => {
            carry(&mut kept, &given, "status");
            strategy::carry_metadata(&mut kept, &given);
        }
        None => {
            if target.requested_version().has_status {
                carry(&mut kept, &given, "status");
            }
            if namespace::is_namespace(target) {
                carry(&mut kept, &given, "spec");
            }
        }
    }
    for member in FIXED {
        object::set(&mut kept, member, object::metadata(live, member).cloned());
    }
    object::set(&mut kept, "managedFields", object::metadata(live, "managedFields").cloned());
    kept
}

/// Restores all fields but the status. Most status writes change nothing else, so restoring the fields that differ is cheaper than
/// starting with a copy of the live object.
fn with_status_alone(live: &Value, mut next: Value) -> Value {
    let (members, known) = (object::members_mut(&mut next), live.as_object());
    members.retain(|name, _| name == "status" || known.is_some_and(|known| known.contains_key(name)));
    for (name, member) in known.into_iter().flatten().filter(|(name, _)| *name != "status") {
        if members.get(name) != Some(member) {
            members.insert(name.clone(), member.clone());
        }
    }
    next
}

/// Copies a field from one object to another; removes it if it is absent.
fn carry(to: &mut Value, from: &Value, member: &str) {
    let members = object::members_mut(to);
    match from.get(member) {
        Some(value) => members.insert(member.to_owned(), value.clone()),
        None => members.remove(member),
    };
}
