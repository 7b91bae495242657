//! Writes of Kubernetes Events: not part of the plan, attempted once, and neither watched nor counted.

use serde_json::Value;

use super::call::{Call, Payload};
use crate::hub::connection::Hub;
use crate::hub::error::Error;
use crate::hub::kind::resource::checked;
use tidegate_model::object::GroupKind;

impl Hub {
    /// Returns the `apiVersion` in which the hub serves a kind; `None` if the kind has not been discovered yet.
    pub fn api_version(&self, kind: &GroupKind) -> Option<String> {
        if kind.group.is_empty() {
            return Some("v1".to_owned());
        }
        self.session.resource(kind).ok().map(|resource| resource.api_version())
    }

    /// Creates an Event of core/v1.
    ///
    /// # Errors
    /// [`Error`] if the hub refuses it or cannot be reached; it is not retried.
    pub async fn create_event(&self, namespace: &str, name: &str, event: Value) -> Result<(), Error> {
        self.send_event("creating", namespace, name, Payload::Create(event)).await
    }

    /// Changes an Event of core/v1 with a merge patch.
    ///
    /// # Errors
    /// [`Error`] if the hub refuses it, no longer has the Event (404), or cannot be reached; it is not retried.
    pub async fn patch_event(&self, namespace: &str, name: &str, patch: Value) -> Result<(), Error> {
        self.send_event("patching", namespace, name, Payload::Merge(patch)).await
    }

    async fn send_event(&self, doing: &str, namespace: &str, name: &str, body: Payload) -> Result<(), Error> {
        let call = Call {
            what: format!("{doing} Event {namespace}/{name}"),
            path: format!("/api/v1/namespaces/{}/events", checked(namespace)?),
            name: checked(name)?.to_owned(),
            body,
        };
        call.try_once(&self.session.client).await.map(drop)
    }
}
