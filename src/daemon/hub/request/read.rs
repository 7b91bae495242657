//! Reads single objects, which are neither watched nor stored.

use k8s_openapi::api::core::v1::Secret;
use kube::core::Request;
use kube::core::params::GetParams;
use serde_json::Value;

use crate::hub::answer::within;
use crate::hub::error::Error;
use crate::hub::kind::resource::checked;
use crate::hub::session::Session;
use tidegate_model::name::NamespacedName;

/// Reads a Secret from the hub. Secrets are neither watched nor stored.
///
/// # Errors
/// [`Error::BadName`], or the error of the hub.
pub(in crate::hub) async fn secret(session: &Session, name: &NamespacedName) -> Result<Secret, Error> {
    let path = format!("/api/v1/namespaces/{}/secrets", checked(&name.namespace)?);
    let what = format!("reading Secret {name}");
    let request = Request::new(path).get(checked(&name.name)?, &GetParams::default());
    let request = request.map_err(|source| Error::of(what.as_str(), kube::Error::BuildRequest(source)))?;
    within(what, session.client.request(request)).await
}

/// Reads an object; `None` if the hub does not have it.
///
/// # Errors
/// The error of the hub.
pub(super) async fn get(session: &Session, path: &str, name: &str, what: String) -> Result<Option<Value>, Error> {
    let request = Request::new(path).get(name, &GetParams::default());
    let request = request.map_err(|source| Error::of(what.as_str(), kube::Error::BuildRequest(source)))?;
    session.metrics.reads.inc();
    match within(what, session.client.request::<Value>(request)).await {
        Ok(object) => Ok(Some(object)),
        Err(error) if error.is_missing() => Ok(None),
        Err(error) => Err(error),
    }
}
