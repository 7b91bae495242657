//! Reads the leases of leader election of OCM's components.

use kube::api::ListParams;
use kube::core::Request;
use serde::Deserialize;
use serde_json::Value;

use crate::hub::answer::within;
use crate::hub::connection::Hub;
use crate::hub::error::Error;
use tidegate_api::key::HUB_NAMESPACE;
use tidegate_api::lease::Lease;

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
            Err(Error::Refused { code: 404, .. }) => Ok(Vec::new()),
            Err(error) => Err(error),
        }
    }
}
