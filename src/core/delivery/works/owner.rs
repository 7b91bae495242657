//! Whose works they are.

use serde_json::{Value, json};

use tidegate_api::key;
use tidegate_model::name::AddonName;

/// Whose works they are: how they are named and labeled, and which object owns them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorkOwner {
    /// The start of the names of the works that deploy the unit, which an index follows.
    pub prefix: String,
    /// The name of the work that runs its pre-delete hooks.
    pub hook: String,
    /// The label of its works, with the name of the unit.
    pub label: (&'static str, String),
    /// The object in the namespace of each cluster that owns the works there; `None` if the unit has none.
    pub object: Option<OwnerObject>,
}

/// An object that owns works.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnerObject {
    /// `apiVersion`.
    pub api_version: &'static str,
    /// The kind.
    pub kind: &'static str,
    /// `metadata.name`.
    pub name: String,
}

impl WorkOwner {
    /// Returns the owner of the works of an add-on.
    ///
    /// # Source
    /// OCM addon-framework, the deploy controller.
    pub fn addon(name: &AddonName) -> Self {
        let name = name.to_string();
        Self {
            prefix: format!("addon-{name}-deploy-"),
            hook: format!("addon-{name}-pre-delete"),
            label: (key::ADDON_NAME, name.clone()),
            object: Some(OwnerObject { api_version: key::ADDON_V1BETA1, kind: "ManagedClusterAddOn", name }),
        }
    }

    /// Returns the owner reference of a work. `uid` is that of the object.
    pub(super) fn reference(&self, uid: &str) -> Option<Value> {
        self.object.as_ref().map(|OwnerObject { api_version, kind, name }| {
            json!({
                "apiVersion": api_version,
                "kind": kind,
                "name": name,
                "uid": uid,
                "controller": true,
                "blockOwnerDeletion": true,
            })
        })
    }
}
