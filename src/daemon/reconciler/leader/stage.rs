//! How far a process is: for readiness.

use std::sync::Arc;

use tokio::sync::watch;

use crate::reconciler::snapshot::Snapshot;

/// How far a process is.
#[derive(Debug, Clone, Default)]
pub enum Stage {
    /// The hub or the repository has not been read yet.
    #[default]
    Starting,
    /// Another replica leads. This one has read the hub and the repository, and can take over.
    StandingBy,
    /// The daemon runs. The channel has the outcome of the latest tick.
    Running(watch::Receiver<Arc<Snapshot>>),
}
