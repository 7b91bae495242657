//! Parses files into trees: the events of granit-parser, corrected where go-yaml reads something else.

mod composer;
mod documents;
mod errors;
mod files;
mod input;
mod json_escapes;
mod mapping_reader;
mod raw_scalar;
mod scalar_quirks;
mod separation;
mod syntax_errors;
mod tag;

pub use self::files::{kustomization, kustomization_with, manifests, resources, resources_with};
pub use self::input::{Base, Input};
