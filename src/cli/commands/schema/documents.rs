//! All schemas by name.

use serde_json::{Map, Value};

use super::{daemon, kinds, repository, settings};
use crate::audit::schema;
use crate::cli::failure::Failure;
use tidegate_repository::control;

/// The dialect of the schemas for editors: their language servers support it best.
pub(super) const DIALECT: &str = "http://json-schema.org/draft-07/schema#";

/// Returns all schemas by name.
///
/// # Shape
/// Schemas of journal documents are in draft 2020-12, for programs; schemas of files that people write are in draft-07, for
/// editors.
pub(super) fn all() -> Result<Map<String, Value>, Failure> {
    let mut documents: Map<String, Value> =
        schema::NAMES.into_iter().filter_map(|name| Some((name.to_owned(), schema::schema(name)?))).collect();
    let (kinds, groups) = kinds::kinds()?;
    documents.insert("repository".to_owned(), identified("repository", repository::schema(&kinds, &groups)));
    documents.insert("settings".to_owned(), identified("settings", settings::schema()));
    documents.insert("control".to_owned(), identified("control", control::schema()));
    documents.insert("daemon".to_owned(), identified("daemon", daemon::schema()));
    documents.insert("approval".to_owned(), identified("approval", tidegate_consent::file::schema()));
    for kind in kinds {
        let schema = identified(&kind.name, kind.schema);
        documents.insert(kind.name, schema);
    }
    Ok(documents)
}

/// Returns the full name of a schema. A kind alone, in any case, means its latest version.
pub(super) fn full_name(name: &str, documents: &Map<String, Value>) -> Option<String> {
    let name = name.to_lowercase();
    if documents.contains_key(&name) {
        return Some(name);
    }
    let of_kind = documents.keys().filter(|known| known.rsplit_once('-').is_some_and(|(kind, _)| kind == name));
    of_kind.max().cloned()
}

/// Adds the dialect and the address, which contains the version.
fn identified(name: &str, mut schema: Value) -> Value {
    if let Some(members) = schema.as_object_mut() {
        members.insert("$schema".to_owned(), DIALECT.into());
        members.insert("$id".to_owned(), format!("https://tidegate.io/v1alpha1/{name}.json").into());
    }
    schema
}
