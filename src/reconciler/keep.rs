//! The task that keeps the journal.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::Instant;

use super::clock::Clock;
use super::journaling::{Error, Journaling};
use super::metrics::{Metrics, Part};
use super::outage::{BackOff, Outage, Trouble};
use super::snapshot::Snapshot;
use tidegate_core::plan::report::Report;
use tidegate_model::error_chain::ErrorChain;
use tidegate_model::time::Timestamp;

/// So many clusters that changed are a commit at once, however short the time since the last one: what is lost if the process is killed
/// and what a reader has to take in at once stay bounded.
const BATCH: usize = 1_000;

/// When the journal is looked at and written.
#[derive(Debug, Clone, Copy)]
pub struct Pace {
    /// For how long changes are gathered into one commit.
    pub interval: Duration,
    /// How often another daemon is looked for.
    pub poll: Duration,
    /// How long a remote that fails is left alone.
    pub back_off: BackOff,
}

/// Entries of the journal that are on this machine only.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unpushed {
    /// How many; at least one.
    pub entries: usize,
    /// The journal's branch.
    pub branch: String,
}

/// Keeps the journal: what the ticks found, gathered for an interval; and once more at the end. Another daemon on the same journal is
/// looked for at each poll and before each commit.
///
/// What another daemon has written may be newer than the snapshot at hand, so nothing more is committed from that: a fresh tick is asked
/// for by raising the number in `fresh`, and only a snapshot of a tick that began after that is committed.
///
/// Returns what could not be pushed before the end.
///
/// # Errors
/// [`Error::Rival`] if another daemon keeps the same journal. All else is reported, and tried again.
pub async fn keep(
    mut journaling: Journaling,
    mut latest: watch::Receiver<Arc<Snapshot>>,
    (pace, fresh): (Pace, watch::Sender<u64>),
    clock: Clock,
    metrics: Metrics,
) -> Result<Option<Unpushed>, Error> {
    let mut outage = Outage::none(pace.back_off);
    let mut is_ending = false;
    while !is_ending {
        let pause = outage.pause().unwrap_or(if journaling.is_behind() { pace.interval } else { pace.poll });
        tokio::select! {
            changed = latest.changed() => is_ending = changed.is_err(),
            () = tokio::time::sleep(pause) => {}
        }
        let snapshot = latest.borrow_and_update().clone();
        let began = Instant::now();
        if snapshot.tick > 0 {
            let (told, now, counts) = (snapshot.clone(), clock.now(), metrics.clone());
            let is_fresh = snapshot.asked >= *fresh.borrow();
            let work = move || {
                let kept = kept(&mut journaling, (told.as_ref(), is_fresh), (now, &counts));
                (journaling, kept)
            };
            let Ok((back, kept)) = tokio::task::spawn_blocking(work).await else { return Ok(None) };
            journaling = back;
            if std::mem::take(&mut journaling.is_overtaken) {
                fresh.send_modify(|asked| *asked += 1);
            }
            match kept {
                Ok(()) => {
                    outage.over("journal");
                    metrics.absences.back(Part::Journal);
                }
                Err(error) if error.is_final() => return Err(error),
                Err(error) => {
                    metrics.journal_push_failures.inc();
                    let trouble = if error.is_refusal() { Trouble::Refused } else { Trouble::Away };
                    let why = ErrorChain(&error).to_string();
                    outage.tell("journal", trouble, &why);
                    metrics.absences.lost(Part::Journal, &why, now);
                }
            }
            metrics.journal_behind.set(i64::from(journaling.is_behind()));
        }
        if !is_ending {
            gather(&mut latest, &snapshot.report, began + pace.interval).await;
        }
    }
    Ok(journaling.is_behind().then(|| journaling.unpushed()))
}

/// Commits what there is to tell and pushes it; what people have changed is written again. A mirror that was lost is made again.
fn kept(
    journaling: &mut Journaling,
    snapshot: (&Snapshot, bool),
    (now, metrics): (Timestamp, &Metrics),
) -> Result<(), Error> {
    let kept = committed(journaling, snapshot, (now, metrics));
    let is_lost = match kept.as_ref().err().and_then(Error::git) {
        Some(cause) => journaling.mirror.recover(cause).map_err(Error::Git)?,
        None => false,
    };
    if is_lost { committed(journaling, snapshot, (now, metrics)) } else { kept }
}

fn committed(
    journaling: &mut Journaling,
    (snapshot, is_fresh): (&Snapshot, bool),
    (now, metrics): (Timestamp, &Metrics),
) -> Result<(), Error> {
    journaling.recover(now)?;
    match journaling.look() {
        // Entries are committed here also while the remote is away; the push reports why.
        Err(error) if !error.is_final() => {}
        looked => drop(looked?),
    }
    for _ in 0..2 {
        let is_present = is_fresh && !journaling.is_overtaken;
        if is_present && journaling.commit(&snapshot.report, &snapshot.facts, now)? {
            metrics.journal_commits.inc();
        }
        if !journaling.push()? {
            break;
        }
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
