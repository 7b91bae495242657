//! The schema of a file of approvals, for editors.

use schemars::generate::SchemaSettings;
use serde_json::{Value, json};

use super::document::Approval;
use tidegate_model::document::API_VERSION;

/// Returns the JSON Schema of a file of approvals, in draft-07.
pub fn schema() -> Value {
    let mut settings = SchemaSettings::draft07();
    settings.inline_subschemas = true;
    let mut schema = settings.into_generator().into_root_schema_for::<Approval>().to_value();
    for (name, value) in [("apiVersion", API_VERSION), ("kind", "Approval")] {
        schema["properties"][name] = json!({ "type": "string", "const": value });
    }
    schema["title"] = "A file of approvals (approvals/<add-on>/<digest>-<group>.yaml)".into();
    schema
}
