//! Reads the declarations on this machine, and finds the repository around them.

pub(super) mod chosen;
pub(super) mod cluster;
pub(super) mod directory;
pub(super) mod discovery;
pub(super) mod overlay;
