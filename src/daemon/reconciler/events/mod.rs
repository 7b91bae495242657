//! Kubernetes Events on the hub: the news of [`super::news`], for `kubectl get events` and `kubectl describe`.
//!
//! `correlator`, which is pure, decides which Events are written; [`publish()`] is a separate task that writes them. It
//! receives drafts from a bounded channel and never delays a tick: drafts that do not fit into the channel are dropped and
//! counted, and an Event that cannot be written is logged. Events are not part of the plan: they are not watched, and do
//! not count as its writes.

mod correlator;
mod draft;
mod metrics;
mod publish;

pub use correlator::{Correlator, Step};
pub use draft::{Draft, Subject};
pub use metrics::{Metrics, Outcome};
pub use publish::{QUEUE, publish};
