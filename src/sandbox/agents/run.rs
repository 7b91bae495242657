//! The task that answers for all clusters.

use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use super::Script;
use super::desk::Desk;
use super::report::unanswered;
use crate::Sandbox;
use tidegate_api::key;

/// The agents of all clusters. Cloning is cheap, and all clones follow the same script.
#[derive(Debug, Clone)]
pub struct Agents {
    script: watch::Sender<Script>,
}

impl Agents {
    /// Makes agents that follow a script once they run.
    pub fn new(script: Script) -> Self {
        Self { script: watch::Sender::new(script) }
    }

    /// Changes the script. Works that were answered otherwise are answered again, each after its cluster's delay. The times of
    /// partitions go on counting from when the agents began.
    pub fn set_script(&self, script: Script) {
        self.script.send_replace(script);
    }

    /// Answers the works of a hub until `stop` is cancelled.
    ///
    /// A hub without ManifestWorks leaves the agents idle.
    pub async fn run(&self, sandbox: Sandbox, stop: CancellationToken) {
        let Some(kind) = sandbox.catalog().named(key::WORK_GROUP, "ManifestWork").cloned() else {
            return stop.cancelled().await;
        };
        let mut scripts = self.script.subscribe();
        let mut revisions = sandbox.revisions();
        let script = scripts.borrow_and_update().clone();
        let mut desk = Desk::new(sandbox, kind, script);
        desk.take_in_all(|work| unanswered(work).is_some());
        loop {
            revisions.borrow_and_update();
            desk.take_in_changes();
            desk.tell_silences();
            let due = desk.next_due();
            let wait = async move {
                match due {
                    Some(due) => tokio::time::sleep_until(due).await,
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                // In this order: a script counts for every answer that is given after it was set.
                biased;
                () = stop.cancelled() => return,
                _ = scripts.changed() => {
                    desk.follow(scripts.borrow_and_update().clone());
                }
                _ = revisions.changed() => {}
                () = wait => {
                    desk.answer_due();
                    tokio::task::yield_now().await;
                }
            }
        }
    }
}
