//! Reads CRDs.

use kube::core::Request;
use kube::core::params::GetParams;
use serde_json::Value;

use crate::hub::answer::within;
use crate::hub::connection::Hub;
use crate::hub::error::Error;

impl Hub {
    /// Returns the CRD with this name; `None` if the hub does not have it, or does not let the daemon read it.
    ///
    /// # Errors
    /// The error of the hub.
    pub async fn definition(&self, name: &str) -> Result<Option<Value>, Error> {
        let what = "reading a CustomResourceDefinition";
        let request = Request::new("/apis/apiextensions.k8s.io/v1/customresourcedefinitions");
        let request = request.get(name, &GetParams::default());
        let request = request.map_err(|source| Error::of(what, kube::Error::BuildRequest(source)))?;
        self.session.metrics.reads.inc();
        match within(what, self.session.client.request::<Value>(request)).await {
            Ok(definition) => Ok(Some(definition)),
            Err(error) if error.is_transient() => Err(error),
            Err(_) => Ok(None),
        }
    }
}
