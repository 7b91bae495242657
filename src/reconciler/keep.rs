//! The task that keeps the journal.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::Instant;

use super::clock::Clock;
use super::journaling::{Error, Journaling};
use super::metrics::Metrics;
use super::outage::{BackOff, Outage, Trouble};
use super::snapshot::Snapshot;
use crate::model::time::Timestamp;
use crate::plan::report::Report;
use crate::telemetry::chain::Chain;

/// So many clusters that changed are a commit at once, however short the time since the last one: what is lost if the process is killed
/// and what a reader has to take in at once stay bounded.
const BATCH: usize = 1_000;

/// Keeps the journal: what the ticks found, gathered for an interval; and once more at the end.
///
/// # Errors
/// [`Error::Rival`] if another daemon keeps the same journal. All else is told, and tried again.
pub async fn keep(
    mut journaling: Journaling,
    mut latest: watch::Receiver<Arc<Snapshot>>,
    (interval, back_off): (Duration, BackOff),
    clock: Clock,
    metrics: Metrics,
) -> Result<(), Error> {
    let mut outage = Outage::none(back_off);
    let mut is_ending = false;
    while !is_ending {
        let retry = outage.pause().unwrap_or(interval);
        tokio::select! {
            changed = latest.changed() => is_ending = changed.is_err(),
            () = tokio::time::sleep(retry), if journaling.is_behind() => {}
        }
        let snapshot = latest.borrow_and_update().clone();
        let began = Instant::now();
        if snapshot.tick > 0 {
            let (told, now, counts) = (snapshot.clone(), clock.now(), metrics.clone());
            let work = move || {
                let kept = kept(&mut journaling, &told, now, &counts);
                (journaling, kept)
            };
            let Ok((back, kept)) = tokio::task::spawn_blocking(work).await else { break };
            journaling = back;
            match kept {
                Ok(()) => outage.over("journal"),
                Err(error) if error.is_final() => return Err(error),
                Err(error) => {
                    metrics.journal_push_failures.inc();
                    let trouble = if error.is_refusal() { Trouble::Refused } else { Trouble::Away };
                    outage.tell("journal", trouble, &Chain(&error).to_string());
                }
            }
            metrics.journal_behind.set(i64::from(journaling.is_behind()));
        }
        if !is_ending {
            gather(&mut latest, &snapshot.report, began + interval).await;
        }
    }
    Ok(())
}

/// Commits what there is to tell and pushes it; where others have pushed, what they have changed is laid anew.
fn kept(journaling: &mut Journaling, snapshot: &Snapshot, now: Timestamp, metrics: &Metrics) -> Result<(), Error> {
    let mut commit_and_push = || {
        if journaling.commit(&snapshot.report, &snapshot.facts, now)? {
            metrics.journal_commits.inc();
        }
        journaling.push()
    };
    if commit_and_push()? {
        commit_and_push()?;
    }
    Ok(())
}

/// Waits until the interval is over, so many clusters have changed that they are enough for a commit, or the loop has ended.
async fn gather(latest: &mut watch::Receiver<Arc<Snapshot>>, told: &Report, until: Instant) {
    let mut has_news = false;
    loop {
        tokio::select! {
            () = tokio::time::sleep_until(until) => break,
            changed = latest.changed() => match changed {
                Ok(()) => has_news = true,
                // The last snapshot stays to be looked at.
                Err(_) => return,
            }
        }
        if changes(told, &latest.borrow_and_update().report) >= BATCH {
            break;
        }
    }
    if has_news {
        latest.mark_changed();
    }
}

/// Counts the clusters of add-ons whose line is another one.
fn changes(before: &Report, after: &Report) -> usize {
    let changed = after.addons.iter().map(|(name, addon)| {
        let before = before.addons.get(name);
        let is_other = |(cluster, report): &(_, _)| before.and_then(|b| b.clusters.get(*cluster)) != Some(*report);
        addon.clusters.iter().filter(is_other).count()
    });
    changed.sum()
}
