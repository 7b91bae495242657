//! Served kinds: their names, versions and printer columns, and the conversion of objects to a version.

use std::borrow::Cow;
use std::sync::Arc;

use serde_json::{Value, json};

use crate::schema::Rules;
use tidegate_api::ocm::convert::{self, AddonVersion};
use tidegate_api::schema::{Schema, defaulting, pruning};

/// The group of [`DEFINITION`].
pub(super) const DEFINITION_GROUP: &str = "apiextensions.k8s.io";
/// The kind of CRDs.
pub(super) const DEFINITION: &str = "CustomResourceDefinition";

/// A served kind.
#[derive(Debug, Clone)]
pub(crate) struct Kind {
    /// Its index in the catalog and in the store.
    pub(crate) index: usize,
    /// API group; empty for the core group.
    pub(crate) group: String,
    /// The kind in CamelCase.
    pub(crate) kind: String,
    /// The kind of its lists, such as `PodList`.
    pub(crate) list_kind: String,
    /// The plural resource name, used in paths.
    pub(crate) plural: String,
    /// The singular resource name.
    pub(crate) singular: String,
    /// The short names for kubectl.
    pub(crate) short_names: Vec<String>,
    /// The categories that it belongs to, such as `all`.
    pub(crate) categories: Vec<String>,
    /// Whether its objects are namespaced.
    pub(crate) namespaced: bool,
    /// Whether it is defined by a CRD. A server treats such kinds more strictly.
    pub(crate) custom: bool,
    /// Whether its schemas have changed, so that stored objects still have to be pruned and defaulted when they are read.
    pub(crate) was_redefined: bool,
    /// Whether its CRD is being deleted.
    pub(crate) is_ending: bool,
    /// The served versions, the preferred one first.
    pub(crate) versions: Vec<Version>,
    /// The storage version.
    pub(crate) storage: String,
}

/// One served version of a kind.
#[derive(Debug, Clone)]
pub(crate) struct Version {
    /// Its name, such as `v1`.
    pub(crate) name: String,
    /// The structural schema as JSON; without one, any object is valid.
    pub(crate) schema_source: Option<Value>,
    /// The structural schema.
    pub(crate) schema: Option<Schema>,
    /// The validation rules of the schema.
    pub(crate) rules: Option<Rules>,
    /// The schema that determines field ownership.
    pub(crate) field_schema: Value,
    /// Whether there is a status subresource.
    pub(crate) has_status: bool,
    /// The printer columns, after the name.
    pub(crate) columns: Vec<Column>,
}

/// A printer column.
#[derive(Debug, Clone)]
pub(crate) struct Column {
    /// The heading.
    pub(crate) name: String,
    /// `string`, `integer`, `boolean` or `date`.
    pub(crate) type_: String,
    /// The OpenAPI format of the type.
    pub(crate) format: String,
    /// The description of the column.
    pub(crate) description: String,
    /// The priority; columns with priority 0 are always shown.
    pub(crate) priority: i32,
    /// The JSONPath of the value; for [`CellFormat::Count`], one or more paths separated by `|`.
    pub(crate) path: String,
    /// How the cell shows the value.
    pub(crate) cell_format: CellFormat,
}

/// How a cell shows a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CellFormat {
    /// The value, if it has the type of the column; a date is shown as its age.
    Typed,
    /// The string; empty if there is no value.
    Text,
    /// The number of fields or items.
    Count,
    /// The age of a date.
    Age,
}

impl Kind {
    /// Returns the resource name with its group, as messages show it.
    pub(crate) fn qualified(&self) -> Cow<'_, str> {
        if self.group.is_empty() {
            Cow::from(&self.plural)
        } else {
            Cow::from(format!("{}.{}", self.plural, self.group))
        }
    }

    /// Returns `true` if this is the kind of CRDs.
    pub(crate) fn is_definition(&self) -> bool {
        self.group == DEFINITION_GROUP && self.kind == DEFINITION
    }

    /// Returns the `apiVersion` of a version.
    pub(crate) fn api_version(&self, version: &str) -> String {
        if self.group.is_empty() { version.to_owned() } else { format!("{}/{version}", self.group) }
    }

    /// Returns `true` if there is an approval subresource.
    pub(crate) fn has_approval(&self) -> bool {
        !self.custom && self.group == "certificates.k8s.io"
    }

    /// Returns a served version.
    pub(crate) fn version(&self, name: &str) -> Option<&Version> {
        self.versions.iter().find(|version| version.name == name)
    }

    /// Converts an object to a version; borrows it if it is already in that version.
    pub(crate) fn convert<'a>(&self, object: &'a Value, version: &str) -> Cow<'a, Value> {
        let api_version = self.api_version(version);
        if object.get("apiVersion").and_then(Value::as_str) == Some(&api_version) {
            return Cow::Borrowed(object);
        }
        let mut object = object.clone();
        let target = [AddonVersion::V1Alpha1, AddonVersion::V1Beta1].into_iter().find(|v| v.as_str() == version);
        if let Some(target) = target {
            convert::convert(&mut object, target);
        }
        object["apiVersion"] = json!(api_version);
        Cow::Owned(object)
    }

    /// Prunes and defaults an object that was stored under a previous schema; `None` if nothing changes.
    fn completed(&self, object: &Value, version: &str) -> Option<Value> {
        let schema = self.version(version).filter(|_| self.was_redefined)?.schema.as_ref()?;
        let mut completed = object.clone();
        pruning::prune(&mut completed, schema, true);
        defaulting::fill(&mut completed, schema);
        (completed != *object).then_some(completed)
    }

    /// Returns `true` if two definitions have the same versions with the same schemas.
    pub(crate) fn has_same_schemas(&self, other: &Self) -> bool {
        let schemas =
            |kind: &Self| kind.versions.iter().map(|v| (v.name.clone(), v.schema_source.clone())).collect::<Vec<_>>();
        schemas(self) == schemas(other)
    }

    /// Converts an owned object to a version.
    pub(crate) fn converted(&self, object: Value, version: &str) -> Value {
        match self.convert(&object, version) {
            Cow::Borrowed(_) => object,
            Cow::Owned(converted) => converted,
        }
    }

    /// Converts an owned object from the store to a version, pruned and defaulted by the current schema.
    pub(crate) fn presented(&self, object: Value, version: &str) -> Value {
        let converted = self.converted(object, version);
        self.completed(&converted, version).unwrap_or(converted)
    }

    /// Returns `true` if stored objects can be returned in this version unchanged.
    pub(crate) fn is_stored_form(&self, version: &str) -> bool {
        version == self.storage && !self.was_redefined
    }

    /// Like [`Self::presented`], for a shared object; shares it if nothing changes.
    pub(crate) fn present(&self, object: &Arc<Value>, version: &str) -> Arc<Value> {
        let converted = self.convert(object, version);
        if let Some(completed) = self.completed(&converted, version) {
            return Arc::new(completed);
        }
        match converted {
            Cow::Borrowed(_) => Arc::clone(object),
            Cow::Owned(converted) => Arc::new(converted),
        }
    }
}
