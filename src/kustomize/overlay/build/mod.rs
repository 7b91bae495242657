//! Builds layers: a kustomization with its bases and components.
//!
//! Owns the order of the steps: accumulate resources, generate, transform, patch, validate. Does not own the steps themselves.

mod accumulated;
mod charts;
mod layer;
mod openapi;
mod patches;
mod plugin_run;
mod plugins;
mod resource_files;
mod transformers;

pub(crate) use crate::overlay::accumulator::Accumulator;
pub(crate) use crate::overlay::context::BuildContext;
