//! Templates: an AddOnTemplate with its settings, prepared once and rendered for each cluster.

pub(super) mod batches;
pub(super) mod hook;
pub(super) mod image;
mod manifest;
pub(super) mod namespace;
pub(crate) mod order;
pub(super) mod origin;
mod pod;
pub(super) mod possible;
pub(super) mod prepare;
pub(super) mod reference;
pub(super) mod rendered;
mod settings;
mod text;
pub(super) mod workload;
