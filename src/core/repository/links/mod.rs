//! What lies between objects: references, names, cluster sets, variables of templates, and roles of agents.

pub(super) mod app_deployments;
mod approvers;
mod declared_clusters;
pub(super) mod definitions;
mod dependencies;
pub(super) mod hub_roles;
pub(super) mod layers;
pub(super) mod namespaces;
pub(super) mod policies;
mod policy;
pub(super) mod resolve;
mod role_rules;
mod sets;
pub(super) mod shared;
pub(super) mod touched;
mod used_revisions;
pub(super) mod variables;
