//! The digest of an add-on: a hash of what a revision means for it.
//!
//! It is a function of the files alone, without the fleet and the time. Two revisions that differ only in their layout (files, formatting,
//! comments, an overlay instead of plain files) have the same digests, and a change of one add-on changes no digest of another.

mod basis;
mod meaning;
mod scope;

pub(super) use basis::written;
pub use basis::{basis, known_objects, may_get, objects_by_cluster};
pub(super) use meaning::digest;
