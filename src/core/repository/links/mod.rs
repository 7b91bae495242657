//! Problems between objects: references, names, cluster sets, and variables of templates.

pub(super) mod references;
pub(super) mod renames;
pub(super) mod resolve;
mod sets;
pub(super) mod touched;
pub(super) mod variables;
