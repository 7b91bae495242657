//! The task that measures what plans request.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use futures::StreamExt as _;
use futures::stream::FuturesUnordered;
use tokio_util::sync::CancellationToken;

use super::exchange::Desk;
use super::server::Servers;
use crate::reconciler::clock::Clock;
use tidegate_model::time::Timestamp;
use tidegate_rollout::gate::checks::{Key, Observation, Observations, Request};

/// Most requests at once: enough for checks whose servers need their whole timeout, too few to burden the servers.
const MOST: usize = 8;

/// Makes each measurement once it is due, until the token is cancelled. A measurement that has started earlier than it was due counts for
/// nothing, so it is made again.
pub(crate) async fn measure(desk: Desk, servers: Servers, clock: Clock, stop: CancellationToken) {
    let Desk { mut requests, observations } = desk;
    let mut running = FuturesUnordered::new();
    let mut busy: BTreeSet<Key> = BTreeSet::new();
    loop {
        let wanted = requests.borrow_and_update().clone();
        forget(&observations, &wanted);
        let (now, known) = (clock.now(), observations.borrow().clone());
        let mut next: Option<Timestamp> = None;
        for request in wanted.iter().filter(|request| is_open(request, &known)) {
            if busy.contains(&request.key) {
                continue;
            }
            if request.due > now {
                next = Some(next.map_or(request.due, |next| next.min(request.due)));
            } else if running.len() < MOST {
                busy.insert(request.key.clone());
                running.push(made(request.clone(), servers.clone(), clock.clone()));
            }
        }
        let wake_after = next.map(|next| Duration::try_from(now.duration_until(next)).unwrap_or_default());
        tokio::select! {
            () = stop.cancelled() => break,
            changed = requests.changed() => if changed.is_err() { break },
            Some((key, observation)) = running.next() => {
                busy.remove(&key);
                note(&observations, &requests.borrow(), key, observation);
            }
            () = tokio::time::sleep(wake_after.unwrap_or_default()), if wake_after.is_some() => {}
        }
    }
}

/// Returns `true` if a measurement has not been made since it was due.
fn is_open(request: &Request, known: &Observations) -> bool {
    known.0.get(&request.key).is_none_or(|observation| observation.at < request.due)
}

/// Drops the observations that no plan needs any more: they are in its report.
fn forget(observations: &tokio::sync::watch::Sender<Arc<Observations>>, wanted: &[Request]) {
    let is_wanted = |key: &Key| wanted.iter().any(|request| request.key == *key);
    observations.send_if_modified(|known| {
        if known.0.keys().any(|key| !is_wanted(key)) {
            Arc::make_mut(known).0.retain(|key, _| is_wanted(key));
        }
        // Nothing new was measured.
        false
    });
}

/// Passes an observation on, unless no plan needs it any more.
fn note(
    observations: &tokio::sync::watch::Sender<Arc<Observations>>,
    wanted: &[Request],
    key: Key,
    observation: Observation,
) {
    if !wanted.iter().any(|request| request.key == key) {
        return;
    }
    observations.send_modify(|known| {
        Arc::make_mut(known).0.insert(key, observation);
    });
}

async fn made(request: Request, servers: Servers, clock: Clock) -> (Key, Observation) {
    let at = clock.now();
    let answer = servers.ask(request.ask.address(), request.timeout).await;
    let measured = request.ask.measured(answer);
    let Key { policy, check, addon, group, .. } = &request.key;
    let (outcome, value) = (measured.outcome, &measured.value);
    tracing::debug!(%policy, check, %addon, %group, ?outcome, value, "measured a check");
    (request.key, Observation { at, measured })
}
