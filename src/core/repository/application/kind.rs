//! The kinds of `core.oam.dev`, and the schema of an Application.

use std::sync::LazyLock;

use serde_json::{Value, json};

use super::schema::{label, list};
use super::sources::chart::{HELM, VALUES};
use super::traits::is_patch;
use super::{entries, revision};
use crate::complaint::{Complaint, Rule};
use crate::definition;
use crate::read::document::{any, document, map, text};
use crate::read::notes::Notes;
use crate::read::object::Object;
use tidegate_api::key;
use tidegate_api::schema::Schema;
use tidegate_model::name::{ApplicationName, NamespacedName, UnitName};

/// The kind of an application.
pub(super) const KIND: &str = "Application";
/// The kind of a published revision of an application.
pub(crate) const REVISION: &str = "ApplicationRevision";
/// The kind of what delivers revisions to clusters.
pub(crate) const APP_DEPLOYMENT: &str = "AppDeployment";
/// The version that is read.
pub(super) const VERSION: &str = "v1beta1";

/// Maximum traits of a component. Each of them is compared with what those before it have changed.
const MAX_TRAITS: usize = 50;

/// The schemas of the kinds that are read.
static SCHEMAS: LazyLock<[(&str, Schema); 3]> = LazyLock::new(|| {
    [
        (KIND, Schema::compile(&schema())),
        (REVISION, Schema::compile(&revision::schema::schema(&schema()))),
        (APP_DEPLOYMENT, Schema::compile(&entries::schema::schema())),
    ]
});

fn schema_of(kind: &str) -> Option<&'static Schema> {
    SCHEMAS.iter().find(|(known, _)| *known == kind).map(|(_, schema)| schema)
}

/// Returns `true` if an object is an application that is read as such.
pub(crate) fn is_application(object: &Object) -> bool {
    is_read(object, KIND)
}

/// Returns `true` if an object is a published revision.
pub(crate) fn is_revision(object: &Object) -> bool {
    is_read(object, REVISION)
}

/// Returns `true` if an object delivers revisions.
pub(crate) fn is_app_deployment(object: &Object) -> bool {
    is_read(object, APP_DEPLOYMENT)
}

/// Returns `true` if an object is of a kind that describes applications, and so never goes to the hub.
pub(crate) fn describes_applications(object: &Object) -> bool {
    object.key.group == key::APPLICATION_GROUP && object.schema.is_some()
}

/// Returns `true` for a kind of `core.oam.dev` that is read if applications are switched on.
pub(crate) fn is_read_kind(kind: &str) -> bool {
    schema_of(kind).is_some() || definition::schema_of(kind).is_some()
}

fn is_read(object: &Object, kind: &str) -> bool {
    object.key.group == key::APPLICATION_GROUP && object.key.kind == kind && object.schema.is_some()
}

/// Returns the unit that an object declares.
pub(crate) fn declared_unit(object: &Object) -> Option<UnitName> {
    if is_application(object) || is_app_deployment(object) {
        let name = NamespacedName::new(&object.key.namespace, &object.key.name);
        return ApplicationName::try_from(&name).ok().map(UnitName::Application);
    }
    if object.is_addon_kind("ClusterManagementAddOn") { object.key.name.parse().ok() } else { None }
}

/// Marks the objects of the kinds that are read, definitions included, and complains about other kinds of their group: nothing would read them.
pub(crate) fn mark(objects: &mut Vec<Object>, complaints: &mut Vec<Complaint>) {
    for object in objects.iter_mut().filter(|object| object.key.group == key::APPLICATION_GROUP) {
        let version = object.value.get("apiVersion").and_then(Value::as_str).unwrap_or_default();
        let is_known = version.split('/').nth(1) == Some(VERSION);
        // Also for an object of another version, so that its error holds it.
        object.schema = schema_of(&object.key.kind).or_else(|| definition::schema_of(&object.key.kind));
        // The schemas do not refuse null.
        if let Some(members) = object.value.as_object_mut().filter(|members| members.get("spec") == Some(&Value::Null))
        {
            members.remove("spec");
        }
        // A template may have nulls.
        if let Some(spec) = object.value.get_mut("spec").filter(|_| schema_of(&object.key.kind).is_some()) {
            drop_nulls(spec);
        }
        let kind = &object.key.kind;
        let (member, message) = match (object.schema, is_known) {
            (Some(_), true) => continue,
            (None, true) if definition::is_recognized(&object.value) => continue,
            (Some(_), false) => (
                "apiVersion",
                format!("apiVersion is not known for {kind}; write {}/{VERSION}", key::APPLICATION_GROUP),
            ),
            (None, _) => ("kind", format!("{kind} {}", definition::refusal(kind, &[KIND, REVISION, APP_DEPLOYMENT]))),
        };
        let mut found = Vec::new();
        Notes { object, complaints: &mut found }.error(object.origin_of(&[member]), message);
        complaints.extend(found.into_iter().map(|complaint| Complaint { rule: Rule::Application, ..complaint }));
    }
    objects.retain(|object| object.key.group != key::APPLICATION_GROUP || object.schema.is_some());
}

/// Fields whose values are as given. Without a label, a selector would select more clusters.
const AS_GIVEN: [&str; 5] =
    ["objects", "clusterLabelSelector", "clusterSelector", "componentDefinitions", "traitDefinitions"];

/// Removes fields with the value null, which mean the same as absent ones, but not those of objects, templates, patches and selectors.
fn drop_nulls(value: &mut Value) {
    match value {
        Value::Object(members) => {
            members.retain(|_, value| !value.is_null());
            let is_patch = members.get("type").and_then(Value::as_str).is_some_and(is_patch);
            let is_as_given = |name: &str| AS_GIVEN.contains(&name) || is_patch && name == "properties";
            // A null in the values of a chart removes a default.
            let may_have_values = members.get("type").is_none_or(|type_| type_ == HELM);
            for (name, value) in members.iter_mut().filter(|(name, _)| !is_as_given(name)) {
                let values = value.as_object_mut().filter(|_| may_have_values && name == "properties");
                let values = values.and_then(|properties| properties.remove(VALUES)).filter(|values| !values.is_null());
                drop_nulls(value);
                value.as_object_mut().into_iter().zip(values).for_each(|(of, values)| {
                    drop(of.insert(VALUES.to_owned(), values));
                });
            }
        }
        Value::Array(items) => items.iter_mut().for_each(drop_nulls),
        _ => {}
    }
}

fn schema() -> Value {
    let name = || json!({ "type": "string", "maxLength": 63, "pattern": "^[a-z0-9]([a-z0-9-]*[a-z0-9])?$" });
    let of_trait = json!({
        "type": "object",
        "required": ["type"],
        "properties": { "type": text(), "properties": map() },
    });
    let component = json!({
        "type": "object",
        "required": ["name", "type"],
        "properties": {
            "name": name(),
            "type": text(),
            "properties": map(),
            "traits": { "type": "array", "maxItems": MAX_TRAITS, "items": of_trait },
            "dependsOn": list(label(63)),
            // Known, but refused or without effect.
            "inputs": any(),
            "outputs": any(),
            "externalRevision": name(),
            "scopes": any(),
            "replicaKey": any(),
        },
    });
    let policy = json!({
        "type": "object",
        "required": ["name", "type"],
        "properties": { "name": name(), "type": text(), "properties": map() },
    });
    let named = |items: Value| json!({ "type": "array", "items": items, "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"] });
    let mut components = named(component);
    components["minItems"] = json!(1);
    document(&["components"], &json!({ "components": components, "policies": named(policy), "workflow": any() }))
}
