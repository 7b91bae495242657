//! Facts about OCM's work agents.

use crate::time::SignedDuration;

/// How long an agent may repeat its previous observation after it has applied a work.
///
/// # Source
/// OCM's work agent polls every 10 s (`--status-sync-interval`) with a jitter, and the add-on manager copies the result.
pub const LAG: SignedDuration = SignedDuration::from_secs(25);
