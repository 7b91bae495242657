//! Whose works they are.

use serde_json::{Value, json};

use tidegate_api::key;
use tidegate_api::work_name::{application_prefix, unit_label};
use tidegate_model::name::{AddonName, ApplicationName, UnitName};
use tidegate_model::object::ObjectKey;

/// Whose works they are: how they are named and labeled, and which object owns them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorkOwner {
    /// The start of the names of the works that deploy the unit, which an index follows.
    pub prefix: String,
    /// The name of the work that runs its pre-delete hooks.
    pub hook: String,
    /// What it is, for messages.
    pub what: String,
    /// The labels of its works.
    pub labels: Vec<(&'static str, String)>,
    /// The annotations of its works besides the hashes of the configurations.
    pub annotations: Vec<(&'static str, String)>,
    /// What gives the work agent a right that it lacks, for messages.
    pub grant: String,
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
    /// Returns the owner of the works of a unit that an instance delivers.
    pub fn of(unit: &UnitName, instance: &str) -> Self {
        match unit {
            UnitName::AddOn(name) => Self::addon(name),
            UnitName::Application(name) => Self::application(name, instance),
        }
    }

    /// Returns the owner of the works of an add-on.
    ///
    /// # Source
    /// OCM addon-framework, the deploy controller.
    pub fn addon(name: &AddonName) -> Self {
        let name = name.to_string();
        Self {
            prefix: format!("addon-{name}-deploy-"),
            hook: hook_of(&name),
            what: format!("{name} add-on"),
            labels: vec![(key::ADDON_NAME, name.clone())],
            annotations: Vec::new(),
            grant: format!("a ClusterRole with the label {}=true on the cluster allows it", key::AGGREGATE_TO_WORK),
            object: Some(OwnerObject { api_version: key::ADDON_V1BETA1, kind: "ManagedClusterAddOn", name }),
        }
    }

    /// Returns the owner of the works of an application that an instance delivers. No object on the hub owns them.
    pub fn application(name: &ApplicationName, instance: &str) -> Self {
        let prefix = application_prefix(name);
        Self {
            hook: format!("{prefix}pre-delete"),
            prefix,
            what: format!("application {}/{}", name.namespace(), name.name()),
            grant: format!(
                "`tidegate app permissions {}/{}` prints a ClusterRole that allows it",
                name.namespace(),
                name.name()
            ),
            labels: vec![(key::UNIT_LABEL, unit_label(name)), (key::INSTANCE_LABEL, instance.to_owned())],
            annotations: vec![(key::UNIT, name.as_str().to_owned())],
            object: None,
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

/// Returns the name of the work that runs the pre-delete hooks of an add-on.
///
/// # Source
/// OCM addon-framework, the deploy controller.
pub fn hook_of(addon: &str) -> String {
    format!("addon-{addon}-pre-delete")
}

/// Returns `true` if an object has the state of a unit, on a cluster or as a whole: an object of an add-on, or a work of an application.
pub fn is_state_of(unit: &UnitName, key: &ObjectKey) -> bool {
    match unit {
        UnitName::AddOn(name) => key.group == key::ADDON_GROUP && key.name == name.as_str(),
        UnitName::Application(name) => key.group == key::WORK_GROUP && key.name.starts_with(&application_prefix(name)),
    }
}
