//! Conversion between v1alpha1 and v1beta1 of ClusterManagementAddOn and ManagedClusterAddOn.
//!
//! It works on JSON instead of types, so that unknown fields are kept, and so that it handles both whole objects and merge
//! patches.
//!
//! # Source
//! OCM `pkg/addon/webhook/conversion` (2026-08-11), whose rules are mirrored, except that unknown fields are kept.

use serde_json::{Map, Value, json};

use crate::key;

/// A version of the add-on group.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum AddonVersion {
    /// The older version, in which hubs store objects.
    V1Alpha1,
    /// The newer version, which Tidegate uses internally.
    V1Beta1,
}

impl AddonVersion {
    /// Returns the version as written in `apiVersion`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::V1Alpha1 => "v1alpha1",
            Self::V1Beta1 => "v1beta1",
        }
    }

    /// Returns the version of an object of the add-on group; `None` for other groups and unknown versions.
    pub fn of(object: &Value) -> Option<Self> {
        match tidegate_model::object::group_version(object)? {
            (key::ADDON_GROUP, "v1alpha1") => Some(Self::V1Alpha1),
            (key::ADDON_GROUP, "v1beta1") => Some(Self::V1Beta1),
            _ => None,
        }
    }
}

const KUBE_CLIENT_SIGNER: &str = "kubernetes.io/kube-apiserver-client";

/// Converts an object of the add-on group (or a merge patch with `apiVersion` and `kind`) to a version, in place.
///
/// Objects of other groups, and objects that already have that version, stay unchanged.
pub fn convert(object: &mut Value, to: AddonVersion) {
    let Some(from) = AddonVersion::of(object) else { return };
    if from == to {
        return;
    }
    let kind = object.get("kind").and_then(Value::as_str).unwrap_or_default().to_owned();
    convert_members(object, &kind, to);
    object["apiVersion"] = json!(format!("{}/{}", key::ADDON_GROUP, to.as_str()));
}

/// Names the owners of an object that are of the add-on group in a version. `metadata` is the metadata of an object or of a patch.
///
/// The garbage collector of a hub cannot find an owner in a version that the hub does not serve.
pub fn convert_owners(metadata: &mut Value, to: AddonVersion) {
    let owners = metadata.get_mut("ownerReferences").and_then(Value::as_array_mut);
    for owner in owners.into_iter().flatten() {
        let version = owner.get("apiVersion").and_then(Value::as_str);
        if version.is_some_and(|version| version.split_once('/').is_some_and(|(group, _)| group == key::ADDON_GROUP)) {
            owner["apiVersion"] = Value::from(format!("{}/{}", key::ADDON_GROUP, to.as_str()));
        }
    }
}

/// Converts the fields of an object or merge patch from the other version to this one, regardless of its `apiVersion`.
pub fn convert_members(object: &mut Value, kind: &str, to: AddonVersion) {
    match (kind, to) {
        ("ClusterManagementAddOn", AddonVersion::V1Beta1) => addon_to_v1beta1(object),
        ("ClusterManagementAddOn", AddonVersion::V1Alpha1) => addon_to_v1alpha1(object),
        ("ManagedClusterAddOn", AddonVersion::V1Beta1) => cluster_addon_to_v1beta1(object),
        ("ManagedClusterAddOn", AddonVersion::V1Alpha1) => cluster_addon_to_v1alpha1(object),
        _ => {}
    }
}

fn members<'a>(object: &'a mut Value, name: &str) -> Option<&'a mut Map<String, Value>> {
    object.get_mut(name).and_then(Value::as_object_mut)
}

/// Returns a field as an object, created if it is missing or null; `None` if it has another type: the input may be unchecked.
fn member_or_new<'a>(object: &'a mut Map<String, Value>, name: &str) -> Option<&'a mut Map<String, Value>> {
    let member = object.entry(name).or_insert(Value::Null);
    if member.is_null() {
        *member = json!({});
    }
    member.as_object_mut()
}

fn rename(object: Option<&mut Map<String, Value>>, from: &str, to: &str) {
    if let Some(object) = object
        && let Some(value) = object.remove(from)
    {
        object.insert(to.to_owned(), value);
    }
}

fn items(value: &mut Value) -> impl Iterator<Item = &mut Map<String, Value>> {
    value.as_array_mut().into_iter().flatten().filter_map(Value::as_object_mut)
}

fn addon_to_v1beta1(object: &mut Value) {
    if let Some(spec) = members(object, "spec") {
        spec.remove("addOnConfiguration");
        if let Some(mut configs) = spec.remove("supportedConfigs") {
            for config in items(&mut configs) {
                match config.remove("defaultConfig") {
                    Some(Value::Object(referent)) => config.extend(referent),
                    _ => {
                        config.insert("name".to_owned(), json!(key::RESERVED_NO_DEFAULT));
                    }
                }
            }
            spec.insert("defaultConfigs".to_owned(), configs);
        }
    }
    rename(members(object, "status"), "defaultconfigReferences", "defaultConfigReferences");
}

fn addon_to_v1alpha1(object: &mut Value) {
    if let Some(spec) = members(object, "spec")
        && let Some(mut configs) = spec.remove("defaultConfigs")
    {
        for config in items(&mut configs) {
            let name = config.remove("name");
            let namespace = config.remove("namespace");
            let given =
                name.as_ref().and_then(Value::as_str).is_some_and(|n| !n.is_empty() && n != key::RESERVED_NO_DEFAULT);
            if given {
                let referent: Map<String, Value> = [("name", name), ("namespace", namespace)]
                    .into_iter()
                    .filter_map(|(key, value)| Some((key.to_owned(), value?)))
                    .collect();
                config.insert("defaultConfig".to_owned(), Value::Object(referent));
            }
        }
        spec.insert("supportedConfigs".to_owned(), configs);
    }
    rename(members(object, "status"), "defaultConfigReferences", "defaultconfigReferences");
}

fn cluster_addon_to_v1beta1(object: &mut Value) {
    let namespace = members(object, "spec").and_then(|spec| spec.remove("installNamespace"));
    if let Some(Value::String(namespace)) = namespace
        && !namespace.is_empty()
        && let Some(object) = object.as_object_mut()
        && let Some(metadata) = member_or_new(object, "metadata")
        && let Some(annotations) = member_or_new(metadata, "annotations")
    {
        annotations.insert(key::INSTALL_NAMESPACE.to_owned(), json!(namespace));
    }
    let Some(status) = members(object, "status") else { return };
    status.remove("addOnConfiguration");
    for reference in status.get_mut("configReferences").into_iter().flat_map(items) {
        reference.remove("name");
        reference.remove("namespace");
    }
    let driver = status.remove("kubeClientDriver").filter(|d| d.as_str().is_some_and(|d| !d.is_empty()));
    for registration in status.get_mut("registrations").into_iter().flat_map(items) {
        let signer = registration.remove("signerName").unwrap_or(Value::Null);
        let mut subject = registration.remove("subject").unwrap_or_else(|| json!({}));
        let units = subject.as_object_mut().and_then(|s| s.remove("organizationUnit"));
        if signer == KUBE_CLIENT_SIGNER {
            registration.insert("type".to_owned(), json!("kubeClient"));
            let mut client = json!({ "subject": subject });
            if let Some(driver) = &driver {
                client["driver"] = driver.clone();
            }
            registration.insert("kubeClient".to_owned(), client);
        } else {
            if let (Some(units), Some(subject)) = (units, subject.as_object_mut()) {
                subject.insert("organizationUnits".to_owned(), units);
            }
            registration.insert("type".to_owned(), json!("customSigner"));
            registration.insert("customSigner".to_owned(), json!({ "signerName": signer, "subject": subject }));
        }
    }
}

fn cluster_addon_to_v1alpha1(object: &mut Value) {
    let namespace = object
        .pointer_mut("/metadata/annotations")
        .and_then(Value::as_object_mut)
        .and_then(|annotations| annotations.remove(key::INSTALL_NAMESPACE));
    if let Some(namespace) = namespace
        && let Some(object) = object.as_object_mut()
        && let Some(spec) = member_or_new(object, "spec")
    {
        spec.insert("installNamespace".to_owned(), namespace);
    }
    let Some(status) = members(object, "status") else { return };
    for reference in status.get_mut("configReferences").into_iter().flat_map(items) {
        let desired = |name: &str| reference.get("desiredConfig").and_then(|d| d.get(name)).cloned();
        let (name, namespace) = (desired("name").unwrap_or_else(|| json!("")), desired("namespace"));
        reference.insert("name".to_owned(), name);
        if let Some(namespace) = namespace {
            reference.insert("namespace".to_owned(), namespace);
        }
    }
    let mut driver = None;
    for registration in status.get_mut("registrations").into_iter().flat_map(items) {
        registration.remove("type");
        let client = registration.remove("kubeClient");
        if let Some(Value::Object(mut signer)) = registration.remove("customSigner") {
            if let Some(subject) = signer.get_mut("subject").and_then(Value::as_object_mut) {
                rename(Some(subject), "organizationUnits", "organizationUnit");
            }
            registration.append(&mut signer);
        } else {
            registration.insert("signerName".to_owned(), json!(KUBE_CLIENT_SIGNER));
            let client = client.unwrap_or_else(|| json!({}));
            registration.insert("subject".to_owned(), client.get("subject").cloned().unwrap_or_else(|| json!({})));
            driver = driver.or_else(|| client.get("driver").cloned());
        }
    }
    if let Some(driver) = driver {
        status.insert("kubeClientDriver".to_owned(), driver);
    }
}
