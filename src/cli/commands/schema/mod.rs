//! `tidegate schema`: the JSON Schemas of the documents that Tidegate writes and of those that people write for it.

mod convert;
mod daemon;
mod documents;
mod kinds;
mod repository;
mod run;
mod settings;

pub(crate) use run::{run, text_of};
