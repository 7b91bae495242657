//! The leases of leader election: those of OCM's components, and the one of the replicas of this daemon.

use k8s_openapi::api::coordination::v1 as coordination;
use kube::api::{ListParams, PostParams};
use kube::core::Request;
use kube::core::params::GetParams;
use serde::Deserialize;
use serde_json::Value;

use crate::hub::answer::within;
use crate::hub::connection::Hub;
use crate::hub::error::Error;
use crate::hub::kind::resource::checked;
use tidegate_api::key::{FIELD_MANAGER, HUB_NAMESPACE};
use tidegate_api::lease::Lease;
use tidegate_model::name::NamespacedName;

#[derive(Deserialize)]
struct Leases {
    /// Null if the list is empty in Go.
    items: Option<Vec<Value>>,
}

impl Hub {
    /// Returns the leases in the namespace of OCM's components; empty if the hub does not serve leases.
    ///
    /// # Errors
    /// The error of the hub.
    pub async fn leases(&self) -> Result<Vec<Lease>, Error> {
        let what = "listing Leases";
        let request = Request::new(format!("/apis/coordination.k8s.io/v1/namespaces/{HUB_NAMESPACE}/leases"));
        let request = request.list(&ListParams::default());
        let request = request.map_err(|source| Error::of(what, kube::Error::BuildRequest(source)))?;
        self.session.metrics.reads.inc();
        match within(what, self.session.client.request::<Leases>(request)).await {
            Ok(leases) => Ok(leases.items.iter().flatten().map(Lease::read).collect()),
            Err(error) if error.is_missing() => Ok(Vec::new()),
            Err(error) => Err(error),
        }
    }

    /// Reads a Lease; `None` if the hub does not have it.
    ///
    /// # Errors
    /// The error of the hub.
    pub async fn lease(&self, name: &NamespacedName) -> Result<Option<coordination::Lease>, Error> {
        let what = format!("reading Lease {name}");
        let request = Request::new(path(name)?).get(checked(&name.name)?, &GetParams::default());
        match self.about_lease(what, request).await {
            Ok(lease) => Ok(Some(lease)),
            Err(error) if error.is_missing() => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Creates a Lease, or replaces it if it still has the resourceVersion of `lease`. The only write that may be sent while this daemon may
    /// not write. Returns the Lease as the hub stored it.
    ///
    /// # Errors
    /// The error of the hub; a conflict if the Lease was created, replaced or deleted in between.
    pub async fn write_lease(
        &self,
        name: &NamespacedName,
        lease: &coordination::Lease,
        is_new: bool,
    ) -> Result<coordination::Lease, Error> {
        let mut lease = lease.clone();
        let key = checked(&name.name)?;
        lease.metadata.name = Some(name.name.clone());
        lease.metadata.namespace = Some(name.namespace.clone());
        let body = serde_json::to_vec(&lease).unwrap_or_default();
        let params = PostParams { field_manager: Some(FIELD_MANAGER.to_owned()), ..PostParams::default() };
        let request = Request::new(path(name)?);
        let (what, request) = match is_new {
            true => (format!("creating Lease {name}"), request.create(&params, body)),
            false => (format!("replacing Lease {name}"), request.replace(key, &params, body)),
        };
        self.about_lease(what, request).await
    }

    async fn about_lease(
        &self,
        what: String,
        request: Result<http::Request<Vec<u8>>, kube::core::request::Error>,
    ) -> Result<coordination::Lease, Error> {
        let request = request.map_err(|source| Error::of(what.as_str(), kube::Error::BuildRequest(source)))?;
        within(what, self.unguarded.request(request)).await
    }
}

/// Returns the path of the Leases in the namespace of one.
fn path(name: &NamespacedName) -> Result<String, Error> {
    Ok(format!("/apis/coordination.k8s.io/v1/namespaces/{}/leases", checked(&name.namespace)?))
}
