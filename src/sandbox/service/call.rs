//! Execution of requests whose body has been received.

use std::sync::Arc;

use axum::body::Bytes;
use axum::response::Response;
use serde_json::Value;

use super::answer::{self, Form};
use super::body;
use crate::Sandbox;
use crate::api_error::{ApiError, deleted};
use crate::object;
use crate::request::{
    DeleteOptions, Dialect, FieldValidation, ListOptions, Parameters, Requester, Target, WriteOptions, WriteVerb,
};
use crate::verbs::{Deleted, Input, Written, list, read_revision};
use crate::wire;

/// A request whose body has been received.
pub(super) struct Call {
    /// The objects that the request is about.
    pub(super) target: Target,
    /// The query parameters.
    pub(super) parameters: Parameters,
    /// The format of the response.
    pub(super) form: Form,
    /// The media type of the body.
    pub(super) content_type: String,
    /// The user agent.
    pub(super) user_agent: String,
    /// Who sends the request.
    pub(super) requester: Requester,
    /// The body.
    pub(super) body: Bytes,
}

impl Call {
    fn name(&self) -> &str {
        self.target.name.as_deref().unwrap_or_default()
    }

    /// Reads one object.
    pub(super) fn get(&self, sandbox: &Sandbox) -> Result<Response, ApiError> {
        let name = self.name();
        read_revision(self.parameters.text("resourceVersion"))?;
        let found = sandbox.read(|store| store.get(&self.target.place(name)));
        let found = found.ok_or_else(|| ApiError::not_found(&self.target.kind, name))?;
        Ok(self.one(sandbox, 200, &found))
    }

    /// Lists objects.
    pub(super) fn list(&self, sandbox: &Sandbox) -> Result<Response, ApiError> {
        let options = ListOptions::read(&self.parameters, &self.target.kind)?;
        let page = sandbox.read(|store| list(store, &self.target, &options))?;
        Ok(self.form.page(&self.target, &page, sandbox.now()))
    }

    /// Creates an object.
    pub(super) fn create(&self, sandbox: &Sandbox) -> Result<Response, ApiError> {
        let options = self.write_options(WriteVerb::Create)?;
        let input = self.object(options.validation)?;
        let name = object::text(&input.value, "name").to_owned();
        let written = sandbox.write(&self.target, &name, |hub| {
            let created = hub.create(&self.target, input.clone(), &options)?;
            Ok(hub.written(created, true))
        })?;
        Ok(self.written(sandbox, &written))
    }

    /// Replaces an object.
    pub(super) fn replace(&self, sandbox: &Sandbox) -> Result<Response, ApiError> {
        let options = self.write_options(WriteVerb::Update)?;
        let input = self.object(options.validation)?;
        let written = sandbox.write(&self.target, self.name(), |hub| {
            let (replaced, is_new) = hub.replace(&self.target, self.name(), input.clone(), &options)?;
            Ok(hub.written(replaced, is_new))
        })?;
        Ok(self.written(sandbox, &written))
    }

    /// Patches an object.
    pub(super) fn patch(&self, sandbox: &Sandbox) -> Result<Response, ApiError> {
        let dialect = Dialect::read(&self.content_type, &self.target.kind)?;
        let options = self.write_options(dialect.verb())?;
        let name = self.name();
        let input = body::read(&self.body, dialect == Dialect::Apply);
        // A patch of a missing object is not parsed, unless it may create the object.
        let place = self.target.place(name);
        if input.is_err() && dialect != Dialect::Apply && !sandbox.read(|store| store.contains(&place)) {
            return Err(ApiError::not_found(&self.target.kind, name));
        }
        let input = input.map_err(|why| {
            ApiError::bad_request(match dialect {
                Dialect::Apply => format!("error decoding YAML: {why}"),
                Dialect::Strategic => why,
                Dialect::Json | Dialect::Merge => format!("error decoding patch: {why}"),
            })
        })?;
        let written = sandbox.write(&self.target, name, |hub| {
            let (patched, is_new) = match dialect {
                Dialect::Apply => hub.apply(&self.target, name, input.clone(), &options)?,
                dialect => (hub.patch(&self.target, name, &input, dialect, &options)?, false),
            };
            Ok(hub.written(patched, is_new))
        })?;
        Ok(self.written(sandbox, &written))
    }

    /// Deletes an object.
    pub(super) fn delete(&self, sandbox: &Sandbox) -> Result<Response, ApiError> {
        let options = self.delete_options()?;
        let name = self.name();
        match sandbox.transact(|hub| hub.delete(&self.target, name, &options))? {
            Deleted::Gone { uid } => Ok(answer::json(200, &deleted(&self.target.kind, name, &uid))),
            Deleted::Last(object) => Ok(self.one(sandbox, 200, &object)),
            Deleted::Waiting(object) => {
                Ok(self.one(sandbox, if options.is_accepted_only { 202 } else { 200 }, &object))
            }
        }
    }

    /// Deletes many objects.
    pub(super) fn delete_collection(&self, sandbox: &Sandbox) -> Result<Response, ApiError> {
        let list_options = ListOptions::read(&self.parameters, &self.target.kind)?;
        let options = self.delete_options()?;
        let page = sandbox.transact(|hub| hub.delete_collection(&self.target, &list_options, &options))?;
        Ok(self.form.page(&self.target, &page, sandbox.now()))
    }

    fn written(&self, sandbox: &Sandbox, written: &Written) -> Response {
        let code = if written.is_new { 201 } else { 200 };
        answer::warned(self.one(sandbox, code, &written.object), &written.warnings)
    }

    fn one(&self, sandbox: &Sandbox, code: u16, object: &Arc<Value>) -> Response {
        let object = self.target.kind.present(object, &self.target.version);
        answer::json(code, &*self.form.object(&self.target, &object, sandbox.now()))
    }

    fn write_options(&self, verb: WriteVerb) -> Result<WriteOptions, ApiError> {
        let options = WriteOptions::read(&self.parameters, verb, &self.user_agent)?;
        Ok(WriteOptions { requester: self.requester.clone(), ..options })
    }

    fn delete_options(&self) -> Result<DeleteOptions, ApiError> {
        if self.body.is_empty() {
            return DeleteOptions::read(&self.parameters, &Value::Null);
        }
        if self.is_binary() {
            return DeleteOptions::read(&self.parameters, &self.binary()?.value);
        }
        let read = body::read(&self.body, self.is_yaml());
        let value =
            read.map_err(|why| ApiError::bad_request(format!("couldn't get version/kind; json parse error: {why}")))?;
        DeleteOptions::read(&self.parameters, &value.value)
    }

    fn is_yaml(&self) -> bool {
        self.content_type.contains("yaml")
    }

    fn is_binary(&self) -> bool {
        self.content_type.contains("protobuf")
    }

    fn binary(&self) -> Result<Input, ApiError> {
        let unreadable = || ApiError::bad_request("the body is not a protobuf-encoded object of a core kind");
        wire::object(&self.body).map(Input::from).ok_or_else(unreadable)
    }

    fn object(&self, validation: FieldValidation) -> Result<Input, ApiError> {
        if self.is_binary() {
            return self.binary();
        }
        body::object(&self.target, &self.body, self.is_yaml(), validation)
    }
}
