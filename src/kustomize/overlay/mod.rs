//! Renders kustomizations as kustomize does.
//!
//! Pure. Owns reading kustomization files, the layers, generators and transformers, and the order in which they run. Does not own
//! YAML, or what an object means to Tidegate. [`render`] lists the differences from kustomize.

mod bases;
mod budget;
mod complaint;
mod config;
mod entry;
mod fields;
mod files;
mod finish;
mod generate;
mod id;
mod kustomization;
mod layer;
mod leftover;
mod load;
mod metadata;
mod name_tables;
mod options;
mod order;
pub mod patch;
mod patching;
mod path;
mod pool;
mod rank;
mod read;
mod references;
mod refuse;
mod render;
pub mod replacement;
mod resource;
mod room;
mod scope;
mod select;
mod session;
mod set;
mod shared;
mod spec;
mod tables;
mod transform;
mod transformers;
mod unused;
mod walk;

pub use self::bases::{bases, is_kustomization, is_overlay, kustomizations, may_change, overlays};
pub use self::complaint::{Complaint, Severity};
pub use self::id::Id;
pub use self::options::Options;
pub use self::render::{Rendered, RenderedObject, render, render_with};
pub use self::resource::{Behavior, Maker, Previous, Resource};
pub use self::select::Selector;
