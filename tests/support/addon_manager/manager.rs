//! The stand-in as a test uses it.

use std::sync::Arc;

use parking_lot::Mutex;
use tidegate_model::time::Timestamp;
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use crate::upstream::controls::Controls;
use crate::upstream::hub::kind::{Kind, LEASE, WATCHED};
use crate::upstream::hub::watches;
use crate::upstream::hub::write::{Counts, Writer};
use crate::upstream::lease::Leadership;
use crate::upstream::run::Run;

/// A stand-in of OCM's add-on manager. It can be started and stopped several times; its controls and counts stay.
pub(crate) struct AddonManager {
    now: fn() -> Timestamp,
    controls: watch::Sender<Controls>,
    counts: Arc<Mutex<Counts>>,
    /// The number of processes started, which distinguishes their identities.
    started: Mutex<u32>,
}

/// A running stand-in.
pub(crate) struct Running {
    stop: CancellationToken,
    task: JoinHandle<()>,
    leadership: Arc<Leadership>,
}

impl AddonManager {
    /// Creates a stand-in with a clock.
    pub(crate) fn new(now: fn() -> Timestamp) -> Self {
        let controls = watch::Sender::new(Controls::default());
        Self { now, controls, counts: Arc::default(), started: Mutex::default() }
    }

    /// Changes the controls. Decisions that wait to be written are made again.
    pub(crate) fn control(&self, change: impl FnOnce(&mut Controls)) {
        self.controls.send_modify(change);
    }

    /// Returns the number of successful writes by kind, with those of the lease.
    pub(crate) fn counts(&self) -> Counts {
        self.counts.lock().clone()
    }

    /// Returns the number of successful writes, without those of the lease.
    pub(crate) fn writes(&self) -> u64 {
        self.counts.lock().iter().filter(|(kind, _)| *kind != LEASE.kind).map(|(_, count)| count).sum()
    }

    /// Starts a process that takes the lease when it is free, and then acts.
    pub(crate) fn start(&self, client: kube::Client) -> Running {
        let number = {
            let mut started = self.started.lock();
            *started += 1;
            *started
        };
        let holder = format!("cluster-manager-addon-manager-controller-{number}_00000000-0000-0000-0000-{number:012}");
        let writer = Writer::new(client.clone(), self.counts.clone());
        let leadership = Arc::new(Leadership::new(writer.clone(), self.now, holder));
        let stop = CancellationToken::new();
        let kinds = self.kinds();
        let (now, controls) = (self.now, self.controls.subscribe());
        let task = tokio::spawn({
            let (stop, leadership) = (stop.clone(), leadership.clone());
            let work = async move {
                leadership.acquire().await;
                let changes = watches::start(&client, &kinds);
                let run = Run::new(writer, now, controls);
                tokio::join!(leadership.keep(), run.run(changes));
            };
            async move {
                stop.run_until_cancelled(work).await;
            }
        });
        Running { stop, task, leadership }
    }

    /// Returns the kinds to watch: the usual ones, and the configurations of add-ons with their own managers.
    fn kinds(&self) -> Vec<Kind> {
        let own = self.controls.borrow().own_managers.iter().flat_map(|own| own.configs.clone()).collect::<Vec<_>>();
        let mut kinds: Vec<_> = WATCHED.into_iter().chain(own).collect();
        kinds.sort_unstable();
        kinds.dedup();
        kinds
    }
}

impl Running {
    /// Ends the process as Kubernetes ends it: it releases its lease.
    pub(crate) async fn stop(self) {
        let leadership = self.leadership.clone();
        self.crash().await;
        leadership.release().await;
    }

    /// Ends the process at once: its lease stays, and is no longer renewed.
    pub(crate) async fn crash(self) {
        self.stop.cancel();
        self.task.await.unwrap();
    }
}
