//! Templates: an AddOnTemplate with its settings, prepared once and rendered for each cluster.

pub(super) mod cause;
mod image;
mod manifest;
pub(super) mod namespace;
mod pod;
pub(super) mod prepare;
pub(super) mod reference;
pub(super) mod rendered;
mod settings;
mod text;
pub(super) mod workload;
