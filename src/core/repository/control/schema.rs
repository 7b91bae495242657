//! The schema of a control file.

use std::sync::LazyLock;

use schemars::generate::SchemaSettings;
use serde_json::{Value, json};

use super::types::Control;
use crate::read::misplaced::CONTROL_KIND;
use tidegate_api::schema::Schema;
use tidegate_model::document::API_VERSION;

/// The schema that control files are checked against. Built once.
pub(super) static SCHEMA: LazyLock<Schema> = LazyLock::new(|| Schema::compile(&schema()));

/// Returns the JSON Schema of a control file, in draft-07.
pub fn schema() -> Value {
    let mut settings = SchemaSettings::draft07();
    settings.inline_subschemas = true;
    let mut schema = settings.into_generator().into_root_schema_for::<Control>().to_value();
    let constant = |value: &str| json!({ "type": "string", "const": value });
    if let Some(properties) = schema.pointer_mut("/properties").and_then(Value::as_object_mut) {
        properties.insert("apiVersion".to_owned(), constant(API_VERSION));
        properties.insert("kind".to_owned(), constant(CONTROL_KIND));
    }
    // The absence of clusters means all of them, and null is not allowed.
    if let Some(clusters) = schema.pointer_mut("/properties/retry/properties/clusters").and_then(Value::as_object_mut) {
        clusters.remove("default");
    }
    schema["title"] = "A control file (control/<add-on>.yaml)".into();
    schema["required"] = json!(["apiVersion", "kind"]);
    schema
}
