//! The served kinds with their versions, schemas and printer columns, and their discovery documents.

mod aggregated;
pub(super) mod builtin;
mod core_columns;
mod core_schema;
pub(super) mod custom;
mod metadata;
mod served_kind;

pub(crate) use crate::catalog::Catalog;
pub(crate) use crate::discovery::Document;
pub(crate) use metadata::schema as metadata_schema;
pub(crate) use served_kind::{CellFormat, Column, Kind, Version};
