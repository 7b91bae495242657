//! Kustomizations, rendered as kustomize renders them.
//!
//! Pure. Owns reading kustomization files, the layers, generators and transformers. Does not own YAML, or what an object means to
//! Tidegate.

mod id;
pub mod patch;
pub mod replacement;
mod resource;
mod scope;
mod select;

pub use self::id::Id;
pub use self::resource::{Behavior, Previous, Resource};
pub use self::select::Selector;
