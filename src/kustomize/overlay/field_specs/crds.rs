//! Field specs from the types of `crds`.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::config::{Config, References};
use super::spec::{FieldSpec, Gvk, MAX_STEPS};

/// A value that does not describe types.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum NotTypes {
    #[error("{what:?} is not a mapping")]
    Mapping { what: String },
    #[error("the type {name:?} contains itself")]
    Endless { name: String },
}

/// Reads the field specs of all types that look like objects.
///
/// # Errors
/// The error of `charge`, or [`NotTypes`].
///
/// # Source
/// kustomize `accumulator.LoadConfigFromCRDs`.
pub(crate) fn read<E>(
    types: &Value,
    charge: &mut dyn FnMut(usize) -> Result<(), E>,
) -> Result<Config, Result<E, NotTypes>> {
    let mut config = Config::default();
    let Some(types) = object(types, "the file")? else { return Ok(config) };
    for (name, value) in types {
        let Some(properties) = properties(name, value)? else { continue };
        properties.iter().try_for_each(|(property, value)| object(value, property).map(drop))?;
        if !["apiVersion", "kind", "metadata"].iter().all(|field| properties.contains_key(*field)) {
            continue;
        }
        let kind = name.rsplit('.').next().unwrap_or(name).to_owned();
        let gvk = Gvk { kind: kind.into(), ..Gvk::default() };
        let mut walk = Walk { types, gvk, path: Vec::new(), above: BTreeSet::new(), config: &mut config, charge };
        walk.type_named(name)?;
    }
    Ok(config)
}

struct Walk<'w, E> {
    types: &'w Map<String, Value>,
    gvk: Gvk,
    path: Vec<String>,
    /// The types that contain the current one.
    above: BTreeSet<String>,
    config: &'w mut Config,
    charge: &'w mut dyn FnMut(usize) -> Result<(), E>,
}

impl<E> Walk<'_, E> {
    fn type_named(&mut self, name: &str) -> Result<(), Result<E, NotTypes>> {
        let Some(value) = self.types.get(name) else { return Ok(()) };
        let Some(properties) = properties(name, value)? else { return Ok(()) };
        if !self.above.insert(name.to_owned()) || self.path.len() >= MAX_STEPS {
            return Err(Err(NotTypes::Endless { name: name.to_owned() }));
        }
        for (property, value) in properties {
            (self.charge)(1).map_err(Ok)?;
            let Some(fields) = object(value, property)? else { continue };
            self.path.push(property.clone());
            self.property(fields);
            if let Some(reference) = fields.get("$ref").and_then(Value::as_str) {
                self.type_named(reference)?;
            }
            self.path.pop();
        }
        self.above.remove(name);
        Ok(())
    }

    /// Adds the field specs of a property.
    fn property(&mut self, fields: &Map<String, Value>) {
        let text = |name: &str| extension(fields, name);
        let spec = |path: String| FieldSpec::new(self.gvk.clone(), path, false);
        let path = self.path.join("/");
        if text("x-kubernetes-annotation").is_some() {
            self.config.annotations.push(spec(path.clone()));
        }
        if text("x-kubernetes-label-selector").is_some() {
            self.config.common_labels.push(spec(path.clone()));
        }
        if text("x-kubernetes-identity").is_some() {
            self.config.prefix.push(spec(path.clone()));
        }
        let version = text("x-kubernetes-object-ref-api-version");
        if let Some((version, kind)) = version.zip(text("x-kubernetes-object-ref-kind")) {
            let key = text("x-kubernetes-object-ref-name-key").unwrap_or("name");
            let target = Gvk { group: "".into(), version: version.to_owned().into(), kind: kind.to_owned().into() };
            let referrer = spec(format!("{path}/{key}"));
            match self.config.references.iter_mut().find(|known| known.target == target) {
                Some(known) => known.referrers.push(referrer),
                None => self.config.references.push(References { target, referrers: vec![referrer] }),
            }
        }
    }
}

/// Returns the properties of a type.
fn properties<'v, E>(name: &str, value: &'v Value) -> Result<Option<&'v Map<String, Value>>, Result<E, NotTypes>> {
    let Some(fields) = object(value, name)? else { return Ok(None) };
    let schema = any_case(fields, "Schema");
    let Some(schema) = schema.map_or(Ok(None), |schema| object(schema, "Schema"))? else { return Ok(None) };
    schema.get("properties").map_or(Ok(None), |properties| object(properties, "properties"))
}

fn object<'v, E>(value: &'v Value, what: &str) -> Result<Option<&'v Map<String, Value>>, Result<E, NotTypes>> {
    match value {
        Value::Null => Ok(None),
        Value::Object(fields) => Ok(Some(fields)),
        _ => Err(Err(NotTypes::Mapping { what: what.to_owned() })),
    }
}

/// Returns the string of an extension.
fn extension<'v>(fields: &'v Map<String, Value>, name: &str) -> Option<&'v str> {
    any_case(fields, name).and_then(Value::as_str)
}

/// Returns a field. Go ignores the case of field names.
fn any_case<'v>(fields: &'v Map<String, Value>, name: &str) -> Option<&'v Value> {
    let any = || fields.iter().find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value);
    fields.get(name).or_else(any)
}
