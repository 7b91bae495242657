//! The schema of the daemon's configuration file, generated from the type that reads it.

use schemars::generate::SchemaSettings;
use serde_json::Value;

use crate::cli::config::File;

/// Returns the schema.
pub(super) fn schema() -> Value {
    let mut schema = SchemaSettings::draft07().into_generator().into_root_schema_for::<File>().to_value();
    if let Some(members) = schema.as_object_mut() {
        members.insert("title".to_owned(), "The configuration of the daemon (tidegate run --config)".into());
    }
    without_null(&mut schema);
    schema
}

/// Removes `null`, which TOML does not have: an optional setting is left out instead.
fn without_null(schema: &mut Value) {
    match schema {
        Value::Array(items) => {
            items.retain(|item| item != "null" && item.get("type").is_none_or(|only| only != "null"));
            items.iter_mut().for_each(without_null);
        }
        Value::Object(members) => {
            members.remove("default");
            members.values_mut().for_each(without_null);
        }
        _ => {}
    }
}
