//! What goes to a cluster: rendered templates, laid out as works, and what their status says of health.
//!
//! A [`Template`] is an AddOnTemplate with its AddOnDeploymentConfig, prepared once and rendered for each cluster. [`works`]
//! lays the objects out as ManifestWorks, [`work_writes`] says what must be written for the hub to hold them, and
//! [`health`], [`is_ready`] and [`matches_configs`] read the answer of the cluster.
//!
//! The rules are those of OCM's template agent and addon-framework, so that a hub can change hands without a change on any
//! cluster. The differences, each where upstream crashes, loses something or leaves something behind, are named where they are.

mod error;
mod evidence;
mod go_fields;
mod health;
mod hook;
mod image;
mod layout;
mod manifest_config;
mod namespace;
mod object;
mod packing;
mod pod;
mod progress;
mod quantity;
mod settings;
mod shape;
mod template;
mod text;
mod workload;
mod write;

pub use error::Error;
pub use evidence::doubt;
pub use health::{Evidence, health};
pub use layout::{BUDGET, Layout, Works, hook_work, works};
pub use namespace::registration_namespace;
pub use progress::{config_hash_annotation, is_ready, manifest_applied, matches_configs};
pub use template::{Rendered, Subject, Template, render};
pub use write::{differs, work_writes};
