//! Tidegate: a GitOps reconciler for Open Cluster Management add-ons.

pub mod api;
pub mod model;

pub mod delivery;
pub mod placement;
pub mod repository;
pub mod rollout;

pub mod git;
pub mod hub;
pub mod sandbox;
