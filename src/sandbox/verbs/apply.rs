//! Server-side apply.

use std::sync::Arc;

use serde_json::{Value, json};

use super::transaction::{Transaction, writable};
use super::{admission, create};
use crate::sandbox::fields::Managers;
use crate::sandbox::object;
use crate::sandbox::refusal::{Cause, Refusal};
use crate::sandbox::request::{Target, WriteOptions};

/// What was applied, and whether the object is new.
pub(crate) type Applied = (Arc<Value>, bool);

impl Transaction<'_> {
    /// Applies a configuration: creates the object, or merges into it.
    ///
    /// # Errors
    /// If the body is no such object, has unknown members, or would take fields from others without being told to.
    pub(crate) fn apply(
        &mut self,
        target: &Target,
        name: &str,
        mut body: Value,
        options: &WriteOptions,
    ) -> Result<Applied, Refusal> {
        writable(target)?;
        admission::accept_type(target, &mut body)?;
        if object::text(&body, "name").is_empty() {
            object::set(&mut body, "name", Some(json!(name)));
        }
        admission::accept_name(name, &body)?;
        admission::accept_namespace(target, &mut body)?;
        if object::metadata(&body, "managedFields").is_some_and(|managers| !managers.is_null()) {
            return Err(Refusal::bad_request("metadata.managedFields must be nil"));
        }
        object::metadata_mut(&mut body).retain(|_, member| !member.is_null());
        check_members(target, name, &body)?;
        let body = in_scope(target, body);
        let actor = self.actor(target, &options.manager);
        let found = self.store.get(&target.place(name)).map(|live| target.kind.present(live, &target.version));
        let Some(live) = found else {
            if target.status {
                return Err(Refusal::not_found(&target.kind, name));
            }
            self.namespace_accepts(target, name)?;
            let mut managers = Managers::default();
            let blank = create::blank(target);
            managers.apply(&blank, &body, &actor, options.force).map_err(|conflicts| conflicts.refusal())?;
            return Ok((self.insert(target, body, Some(managers), options)?, true));
        };
        let mut managers = Managers::of(&live);
        let next = managers.apply(&live, &body, &actor, options.force).map_err(|conflicts| conflicts.refusal())?;
        Ok((self.update(target, &live, next, Some(managers), options)?, false))
    }
}

/// Leaves only what can be applied to this target: the status, or all but the status.
fn in_scope(target: &Target, mut body: Value) -> Value {
    if target.status {
        let (name, namespace) = (object::text(&body, "name"), object::text(&body, "namespace"));
        let mut metadata = json!({ "name": name });
        if !namespace.is_empty() {
            metadata["namespace"] = json!(namespace);
        }
        let resource_version = object::metadata(&body, "resourceVersion").cloned();
        let members = object::members_mut(&mut body);
        members.retain(|member, _| matches!(member.as_str(), "apiVersion" | "kind" | "status"));
        members.insert("metadata".to_owned(), metadata);
        if resource_version.is_some() {
            object::set(&mut body, "resourceVersion", resource_version);
        }
    } else if target.spoken().has_status {
        object::members_mut(&mut body).remove("status");
    }
    body
}

/// Members that the schema does not know cannot be owned.
fn check_members(target: &Target, name: &str, body: &Value) -> Result<(), Refusal> {
    let unknown = admission::unknown_members(target, body);
    let lines: Vec<String> = unknown.iter().map(|path| format!(".{path}: field not declared in schema")).collect();
    let why = match lines.as_slice() {
        [] => return Ok(()),
        [only] => only.clone(),
        _ => format!("errors:\n  {}", lines.join("\n  ")),
    };
    let identity = format!("{}/{name}; {}, Kind={}", target.namespace, target.api_version(), target.kind.kind);
    Err(Refusal::unclassified(format!("failed to create typed patch object ({identity}): {why}")))
}

/// Refuses to apply without saying who does.
///
/// # Errors
/// Invalid, if the manager is empty.
pub(crate) fn check_manager(manager: &str) -> Result<(), Refusal> {
    if !manager.is_empty() {
        return Ok(());
    }
    let message = "Required value: is required for apply patch";
    Err(Refusal::invalid(
        "meta.k8s.io",
        "PatchOptions",
        "",
        &[Cause::new("FieldValueRequired", "fieldManager", message)],
    ))
}
