//! Tests of `repository` through its public face.

mod addons;
mod complaints;
mod fixture;
mod hold;
mod limits;
mod properties;
mod renames;
mod settings;
