//! The documents of a journal: how they are read, and their schemas.

pub(super) mod document;
pub(super) mod lines;
pub mod schema;
pub(super) mod text;
