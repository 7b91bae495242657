//! Strategic merge patches: a patch that has the form of the object is merged into it.
//!
//! Merging follows kyaml's walk over both trees. Mappings and lists contain each other, so the files of this folder call each
//! other through the methods of one type, the `Merger`.

mod directive;
mod document;
pub(crate) mod element_setter;
mod elements;
mod list;
mod merge_keys;
mod merger;
mod openapi;
pub(crate) mod prepare;
mod schema;
mod types;
mod value;
mod walk;

pub(crate) use self::document::Document;
pub(crate) use self::schema::of_kind as builtin_type;
pub(crate) use self::types::Types;
pub use self::value::{Mismatch, merge_value};
pub(crate) use self::walk::merge;
