//! OpenAPI documents, as far as a strategic merge needs them.

use serde_json::{Map, Value};

use super::document::{Document, Schema};
use super::types::{Field, Keys, Type};

/// Maximum number of references that are followed one after another.
const MAX_REFERENCES: usize = 64;
/// Maximum nesting depth of schemas in a definition.
const MAX_DEPTH: usize = 64;
const KIND: &str = "x-kubernetes-group-version-kind";
const REFERENCE: &str = "#/definitions/";

/// A value that is not an OpenAPI document.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum NotOpenApi {
    #[error("{what} is not an object")]
    Object { what: String },
    #[error("the definition {definition} has a schema that is not an object")]
    Schema { definition: String },
    #[error("the definition {definition} nests more than {MAX_DEPTH} levels")]
    Deep { definition: String },
}

impl Document {
    /// Reads a document.
    ///
    /// # Errors
    /// [`NotOpenApi`]
    ///
    /// # Source
    /// kyaml `openapi.AddDefinitions`, `findNamespaceability`.
    pub(crate) fn read(value: &Value) -> Result<Self, NotOpenApi> {
        let mut document = Self::default();
        let Some(root) = object(value, "the document")? else { return Ok(document) };
        for (name, definition) in member(root, "definitions")?.into_iter().flatten() {
            let at = document.add(definition, name, 0)?;
            document.definitions.insert(name.clone(), at);
            for kind in definition.get(KIND).and_then(Value::as_array).into_iter().flatten() {
                if let Some(kind) = type_meta(kind) {
                    document.kinds.insert(kind, at);
                }
            }
        }
        for (path, item) in member(root, "paths")?.into_iter().flatten() {
            let kind = item.get("get").and_then(|get| get.get(KIND)).and_then(type_meta);
            let Some(kind) = kind else { continue };
            if path.contains("namespaces/{namespace}") {
                document.namespaced.insert(kind, true);
            } else {
                document.namespaced.entry(kind).or_insert(false);
            }
        }
        Ok(document)
    }

    fn add(&mut self, value: &Value, name: &str, depth: usize) -> Result<usize, NotOpenApi> {
        if depth > MAX_DEPTH {
            return Err(NotOpenApi::Deep { definition: name.to_owned() });
        }
        let at = self.schemas.len();
        self.schemas.push(Schema::default());
        // A schema may be `true`.
        let Some(fields) = value.as_object() else {
            return if value.is_boolean() { Ok(at) } else { Err(NotOpenApi::Schema { definition: name.to_owned() }) };
        };
        let mut schema = Schema {
            reference: fields
                .get("$ref")
                .and_then(Value::as_str)
                .and_then(|text| text.strip_prefix(REFERENCE))
                .map(str::to_owned),
            ..Schema::default()
        };
        // A reference to anything else leads to no schema.
        if fields.contains_key("$ref") && schema.reference.is_none() {
            schema.reference = Some(String::new());
        }
        for (key, property) in member(fields, "properties")?.into_iter().flatten() {
            schema.properties.insert(key.clone(), self.add(property, name, depth + 1)?);
        }
        if let Some(additional) = fields.get("additionalProperties").filter(|value| value.is_object()) {
            schema.additional = Some(self.add(additional, name, depth + 1)?);
        }
        let is_array = match fields.get("type") {
            Some(Value::String(text)) => text == "array",
            Some(Value::Array(types)) => matches!(types.as_slice(), [Value::String(text)] if text == "array"),
            _ => false,
        };
        if let Some(items) = fields.get("items").filter(|value| is_array && value.is_object()) {
            schema.items = Some(self.add(items, name, depth + 1)?);
        }
        let strategy = fields.get("x-kubernetes-patch-strategy").and_then(Value::as_str).unwrap_or_default();
        if strategy.split(',').any(|strategy| strategy == "merge") {
            schema.merged_by = Some(keys(fields));
        }
        if let Some(place) = self.schemas.get_mut(at) {
            *place = schema;
        }
        Ok(at)
    }

    /// Returns the index of the schema of a kind.
    pub(super) fn kind(&self, api_version: &str, kind: &str) -> Option<usize> {
        self.kinds.get(&(api_version.to_owned(), kind.to_owned())).copied()
    }

    /// Returns `true` if the document lists paths of a kind, and none of them is in a namespace.
    pub(crate) fn is_cluster_scoped(&self, api_version: &str, kind: &str) -> bool {
        !self.namespaced.is_empty() && self.namespaced.get(&(api_version.to_owned(), kind.to_owned())) == Some(&false)
    }

    /// Returns what a field holds.
    ///
    /// # Source
    /// kyaml `ResourceSchema.Field`, `Elements` and `PatchStrategyAndKeyList`.
    pub(super) fn field(&self, at: usize, name: &str) -> Option<Field<'_>> {
        let schema = self.schemas.get(at)?;
        let (at, field) = self.resolve(schema.properties.get(name).copied().or(schema.additional)?)?;
        let Some(keys) = &field.merged_by else { return Some(Field::Object(Type::Document(self, at))) };
        if keys.is_empty() {
            return Some(Field::Set);
        }
        let element = field.items.and_then(|items| self.resolve(items));
        Some(Field::Keyed(Keys::Document(keys), element.map(|(at, _)| Type::Document(self, at))))
    }

    /// Follows references.
    fn resolve(&self, mut at: usize) -> Option<(usize, &Schema)> {
        for _ in 0..MAX_REFERENCES {
            let schema = self.schemas.get(at)?;
            let Some(name) = &schema.reference else { return Some((at, schema)) };
            at = *self.definitions.get(name)?;
        }
        None
    }
}

fn object<'v>(value: &'v Value, what: &str) -> Result<Option<&'v Map<String, Value>>, NotOpenApi> {
    match value {
        Value::Null => Ok(None),
        Value::Object(fields) => Ok(Some(fields)),
        _ => Err(NotOpenApi::Object { what: what.to_owned() }),
    }
}

fn member<'v>(fields: &'v Map<String, Value>, name: &str) -> Result<Option<&'v Map<String, Value>>, NotOpenApi> {
    fields.get(name).map_or(Ok(None), |value| object(value, name))
}

fn keys(fields: &Map<String, Value>) -> Vec<String> {
    let listed = fields.get("x-kubernetes-list-map-keys").and_then(Value::as_array);
    let key = || fields.get("x-kubernetes-patch-merge-key").into_iter().collect();
    let keys: Vec<&Value> = listed.map_or_else(key, |listed| listed.iter().collect());
    keys.into_iter().filter_map(Value::as_str).map(str::to_owned).collect()
}

/// Returns `apiVersion` and kind.
fn type_meta(value: &Value) -> Option<(String, String)> {
    let text = |name: &str| value.get(name).and_then(Value::as_str);
    let (group, version, kind) = (text("group").unwrap_or_default(), text("version")?, text("kind")?);
    let api_version = if group.is_empty() { version.to_owned() } else { format!("{group}/{version}") };
    Some((api_version, kind.to_owned()))
}
