//! The schema of an ApplicationRevision.

use serde_json::{Value, json};

use crate::read::document::{document, map};

/// Returns the schema of a revision, given that of an application.
pub(in crate::application) fn schema(application: &Value) -> Value {
    let spec = json!({ "application": application, "componentDefinitions": map(), "traitDefinitions": map() });
    document(&["application"], &spec)
}
