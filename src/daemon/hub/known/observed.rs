//! One object of the hub, read leniently into the type that the fleet stores.

use std::borrow::Borrow;
use std::collections::BTreeMap;
use std::sync::Arc;

use k8s_openapi::api::certificates::v1::CertificateSigningRequest;
use k8s_openapi::api::rbac::v1::RoleBinding;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use super::work;
use crate::hub::kind::watched::Shape;
use tidegate_api::addon_manager::is_manager;
use tidegate_api::fleet::{Fleet, unit_of_work};
use tidegate_api::key::{
    ADDON_NAME, ADDON_TEMPLATE_NAME, APPLIED_HASH, FIELD_MANAGER, OWNED_LABEL, TOKEN_INFRASTRUCTURE, UNIT,
};
use tidegate_api::ocm::addon_placement_score::AddOnPlacementScore;
use tidegate_api::ocm::cluster_management_addon::ClusterManagementAddOn;
use tidegate_api::ocm::convert::{AddonVersion, convert, convert_owners};
use tidegate_api::ocm::managed_cluster::ManagedCluster;
use tidegate_api::ocm::managed_cluster_addon::ManagedClusterAddOn;
use tidegate_api::ocm::managed_cluster_set::{ManagedClusterSet, ManagedClusterSetBinding};
use tidegate_api::ocm::manifest_work::ManifestWork;
use tidegate_api::ocm::placement::{Placement, PlacementDecision};
use tidegate_api::work_name::is_of_application;
use tidegate_model::name::{AddonName, ClusterName, InvalidName, NamespacedName, UnitName};
use tidegate_model::object::{GroupKind, ObjectKey};
use tidegate_model::shared::Shared;

/// One object of the hub.
#[derive(Debug, Clone)]
pub struct Observed {
    pub(in crate::hub) kind: GroupKind,
    pub(in crate::hub) name: NamespacedName,
    pub(in crate::hub) uid: String,
    /// The resource version as a number; `None` if it is not a number.
    pub(in crate::hub) version: Option<u64>,
    content: Content,
}

#[derive(Debug, Clone)]
enum Content {
    Held {
        typed: Option<Typed>,
        json: Option<Arc<Value>>,
    },
    /// Not relevant for Tidegate.
    Foreign,
    Unreadable(String),
}

#[derive(Debug, Clone)]
enum Typed {
    Cluster(ClusterName, Arc<ManagedCluster>),
    ClusterSet(Arc<ManagedClusterSet>),
    ClusterSetBinding(Arc<ManagedClusterSetBinding>),
    Placement(Arc<Placement>),
    Decision(Arc<PlacementDecision>),
    Score(ClusterName, Arc<AddOnPlacementScore>),
    Addon(AddonName, Arc<ClusterManagementAddOn>),
    ClusterAddon(AddonName, ClusterName, Arc<ManagedClusterAddOn>),
    Work(UnitName, ClusterName, Arc<ManifestWork>),
    RoleBinding(AddonName, Arc<RoleBinding>),
    Request(Arc<CertificateSigningRequest>),
    Token(Arc<Value>),
}

impl Observed {
    /// Reads an object of a kind. An object that does not match its type is kept as unreadable, with the reason.
    ///
    /// Returns `None` if it has no name, and so cannot be identified.
    pub fn read(kind: &GroupKind, mut object: Value) -> Option<Self> {
        let metadata = object.get_mut("metadata")?.as_object_mut()?;
        // `managedFields` is the largest part of a small object. It is kept whole only for kinds with few objects, where it shows who
        // has changed which field of a declared object.
        if !Shape::of(kind).keeps_json() {
            keep_writers(metadata);
        }
        let text = |member: &str| metadata.get(member).and_then(Value::as_str).unwrap_or_default().to_owned();
        let name = NamespacedName::new(text("namespace"), text("name"));
        if name.name.is_empty() {
            return None;
        }
        let (uid, version) = (text("uid"), text("resourceVersion").parse().ok());
        convert(&mut object, AddonVersion::V1Beta1);
        convert_owners(object.get_mut("metadata")?, AddonVersion::V1Beta1);
        let content = content(Shape::of(kind), &name, object);
        Some(Self { kind: kind.clone(), name, uid, version, content })
    }

    pub(in crate::hub) fn is_foreign(&self) -> bool {
        matches!(self.content, Content::Foreign)
    }

    /// Inserts the object into the fleet. Its previous version must have been removed before.
    pub(in crate::hub) fn place(self, fleet: &mut Fleet) {
        let Self { kind, name, content, .. } = self;
        let key = || ObjectKey::new(&kind.group, &kind.kind, &name.namespace, &name.name);
        let (typed, json) = match content {
            Content::Held { typed, json } => (typed, json),
            Content::Foreign => return,
            Content::Unreadable(reason) => {
                fleet.unreadable.insert(key(), reason);
                return;
            }
        };
        if let Some(json) = json {
            fleet.declared.insert(key(), json);
        }
        match typed {
            Some(Typed::Cluster(cluster, object)) => drop(fleet.clusters.insert(cluster, object)),
            Some(Typed::ClusterSet(object)) => drop(fleet.cluster_sets.insert(name.name, object)),
            Some(Typed::ClusterSetBinding(object)) => drop(fleet.cluster_set_bindings.insert(name, object)),
            Some(Typed::Placement(object)) => drop(fleet.placements.insert(name, object)),
            Some(Typed::Decision(object)) => drop(fleet.decisions.insert(name, object)),
            Some(Typed::Score(cluster, object)) => {
                fleet.scores.entry(cluster).or_default().insert(name.name, object);
            }
            Some(Typed::Addon(addon, object)) => drop(fleet.addons.insert(addon, object)),
            Some(Typed::ClusterAddon(addon, cluster, object)) => {
                fleet.cluster_addons.entry(addon.into()).or_default().insert(cluster, object);
            }
            Some(Typed::Work(unit, cluster, mut object)) => {
                let clusters = fleet.works.entry(unit).or_default();
                if let Some(other) = clusters.values().next().and_then(|works| works.get(&name.name)) {
                    work::share(Arc::make_mut(&mut object), other);
                }
                clusters.entry(cluster).or_default().insert(name.name, object);
            }
            Some(Typed::RoleBinding(addon, object)) => {
                let bindings = fleet.role_bindings.entry(addon.into()).or_default().entry(name.namespace).or_default();
                bindings.insert(name.name, object);
            }
            Some(Typed::Token(object)) => drop(fleet.tokens.insert(key(), object)),
            Some(Typed::Request(object)) => drop(fleet.requests.insert(name.name, object)),
            None => {}
        }
    }
}

/// Removes an object from the fleet, wherever it is.
pub(in crate::hub) fn remove(fleet: &mut Fleet, kind: &GroupKind, at: &NamespacedName) {
    let key = ObjectKey::new(&kind.group, &kind.kind, &at.namespace, &at.name);
    if fleet.declared.contains_key(&key) {
        fleet.declared.remove(&key);
    }
    fleet.unreadable.remove(&key);
    fleet.tokens.remove(&key);
    match Shape::of(kind) {
        Shape::Cluster if fleet.clusters.contains_key(at.name.as_str()) => {
            fleet.clusters.remove(at.name.as_str());
        }
        Shape::ClusterSet => drop(fleet.cluster_sets.remove(&at.name)),
        Shape::ClusterSetBinding => drop(fleet.cluster_set_bindings.remove(at)),
        Shape::Placement => drop(fleet.placements.remove(at)),
        Shape::Decision => drop(fleet.decisions.remove(at)),
        Shape::Score => remove_nested(&mut fleet.scores, &at.namespace, &at.name),
        Shape::Addon => drop(fleet.addons.remove(at.name.as_str())),
        Shape::ClusterAddon => {
            let clusters = fleet.cluster_addons.get_mut(at.name.as_str());
            if let Some(clusters) = clusters.filter(|clusters| clusters.contains_key(at.namespace.as_str())) {
                clusters.remove(at.namespace.as_str());
                if clusters.is_empty() {
                    fleet.cluster_addons.remove(at.name.as_str());
                }
            }
        }
        Shape::Work => remove_labelled(&mut fleet.works, at),
        Shape::RoleBinding => remove_labelled(&mut fleet.role_bindings, at),
        Shape::Request => drop(fleet.requests.remove(&at.name)),
        Shape::Cluster | Shape::Config | Shape::Declared => {}
    }
}

/// Objects by namespace and name.
type Named<K, V> = BTreeMap<K, BTreeMap<String, V>>;

/// Removes an object that is found by the unit in its label. The label may have changed, so all units are searched; there are few.
fn remove_labelled<K: Borrow<str> + Ord + Clone, V: Clone>(
    units: &mut BTreeMap<UnitName, Shared<Named<K, V>>>,
    at: &NamespacedName,
) {
    // A map that is changed is copied, so only the one with the object may be changed.
    let has = |objects: &Named<K, V>| {
        objects.get(at.namespace.as_str()).is_some_and(|objects| objects.contains_key(&at.name))
    };
    units.retain(|_, objects| {
        if has(objects) {
            remove_nested(objects, &at.namespace, &at.name);
        }
        !objects.is_empty()
    });
}

/// Removes an entry from a map of maps, and the inner map if it has no other entries.
fn remove_nested<K, L, V>(maps: &mut BTreeMap<K, BTreeMap<L, V>>, outer: &str, inner: &str)
where
    K: Borrow<str> + Ord,
    L: Borrow<str> + Ord,
{
    if let Some(entries) = maps.get_mut(outer) {
        entries.remove(inner);
        if entries.is_empty() {
            maps.remove(outer);
        }
    }
}

fn content(shape: Shape, name: &NamespacedName, mut object: Value) -> Content {
    let label = |label: &str| {
        object.get("metadata").and_then(|m| m.get("labels")).and_then(|l| l.get(label)).and_then(Value::as_str)
    };
    let owned = label(OWNED_LABEL) == Some("true");
    // Other controllers label bindings with an add-on too; only those of templates have both labels.
    let is_granted = shape != Shape::RoleBinding || label(ADDON_TEMPLATE_NAME).is_some();
    let addon = label(ADDON_NAME).filter(|_| is_granted).map(str::to_owned);
    let is_foreign = match shape {
        Shape::Work => unit_of_work(&object) == Ok(None),
        Shape::Request => addon.is_none(),
        Shape::Declared => !owned,
        Shape::RoleBinding => addon.is_none() && !owned,
        _ => false,
    };
    if is_foreign && shape == Shape::Work && is_of_application(&name.name) && !names_unit(&object) {
        // It is in the way of an application.
        return Content::Unreadable("it has the name of a work of an application, but not its labels".to_owned());
    }
    if is_foreign {
        return Content::Foreign;
    }
    // Not a declared object: those have the hash of what was applied.
    if owned
        && label(TOKEN_INFRASTRUCTURE).is_some()
        && object.pointer("/metadata/annotations").is_none_or(is_undeclared)
    {
        return Content::Held { typed: Some(Typed::Token(Arc::new(object))), json: None };
    }
    let json = (owned || shape.keeps_json()).then(|| Arc::new(object.clone()));
    if let Some(members) = object.as_object_mut() {
        // Kinds without a spec, and objects created without one, are read as if it were empty.
        members.entry("spec").or_insert_with(|| json!({}));
    }
    match typed(shape, name, addon, object) {
        Ok(typed) => Content::Held { typed, json },
        Err(reason) => Content::Unreadable(reason.to_string()),
    }
}

/// Returns `true` if an annotation names the unit of a work. Labels that it lost are restored.
fn names_unit(work: &Value) -> bool {
    work.pointer("/metadata/annotations").is_some_and(|annotations| annotations.get(UNIT).is_some())
}

fn is_undeclared(annotations: &Value) -> bool {
    annotations.get(APPLIED_HASH).is_none()
}

/// Why an object of the hub cannot be used.
#[derive(Debug, thiserror::Error)]
enum Unusable {
    /// Its name, or that of its namespace, is not valid.
    #[error(transparent)]
    Name(#[from] InvalidName),
    /// It does not fit its type.
    #[error(transparent)]
    Content(#[from] serde_json::Error),
}

fn typed(
    shape: Shape,
    NamespacedName { namespace, name }: &NamespacedName,
    addon: Option<String>,
    object: Value,
) -> Result<Option<Typed>, Unusable> {
    let cluster = |name: &str| name.parse::<ClusterName>();
    let addon_name = |name: &str| name.parse::<AddonName>();
    Ok(Some(match shape {
        Shape::Cluster => Typed::Cluster(cluster(name)?, decoded(object)?),
        Shape::ClusterSet => Typed::ClusterSet(decoded(object)?),
        Shape::ClusterSetBinding => Typed::ClusterSetBinding(decoded(object)?),
        Shape::Placement => Typed::Placement(decoded(object)?),
        Shape::Decision => Typed::Decision(decoded(object)?),
        Shape::Score => Typed::Score(cluster(namespace)?, decoded(object)?),
        Shape::Addon => Typed::Addon(addon_name(name)?, decoded(object)?),
        Shape::ClusterAddon => Typed::ClusterAddon(addon_name(name)?, cluster(namespace)?, decoded(object)?),
        Shape::Work => {
            let Some(unit) = unit_of_work(&object)? else { return Ok(None) };
            let mut read: Arc<ManifestWork> = decoded(object)?;
            work::reduce(Arc::make_mut(&mut read));
            Typed::Work(unit, cluster(namespace)?, read)
        }
        Shape::RoleBinding => match addon {
            Some(addon) => Typed::RoleBinding(addon_name(&addon)?, decoded(object)?),
            None => return Ok(None),
        },
        Shape::Request => Typed::Request(decoded(object)?),
        Shape::Config | Shape::Declared => return Ok(None),
    }))
}

fn decoded<T: DeserializeOwned>(mut object: Value) -> Result<Arc<T>, serde_json::Error> {
    if let Ok(read) = T::deserialize(&object) {
        return Ok(Arc::new(read));
    }
    // Go writes an empty list as null unless the field has `omitempty`; for Kubernetes, both mean nothing. Nulls in
    // manifests are kept, since only objects that are otherwise unreadable get here.
    drop_nulls(&mut object);
    T::deserialize(&object).map(Arc::new)
}

fn drop_nulls(value: &mut Value) {
    match value {
        Value::Object(members) => {
            members.retain(|_, member| !member.is_null());
            members.values_mut().for_each(drop_nulls);
        }
        Value::Array(items) => items.iter_mut().for_each(drop_nulls),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// Returns `true` if a field manager owns nothing but finalizers, as the agent of a cluster does in a ManifestWork.
fn only_adds_finalizers(entry: &Value) -> bool {
    let members = |pointer: &str| entry.pointer(pointer).and_then(Value::as_object);
    let is_only = |pointer: &str, name: &str| members(pointer).is_some_and(|m| m.len() == 1 && m.contains_key(name));
    is_only("/fieldsV1", "f:metadata") && is_only("/fieldsV1/f:metadata", "f:finalizers")
}

/// Reduces `managedFields` to who else wrote the object since Tidegate did, and who else wrote its status last, without the fields.
fn keep_writers(metadata: &mut Map<String, Value>) {
    let Some(Value::Array(mut entries)) = metadata.remove("managedFields") else { return };
    let text = |entry: &Value, field: &str| entry.get(field).and_then(Value::as_str).unwrap_or_default().to_owned();
    let is_own = |entry: &Value| text(entry, "manager") == FIELD_MANAGER && text(entry, "subresource").is_empty();
    let own = entries.iter().filter(|entry| is_own(entry)).map(|entry| text(entry, "time")).max().unwrap_or_default();
    // What Tidegate wrote since has replaced what others wrote before. OCM's add-on manager shows that it runs.
    let is_replaced = |entry: &Value| {
        let manager = text(entry, "manager");
        text(entry, "subresource").is_empty() && text(entry, "time") < own && !is_manager(&manager)
    };
    entries
        .retain(|entry| text(entry, "manager") != FIELD_MANAGER && !is_replaced(entry) && !only_adds_finalizers(entry));
    let mut last: BTreeMap<String, Value> = BTreeMap::new();
    for mut entry in entries {
        if let Some(entry) = entry.as_object_mut() {
            entry.remove("fieldsV1");
        }
        let part = text(&entry, "subresource");
        // RFC 3339 times in UTC sort as strings.
        if last.get(&part).is_none_or(|before| text(before, "time") <= text(&entry, "time")) {
            last.insert(part, entry);
        }
    }
    if !last.is_empty() {
        metadata.insert("managedFields".to_owned(), last.into_values().collect());
    }
}
