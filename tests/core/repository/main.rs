//! Tests of `repository` through its public interface.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that panics is a test that fails")]

mod addons;
mod adopt;
mod ambiguous;
mod applications;
mod approvers;
mod complaints;
mod contested;
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
mod install_namespaces;
mod layout;
mod limits;
mod manifests;
mod overlays;
mod properties;
mod renames;
mod revert;
mod rollback;
mod rollout_policies;
mod settings;
mod steps;
mod strategies;
mod token;
mod upgrade;
mod variables;
mod vendored;

#[path = "../../support/example_tree.rs"]
mod example_tree;
#[path = "../../support/root.rs"]
mod root;
#[path = "../../support/transcript.rs"]
mod transcript;
