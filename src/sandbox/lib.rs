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
//!
//! ```
//! use serde_json::json;
//! use tidegate_api::ocm::crds;
//! use tidegate_model::time::Timestamp;
//! use tidegate_sandbox::Sandbox;
//!
//! let hub = Sandbox::new(&crds::all()?, || Timestamp::UNIX_EPOCH);
//! hub.seed([json!({
//!     "apiVersion": "v1",
//!     "kind": "ConfigMap",
//!     "metadata": { "namespace": "default", "name": "settings" },
//!     "data": { "mode": "fast" },
//! })])?;
//! // The answers of an API server, without a socket: `hub.client()` is a `kube::Client`, and `hub.router()` serves HTTP.
//! let twice = json!({ "apiVersion": "v1", "kind": "ConfigMap", "metadata": { "namespace": "default", "name": "settings" } });
//! let error = hub.seed([twice]).err().ok_or("the name is taken")?;
//! assert_eq!(error.message, "configmaps \"settings\" already exists");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod agents;
mod api_error;
mod backup;
mod catalog;
mod concurrent;
mod discovery;
mod fields;
pub mod fleet;
mod handle;
mod json_path;
mod kind;
mod names;
mod object;
mod openapi;
mod request;
mod schema;
mod service;
mod store;
mod table;
mod verbs;
mod wire;

pub use api_error::ApiError;
pub use backup::Backup;
pub use handle::Sandbox;
