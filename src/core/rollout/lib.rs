//! Decides which clusters get a new configuration at this moment, which wait, and for what.
//!
//! Owns the rollout engine: it turns a strategy, the decision groups, the status of each cluster and the time into one
//! [`Decision`]. It applies nothing and remembers nothing: the next decision starts from fresh statuses. Determining
//! the status of a cluster, and what a new configuration is, is up to the caller.
//!
//! There are two engines behind [`decide`]. *Compat* gives upstream's decisions, quirks included. *Strict* differs from it only as
//! the rows of `docs/semantics.md` describe; each row names the test that shows both.
//!
//! # Source
//! `open-cluster-management.io/sdk-go` pkg/apis/cluster v1alpha1 (rollout) and v1beta1 (placement decision tracker),
//! read 2026-11-20.

mod admit;
mod cluster_index;
mod compat;
mod course;
mod effective;
mod engine;
mod error;
pub mod forecast;
pub mod gate;
mod group;
pub mod placement;
mod settings;
mod sort_key;
mod status;
mod strict;
mod threshold;
mod timing;
mod verdict;
mod wait;

pub use self::admit::{Admit, Barrier, Gate, admit_all};
pub use self::compat::tracked;
pub use self::course::Course;
pub use self::effective::{effective, with_default_concurrency};
pub use self::engine::{Decision, Input, decide, decide_with};
pub use self::error::{Error, InvalidDeadline, InvalidThreshold};
pub use self::group::{GroupKey, mandatory};
pub use self::settings::{finished_since, is_underway};
pub use self::status::{ClusterStatus, Status};
pub use self::threshold::written_threshold;
pub use self::verdict::Verdict;
pub use self::wait::Wait;
