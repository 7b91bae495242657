//! `tidegate schema`: the JSON Schemas of the journal's documents.

use clap::ValueEnum as _;

use super::audit::{SchemaArgs, SchemaName};
use super::failure::Failure;
use super::say::say_line;
use crate::audit::schema::{NAMES, schema};

/// Prints one schema, or the names of all.
pub fn run(args: &SchemaArgs) -> Result<(), Failure> {
    let Some(document) = args.document else {
        return NAMES.iter().try_for_each(|name| say_line(name));
    };
    let value = SchemaName::to_possible_value(&document);
    let found = value.and_then(|value| schema(value.get_name()));
    let found = found.ok_or_else(|| Failure::Internal(format!("{document:?} has no schema")))?;
    say_line(&serde_json::to_string_pretty(&found).map_err(|error| Failure::internal(&error))?)
}
