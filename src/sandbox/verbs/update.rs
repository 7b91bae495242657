//! Changes of objects that are there.

use std::sync::Arc;

use serde_json::{Value, json};

use super::transaction::{Transaction, writable};
use super::{admission, namespace, validation};
use crate::sandbox::fields::Managers;
use crate::sandbox::object;
use crate::sandbox::refusal::{Cause, Refusal};
use crate::sandbox::request::{Target, WriteOptions};

/// The metadata that no write can change.
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
    /// Replaces an object, or its status.
    ///
    /// # Errors
    /// If the body is no such object, or was made from an older state.
    pub(crate) fn replace(
        &mut self,
        target: &Target,
        name: &str,
        mut body: Value,
        options: &WriteOptions,
    ) -> Result<Arc<Value>, Refusal> {
        writable(target)?;
        admission::accept_type(target, &mut body)?;
        admission::accept_name(name, &body)?;
        admission::accept_namespace(target, &mut body)?;
        let live = self.live(target, name)?;
        if target.kind.custom && object::text(&body, "resourceVersion").is_empty() {
            let cause = Cause::invalid("metadata.resourceVersion", "0", "must be specified for an update");
            return Err(Refusal::invalid(&target.kind.group, &target.kind.plural, name, &[cause]));
        }
        self.update(target, &live, body, None, options)
    }

    /// Takes an object to its next state. Without `managers` what changes belongs to who writes.
    pub(super) fn update(
        &mut self,
        target: &Target,
        live: &Arc<Value>,
        mut next: Value,
        managers: Option<Managers>,
        options: &WriteOptions,
    ) -> Result<Arc<Value>, Refusal> {
        let name = object::text(live, "name").to_owned();
        let resets_managers = is_reset(&next);
        admission::conform(target, &mut next, options.strict)?;
        check_preconditions(target, live, &next)?;
        let mut next = in_scope(target, live, next);
        namespace::label(target, &mut next);
        validation::validate(target, &next, Some(live))?;
        check_finalizers(target, live, &next)?;
        if target.kind.custom && admission::wants_something_else(target, live, &next) {
            let generation = object::metadata(live, "generation").and_then(Value::as_u64).unwrap_or(0);
            object::set(&mut next, "generation", Some(json!(generation + 1)));
        }
        let managers = managers.unwrap_or_else(|| {
            let mut managers = if resets_managers { Managers::default() } else { Managers::of(live) };
            managers.record_update(live, &next, &self.actor(target, &options.manager));
            managers
        });
        managers.write(&mut next);
        if next == **live {
            return Ok(Arc::clone(live));
        }
        if options.dry_run {
            return Ok(Arc::new(next));
        }
        let stored = self.put(target, &name, &next);
        // With the last finalizer an object that is being deleted goes.
        if object::is_being_deleted(&next) && object::finalizers(&next).is_empty() && !namespace::is_namespace(target) {
            self.remove(&target.place(&name));
        }
        Ok(target.kind.present(&stored, &target.version))
    }
}

fn check_preconditions(target: &Target, live: &Value, next: &Value) -> Result<(), Refusal> {
    let name = object::text(live, "name");
    let (expected, found) = (object::text(next, "uid"), object::text(live, "uid"));
    if !expected.is_empty() && expected != found {
        let why = format!("Precondition failed: UID in precondition: {expected}, UID in object meta: {found}");
        return Err(Refusal::conflict(&target.kind, name, &why));
    }
    let expected = object::text(next, "resourceVersion");
    if !expected.is_empty() && expected != object::text(live, "resourceVersion") {
        return Err(Refusal::modified(&target.kind, name));
    }
    Ok(())
}

/// A list of managers that is there but empty says that nobody owns anything.
fn is_reset(next: &Value) -> bool {
    match object::metadata(next, "managedFields").and_then(Value::as_array).map(Vec::as_slice) {
        Some([]) => true,
        Some([only]) => only.as_object().is_some_and(serde_json::Map::is_empty),
        _ => false,
    }
}

/// Keeps what a write to this target cannot change: the metadata of the hub, and the status or all but the status.
fn in_scope(target: &Target, live: &Value, next: Value) -> Value {
    let (mut kept, given, status_from_given) =
        if target.status { (live.clone(), next, true) } else { (next, live.clone(), false) };
    if target.spoken().has_status || status_from_given {
        let members = object::members_mut(&mut kept);
        match given.get("status") {
            Some(status) => members.insert("status".to_owned(), status.clone()),
            None => members.remove("status"),
        };
    }
    for member in FIXED {
        object::set(&mut kept, member, object::metadata(live, member).cloned());
    }
    object::set(&mut kept, "managedFields", object::metadata(live, "managedFields").cloned());
    if namespace::is_namespace(target) {
        kept["spec"] = live.get("spec").cloned().unwrap_or_default();
    }
    kept
}

fn check_finalizers(target: &Target, live: &Value, next: &Value) -> Result<(), Refusal> {
    let before = object::finalizers(live);
    let added: Vec<&str> = object::finalizers(next).into_iter().filter(|name| !before.contains(name)).collect();
    if !object::is_being_deleted(live) || added.is_empty() {
        return Ok(());
    }
    let added: Vec<String> = added.iter().map(|name| format!("{name:?}")).collect();
    let message = format!(
        "Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{{{}}}",
        added.join(", ")
    );
    let cause = Cause::new("FieldValueForbidden", "metadata.finalizers", message);
    // A real server checks the metadata of a custom resource twice.
    let causes = if target.kind.custom { vec![cause.clone(), cause] } else { vec![cause] };
    Err(validation::invalid(target, object::text(live, "name"), &causes))
}
