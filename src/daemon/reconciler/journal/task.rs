//! The task that writes the journal.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::Instant;

use super::branch::{JournalBranch, Unpushed};
use super::error::Error;
use super::rival_check::RivalChecks;
use crate::reconciler::absence::Part;
use crate::reconciler::clock::Clock;
use crate::reconciler::metrics::Metrics;
use crate::reconciler::outage::{Outage, Trouble};
use crate::reconciler::snapshot::Snapshot;
use tidegate_model::backoff::Backoff;
use tidegate_model::error_chain::ErrorChain;
use tidegate_model::name::UnitName;
use tidegate_model::progress::Phase;
use tidegate_model::time::Timestamp;
use tidegate_plan::report::Report;

/// This number of changed clusters causes a commit at once, no matter how recent the last one is. It bounds what is lost if
/// the process is killed, and the size of a commit that a person has to read.
const BATCH: usize = 1_000;

/// When the journal is polled and written.
#[derive(Debug, Clone, Copy)]
pub struct Pace {
    /// How long to gather changes into one commit.
    pub interval: Duration,
    /// How often to look for another daemon.
    pub poll: Duration,
    /// The pauses between retries when the remote fails.
    pub backoff: Backoff,
}

/// Writes the journal: gathers the results of the ticks for an interval and commits them, and once more at the end. Looks
/// for another daemon on the same journal at each poll and before each commit.
///
/// If another daemon has written something, it may be newer than the current snapshot, so that snapshot is not committed.
/// Instead, a fresh tick is requested by incrementing the number in `fresh`, and only a snapshot of a tick that started
/// after that is committed.
///
/// Returns the entries that could not be pushed before the end.
///
/// # Errors
/// [`Error::Rival`], [`Error::Deposed`] or [`Error::Foreign`] if the journal belongs to another daemon or instance. All other errors are logged
/// and retried.
pub async fn write_journal(
    mut branch: JournalBranch,
    mut latest: watch::Receiver<Arc<Snapshot>>,
    (pace, fresh, mut checks): (Pace, watch::Sender<u64>, RivalChecks),
    clock: Clock,
    metrics: Metrics,
) -> Result<Option<Unpushed>, Error> {
    let mut outage = Outage::none(pace.backoff);
    let mut is_ending = false;
    while !is_ending {
        let wake_after = outage.wake_after().unwrap_or(if branch.is_behind() { pace.interval } else { pace.poll });
        tokio::select! {
            changed = latest.changed() => is_ending = changed.is_err(),
            Ok(()) = checks.asked.changed() => {}
            () = tokio::time::sleep(wake_after) => {}
        }
        let asked = *checks.asked.borrow_and_update();
        let snapshot = latest.borrow_and_update().clone();
        let began = Instant::now();
        if snapshot.tick > 0 {
            let (latest_snapshot, now, counts) = (snapshot.clone(), clock.now(), metrics.clone());
            let is_fresh = snapshot.asked >= *fresh.borrow();
            let work = move || {
                let outcome =
                    commit_and_push_or_recover(&mut branch, (latest_snapshot.as_ref(), is_fresh), (now, &counts));
                (branch, outcome)
            };
            let Ok((back, outcome)) = tokio::task::spawn_blocking(work).await else { return Ok(None) };
            branch = back;
            if std::mem::take(&mut branch.is_overtaken) {
                fresh.send_modify(|asked| *asked += 1);
            }
            match outcome {
                Ok(()) => {
                    outage.record_success("journal");
                    metrics.absences.back(Part::Journal);
                }
                Err(error) if error.is_final() => return Err(error),
                Err(error) => {
                    metrics.journal_push_failures.inc();
                    let trouble = if error.is_refusal() { Trouble::Refused } else { Trouble::Away };
                    let why = ErrorChain(&error).to_string();
                    outage.record_failure("journal", trouble, &why);
                    metrics.absences.lost(Part::Journal, &why, now);
                }
            }
            metrics.journal_behind.set(i64::from(branch.is_behind()));
        }
        if !is_ending {
            checks.answered.send_replace(asked);
            gather(&mut latest, &snapshot.report, (began + pace.interval, &mut checks.asked)).await;
        }
    }
    Ok(branch.is_behind().then(|| branch.unpushed()))
}

/// Commits the changes and pushes them; overwrites what people have changed. Restores a mirror that was lost.
fn commit_and_push_or_recover(
    branch: &mut JournalBranch,
    snapshot: (&Snapshot, bool),
    (now, metrics): (Timestamp, &Metrics),
) -> Result<(), Error> {
    let outcome = commit_and_push(branch, snapshot, (now, metrics));
    let is_lost = match outcome.as_ref().err().and_then(Error::git) {
        Some(cause) => branch.mirror.recover(cause).map_err(Error::Git)?,
        None => false,
    };
    if is_lost { commit_and_push(branch, snapshot, (now, metrics)) } else { outcome }
}

fn commit_and_push(
    branch: &mut JournalBranch,
    (snapshot, is_fresh): (&Snapshot, bool),
    (now, metrics): (Timestamp, &Metrics),
) -> Result<(), Error> {
    branch.recover(now)?;
    match branch.fetch() {
        // Entries are committed locally even while the remote is unreachable; the push reports why.
        Err(error) if !error.is_final() => {}
        fetched => drop(fetched?),
    }
    for _ in 0..2 {
        let is_present = is_fresh && !branch.is_overtaken;
        if is_present && branch.commit(&snapshot.report, &snapshot.facts, now)? {
            metrics.journal_commits.inc();
        }
        if !branch.push()? {
            break;
        }
    }
    Ok(())
}

/// Waits until the interval is over, a check is requested, enough clusters have changed for a commit, a rollout has failed, or the loop has
/// ended.
async fn gather(
    latest: &mut watch::Receiver<Arc<Snapshot>>,
    committed: &Report,
    (until, asked): (Instant, &mut watch::Receiver<u64>),
) {
    let mut has_news = false;
    loop {
        tokio::select! {
            () = tokio::time::sleep_until(until) => break,
            Ok(()) = asked.changed() => {
                asked.mark_changed();
                break;
            }
            changed = latest.changed() => match changed {
                Ok(()) => has_news = true,
                // The last snapshot can still be read.
                Err(_) => return,
            }
        }
        let report = latest.borrow_and_update().report.clone();
        if changes(committed, &report) >= BATCH || fails(committed, &report) {
            break;
        }
    }
    if has_news {
        latest.mark_changed();
    }
}

/// Returns `true` if a rollout stopped, or its digest was rejected. What failed is recorded before it is taken back.
fn fails(before: &Report, after: &Report) -> bool {
    let failure = |report: &Report, name: &UnitName| {
        report.addons.get(name).map(|addon| (addon.phase == Phase::Stopped, addon.rejected.clone()))
    };
    after.addons.iter().any(|(name, addon)| {
        (addon.phase == Phase::Stopped || addon.rejected.is_some()) && failure(before, name) != failure(after, name)
    })
}

/// Counts the clusters of add-ons whose report has changed.
fn changes(before: &Report, after: &Report) -> usize {
    let pairs = after.addons.iter().map(|(name, addon)| (before.addons.get(name), addon));
    let changed = pairs.filter(|(before, addon)| before.is_none_or(|before| !before.is_same(addon)));
    let changed = changed.map(|(before, addon)| {
        let is_other = |(cluster, report): &(_, _)| before.and_then(|b| b.clusters.get(*cluster)) != Some(*report);
        addon.clusters.iter().filter(is_other).count()
    });
    changed.sum()
}
