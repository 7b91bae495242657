//! The embedded hub: an in-memory Kubernetes API server with simulated agents.
//!
//! It serves a given set of CRDs and a few core kinds, to a `kube::Client` in the same process and, on request, to any HTTP client
//! on a loopback port. It persists nothing and does not authenticate users. Its answers are tested against those of a real
//! kube-apiserver; where it differs, it is stricter.
//!
//! From the bottom up: `schema` validates objects, `kind` lists what is served and `openapi` describes it, `store` holds objects
//! and their history, `fields` tracks field ownership, `request` and `wire` parse requests, `verbs` executes them, and `service`
//! speaks HTTP. All of these are pure except `service` and [`Sandbox`], which holds the lock and the clock. [`fleet`] and
//! [`agents`] simulate the clusters.

pub mod agents;
mod backup;
mod concurrent;
mod fields;
pub mod fleet;
mod handle;
mod json_path;
mod kind;
mod names;
mod object;
mod openapi;
mod refusal;
mod request;
mod schema;
mod service;
mod store;
mod table;
mod verbs;
mod wire;

pub use backup::Backup;
pub use handle::Sandbox;
pub use refusal::Refusal;
