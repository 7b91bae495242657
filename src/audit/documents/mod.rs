//! The documents of a journal: which there are, how they are read, and their schemas.

pub(super) mod document;
pub(super) mod journal_file;
pub(super) mod lines;
pub mod schema;
pub(super) mod text;
