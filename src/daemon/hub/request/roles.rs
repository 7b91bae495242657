//! Reads roles, which are neither watched nor stored.

use serde_json::{Value, json};

use super::read::get;
use crate::hub::connection::Hub;
use crate::hub::error::Error;
use crate::hub::kind::resource::checked;
use tidegate_api::key::RBAC_GROUP;
use tidegate_model::object::ObjectKey;

impl Hub {
    /// Returns a Role or ClusterRole; `None` if the hub does not have it.
    ///
    /// # Errors
    /// [`Error::BadName`], or the error of the hub.
    pub async fn role(&self, key: &ObjectKey) -> Result<Option<Value>, Error> {
        let root = format!("/apis/{RBAC_GROUP}/v1");
        let path = match key.namespace.as_str() {
            "" => format!("{root}/clusterroles"),
            namespace => format!("{root}/namespaces/{}/roles", checked(namespace)?),
        };
        let what = format!("reading {key}");
        let mut role = get(&self.session, &path, checked(&key.name)?, what).await?;
        if let Some(role) = &mut role {
            role["apiVersion"] = json!(format!("{RBAC_GROUP}/v1"));
            role["kind"] = json!(key.kind);
        }
        Ok(role)
    }
}
