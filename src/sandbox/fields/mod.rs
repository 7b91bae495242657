//! Field management: the field sets in `managedFields`, and server-side apply. Pure.
//!
//! # Source
//! `sigs.k8s.io/structured-merge-diff` (typed, merge and fieldpath) and the field manager of `k8s.io/apimachinery`.

mod compare;
mod entry;
mod managers;
mod merge;
mod repeated;
mod set;
mod shape;
mod versions;

pub(crate) use entry::Actor;
pub(crate) use managers::Managers;
pub(crate) use repeated::repeated;
