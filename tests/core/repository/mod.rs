//! Tests of `repository` through its public interface.

mod addons;
mod ambiguous;
mod complaints;
mod control;
mod control_edit;
mod control_hostile;
mod core;
mod digest;
mod fixture;
mod hints;
mod hold;
mod hub_kinds;
mod hub_permissions;
mod layout;
mod limits;
mod manifests;
mod overlays;
mod properties;
mod renames;
mod revert;
mod rollback;
mod settings;
mod strategies;
mod token;
mod variables;
mod vendored;
