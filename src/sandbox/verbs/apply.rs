//! Server-side apply.

use std::sync::Arc;

use serde_json::{Value, json};

use super::Input;
use super::create;
use super::transaction::{Transaction, writable};
use super::update::Ownership;
use crate::api_error::ApiError;
use crate::fields::{self, Actor, Managers};
use crate::object;
use crate::request::{Target, WriteOptions};
use crate::verbs::body::admission;
use crate::verbs::body::decoding;
use crate::verbs::body::type_errors;

/// The field manager that owns the existing fields of an object without `managedFields` after the first apply.
const BEFORE_FIRST: &str = "before-first-apply";

/// The object after an apply, and whether it was created.
pub(crate) type Applied = (Arc<Value>, bool);

impl Transaction<'_> {
    /// Applies a configuration: creates the object, or merges into it.
    ///
    /// # Errors
    /// If the body is not a valid object of the kind, has unknown fields, or conflicts with other managers without `force`.
    pub(crate) fn apply(
        &mut self,
        target: &Target,
        name: &str,
        input: impl Into<Input>,
        options: &WriteOptions,
    ) -> Result<Applied, ApiError> {
        writable(target)?;
        let Input { value: mut body, duplicates } = input.into();
        accept_type(target, &body)?;
        if object::metadata(&body, "managedFields").is_some_and(|managers| !managers.is_null()) {
            return Err(ApiError::bad_request("metadata.managedFields must be nil"));
        }
        object::metadata_mut(&mut body).retain(|_, member| !member.is_null());
        let found = self.store.get(&target.place(name)).map(|live| target.kind.present(&live, &target.version));
        let namespace = object::metadata(&body, "namespace").cloned();
        check_members(target, &body)?;
        let Some(live) = found else {
            if target.subresource.is_some() {
                return Err(ApiError::not_found(&target.kind, name));
            }
            return self.create_by_apply(target, name, body, &duplicates, options);
        };
        if object::text(&body, "name").is_empty() {
            object::set(&mut body, "name", Some(json!(name)));
        }
        admission::accept_name(name, &body)?;
        admission::accept_namespace(target, &mut body)?;
        let body = in_scope(target, body);
        let mut managers = Managers::of(&live);
        if managers.is_empty() {
            // On the first apply, the existing fields get an owner.
            let actor = Actor { subresource: "", ..self.actor(target, BEFORE_FIRST) };
            managers.record_update(&create::blank(target), &live, &actor);
        }
        let actor = self.actor(target, &options.manager);
        let applied = managers.apply(&live, &body, &actor, options.force);
        let mut next = applied.map_err(|conflicts| conflicts.to_error())?;
        if namespace.is_none() && target.namespace.is_empty() {
            object::set(&mut next, "namespace", None);
        }
        self.check_fields(&duplicates, &[], options.validation).map_err(ApiError::bad_request)?;
        decoding::decode(target, &mut next).map_err(|why| admission::undecodable(target, &target.kind.kind, &why))?;
        let owned = Ownership::Decided(managers);
        Ok((self.update(target, &live, next, owned, options)?, false))
    }

    /// Applies a configuration of an object that does not exist.
    fn create_by_apply(
        &mut self,
        target: &Target,
        name: &str,
        mut body: Value,
        duplicates: &[String],
        options: &WriteOptions,
    ) -> Result<Applied, ApiError> {
        if let Some(uid) = object::metadata(&body, "uid").and_then(Value::as_str).filter(|uid| !uid.is_empty()) {
            let why =
                format!("uid mismatch: the provided object specified uid {uid}, and no existing object was found");
            return Err(ApiError::conflict(&target.kind, name, &why));
        }
        admission::accept_namespace(target, &mut body)?;
        admission::accept_name(name, &body)?;
        let mut body = in_scope(target, body);
        let actor = self.actor(target, &options.manager);
        let mut managers = Managers::default();
        let applied = managers.apply(&create::blank(target), &body, &actor, options.force);
        applied.map_err(|conflicts| conflicts.to_error())?;
        self.check_fields(duplicates, &[], options.validation).map_err(ApiError::bad_request)?;
        decoding::decode(target, &mut body).map_err(|why| admission::undecodable(target, &target.kind.kind, &why))?;
        self.namespace_accepts(target, name)?;
        Ok((self.insert(target, body, Some(managers), options)?, true))
    }
}

/// Checks that a configuration has exactly the `apiVersion` and `kind` of the request.
fn accept_type(target: &Target, body: &Value) -> Result<(), ApiError> {
    let text = |member: &str| body.get(member).and_then(Value::as_str).unwrap_or_default();
    let (api_version, kind) = (text("apiVersion"), text("kind"));
    if !body.is_object() {
        let why = format!(
            "json: cannot unmarshal {} into Go value of type map[string]interface {{}}",
            decoding::go_type(body)
        );
        return Err(ApiError::bad_request(format!(
            "error decoding YAML: error unmarshaling JSON: while decoding JSON: {why}"
        )));
    }
    if api_version == target.api_version() && kind == target.kind.kind {
        return Ok(());
    }
    let (group, version) = api_version.rsplit_once('/').unwrap_or(("", api_version));
    Err(ApiError::bad_request(format!("invalid object type: {group}/{version}, Kind={kind}")))
}

/// Keeps only the fields that can be applied to this target: only the status, or everything but the status.
fn in_scope(target: &Target, mut body: Value) -> Value {
    if target.subresource.is_some() {
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
    } else if target.requested_version().has_status {
        object::members_mut(&mut body).remove("status");
    }
    body
}

/// Refuses fields that are not declared in the schema, and duplicate list items: they cannot be owned.
fn check_members(target: &Target, body: &Value) -> Result<(), ApiError> {
    let mut lines = type_errors::type_errors(target, body);
    lines.extend(fields::repeated(body, Some(&target.requested_version().field_schema)));
    let why = match lines.as_slice() {
        [] => return Ok(()),
        [only] => only.clone(),
        _ => format!("errors:\n  {}", lines.join("\n  ")),
    };
    let (namespace, name) = (object::text(body, "namespace"), object::text(body, "name"));
    let identity = format!("{namespace}/{name}; {}, Kind={}", with_slash(&target.api_version()), target.kind.kind);
    Err(ApiError::unclassified(format!("failed to create typed patch object ({identity}): {why}")))
}

/// Returns an `apiVersion` with the empty group of core kinds written out, as in `/v1`.
fn with_slash(api_version: &str) -> String {
    if api_version.contains('/') { api_version.to_owned() } else { format!("/{api_version}") }
}
