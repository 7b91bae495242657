//! The task that writes Events to the hub.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use super::correlator::{Correlator, Step};
use super::draft::Draft;
use super::metrics::{Metrics, Outcome};
use crate::hub::{Error, Hub};
use crate::reconciler::clock::Clock;
use tidegate_model::error_chain::ErrorChain;
use tidegate_model::object::GroupKind;

/// Maximum number of Events that wait to be written; more are dropped. A tick creates a few for each add-on, so this is
/// enough for the news of a hundred add-ons while the hub is slow.
pub const QUEUE: usize = 512;
/// How long Events are still written after a stop signal: the last ones matter, but an unreachable hub must not delay the shutdown.
const GRACE: Duration = Duration::from_secs(2);

/// Writes Events until the channel is closed, or until a grace period after the stop signal is over. Each is attempted
/// once. A failure is logged as a warning only if it is the first after a success, so a missing permission is reported
/// once, with the missing verb.
pub async fn publish(
    hub: Arc<Hub>,
    mut drafts: mpsc::Receiver<Draft>,
    (clock, instance): (Clock, String),
    metrics: Metrics,
    stop: CancellationToken,
) {
    let mut correlator = Correlator::new(instance);
    let mut has_failed = false;
    let written = async {
        while let Some(draft) = drafts.recv().await {
            let api_version = hub.api_version(&GroupKind::of(&draft.subject.object)).unwrap_or_default();
            let Some(step) = correlator.admit(draft, &api_version, clock.now()) else {
                metrics.count(Outcome::Dropped);
                continue;
            };
            match write(&hub, step).await {
                Ok(()) => {
                    metrics.count(Outcome::Written);
                    has_failed = false;
                }
                Err(error) => {
                    metrics.count(Outcome::Failed);
                    let error = ErrorChain(&error).to_string();
                    if has_failed {
                        tracing::debug!(error, "failed to write an Event");
                    } else {
                        tracing::warn!(error, "failed to write an Event; everything else continues");
                    }
                    has_failed = true;
                }
            }
        }
    };
    let deadline = async {
        stop.cancelled().await;
        tokio::time::sleep(GRACE).await;
    };
    tokio::select! {
        () = written => {}
        () = deadline => {}
    }
}

/// Writes one Event. The hub deletes Events after an hour by default; an Event that is gone is created again.
async fn write(hub: &Hub, step: Step) -> Result<(), Error> {
    let Step { namespace, name, patch, event } = step;
    if let Some(patch) = patch {
        match hub.patch_event(&namespace, &name, patch).await {
            Err(error) if error.is_missing() => {}
            done => return done,
        }
    }
    hub.create_event(&namespace, &name, event).await
}
