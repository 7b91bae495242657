//! The served kinds with their versions, schemas and printer columns, and their discovery documents.

mod aggregated;
mod builtin;
mod catalog;
mod core_columns;
mod core_schema;
mod custom;
mod discovery;
mod metadata;
mod served_kind;

pub(crate) use catalog::Catalog;
pub(crate) use discovery::Document;
pub(crate) use metadata::schema as metadata_schema;
pub(crate) use served_kind::{CellFormat, Column, Kind, Version};
