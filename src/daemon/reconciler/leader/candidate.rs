//! Takes the Lease, and renews it.

use std::sync::Arc;
use std::time::Duration;

use k8s_openapi::api::coordination::v1::Lease;
use tidegate_model::error_chain::ErrorChain;
use tidegate_model::line::one_line;
use tidegate_model::name::NamespacedName;
use tidegate_model::time::{SignedDuration, Timestamp};
use tokio::time::{Instant, timeout};
use tokio_util::sync::CancellationToken;

use super::election::{Election, Move, Timing, holder};
use super::leadership::Leadership;
use crate::hub::{self, Hub};
use crate::reconciler::absence::{Absences, Part};
use crate::reconciler::clock::Clock;

/// How long to wait for an answer about the Lease: several attempts fit into the time for which it is valid.
const ANSWER: Duration = Duration::from_secs(2);

/// A replica and its Lease.
pub(super) struct Candidate {
    hub: Arc<Hub>,
    name: NamespacedName,
    clock: Clock,
    absences: Absences,
    election: Election,
    leadership: Leadership,
    /// The Lease as this replica wrote it last, to renew it with one request.
    held: Option<Lease>,
    /// The failure that was logged last.
    failure: Option<String>,
    /// The holder that was logged last.
    leader: Option<String>,
}

impl Candidate {
    pub(super) fn new(
        hub: Arc<Hub>,
        name: NamespacedName,
        me: String,
        (clock, absences, leadership): (Clock, Absences, Leadership),
    ) -> Self {
        let election = Election::new(me, Timing::default());
        Self { hub, name, clock, absences, election, leadership, held: None, failure: None, leader: None }
    }

    /// Takes the Lease when it is free, and renews it until `ended`. Cancels `elected` when this replica leads, and `stop` when it does not
    /// lead any more. In the end, gives the Lease up.
    pub(super) async fn run(mut self, elected: CancellationToken, stop: CancellationToken, ended: CancellationToken) {
        let period = self.election.timing().period;
        loop {
            let began = Instant::now();
            match timeout(ANSWER * 2, self.turn()).await {
                Ok(Ok(Turn::Leads)) => elected.cancel(),
                Ok(Ok(Turn::Waits)) => {}
                Ok(Ok(Turn::Ends)) => {
                    stop.cancel();
                    return;
                }
                Ok(Err(error)) => self.note_failure(&ErrorChain(&error).to_string()),
                Err(_) => self.note_failure("the hub does not answer"),
            }
            tokio::select! {
                () = tokio::time::sleep_until(began + period) => {}
                () = ended.cancelled() => return self.release().await,
            }
        }
    }

    /// Looks at the Lease, and writes it if it is this replica's turn.
    async fn turn(&mut self) -> Result<Turn, hub::Error> {
        let known = match self.held.take() {
            Some(held) => Some(held),
            None => self.hub.lease(&self.name).await?,
        };
        let spec = known.as_ref().and_then(|lease| lease.spec.as_ref());
        let leader = one_line(spec.map(holder).unwrap_or_default());
        let decision = self.election.decide(spec, Instant::now());
        match decision {
            Move::Wait => {
                self.note_leader(leader);
                return Ok(Turn::Waits);
            }
            Move::Resign => {
                tracing::error!(lease = %self.name, leader, "another replica leads; this one ends");
                self.leadership.end(&leader);
                return Ok(Turn::Ends);
            }
            Move::Create | Move::Take | Move::Renew => {}
        }
        let (sent, now) = (Instant::now(), self.clock.now());
        let mut wanted = known.clone().unwrap_or_default();
        wanted.spec = Some(self.election.claim(spec, now));
        match self.hub.write_lease(&self.name, &wanted, decision == Move::Create).await {
            Ok(written) => {
                self.leads(written, (sent, now));
                Ok(Turn::Leads)
            }
            // Someone else wrote it in between: look at it again.
            Err(error) if error.is_conflict() || error.is_missing() && decision != Move::Create => Ok(Turn::Waits),
            Err(error) => Err(error),
        }
    }

    /// Records that this replica wrote the Lease. It may write for a while from the moment before that was sent.
    fn leads(&mut self, written: Lease, (sent, now): (Instant, Timestamp)) {
        if self.election.won() {
            tracing::info!(lease = %self.name, replica = self.election.me(), "this replica leads");
        }
        let deadline = self.election.timing().deadline;
        let of_day = SignedDuration::try_from(deadline).ok().and_then(|deadline| now.checked_add(deadline).ok());
        self.leadership.extend((sent + deadline, of_day.unwrap_or(Timestamp::MAX)));
        self.held = Some(written);
        self.note_success();
    }

    fn note_leader(&mut self, leader: String) {
        if self.leader.as_ref() != Some(&leader) {
            match leader.as_str() {
                "" => {
                    tracing::info!(lease = %self.name, "no replica has the Lease; waiting for one that may still run")
                }
                leader => tracing::info!(lease = %self.name, leader, "this replica stands by"),
            }
            self.leader = Some(leader);
        }
        self.note_success();
    }

    fn note_success(&mut self) {
        self.absences.back(Part::Lease);
        self.failure = None;
    }

    fn note_failure(&mut self, why: &str) {
        self.leadership.note_failure();
        self.absences.lost(Part::Lease, why, self.clock.now());
        if self.failure.as_deref() != Some(why) {
            tracing::warn!(lease = %self.name, error = why, "failed to read or write the Lease; retrying");
            self.failure = Some(why.to_owned());
        }
    }

    /// Gives the Lease up, so that another replica leads at once.
    async fn release(mut self) {
        let me = self.election.me().to_owned();
        self.leadership.give_up();
        let held = match self.held.take() {
            Some(lease) => Some(lease),
            // The last attempt to renew it failed, or someone else changed it.
            None => timeout(ANSWER, self.hub.lease(&self.name)).await.ok().and_then(Result::ok).flatten(),
        };
        let is_mine = |lease: &Lease| lease.spec.as_ref().is_some_and(|spec| holder(spec) == me);
        let Some(mut lease) = held.filter(is_mine) else { return };
        if let Some(spec) = &mut lease.spec {
            spec.holder_identity = Some(String::new());
        }
        match timeout(ANSWER, self.hub.write_lease(&self.name, &lease, false)).await {
            Ok(Ok(_)) => tracing::info!(lease = %self.name, replica = me, "gave the Lease up"),
            // The others wait until it has not changed for a while.
            _ => tracing::warn!(lease = %self.name, replica = me, "failed to give the Lease up"),
        }
    }
}

/// What became of a look at the Lease.
enum Turn {
    /// This replica leads.
    Leads,
    /// Another one leads, or none does yet.
    Waits,
    /// This replica led, and another one leads now.
    Ends,
}
