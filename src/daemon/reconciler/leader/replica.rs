//! One process of a daemon, which leads at once, or stands by until it is elected.

use std::sync::Arc;

use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use super::candidate::Candidate;
use super::leadership::Leadership;
use super::stage::Stage;
use super::standby::stand_by;
use crate::hub::Hub;
use crate::reconciler::clock::Clock;
use crate::reconciler::daemon::{Config, Daemon, Error};
use crate::reconciler::metrics::Metrics;

/// One process of a daemon. Without a Lease in its configuration, it is the only one.
pub struct Replica {
    config: Config,
    hub: Arc<Hub>,
    clock: Clock,
    metrics: Metrics,
    stage: watch::Sender<Stage>,
}

impl Replica {
    /// Creates a process that has read nothing yet.
    pub fn new(config: Config, hub: Hub, clock: Clock, metrics: Metrics) -> Self {
        Self { config, hub: Arc::new(hub), clock, metrics, stage: watch::Sender::default() }
    }

    /// Returns a channel with how far the process is.
    pub fn stage(&self) -> watch::Receiver<Stage> {
        self.stage.subscribe()
    }

    /// Runs until stopped. `prepare` adds to the daemon when this process is about to lead.
    ///
    /// # Errors
    /// Those of [`Daemon::start`] and [`Daemon::run`], and [`Error::Succeeded`] if another replica leads instead of this one. After an error,
    /// nothing of this process may be used any more: start a new one, which stands by.
    pub async fn run(self, stop: CancellationToken, prepare: impl FnOnce(Daemon) -> Daemon) -> Result<(), Error> {
        let Some(lease) = self.config.lease.clone() else {
            self.metrics.leader.set(true);
            return self.lead(stop, prepare).await;
        };
        let leadership = Leadership::new(self.clock.clone(), self.metrics.leader.clone());
        self.hub.write_only_while(leadership.condition());
        let me = self.config.writer.name.clone();
        let shared = (self.clock.clone(), self.metrics.absences.clone(), leadership.clone());
        let candidate = Candidate::new(self.hub.clone(), lease.clone(), me, shared);
        let [elected, stop, ended] = [CancellationToken::new(), stop.child_token(), CancellationToken::new()];
        let campaign = candidate.run(elected.clone(), stop.clone(), ended.clone());
        let daemon = async {
            let _ended = ended.drop_guard();
            let absences = (&self.metrics.absences, &self.clock);
            tokio::select! {
                () = stand_by((&self.hub, &self.config), absences, &self.stage, elected) => {}
                () = stop.cancelled() => return Ok(()),
            }
            // The watches may not have delivered yet what the last leader wrote.
            self.hub.list_again();
            self.lead(stop.clone(), prepare).await
        };
        let (outcome, ()) = tokio::join!(daemon, campaign);
        match (leadership.successor(), outcome) {
            (Some(leader), Ok(()) | Err(Error::Rival(_))) => Err(Error::Succeeded { lease, leader }),
            (_, outcome) => outcome,
        }
    }

    /// Starts the daemon and runs it.
    async fn lead(self, stop: CancellationToken, prepare: impl FnOnce(Daemon) -> Daemon) -> Result<(), Error> {
        let daemon = Daemon::start(self.config, self.hub, self.clock, self.metrics).await?;
        self.stage.send_replace(Stage::Running(daemon.snapshots()));
        prepare(daemon).run(stop).await
    }
}
