//! The shape of apps/v1 workloads, and the conversion of JSON to it as a Go client would do it.
//!
//! Upstream converts a workload to its Go struct to decorate it, and back. This changes the object: unknown fields are dropped,
//! zero values disappear or appear, and quantities are normalized. The works must be equal to upstream's, so the same is done
//! here, in place and without Go, by walking along a shape compiled once from the published schema.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use serde_json::{Map, Value};

use tidegate_api::kubernetes;
use tidegate_go::quantity::Quantity;
use tidegate_model::time::{Timestamp, to_seconds};

use super::fields::{Presence, presence};

/// The value does not match the shape.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Mismatch;

/// The type of a value.
#[derive(Debug)]
pub(crate) enum Shape {
    Text,
    Flag,
    Int32,
    Int64,
    IntOrString,
    Quantity,
    Time,
    List(Arc<Shape>),
    Map(Arc<Shape>),
    Struct(BTreeMap<String, Field>),
    /// Any value, left unchanged.
    Any,
}

/// A field of a struct.
#[derive(Debug)]
pub(crate) struct Field {
    shape: Arc<Shape>,
    presence: Presence,
}

/// The shape of a Deployment.
pub(crate) static DEPLOYMENT: LazyLock<Arc<Shape>> = LazyLock::new(|| compiled("io.k8s.api.apps.v1.Deployment"));
/// The shape of a DaemonSet.
pub(crate) static DAEMON_SET: LazyLock<Arc<Shape>> = LazyLock::new(|| compiled("io.k8s.api.apps.v1.DaemonSet"));
/// The shape of the tolerations of a pod.
pub(crate) static TOLERATIONS: LazyLock<Arc<Shape>> =
    LazyLock::new(|| Arc::new(Shape::List(compiled("io.k8s.api.core.v1.Toleration"))));
/// The shape of the resources of a container.
pub(crate) static RESOURCES: LazyLock<Arc<Shape>> =
    LazyLock::new(|| compiled("io.k8s.api.core.v1.ResourceRequirements"));

fn compiled(name: &str) -> Arc<Shape> {
    Compiler::default().definition(name)
}

fn short_name(name: &str) -> String {
    name.rsplit('.').next().unwrap_or(name).to_owned()
}

#[derive(Default)]
struct Compiler {
    done: BTreeMap<String, Arc<Shape>>,
}

impl Compiler {
    /// Compiles a schema; `name` is the name of its type.
    fn shape(&mut self, schema: &Value, name: &str) -> Arc<Shape> {
        if let Some(name) = kubernetes::reference(schema) {
            return self.definition(name);
        }
        let says = |key: &str, value: &str| schema.get(key).and_then(Value::as_str) == Some(value);
        Arc::new(match schema.get("type").and_then(Value::as_str) {
            Some("string") if says("format", "date-time") => Shape::Time,
            Some("string") => Shape::Text,
            Some("boolean") => Shape::Flag,
            Some("integer") if says("format", "int32") => Shape::Int32,
            Some("integer") => Shape::Int64,
            Some("array") => Shape::List(self.shape(schema.get("items").unwrap_or(&Value::Null), "")),
            Some("object") => self.object(schema, name),
            _ if name == "Quantity" => Shape::Quantity,
            _ if name == "IntOrString" => Shape::IntOrString,
            _ => Shape::Any,
        })
    }

    fn definition(&mut self, full_name: &str) -> Arc<Shape> {
        if let Some(shape) = self.done.get(full_name) {
            return shape.clone();
        }
        let schema = kubernetes::definition(full_name).unwrap_or(&Value::Null);
        let shape = self.shape(schema, &short_name(full_name));
        self.done.insert(full_name.to_owned(), shape.clone());
        shape
    }

    fn object(&mut self, schema: &Value, name: &str) -> Shape {
        if let Some(values) = schema.get("additionalProperties") {
            return Shape::Map(self.shape(values, ""));
        }
        let Some(properties) = schema.get("properties").and_then(Value::as_object) else { return Shape::Any };
        let required: Vec<&str> =
            schema.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect();
        let field = |(key, member): (&String, &Value)| {
            let presence = presence(name, key, required.contains(&key.as_str()));
            (key.clone(), Field { shape: self.shape(member, ""), presence })
        };
        Shape::Struct(properties.iter().map(field).collect())
    }
}

impl Shape {
    /// Converts a value to the shape.
    ///
    /// # Errors
    /// [`Mismatch`] if a field has another type; the value is then half converted and must be discarded.
    pub(crate) fn conform(&self, value: &mut Value) -> Result<(), Mismatch> {
        if value.is_null() {
            *value = self.zero();
            return Ok(());
        }
        let fits = match (self, &mut *value) {
            (Self::Any, _) | (Self::Text | Self::IntOrString, Value::String(_)) | (Self::Flag, Value::Bool(_)) => true,
            (Self::Int64, Value::Number(_)) => whole(value, i64::MIN, i64::MAX),
            (Self::Int32 | Self::IntOrString, Value::Number(_)) => whole(value, i32::MIN.into(), i32::MAX.into()),
            (Self::Quantity, Value::String(text)) => respell(&text.clone(), value),
            (Self::Quantity, Value::Number(number)) => respell(&number.to_string(), value),
            (Self::Time, Value::String(text)) => respell_time(&text.clone(), value),
            (Self::List(item), Value::Array(items)) => items.iter_mut().all(|member| item.conform(member).is_ok()),
            (Self::Map(item), Value::Object(members)) => {
                members.values_mut().all(|member| item.conform(member).is_ok())
            }
            (Self::Struct(fields), Value::Object(members)) => return conform_struct(fields, members),
            _ => false,
        };
        if fits { Ok(()) } else { Err(Mismatch) }
    }

    /// Returns the value that Go writes for a missing field.
    fn zero(&self) -> Value {
        match self {
            Self::Text => Value::from(""),
            Self::Flag => Value::Bool(false),
            Self::Int32 | Self::Int64 | Self::IntOrString => Value::from(0),
            Self::Quantity => Value::from("0"),
            Self::Time | Self::List(_) | Self::Map(_) | Self::Any => Value::Null,
            Self::Struct(fields) => {
                let mut members = Map::new();
                complete(fields, &mut members);
                Value::Object(members)
            }
        }
    }
}

fn whole(value: &mut Value, min: i64, max: i64) -> bool {
    let number = value.as_i64().or_else(|| value.as_f64().filter(|n| n.fract() == 0.0).map(|n| n as i64));
    match number.filter(|n| (min..=max).contains(n)) {
        Some(number) => {
            *value = Value::from(number);
            true
        }
        None => false,
    }
}

fn respell(text: &str, value: &mut Value) -> bool {
    Quantity::canonical(text.trim()).map(|text| *value = Value::from(text)).is_some()
}

/// Normalizes a time as Go does: UTC, whole seconds.
fn respell_time(text: &str, value: &mut Value) -> bool {
    let at = text.parse::<Timestamp>().map(to_seconds);
    at.map(|at| *value = Value::from(at.to_string())).is_ok()
}

fn conform_struct(fields: &BTreeMap<String, Field>, members: &mut Map<String, Value>) -> Result<(), Mismatch> {
    let mut outcome = Ok(());
    members.retain(|key, member| match fields.get(key) {
        Some(field) if !member.is_null() && outcome.is_ok() => {
            outcome = field.shape.conform(member);
            field.presence != Presence::NonZero || !is_zero(member, &field.shape)
        }
        _ => false,
    });
    complete(fields, members);
    outcome
}

fn complete(fields: &BTreeMap<String, Field>, members: &mut Map<String, Value>) {
    for (key, field) in fields {
        if members.contains_key(key) {
            continue;
        }
        match field.presence {
            Presence::Always => members.insert(key.clone(), field.shape.zero()),
            Presence::Nullable => members.insert(key.clone(), Value::Null),
            Presence::NonZero | Presence::Given => None,
        };
    }
}

fn is_zero(value: &Value, shape: &Shape) -> bool {
    match (shape, value) {
        (Shape::Text, Value::String(text)) => text.is_empty(),
        (Shape::Flag, Value::Bool(flag)) => !flag,
        (Shape::Int32 | Shape::Int64, number) => number.as_i64() == Some(0),
        (Shape::List(_), Value::Array(items)) => items.is_empty(),
        (Shape::Map(_), Value::Object(members)) => members.is_empty(),
        _ => false,
    }
}
