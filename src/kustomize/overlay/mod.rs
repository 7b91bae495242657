//! Renders kustomizations as kustomize does.
//!
//! Pure. Owns reading kustomization files, the layers, generators and transformers, and the order in which they run. Does not own
//! YAML, or what an object means to Tidegate. [`render()`] lists the differences from kustomize.

mod accumulator;
mod bases;
mod budget;
mod build;
mod context;
mod field_specs;
mod generate;
mod input;
mod model;
mod openapi_state;
mod options;
mod output;
pub mod patch;
mod plugins;
mod references;
mod render;
pub mod replacement;
mod select;
mod transform;
mod unused;
mod vars;

pub use self::bases::{bases, is_kustomization, is_overlay, kustomizations, may_change, overlays};
pub use self::input::kustomization::FIELDS;
pub use self::model::{Id, Resource};
pub use self::options::Options;
pub use self::plugins::{GENERATORS, TRANSFORMERS};
pub use self::render::{Rendered, RenderedObject, render, render_with, render_within};
pub use self::select::Selector;
