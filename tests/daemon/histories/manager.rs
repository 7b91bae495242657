//! OCM's add-on manager, which runs for a part of a history.

use super::super::world::now;
use crate::upstream::{AddonManager, Running};

/// The manager of a history.
pub(super) struct Manager {
    manager: AddonManager,
    client: kube::Client,
    running: Option<Running>,
}

impl Manager {
    /// Creates a manager that does not run.
    pub(super) fn new(client: kube::Client) -> Self {
        Self { manager: AddonManager::new(now), client, running: None }
    }

    /// Returns `true` if it runs.
    pub(super) fn is_running(&self) -> bool {
        self.running.is_some()
    }

    /// Lets the manager run, or not.
    pub(super) async fn run(&mut self, is_there: bool) {
        match (self.running.take(), is_there) {
            (None, true) => self.running = Some(self.manager.start(self.client.clone())),
            (Some(running), false) => running.stop().await,
            (running, _) => self.running = running,
        }
    }

    /// Ends the manager at once, if it runs.
    pub(super) async fn crash(&mut self) {
        if let Some(running) = self.running.take() {
            running.crash().await;
        }
    }
}
