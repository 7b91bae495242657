//! What goes to a cluster: rendered templates, laid out as works, and what their status says of health.
//!
//! A [`Template`] is an AddOnTemplate with its AddOnDeploymentConfig, prepared once and rendered for each cluster. [`works`]
//! lays the objects out as ManifestWorks, [`work_writes`] says what must be written for the hub to hold them, and
//! [`manifest_applied`], [`health`] and [`doubt`] read the answer of the cluster. [`template_of`] and [`config_of`] find the
//! objects that the status of an add-on refers to, and [`Agent`] and [`permissions`] say how its agent comes to the hub.
//!
//! The rules are those of OCM's template agent and addon-framework, so that a hub can change hands without a change on any
//! cluster. The differences, each where upstream crashes, loses something or leaves something behind, are named where they are;
//! in *compat* semantics, the works have none.

mod applied;
mod error;
mod evidence;
mod go_fields;
mod health;
mod hook;
mod hosting;
mod image;
mod layout;
mod manifest;
mod manifest_config;
mod namespace;
mod object;
mod packing;
mod permission;
mod pod;
mod reference;
mod registration;
mod rendered;
mod settings;
mod shape;
mod size;
mod template;
mod text;
mod work;
mod workload;
mod write;

pub use applied::manifest_applied;
pub use error::Error;
pub use evidence::doubt;
pub use health::{Evidence, health};
pub use hosting::Hosting;
pub use layout::{BUDGET, Layout, Works, hook_work, works};
pub use namespace::registration_namespace;
pub use permission::{Permissions, Unpermitted, permissions};
pub use reference::{Unreferenced, config_of, template_of};
pub use registration::Agent;
pub use rendered::Rendered;
pub use template::{Subject, Template, render};
pub use work::Work;
pub use write::{differs, work_writes};
