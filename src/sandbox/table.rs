//! The `Table` format that kubectl requests.

use serde_json::{Value, json};

use super::json_path;
use super::kind::{CellFormat, Column, Version};
use super::object;
use tidegate_model::time::Timestamp;

/// The part of each object that is included in its row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Include {
    /// The metadata; the default, which kubectl uses.
    Metadata,
    /// The whole object.
    Object,
    /// Nothing.
    None,
}

impl Include {
    /// Parses `includeObject`.
    pub(crate) fn read(text: &str) -> Self {
        match text {
            "Object" => Self::Object,
            "None" => Self::None,
            _ => Self::Metadata,
        }
    }
}

const NAME: &str = "Name must be unique within a namespace. Is required when creating resources, although some resources \
     may allow a client to request the generation of an appropriate name automatically. Name is primarily intended for \
     creation idempotence and configuration definition. Cannot be updated. More info: \
     https://kubernetes.io/docs/concepts/overview/working-with-objects/names#names";

/// Returns a table of objects. Its own metadata is empty.
pub(crate) fn table(version: &Version, objects: &[&Value], include: Include, now: Timestamp) -> Value {
    let mut columns =
        vec![json!({ "name": "Name", "type": "string", "format": "name", "description": NAME, "priority": 0 })];
    columns.extend(version.columns.iter().map(|column| {
        json!({
            "name": column.name, "type": column.type_, "format": column.format, "description": column.description,
            "priority": column.priority,
        })
    }));
    let rows: Vec<Value> = objects.iter().map(|object| row(version, object, include, now)).collect();
    json!({ "kind": "Table", "apiVersion": "meta.k8s.io/v1", "metadata": {}, "columnDefinitions": columns, "rows": rows })
}

/// Returns the `PartialObjectMetadata` of an object.
pub(crate) fn partial(object: &Value) -> Value {
    let metadata = object.get("metadata").cloned().unwrap_or_default();
    json!({ "kind": "PartialObjectMetadata", "apiVersion": "meta.k8s.io/v1", "metadata": metadata })
}

fn row(version: &Version, object: &Value, include: Include, now: Timestamp) -> Value {
    let mut cells = vec![json!(object::text(object, "name"))];
    cells.extend(version.columns.iter().map(|column| cell(column, object, now)));
    match include {
        Include::None => json!({ "cells": cells }),
        Include::Metadata => json!({ "cells": cells, "object": partial(object) }),
        Include::Object => json!({ "cells": cells, "object": object }),
    }
}

fn cell(column: &Column, object: &Value, now: Timestamp) -> Value {
    let count = |path: &str| {
        json_path::find(object, path).first().map_or(0, |value| match value {
            Value::Array(items) => items.len(),
            Value::Object(members) => members.len(),
            _ => 0,
        })
    };
    let found = json_path::find(object, &column.path);
    match (column.cell_format, found.first()) {
        (CellFormat::Count, _) => json!(column.path.split('|').map(count).sum::<usize>()),
        (CellFormat::Text, found) => json!(found.and_then(|value| value.as_str()).unwrap_or_default()),
        (CellFormat::Age, None) => json!("<unknown>"),
        (CellFormat::Typed, None) => Value::Null,
        (CellFormat::Age, Some(value)) => typed("date", value, now),
        (CellFormat::Typed, Some(value)) => typed(&column.type_, value, now),
    }
}

fn typed(type_: &str, value: &Value, now: Timestamp) -> Value {
    match (type_, value) {
        ("string", Value::String(_)) | ("boolean", Value::Bool(_)) | ("integer" | "number", Value::Number(_)) => {
            value.clone()
        }
        ("string", value) => json!(value.to_string()),
        ("date", Value::String(text)) => match text.parse::<Timestamp>() {
            Ok(at) => json!(age(now.as_second() - at.as_second())),
            Err(_) => json!("<invalid>"),
        },
        _ => Value::Null,
    }
}

/// Formats a duration as kubectl does: with at most two units, the second one only while it is significant.
///
/// # Source
/// `k8s.io/apimachinery/pkg/util/duration.HumanDuration`.
fn age(seconds: i64) -> String {
    let (minutes, hours) = (seconds / 60, seconds / 3600);
    let pair = |whole: i64, unit: &str, part: i64, small: &str| {
        if part == 0 { format!("{whole}{unit}") } else { format!("{whole}{unit}{part}{small}") }
    };
    match seconds {
        ..-1 => "<invalid>".to_owned(),
        -1..0 => "0s".to_owned(),
        0..120 => format!("{seconds}s"),
        120..600 => pair(minutes, "m", seconds % 60, "s"),
        600..10_800 => format!("{minutes}m"),
        10_800..28_800 => pair(hours, "h", minutes % 60, "m"),
        28_800..172_800 => format!("{hours}h"),
        172_800..691_200 => pair(hours / 24, "d", hours % 24, "h"),
        691_200..63_072_000 => format!("{}d", hours / 24),
        63_072_000..252_288_000 => pair(hours / 24 / 365, "y", hours / 24 % 365, "d"),
        _ => format!("{}y", hours / 24 / 365),
    }
}
