//! One request, before it is sent.

use reqwest::{Method, Url};
use serde_json::Value;

use super::operation::Operation;

/// One request.
#[derive(Debug, Clone)]
pub(crate) struct Call {
    pub(crate) operation: Operation,
    pub(crate) method: Method,
    pub(crate) url: Url,
    pub(crate) body: Option<Value>,
}

impl Call {
    /// Creates a request that reads.
    pub(crate) fn get(operation: Operation, url: Url) -> Self {
        Self { operation, method: Method::GET, url, body: None }
    }

    /// Creates a request that creates an object.
    pub(crate) fn post(operation: Operation, url: Url, body: Value) -> Self {
        Self { operation, method: Method::POST, url, body: Some(body) }
    }

    /// Creates a request that changes parts of an object.
    pub(crate) fn patch(operation: Operation, url: Url, body: Value) -> Self {
        Self { operation, method: Method::PATCH, url, body: Some(body) }
    }

    /// Creates a request that changes an object.
    pub(crate) fn put(operation: Operation, url: Url, body: Value) -> Self {
        Self { operation, method: Method::PUT, url, body: Some(body) }
    }

    /// Returns `true` if the request changes something.
    pub(crate) fn is_write(&self) -> bool {
        self.method != Method::GET
    }

    /// Returns its path, which errors name. The query is left out.
    pub(crate) fn path(&self) -> &str {
        self.url.path()
    }
}
