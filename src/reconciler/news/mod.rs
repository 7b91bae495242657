//! What happened between two ticks, as values: what the log, Kubernetes Events and metrics report.
//!
//! [`compare`](compare::compare) finds the differences between two reports, [`repair`] the objects that were written although nobody asked
//! for a change. Both are pure. News is a difference, so nothing is reported twice; and it is folded: per tick there is at most one item
//! for each add-on and kind, with the number of clusters and the first few names, however many clusters there are.

mod clusters;
pub mod compare;
mod facts;
pub mod item;
pub mod kind;
pub mod recorder;
pub mod repair;
mod sentence;

pub use facts::Facts;
pub use item::{Names, News};
pub use kind::Kind;
pub use recorder::Recorder;
