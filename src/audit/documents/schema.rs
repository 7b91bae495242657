//! JSON Schemas of the documents of the journal and of the commands, for programs that read them.

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema};
use serde_json::Value;

use tidegate_journal::clusters::ClusterList;
use tidegate_journal::history::History;
use tidegate_journal::pulls::PullDocument;
use tidegate_journal::record::{AddonStatus, SealedRollout, Sync};
use tidegate_journal::snapshot::{FleetList, Snapshot};
use tidegate_review::policy::Variables;
use tidegate_review::proposal::document::Plan;
use tidegate_review::rehearsal::document::Rehearsal;

/// The documents that have a schema.
pub const NAMES: [&str; 12] = [
    "status",
    "sync",
    "clusters",
    "rollout",
    "pull-request",
    "history",
    "fleet",
    "fleet-list",
    "plan",
    "rehearsal",
    "policy-variables",
    "page",
];

/// Returns the schema of a document by its name; `None` for a name that is not in [`NAMES`].
///
/// # Shape
/// JSON Schema, draft 2020-12. Later versions of Tidegate may add fields that it does not list.
pub fn schema(name: &str) -> Option<Value> {
    let schema = match name {
        "status" => of::<AddonStatus>(),
        "sync" => of::<Sync>(),
        "clusters" => of::<ClusterList>(),
        "rollout" => of::<SealedRollout>(),
        "pull-request" => of::<PullDocument>(),
        "history" => of::<History>(),
        "fleet" => of::<Snapshot>(),
        "fleet-list" => of::<FleetList>(),
        "plan" => of::<Plan>(),
        "rehearsal" => of::<Rehearsal>(),
        "policy-variables" => of::<Variables>(),
        "page" => of::<tidegate_page::Document>(),
        _ => return None,
    };
    let mut schema = schema.to_value();
    if let Some(members) = schema.as_object_mut() {
        members.insert("$id".to_owned(), format!("https://tidegate.io/v1alpha1/{name}.json").into());
    }
    Some(schema)
}

fn of<T: JsonSchema>() -> Schema {
    SchemaSettings::draft2020_12().into_generator().into_root_schema_for::<T>()
}
