//! The task that runs the ticks.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::check::Breach;
use super::ticker::Ticker;
use crate::hub::{Health, Hub};
use crate::reconciler::clock::Clock;
use crate::reconciler::journal::RivalCheck;
use crate::reconciler::snapshot::Snapshot;
use crate::reconciler::source::Followed;
use tidegate_model::error_chain::ErrorChain;

/// The loop ticks at least this often, even without any event.
const PERIOD: Duration = Duration::from_secs(60);
/// How long the events of a burst are gathered into one tick: long enough for a batch of acknowledgements, too short to notice.
const DEBOUNCE: Duration = Duration::from_millis(50);
/// Delay before the next look at a hub that is unreachable or not fully observed yet.
const AWAY: Duration = Duration::from_secs(1);

/// Ticks when the repository or the hub has changed, when a check was measured, when someone reviewed a pull request, when a deadline has passed, when a fresh tick is requested, and
/// periodically. Ends if a rule was broken.
pub(crate) async fn run_ticks(
    mut ticker: Ticker,
    hub: Arc<Hub>,
    mut followed: watch::Receiver<Option<Followed>>,
    snapshots: watch::Sender<Arc<Snapshot>>,
    clock: Clock,
    (mut fresh, mut journal, stop): (watch::Receiver<u64>, RivalCheck, CancellationToken),
) -> Result<(), Breach> {
    let mut measured = ticker.observations();
    let mut pulls = ticker.pulls();
    // Whether everything is being listed again since the last tick.
    let mut is_listed_again = false;
    loop {
        let asked = *fresh.borrow_and_update();
        drop(measured.borrow_and_update());
        drop(pulls.borrow_and_update());
        let current = followed.borrow_and_update().clone();
        let mut wake_after = PERIOD;
        let (health, began) = (hub.health(), Instant::now());
        let can_act = current.is_some() && health == Health::Connected && hub.may_write();
        if can_act && !is_listed_again && ticker.is_out_of_date() {
            // What is known is from before, and another daemon may have been started in the meantime. Once is enough: a hub that lists
            // slowly must come to an end.
            is_listed_again = true;
            hub.list_again();
            journal.done().await;
        }
        // While the hub is unreachable, the known state is out of date; the hub edge logs that and retries.
        match (current, &health) {
            // Nothing that is decided now could be written.
            (Some(_), Health::Connected) if !can_act => {
                (wake_after, is_listed_again) = (AWAY, false);
            }
            (Some(current), Health::Connected) => match ticker.prepare(&current).await {
                // Another daemon may have been found in the meantime: start no write once that is known.
                Ok(_) if stop.is_cancelled() => break,
                Ok(seen) => {
                    ticker.note_hub();
                    is_listed_again = false;
                    let ticked = ticker.tick(&current, seen).await?;
                    wake_after = ticked.wake_after(clock.now(), wake_after);
                    ticker.expect(wake_after + DEBOUNCE);
                    snapshots.send_replace(Arc::new(Snapshot { asked, ..ticked.snapshot }));
                }
                Err(error) => {
                    wake_after = AWAY;
                    ticker.note_absence(&ErrorChain(&error).to_string(), began);
                    tracing::warn!(error = %ErrorChain(&error), "nothing can be planned yet");
                }
            },
            (_, Health::Away { since, last_error }) => {
                (wake_after, is_listed_again) = (AWAY, false);
                ticker.note_absence(last_error, *since);
            }
            (None, Health::Connected) => wake_after = AWAY,
        }
        let changed = async {
            tokio::select! {
                () = hub.changed() => {}
                Ok(()) = followed.changed() => {}
                Ok(()) = fresh.changed() => {}
                Ok(()) = measured.changed() => {}
                Ok(()) = pulls.changed() => {}
            }
            tokio::time::sleep(DEBOUNCE).await;
        };
        tokio::select! {
            () = stop.cancelled() => break,
            () = changed => {}
            () = tokio::time::sleep(wake_after) => {}
        }
    }
    // What a daemon remembers that may not write any more is out of date: another one decides.
    let current = followed.borrow().clone().filter(|_| hub.may_write());
    current.map_or(Ok(()), |current| ticker.look_back(&current))
}
