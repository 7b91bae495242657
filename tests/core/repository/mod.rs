//! Tests of `repository` through its public interface.

mod addons;
mod ambiguous;
mod complaints;
mod core;
mod fixture;
mod hints;
mod hold;
mod hub_permissions;
mod limits;
mod overlays;
mod properties;
mod renames;
mod settings;
mod strategies;
mod token;
mod variables;
