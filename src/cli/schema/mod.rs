//! `tidegate schema`: the JSON Schemas of what Tidegate writes and of what people write for it.

mod convert;
mod daemon;
mod documents;
mod kinds;
mod repository;
mod run;
mod settings;

pub use run::run;
