//! What a replica does that stands by: it observes the hub and fetches the repository, so that it can take over within seconds.

use std::sync::Arc;
use std::time::Duration;

use tidegate_git::Mirror;
use tidegate_model::error_chain::ErrorChain;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use super::stage::Stage;
use crate::hub::{Health, Hub};
use crate::reconciler::absence::{Absences, Part};
use crate::reconciler::clock::Clock;
use crate::reconciler::daemon::{Config, journal_branch};
use crate::reconciler::source;

/// How long to wait for the lists of the hub before each look.
const LISTED: Duration = Duration::from_secs(10);

/// Stands by until this replica is elected.
pub(super) async fn stand_by(
    (hub, config): (&Arc<Hub>, &Config),
    (absences, clock): (&Absences, &Clock),
    stage: &watch::Sender<Stage>,
    elected: CancellationToken,
) {
    let (mut failure, mut journal) = (None, None);
    loop {
        let is_observed = tokio::select! {
            is_observed = note_hub(hub, (absences, clock)) => is_observed,
            () = elected.cancelled() => return,
        };
        let fetched = tokio::task::spawn_blocking({
            let (config, journal) = (config.clone(), journal.clone());
            move || fetch(&config, journal)
        });
        let is_fetched = match fetched.await {
            Ok(Ok(branch)) => {
                journal = Some(branch);
                absences.back(Part::Source);
                failure = None;
                true
            }
            Ok(Err(error)) => {
                let why = ErrorChain(&error).to_string();
                absences.lost(Part::Source, &why, clock.now());
                if failure.as_ref() != Some(&why) {
                    tracing::warn!(error = why, "failed to fetch the repository while standing by; retrying");
                    failure = Some(why);
                }
                false
            }
            Err(panic) => std::panic::resume_unwind(panic.into_panic()),
        };
        // The fetch holds the lock of the mirror, so that it has to end first.
        if elected.is_cancelled() {
            return;
        }
        if is_observed && is_fetched && matches!(*stage.borrow(), Stage::Starting) {
            stage.send_replace(Stage::StandingBy);
        }
        tokio::select! {
            () = elected.cancelled() => return,
            () = tokio::time::sleep(config.poll) => {}
        }
    }
}

/// Records whether the hub can be used. Returns `true` if it is observed.
async fn note_hub(hub: &Hub, (absences, clock): (&Absences, &Clock)) -> bool {
    if let Health::Away { since, last_error } = hub.health() {
        absences.lost_since(Part::Hub, &last_error, (since, clock.now()));
        return false;
    }
    match hub.synced(LISTED).await {
        Ok(()) => {
            absences.back(Part::Hub);
            true
        }
        Err(error) => {
            absences.lost(Part::Hub, &ErrorChain(&error).to_string(), clock.now());
            false
        }
    }
}

/// Fetches the followed reference and the journal into the mirror. Returns the branch of the journal, which is found the first time.
fn fetch(config: &Config, journal: Option<String>) -> Result<String, source::Error> {
    let mirror = Arc::new(Mirror::open(&config.state_dir, config.remote.clone()).map_err(source::Error::Git)?);
    mirror.follow(&config.reference).map_err(source::Error::Git)?;
    let journal = journal.map_or_else(|| journal_branch(&mirror, config), Ok)?;
    mirror.fetch(&[&journal]).map_err(source::Error::Git)?;
    Ok(journal)
}
