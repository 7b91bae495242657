//! Kubernetes Events on the hub: the news of [`super::news`] where `kubectl get events` and `kubectl describe` show it.
//!
//! Which Event is written, and whether, is decided by [`correlator`], which is pure; [`publish()`] is a task of its own that writes them. It
//! gets drafts from a bounded channel and never holds up a tick: what does not fit into the channel is dropped and counted, and an Event
//! that cannot be written is logged. Events are written beside the plan: they are not watched, and do not count as its writes.

pub mod correlator;
pub mod draft;
pub mod metrics;
pub mod publish;

pub use correlator::{Correlator, Step};
pub use draft::{Draft, Subject};
pub use metrics::Metrics;
pub use publish::{QUEUE, publish};
