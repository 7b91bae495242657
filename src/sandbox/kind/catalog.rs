//! Kinds and where they are found.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use serde_json::{Value, json};

use super::{builtin, custom};
use crate::openapi::Documents;
use crate::schema::Node;
use tidegate_api::ocm::convert::{self, AddonVersion};
use tidegate_api::schema::{defaulting, pruning};

/// A kind of objects that is served.
#[derive(Debug, Clone)]
pub(crate) struct Kind {
    /// Its place in the catalogue and in the store.
    pub(crate) index: usize,
    /// API group; empty for the core group.
    pub(crate) group: String,
    /// The kind in CamelCase.
    pub(crate) kind: String,
    /// The kind of its lists.
    pub(crate) list_kind: String,
    /// The plural in the path.
    pub(crate) plural: String,
    /// The singular.
    pub(crate) singular: String,
    /// What people type.
    pub(crate) short_names: Vec<String>,
    /// The groups of kinds that it is listed with, such as `all`.
    pub(crate) categories: Vec<String>,
    /// Whether its objects live in namespaces.
    pub(crate) namespaced: bool,
    /// Whether it comes from a CRD; a server treats those more strictly.
    pub(crate) custom: bool,
    /// Whether it was defined otherwise before, so that objects may lie in the store that are not yet as they should be.
    pub(crate) was_redefined: bool,
    /// Whether its definition is being deleted.
    pub(crate) is_ending: bool,
    /// The served versions, the preferred one first.
    pub(crate) versions: Vec<Version>,
    /// The version in which objects are stored.
    pub(crate) storage: String,
}

/// One served version of a kind.
#[derive(Debug, Clone)]
pub(crate) struct Version {
    /// Its name, such as `v1`.
    pub(crate) name: String,
    /// The structural schema; none means that anything goes.
    pub(crate) schema: Option<Value>,
    /// The same, read for checks.
    pub(crate) node: Option<Node>,
    /// The schema by which fields are owned.
    pub(crate) field_schema: Value,
    /// Whether the status is a subresource.
    pub(crate) has_status: bool,
    /// The columns of a table, after the name.
    pub(crate) columns: Vec<Column>,
}

/// A column of a table.
#[derive(Debug, Clone)]
pub(crate) struct Column {
    /// The heading.
    pub(crate) name: String,
    /// `string`, `integer`, `boolean` or `date`.
    pub(crate) type_: String,
    /// Refinement of the type.
    pub(crate) format: String,
    /// What the column shows.
    pub(crate) description: String,
    /// 0 for columns that are always shown.
    pub(crate) priority: i32,
    /// Where the cell's value lies; where the values lie that are counted, with bars between.
    pub(crate) path: String,
    /// What the cell shows of it.
    pub(crate) shows: Shows,
}

/// What a cell shows of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shows {
    /// The value, if it is of the type of the column; of a date, how long ago it was.
    Typed,
    /// The text; nothing is an empty text.
    Text,
    /// How many members or items there are.
    Count,
    /// How long ago the date was.
    Age,
}

impl Kind {
    /// Returns the plural with its group, as messages name it.
    pub(crate) fn qualified(&self) -> Cow<'_, str> {
        if self.group.is_empty() {
            Cow::from(&self.plural)
        } else {
            Cow::from(format!("{}.{}", self.plural, self.group))
        }
    }

    /// Returns `true` if its objects define other kinds.
    pub(crate) fn is_definition(&self) -> bool {
        self.group == builtin::DEFINITION_GROUP && self.kind == builtin::DEFINITION
    }

    /// Returns the `apiVersion` of a version.
    pub(crate) fn api_version(&self, version: &str) -> String {
        if self.group.is_empty() { version.to_owned() } else { format!("{}/{version}", self.group) }
    }

    /// Returns `true` if an object is approved apart from the rest of it.
    pub(crate) fn has_approval(&self) -> bool {
        !self.custom && self.group == "certificates.k8s.io"
    }

    /// Returns a served version.
    pub(crate) fn version(&self, name: &str) -> Option<&Version> {
        self.versions.iter().find(|version| version.name == name)
    }

    /// Takes an object to a version; costs nothing if it is in that version.
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

    /// Prunes and completes an object that was stored under another definition; `None` if it is as it should be.
    fn completed(&self, object: &Value, version: &str) -> Option<Value> {
        let schema = self.version(version).filter(|_| self.was_redefined)?.schema.as_ref()?;
        let mut completed = object.clone();
        pruning::prune(&mut completed, schema, true);
        defaulting::fill(&mut completed, schema);
        (completed != *object).then_some(completed)
    }

    /// Returns `true` if the versions of two definitions have the same schemas.
    fn is_like(&self, other: &Self) -> bool {
        let schemas =
            |kind: &Self| kind.versions.iter().map(|v| (v.name.clone(), v.schema.clone())).collect::<Vec<_>>();
        schemas(self) == schemas(other)
    }

    /// Takes an object that nobody else holds to a version.
    pub(crate) fn converted(&self, object: Value, version: &str) -> Value {
        match self.convert(&object, version) {
            Cow::Borrowed(_) => object,
            Cow::Owned(converted) => converted,
        }
    }

    /// Takes an object from the store to a version, as it is seen today.
    pub(crate) fn presented(&self, object: Value, version: &str) -> Value {
        let converted = self.converted(object, version);
        self.completed(&converted, version).unwrap_or(converted)
    }

    /// Returns `true` if objects are seen in a version just as they are held.
    pub(crate) fn shows_as_held(&self, version: &str) -> bool {
        version == self.storage && !self.was_redefined
    }

    /// Takes a stored object to a version, sharing it where it is in that version.
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

/// All kinds that are served.
#[derive(Debug, Clone)]
pub(crate) struct Catalog {
    kinds: Vec<Arc<Kind>>,
    by_path: BTreeMap<(String, String, String), usize>,
    openapi: OnceLock<Documents>,
}

impl Catalog {
    /// Makes the catalogue of the core kinds and those of the CRDs. A CRD without a served version is left out.
    pub(crate) fn new(crds: &[CustomResourceDefinition]) -> Self {
        let custom = crds.iter().filter_map(custom::kind);
        let mut kinds: Vec<Kind> = builtin::kinds().into_iter().chain(custom).collect();
        for (index, kind) in kinds.iter_mut().enumerate() {
            kind.index = index;
        }
        Self::of(kinds.into_iter().map(Arc::new).collect())
    }

    fn of(kinds: Vec<Arc<Kind>>) -> Self {
        let mut by_path = BTreeMap::new();
        for kind in &kinds {
            for version in &kind.versions {
                by_path.insert((kind.group.clone(), version.name.clone(), kind.plural.clone()), kind.index);
            }
        }
        Self { kinds, by_path, openapi: OnceLock::new() }
    }

    /// Returns the catalogue with other CRDs. A kind keeps its index for ever; one that is no longer defined has no versions.
    pub(crate) fn redefined(&self, crds: &[CustomResourceDefinition]) -> Self {
        let mut kinds: Vec<Arc<Kind>> = self.kinds.clone();
        let mut defined: Vec<usize> = Vec::new();
        // The groups of the core kinds are taken.
        let is_free = |kind: &Kind| !self.kinds.iter().any(|core| !core.custom && core.group == kind.group);
        for mut kind in crds.iter().filter_map(custom::kind).filter(is_free) {
            let known = kinds.iter().position(|old| old.custom && old.group == kind.group && old.plural == kind.plural);
            kind.index = known.unwrap_or(kinds.len());
            let before = known.and_then(|index| kinds.get(index));
            kind.was_redefined = before.is_some_and(|before| before.was_redefined || !before.is_like(&kind));
            defined.push(kind.index);
            match known.and_then(|index| kinds.get_mut(index)) {
                Some(old) => *old = Arc::new(kind),
                None => kinds.push(Arc::new(kind)),
            }
        }
        for kind in kinds.iter_mut().filter(|kind| kind.custom && !defined.contains(&kind.index)) {
            *kind = Arc::new(Kind { versions: Vec::new(), ..Kind::clone(kind) });
        }
        Self::of(kinds)
    }

    /// Returns all kinds, in the order of their index.
    pub(crate) fn kinds(&self) -> &[Arc<Kind>] {
        &self.kinds
    }

    /// Returns the descriptions in OpenAPI, which are written when they are first asked for.
    pub(crate) fn openapi(&self) -> &Documents {
        self.openapi.get_or_init(|| Documents::new(&self.kinds))
    }

    /// Returns the kind at a path.
    pub(crate) fn find(&self, group: &str, version: &str, plural: &str) -> Option<&Arc<Kind>> {
        let path = (group.to_owned(), version.to_owned(), plural.to_owned());
        self.kinds.get(*self.by_path.get(&path)?)
    }

    /// Returns a kind by its name.
    pub(crate) fn named(&self, group: &str, kind: &str) -> Option<&Arc<Kind>> {
        self.kinds.iter().find(|served| served.group == group && served.kind == kind && !served.versions.is_empty())
    }
}
