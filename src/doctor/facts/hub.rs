//! Objects of the hub, reduced to what the checks look at.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::doctor::permission::Permission;
use tidegate_api::key::{
    ADDON_TEMPLATES, CLUSTER_AVAILABLE, FIELD_MANAGER, INSTALL_STRATEGY, INSTANCE_LABEL, OWNED_LABEL,
    PLACEMENT_SATISFIED,
};
use tidegate_model::time::Timestamp;

fn text<'a>(object: &'a Value, pointer: &str) -> &'a str {
    object.pointer(pointer).and_then(Value::as_str).unwrap_or_default()
}

/// Returns the status of a condition; `None` if the object does not have it.
fn condition<'a>(object: &'a Value, type_: &str) -> Option<&'a str> {
    let conditions = object.pointer("/status/conditions")?.as_array()?;
    conditions.iter().find(|condition| text(condition, "/type") == type_).map(|condition| text(condition, "/status"))
}

/// A feature gate of a ClusterManager.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Gate {
    /// Its name.
    pub feature: String,
    /// Whether it is enabled.
    pub is_enabled: bool,
}

impl Gate {
    /// Reads the gates of the add-on manager from a ClusterManager.
    pub fn read(manager: &Value) -> Vec<Self> {
        let gates = manager.pointer("/spec/addOnManagerConfiguration/featureGates").and_then(Value::as_array);
        let gate = |gate: &Value| Self {
            feature: text(gate, "/feature").to_owned(),
            is_enabled: text(gate, "/mode") == "Enable",
        };
        gates.into_iter().flatten().map(gate).collect()
    }
}

/// A ClusterManagementAddOn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Addon {
    /// Its name.
    pub name: String,
    /// Whether an instance of Tidegate declared it.
    pub is_ours: bool,
    /// Whether OCM's add-on manager serves it if it runs: its supported configurations include AddOnTemplates.
    pub has_template: bool,
    /// Whether Tidegate lets OCM's add-on manager deliver it.
    pub is_upstream: bool,
}

impl Addon {
    /// Reads a ClusterManagementAddOn of any version.
    pub fn read(addon: &Value) -> Self {
        let label = |name: &str| addon.pointer("/metadata/labels").and_then(|labels| labels.get(name)).is_some();
        let annotations = addon.pointer("/metadata/annotations");
        let configs = ["/spec/defaultConfigs", "/spec/supportedConfigs"];
        let mut configs =
            configs.iter().filter_map(|pointer| addon.pointer(pointer)).filter_map(Value::as_array).flatten();
        Self {
            name: text(addon, "/metadata/name").to_owned(),
            is_ours: label(INSTANCE_LABEL) || label(OWNED_LABEL),
            is_upstream: annotations.is_some_and(|annotations| annotations.get(INSTALL_STRATEGY).is_some()),
            has_template: configs.any(|config| text(config, "/resource") == ADDON_TEMPLATES),
        }
    }
}

/// A Placement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Placement {
    /// Its namespace and name.
    pub name: String,
    /// Whether a scheduler has written its status.
    pub is_scheduled: bool,
}

impl Placement {
    /// Reads a Placement.
    pub fn read(placement: &Value) -> Self {
        let name = format!("{}/{}", text(placement, "/metadata/namespace"), text(placement, "/metadata/name"));
        Self { name, is_scheduled: condition(placement, PLACEMENT_SATISFIED).is_some() }
    }
}

/// The answer of the hub about one verb on one resource.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Review {
    /// The row of the table.
    pub permission: &'static Permission,
    /// The resource.
    pub resource: &'static str,
    /// The verb.
    pub verb: &'static str,
    /// Whether it is allowed.
    pub is_allowed: bool,
}

/// The answer of the hub about one permission that a role of the repository needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Grant {
    /// The permission, such as `get secrets`.
    pub what: String,
    /// Whether it is allowed.
    pub is_allowed: bool,
}

/// An object of this instance with fields that others own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Foreign {
    /// The object, such as `placements fleet-addons/fleet`.
    pub object: String,
    /// The field managers.
    pub managers: BTreeSet<String>,
}

/// Returns the field managers other than Tidegate that own fields of the `spec` of an object. One that last updated the object before
/// Tidegate did is left out, such as the `kubectl` that created an adopted object. One that applies it is not: it will again.
pub fn foreign_writers(object: &Value) -> BTreeSet<String> {
    let entries = object.pointer("/metadata/managedFields").and_then(Value::as_array);
    let entries = || entries.into_iter().flatten().filter(|entry| text(entry, "/subresource").is_empty());
    let own = |entry: &&Value| text(entry, "/manager") == FIELD_MANAGER;
    // Times of this form sort like the moments that they name.
    let last = entries().filter(own).map(|entry| text(entry, "/time")).max().unwrap_or_default();
    let is_foreign = |entry: &&Value| {
        let is_older = text(entry, "/operation") == "Update" && text(entry, "/time") < last;
        !own(entry) && !is_older && entry.pointer("/fieldsV1/f:spec").is_some()
    };
    entries().filter(is_foreign).map(|entry| text(entry, "/manager").to_owned()).collect()
}

/// A field manager of objects of this instance.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Writer {
    /// Its name.
    pub name: String,
    /// When it wrote last.
    pub last: Timestamp,
}

impl Writer {
    /// Reads the field managers of an object, those of its status included.
    pub fn read(object: &Value) -> Vec<Self> {
        let entries = object.pointer("/metadata/managedFields").and_then(Value::as_array);
        let writer = |entry: &Value| {
            Some(Self { name: text(entry, "/manager").to_owned(), last: text(entry, "/time").parse().ok()? })
        };
        entries.into_iter().flatten().filter_map(writer).collect()
    }
}

/// A ManagedCluster.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cluster {
    /// Its name.
    pub name: String,
    /// Whether the hub has accepted it.
    pub is_accepted: bool,
    /// Whether its agent reports.
    pub is_available: bool,
}

impl Cluster {
    /// Reads a ManagedCluster.
    pub fn read(cluster: &Value) -> Self {
        let accepted = cluster.pointer("/spec/hubAcceptsClient").and_then(Value::as_bool);
        Self {
            name: text(cluster, "/metadata/name").to_owned(),
            is_accepted: accepted.unwrap_or_default(),
            is_available: condition(cluster, CLUSTER_AVAILABLE) == Some("True"),
        }
    }
}
