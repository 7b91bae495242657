//! The task that simulates the agents of all clusters.

use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use super::Script;
use super::report::unanswered;
use super::scheduler::Scheduler;
use crate::Sandbox;
use tidegate_api::key;

/// The agents of all clusters. Cloning is cheap; all clones follow the same script.
#[derive(Debug, Clone)]
pub struct Agents {
    script: watch::Sender<Script>,
}

impl Agents {
    /// Creates agents that follow a script.
    pub fn new(script: Script) -> Self {
        Self { script: watch::Sender::new(script) }
    }

    /// Changes the script. All works are reported on again, each after the delay of its cluster. The times of partitions remain
    /// relative to the start of the agents.
    pub fn set_script(&self, script: Script) {
        self.script.send_replace(script);
    }

    /// Reports on the works of a hub until `stop` is cancelled.
    ///
    /// The agents are idle if the hub does not serve ManifestWorks.
    pub async fn run(&self, sandbox: Sandbox, stop: CancellationToken) {
        let Some(kind) = sandbox.catalog().named(key::WORK_GROUP, "ManifestWork").cloned() else {
            return stop.cancelled().await;
        };
        let mut scripts = self.script.subscribe();
        let mut revisions = sandbox.revisions();
        let script = scripts.borrow_and_update().clone();
        let mut scheduler = Scheduler::new(sandbox, kind, script);
        scheduler.enqueue_all(|work| unanswered(work).is_some());
        loop {
            revisions.borrow_and_update();
            scheduler.enqueue_changes();
            scheduler.report_partitions();
            let due = scheduler.next_due();
            let wait = async move {
                match due {
                    Some(due) => tokio::time::sleep_until(due).await,
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                // Biased, so that a new script takes effect for every report written after it was set.
                biased;
                () = stop.cancelled() => return,
                _ = scripts.changed() => {
                    scheduler.set_script(scripts.borrow_and_update().clone());
                }
                _ = revisions.changed() => {}
                () = wait => {
                    scheduler.report_due();
                    tokio::task::yield_now().await;
                }
            }
        }
    }
}
