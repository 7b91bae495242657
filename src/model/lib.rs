//! The values of the domain: names, revisions, trees, times, diagnostics, objects and intended writes.
//!
//! Plain values without clock, I/O or Kubernetes client.
//!
//! ```
//! use serde_json::json;
//! use tidegate_model::action::Write;
//! use tidegate_model::name::ClusterName;
//! use tidegate_model::object::ObjectKey;
//!
//! let cluster: ClusterName = "east-1".parse()?;
//! let object = json!({
//!     "apiVersion": "v1", "kind": "ConfigMap", "metadata": { "name": "settings", "namespace": cluster.as_str() },
//! });
//! let write = Write::Create { object: object.into() };
//! assert_eq!(write.key(), Some(ObjectKey::new("", "ConfigMap", "east-1", "settings")));
//! # Ok::<(), tidegate_model::name::InvalidName>(())
//! ```

pub mod action;
pub mod agent;
pub mod backoff;
pub mod clock_steps;
pub mod decision;
pub mod diagnostic;
pub mod digest;
pub mod document;
pub mod followed;
pub mod forge;
mod git;
pub mod instance;
pub mod json_text;
pub mod name;
pub mod object;
pub mod progress;
pub mod random;
pub mod replaced;
pub mod rewind;
pub mod semantics;
pub mod shared;
mod text;
pub mod time;
pub mod unseen;

pub use self::git::{chain, merge, reserved, revision, tree};
pub use self::text::{error_chain, glob, line, near, plural, position};
