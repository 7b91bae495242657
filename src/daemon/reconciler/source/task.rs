//! The task that follows Git.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::error::Error;
use super::poll::{Followed, Source};
use super::rollback::Decisions;
use crate::hub::jitter;
use crate::reconciler::absence::Part;
use crate::reconciler::clock::Clock;
use crate::reconciler::metrics::Metrics;
use crate::reconciler::outage::{Outage, Trouble};
use crate::reconciler::snapshot::Snapshot;
use tidegate_git::Remote;
use tidegate_model::backoff::Backoff;
use tidegate_model::error_chain::ErrorChain;
use tidegate_model::time::Timestamp;

/// Minimum time between two polls on request: a push causes several events, and a webhook may be replayed at any rate.
const GAP: Duration = Duration::from_millis(250);

/// Maximum time for which no revision is followed because no tick has decided about the rules of the last one, as while the hub is away.
const DECIDED_WITHIN: Duration = Duration::from_secs(60);

type Applied = Result<Option<Followed>, tidegate_git::Error>;
type Polled = Result<Option<Followed>, Error>;

/// The settings of the task.
pub(crate) struct Following {
    /// The remote, which is watched if it is on this machine.
    pub remote: Remote,
    /// How often Git is polled, give or take a tenth.
    pub poll: Duration,
    /// The pauses between retries when the remote fails.
    pub backoff: Backoff,
    /// Requests an immediate poll.
    pub look: watch::Sender<()>,
    /// Receives these requests.
    pub asked: watch::Receiver<()>,
    /// The metrics that count failures.
    pub metrics: Metrics,
    /// The last ticks, which reject digests and accept rules.
    pub snapshots: watch::Receiver<Arc<Snapshot>>,
    /// The clock that dates the start of an outage.
    pub clock: Clock,
}

/// Polls Git periodically and on request. A failed poll is retried; failures are logged at first and then once a minute.
pub(crate) async fn follow(
    mut source: Source,
    followed: watch::Sender<Option<Followed>>,
    following: Following,
    stop: CancellationToken,
) {
    let Following { remote, poll, backoff, look, mut asked, metrics, mut snapshots, clock } = following;
    source.set_clock(clock.clone());
    let watcher = tidegate_git::watch(&remote, move || look.send_replace(()));
    if let Err(error) = &watcher {
        tracing::warn!(error = %ErrorChain(error), "failed to watch the local repository; polling it instead");
    }
    let mut outage = Outage::none(backoff);
    // What was decided before the restart counts until the first tick.
    let mut known = source.decisions();
    // Since when no tick has decided about the rules of the followed revision.
    let mut undecided: Option<Instant> = None;
    loop {
        // Daemons that were started together must not poll the forge together forever.
        let wake_after = outage.wake_after().unwrap_or_else(|| poll - poll / 10 + jitter(poll / 5));
        let rest = undecided.map(|since| DECIDED_WITHIN.saturating_sub(since.elapsed()));
        let wake_after = rest.filter(|rest| !rest.is_zero()).unwrap_or(wake_after);
        tokio::select! {
            () = stop.cancelled() => break,
            () = tokio::time::sleep(wake_after) => {}
            // The sender may be gone; then only the timer is left.
            Ok(()) = asked.changed() => {}
            Ok(()) = decided(&mut snapshots, &mut known) => {}
        }
        // A poll on request must not overtake what the last tick decided.
        let last = snapshots.borrow_and_update().clone();
        if last.tick > 0 {
            known = Decisions::of(&last.report);
        }
        let decisions = known.clone();
        let may_wait = undecided.is_none_or(|since| since.elapsed() < DECIDED_WITHIN);
        let polling = tokio::task::spawn_blocking(move || poll_once(source, decisions, may_wait));
        let (applied, polled, back) = tokio::select! {
            polled = polling => match polled {
                Ok(polled) => polled,
                // The daemon ends, instead of staying at an old revision.
                Err(error) if error.is_panic() => std::panic::resume_unwind(error.into_panic()),
                Err(_) => break,
            },
            // A remote that does not answer must not delay the shutdown; the next start polls it again.
            () = stop.cancelled() => break,
        };
        source = back;
        undecided = source.has_undecided_rules().then(|| undecided.unwrap_or_else(Instant::now));
        let was_polled = polled.is_some();
        let (change, failed) = outcome(applied, polled);
        if let Some(change) = change {
            announce(&change);
            followed.send_replace(Some(change));
        }
        match failed {
            // A revision that was not polled says nothing about the remote.
            None if !was_polled => {}
            None => {
                outage.record_success("config repository");
                metrics.absences.back(Part::Source);
            }
            Some(error) => note_failure(&error, &mut outage, &metrics, clock.now()),
        }
        tokio::select! {
            () = stop.cancelled() => break,
            () = tokio::time::sleep(GAP) => {}
        }
    }
    drop(watcher);
}

/// Applies decisions and polls the remote, unless the rules of the followed revision are to be decided first.
fn poll_once(mut source: Source, decisions: Decisions, may_wait: bool) -> (Applied, Option<Polled>, Source) {
    let applied = source.apply(decisions);
    let must_wait = may_wait && source.has_undecided_rules();
    let polled = (!must_wait).then(|| source.poll());
    (applied, polled, source)
}

fn note_failure(error: &Error, outage: &mut Outage, metrics: &Metrics, now: Timestamp) {
    metrics.source_failures.inc();
    let is_refusal = matches!(error, Error::Git(error) if error.is_refusal());
    let trouble = if is_refusal { Trouble::Refused } else { Trouble::Away };
    let why = ErrorChain(error).to_string();
    outage.record_failure("config repository", trouble, &why);
    metrics.absences.lost(Part::Source, &why, now);
}

/// Returns the revision to follow now, and what failed. What was decided counts even if the remote is away; a revision that was polled has
/// the decisions already.
fn outcome(applied: Applied, polled: Option<Polled>) -> (Option<Followed>, Option<Error>) {
    let (decided, failed) = match applied {
        Ok(decided) => (decided, None),
        Err(error) => (None, Some(Error::Git(error))),
    };
    match polled.unwrap_or(Ok(None)) {
        Ok(change) => (change.or(decided), failed),
        Err(error) => (decided, Some(error)),
    }
}

/// Waits until a tick decides something else than what is known.
async fn decided(
    snapshots: &mut watch::Receiver<Arc<Snapshot>>,
    known: &mut Decisions,
) -> Result<(), watch::error::RecvError> {
    let is_other = |snapshot: &Arc<Snapshot>| snapshot.tick > 0 && Decisions::of(&snapshot.report) != *known;
    let found = Decisions::of(&snapshots.wait_for(is_other).await?.report);
    *known = found;
    Ok(())
}

/// Logs the revision and its complaints.
pub(crate) fn announce(change: &Followed) {
    let facts = &change.facts;
    let commit = facts.seen.as_ref().map(|seen| seen.commit.short().to_owned()).unwrap_or_default();
    if let Some(refused) = &facts.refused {
        let newest = refused.revision.commit.short();
        tracing::warn!(commit = newest, in_force = commit, reason = %refused.reason, "refused to follow a revision");
        return;
    }
    let approvals = change.approvals.facts.len();
    tracing::info!(
        commit,
        approvals,
        complaints = facts.complaints.len() + facts.unlisted_complaints,
        "loaded a revision"
    );
    for complaint in &facts.complaints {
        tracing::warn!(commit, %complaint, "found a problem in the revision");
    }
    if facts.unlisted_complaints > 0 {
        tracing::warn!(commit, more = facts.unlisted_complaints, "found more problems; fix the first ones to see them");
    }
}
