//! The task that follows Git.

use std::time::Duration;

use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use super::clock::Clock;
use super::metrics::{Metrics, Part};
use super::outage::{BackOff, Outage, Trouble};
use super::source::{self, Followed, Source};
use crate::hub::jitter;
use tidegate_git::Remote;
use tidegate_model::error_chain::ErrorChain;

/// Whoever asks to look now is heard at most so often: a push makes several events, and a webhook may be replayed at any rate.
const GAP: Duration = Duration::from_millis(250);

/// What the task is told.
pub struct Following {
    /// The remote, which is watched if it is on this machine.
    pub remote: Remote,
    /// How often Git is looked at, a tenth more or less.
    pub poll: Duration,
    /// How long a remote that fails is left alone.
    pub back_off: BackOff,
    /// Where everybody may ask to look now.
    pub look: watch::Sender<()>,
    /// Where failures are counted.
    pub metrics: Metrics,
    /// Tells since when the remote is away.
    pub clock: Clock,
}

/// Follows Git: when asked to look, and on a period. Failures are told at first and then once a minute, and tried again.
pub async fn follow(
    mut source: Source,
    followed: watch::Sender<Option<Followed>>,
    following: Following,
    stop: CancellationToken,
) {
    let Following { remote, poll, back_off, look, metrics, clock } = following;
    let mut asked = look.subscribe();
    let watcher = tidegate_git::watch(&remote, move || look.send_replace(()));
    if let Err(error) = &watcher {
        tracing::warn!(error = %ErrorChain(error), "local repository cannot be watched; it is looked at from time to time");
    }
    let mut outage = Outage::none(back_off);
    loop {
        // Daemons that were started together must not ask the forge together for ever.
        let pause = outage.pause().unwrap_or_else(|| poll - poll / 10 + jitter(poll / 5));
        tokio::select! {
            () = stop.cancelled() => break,
            () = tokio::time::sleep(pause) => {}
            // The sender may be gone, and then there is nothing but the period.
            Ok(()) = asked.changed() => {}
        }
        let polling = tokio::task::spawn_blocking(move || (source.poll(), source));
        let (polled, back) = tokio::select! {
            polled = polling => match polled {
                Ok(polled) => polled,
                Err(_) => break,
            },
            // A remote that does not answer must not hold up the end; what it would have said is asked again at the next start.
            () = stop.cancelled() => break,
        };
        source = back;
        match polled {
            Ok(change) => {
                outage.over("config repository");
                metrics.absences.back(Part::Source);
                if let Some(change) = change {
                    announce(&change);
                    followed.send_replace(Some(change));
                }
            }
            Err(error) => {
                metrics.source_failures.inc();
                let is_refusal = matches!(&error, source::Error::Git(error) if error.is_refusal());
                let trouble = if is_refusal { Trouble::Refused } else { Trouble::Away };
                let why = ErrorChain(&error).to_string();
                outage.tell("config repository", trouble, &why);
                metrics.absences.lost(Part::Source, &why, clock.now());
            }
        }
        tokio::select! {
            () = stop.cancelled() => break,
            () = tokio::time::sleep(GAP) => {}
        }
    }
    drop(watcher);
}

/// Logs what a revision brings.
pub fn announce(change: &Followed) {
    let facts = &change.facts;
    let commit = facts.seen.as_ref().map(|seen| seen.commit.short().to_owned()).unwrap_or_default();
    if let Some(refused) = &facts.refused {
        let newest = refused.revision.commit.short();
        tracing::warn!(commit = newest, in_force = commit, reason = %refused.reason, "revision is not trusted and not followed");
        return;
    }
    tracing::info!(commit, complaints = facts.complaints.len() + facts.unlisted_complaints, "revision seen");
    for complaint in &facts.complaints {
        tracing::warn!(commit, %complaint, "complaint");
    }
    if facts.unlisted_complaints > 0 {
        tracing::warn!(commit, more = facts.unlisted_complaints, "further complaints; fix the first ones to see them");
    }
}
