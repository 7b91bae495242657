//! Kustomizations, rendered as kustomize renders them.
//!
//! Pure. Owns reading kustomization files, the layers, generators and transformers. Does not own YAML, or what an object means to
//! Tidegate.

mod id;
mod resource;
mod scope;

pub use self::id::Id;
pub use self::resource::{Behavior, Previous, Resource};
