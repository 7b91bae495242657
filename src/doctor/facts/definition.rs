//! The CRDs that a hub must have, and how they are read.

use serde_json::Value;

use tidegate_api::key::{ADDON_GROUP, CLUSTER_GROUP, CONVERTED, WORK_GROUP};

/// A kind that the hub must serve.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Required {
    /// The plural name.
    pub plural: &'static str,
    /// The API group.
    pub group: &'static str,
    /// The version that must be served; `None` if any of the add-on group will do.
    pub version: Option<&'static str>,
}

impl Required {
    /// Returns the name of the CRD.
    pub fn name(&self) -> String {
        format!("{}.{}", self.plural, self.group)
    }
}

const fn row(group: &'static str, plural: &'static str, version: Option<&'static str>) -> Required {
    Required { plural, group, version }
}

/// Every kind that the hub must serve.
pub const REQUIRED: &[Required] = &[
    row(ADDON_GROUP, "clustermanagementaddons", None),
    row(ADDON_GROUP, "managedclusteraddons", None),
    row(ADDON_GROUP, "addontemplates", None),
    row(ADDON_GROUP, "addondeploymentconfigs", None),
    row(CLUSTER_GROUP, "managedclusters", Some("v1")),
    row(CLUSTER_GROUP, "managedclustersets", Some("v1beta2")),
    row(CLUSTER_GROUP, "managedclustersetbindings", Some("v1beta2")),
    row(CLUSTER_GROUP, "placements", Some("v1beta1")),
    row(CLUSTER_GROUP, "placementdecisions", Some("v1beta1")),
    row(CLUSTER_GROUP, "addonplacementscores", Some("v1alpha1")),
    row(WORK_GROUP, "manifestworks", Some("v1")),
];

/// A CRD.
#[derive(Debug, Clone, PartialEq)]
pub struct Definition {
    /// The name, such as `placements.cluster.open-cluster-management.io`.
    pub name: String,
    /// Its versions.
    pub versions: Vec<Version>,
    /// Whether a webhook converts between the versions.
    pub has_webhook: bool,
    /// Whether the server is Tidegate's embedded one, which converts between the versions itself.
    pub is_embedded: bool,
}

/// A version of a CRD.
#[derive(Debug, Clone, PartialEq)]
pub struct Version {
    /// The name, such as `v1beta1`.
    pub name: String,
    /// Whether clients can use it.
    pub is_served: bool,
    /// Whether objects are stored in it.
    pub is_stored: bool,
    /// The schema without its descriptions.
    pub schema: Value,
}

impl Definition {
    /// Reads a CRD; `None` if it has no name.
    pub fn read(crd: &Value) -> Option<Self> {
        let name = crd.pointer("/metadata/name")?.as_str()?.to_owned();
        let versions = crd.pointer("/spec/versions").and_then(Value::as_array).into_iter().flatten();
        let flag = |version: &Value, field: &str| version.get(field).and_then(Value::as_bool).unwrap_or_default();
        let versions = versions.filter_map(|version| {
            let mut schema = version.pointer("/schema/openAPIV3Schema").cloned().unwrap_or_default();
            undescribed(&mut schema);
            Some(Version {
                name: version.get("name")?.as_str()?.to_owned(),
                is_served: flag(version, "served"),
                is_stored: flag(version, "storage"),
                schema,
            })
        });
        let versions = versions.collect();
        let strategy = crd.pointer("/spec/conversion/strategy").and_then(Value::as_str);
        let annotations = crd.pointer("/metadata/annotations");
        let is_embedded = annotations.is_some_and(|annotations| annotations.get(CONVERTED).is_some());
        Some(Self { name, versions, has_webhook: strategy == Some("Webhook"), is_embedded })
    }

    /// Returns the names of the served versions.
    pub fn served(&self) -> Vec<&str> {
        self.versions.iter().filter(|version| version.is_served).map(|version| version.name.as_str()).collect()
    }

    /// Returns `true` if objects lose fields because served versions with different schemas are not converted.
    pub fn loses_fields(&self) -> bool {
        let mut served = self.versions.iter().filter(|version| version.is_served);
        let first = served.next();
        !self.has_webhook
            && !self.is_embedded
            && served.any(|version| first.is_some_and(|first| first.schema != version.schema))
    }
}

/// Removes descriptions, which may differ between versions that are otherwise the same. A property of this name is a schema, and stays.
fn undescribed(schema: &mut Value) {
    match schema {
        Value::Object(fields) => {
            fields.retain(|name, value| name != "description" || !value.is_string());
            fields.values_mut().for_each(undescribed);
        }
        Value::Array(items) => items.iter_mut().for_each(undescribed),
        _ => {}
    }
}
