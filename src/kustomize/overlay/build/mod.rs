//! Builds layers: a kustomization with its bases and components.
//!
//! Owns the order of the steps: accumulate resources, generate, transform, patch, validate. Does not own the steps themselves.

mod accumulated;
mod accumulator;
mod charts;
mod context;
mod layer;
mod openapi;
mod openapi_state;
mod patches;
mod plugin_run;
mod plugins;
mod resource_files;
mod transformers;

pub(crate) use self::accumulator::Accumulator;
pub(crate) use self::context::BuildContext;
