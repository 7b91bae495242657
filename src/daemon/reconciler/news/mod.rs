//! What happened between two ticks, as values for the log, Kubernetes Events and metrics.
//!
//! [`compare`](compare::compare) finds the differences between two reports, [`repair`] the objects that were written
//! although no change was requested. Both are pure. News is a difference, so nothing is reported twice. It is also folded:
//! a tick has at most one item for each add-on and kind, with the number of clusters and the first few names.

mod clusters;
pub mod compare;
mod facts;
mod gates;
mod item;
mod kind;
mod recorder;
pub mod repair;
mod sentence;

pub use facts::Facts;
pub use item::{Names, News};
pub use kind::Kind;
pub(super) use recorder::{Ended, Recorder};
