//! ManifestWorks: the rendered objects of an add-on, packed into works, and the writes that create them.

pub(super) mod applied;
pub(super) mod autoscaler;
pub(super) mod complete;
pub(super) mod conflict;
mod distribute;
pub(super) mod feedback;
pub(super) mod hosting;
pub(super) mod keep;
pub(super) mod layout;
pub(super) mod manifest_config;
pub(super) mod owner;
pub(super) mod pack;
pub(super) mod replicas;
pub(super) mod work;
pub(super) mod write;
