//! The task that ticks.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use super::check::Breach;
use super::clock::Clock;
use super::snapshot::Snapshot;
use super::source::Followed;
use super::tick::Ticker;
use crate::hub::{Health, Hub};
use tidegate_model::error_chain::ErrorChain;

/// The loop looks at everything this often even if nothing says so.
const PERIOD: Duration = Duration::from_secs(60);
/// Events of one burst are gathered for so long into one tick: long enough for a batch of acknowledgements, too short to notice.
const DEBOUNCE: Duration = Duration::from_millis(50);
/// A hub that is away, or not seen completely yet, is looked at again after this.
const AWAY: Duration = Duration::from_secs(1);

/// Ticks: when the repository or the hub has changed, when a moment has come, when a fresh tick is asked for, and on a period; ends if a
/// rule was broken.
pub async fn turn(
    mut ticker: Ticker,
    hub: Arc<Hub>,
    mut followed: watch::Receiver<Option<Followed>>,
    snapshots: watch::Sender<Arc<Snapshot>>,
    clock: Clock,
    (mut fresh, stop): (watch::Receiver<u64>, CancellationToken),
) -> Result<(), Breach> {
    loop {
        let asked = *fresh.borrow_and_update();
        let current = followed.borrow_and_update().clone();
        let mut pause = PERIOD;
        let health = hub.health();
        // While the hub is away, what is known of it is from before; the hub edge says so and tries again.
        match (current, &health) {
            (Some(current), Health::Connected) => match ticker.prepare(&current).await {
                // Another daemon may have been found meanwhile: no write begins once that is known.
                Ok(_) if stop.is_cancelled() => break,
                Ok(seen) => {
                    ticker.note_hub(None);
                    let ticked = ticker.tick(&current, seen).await?;
                    pause = ticked.pause(clock.now(), pause);
                    snapshots.send_replace(Arc::new(Snapshot { asked, ..ticked.snapshot }));
                }
                Err(error) => {
                    pause = AWAY;
                    ticker.note_hub(Some(&ErrorChain(&error).to_string()));
                    tracing::warn!(error = %ErrorChain(&error), "hub not seen completely yet");
                }
            },
            (_, Health::Away { last_error, .. }) => {
                pause = AWAY;
                ticker.note_hub(Some(last_error));
            }
            (None, Health::Connected) => pause = AWAY,
        }
        let changed = async {
            tokio::select! {
                () = hub.changed() => {}
                Ok(()) = followed.changed() => {}
                Ok(()) = fresh.changed() => {}
            }
            tokio::time::sleep(DEBOUNCE).await;
        };
        tokio::select! {
            () = stop.cancelled() => break,
            () = changed => {}
            () = tokio::time::sleep(pause) => {}
        }
    }
    let current = followed.borrow().clone();
    current.map_or(Ok(()), |current| ticker.look_back(&current))
}
