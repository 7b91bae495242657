//! A forge, whatever API it has.

mod api;
mod facts;
mod writes;

pub use api::Forge;
