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

/// So many Events wait to be written at most; more are dropped. A tick makes a few for each add-on, so that this is enough for the news
/// of a hundred add-ons while the hub takes its time.
pub const QUEUE: usize = 512;
/// After the daemon was told to stop, Events are written for so long: the last ones matter, and an unreachable hub must not hold up the end.
const GRACE: Duration = Duration::from_secs(2);

/// Writes Events until no more can come, or the daemon has been told to stop and a grace period is over. Each is tried once; a failure is logged
/// when it is the first after a success, so that a missing permission is reported once, with the verb that is missing.
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
                        tracing::debug!(error, "Event could not be written");
                    } else {
                        tracing::warn!(error, "Events cannot be written; everything else goes on");
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

/// Writes one Event. The hub forgets Events after an hour by default; one that is gone is created again.
async fn write(hub: &Hub, step: Step) -> Result<(), Error> {
    let Step { namespace, name, patch, event } = step;
    if let Some(patch) = patch {
        match hub.patch_event(&namespace, &name, patch).await {
            Err(Error::Refused { code: 404, .. }) => {}
            done => return done,
        }
    }
    hub.create_event(&namespace, &name, event).await
}
