//! The embedded hub: a Kubernetes API server in memory, with simulated agents.
//!
//! It serves the kinds of the CRDs that it is given and a few core kinds, to a `kube::Client` in the same process and, when asked,
//! to anything that speaks HTTP on a loopback port. It keeps nothing, knows none of its users, and is held to what a real API
//! server answers; where it differs, it refuses more.
//!
//! From the bottom up: `schema` says what an object may hold, `kind` what is served and `openapi` describes it, `store` holds
//! objects and their history, `fields` knows who owns which field, `request` and `wire` read what is asked for, `verbs` answer
//! it, `service` speaks HTTP. All but the last, and the [`Sandbox`] that has the lock and the clock, are pure. [`fleet`] and [`agents`]
//! stand for the clusters.

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
