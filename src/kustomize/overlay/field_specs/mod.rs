//! Field specs: the fields that transformers change, and how these fields are found in an object.

pub(crate) mod config;
pub(crate) mod crds;
mod defaults;
mod name_references;
pub(crate) mod spec;
mod var_references;
mod visit;

pub(crate) use self::visit::{Create, FieldVisitor};
