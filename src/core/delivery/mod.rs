//! Delivery to a cluster: renders templates, packs the objects into works, and reads health from the status of works.
//!
//! A [`Template`] is an AddOnTemplate with its AddOnDeploymentConfig, prepared once and rendered for each cluster. [`works`]
//! packs the objects into ManifestWorks, [`work_writes`] returns the writes that create them on the hub, and
//! [`manifest_applied`], [`health`] and [`doubt`] read the answer of the cluster. [`template_of`] and [`config_of`] find the
//! objects that the status of an add-on refers to; [`Agent`] and [`permissions`] define how its agent registers on the hub and
//! what it may do there.
//!
//! The rules are those of OCM's template agent and addon-framework, so that a hub can be handed over without any change on its
//! clusters. Tidegate differs only where upstream crashes, loses data or leaves something behind; each difference is documented
//! at its function. In *compat* semantics the works do not differ.

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
mod template;
mod text;
mod work;
mod workload;
mod works;
mod write;

pub use applied::manifest_applied;
pub use error::Error;
pub use evidence::doubt;
pub use health::{Evidence, health};
pub use hosting::Hosting;
pub use layout::{BUDGET, Layout};
pub use namespace::registration_namespace;
pub use permission::{Permissions, Unpermitted, permissions};
pub use reference::{Unreferenced, config_of, template_of};
pub use registration::Agent;
pub use rendered::Rendered;
pub use template::{Subject, Template, render};
pub use work::Work;
pub use works::{Works, hook_work, works};
pub use write::{differs, work_writes};
