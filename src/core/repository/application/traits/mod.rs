//! The traits of components: their properties, and what they change.
//!
//! Traits apply in their order, and each one sees what those before it have changed.
//!
//! # Source
//! KubeVela's definitions of these traits.

mod applied;
mod beside;
mod changes;
mod defined;
mod kinds;
mod objects;
mod target;
mod workload;

pub(crate) use self::applied::Mistake;
pub(super) use self::applied::apply_all;
pub(crate) use self::kinds::TRAITS;
pub(super) use self::kinds::is_patch;
