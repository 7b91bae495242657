//! A daemon on a stage, and its verdict on the upgrade to 0.4.1.

use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;
use tokio::sync::watch;

use super::stage::Stage;
use crate::daemon::world::{Running, eventually};
use tidegate_consent::{PullRecord, Verdict, Why};
use tidegate_daemon::reconciler::forge::Checks;
use tidegate_daemon::reconciler::{Config, Snapshot};
use tidegate_fake_forge::{PullRecord as PullRequest, PullStatus};
use tidegate_model::forge::ForgeKind;

/// The time between two requests of a test that waits.
const LOOK: Duration = Duration::from_secs(5);
/// How long the daemon uses an answer about a team.
const ANSWERS: Duration = Duration::from_secs(600);
/// The add-on that is upgraded.
const ADDON: &str = "hello-template";

/// A daemon that has rolled 0.4.0 out, and rules for the upgrade.
pub(super) struct Trial {
    pub(super) stage: Stage,
    pub(super) daemon: Running,
    config: Config,
}

impl Trial {
    /// Starts a daemon that reports nothing to the forge, on a forge of this kind. `rules` are approvals of a RolloutPolicy.
    pub(super) async fn start(kind: ForgeKind, rules: &Value) -> Self {
        Self::on(Stage::new(kind).await, rules).await
    }

    /// Starts such a daemon on a stage.
    pub(super) async fn on(stage: Stage, rules: &Value) -> Self {
        let config = quiet(&stage);
        Self::with(stage, config, rules).await
    }

    /// Starts a daemon with this configuration.
    pub(super) async fn with(stage: Stage, config: Config, rules: &Value) -> Self {
        let mut daemon = stage.settled(config.clone()).await;
        stage.policy(rules);
        let policy = stage.tip("main");
        daemon.look().send_replace(());
        let is_followed = |s: &Snapshot| s.facts.revision.seen.as_ref().is_some_and(|seen| seen.commit == policy);
        daemon.until("the rules are followed", is_followed).await;
        Self { stage, daemon, config }
    }

    /// Lets the daemon look at Git and at the forge, as a webhook does.
    pub(super) fn look(&self) {
        self.daemon.look().send_replace(());
    }

    /// Kills the daemon, and starts it again with the same configuration.
    pub(super) async fn restarted(self) -> Self {
        self.again(false).await
    }

    /// Kills the daemon, and starts it on a machine that has no record of the journal.
    pub(super) async fn restarted_elsewhere(self) -> Self {
        self.again(true).await
    }

    async fn again(self, elsewhere: bool) -> Self {
        let Self { stage, daemon, config } = self;
        daemon.kill().await;
        if elsewhere {
            std::fs::remove_file(config.state_dir.join("journal")).unwrap();
        }
        let daemon = stage.start(config.clone()).await;
        Self { stage, daemon, config }
    }

    /// Returns the requests that the daemon has opened.
    pub(super) fn requests(&self) -> Vec<PullRequest> {
        let pulls = self.stage.forge.pulls();
        pulls.into_iter().filter(|pull| pull.head_branch.starts_with("tidegate/gate/")).collect()
    }

    /// Moves the clock, so that what follows has a later time.
    pub(super) async fn moment(&self) {
        tokio::time::advance(Duration::from_secs(1)).await;
    }

    /// Moves the clock to when the daemon asks again who belongs to which team.
    pub(super) async fn answers_expire(&self) {
        tokio::time::advance(ANSWERS).await;
    }

    /// Waits until a condition holds for the last tick, while the daemon looks again and again.
    pub(super) async fn until(&mut self, what: &str, is_so: impl Fn(&Snapshot) -> bool) -> Arc<Snapshot> {
        let look = self.daemon.look().clone();
        looking(look, self.daemon.until(what, is_so)).await
    }

    /// Waits for something, while the daemon looks again and again.
    pub(super) async fn looking<T>(&self, wait: impl Future<Output = T>) -> T {
        looking(self.daemon.look().clone(), wait).await
    }

    /// Waits until the daemon has asked for an approval, and returns its request.
    pub(super) async fn until_request(&self) -> PullRequest {
        self.looking(self.stage.until_request()).await
    }

    /// Waits until the daemon has asked for another approval, and returns its request.
    pub(super) async fn until_request_after(&self, known: &[&PullRequest]) -> PullRequest {
        let is_new = |request: &PullRequest| known.iter().all(|known| known.number != request.number);
        let find = || self.requests().into_iter().find(is_new);
        self.looking(eventually("the daemon asks again", async || find().is_some())).await;
        find().unwrap()
    }

    /// Waits until a commit has a status whose text contains a string.
    pub(super) async fn until_status(&self, commit: &str, context: &str, text: &str) {
        self.looking(self.stage.until_status(commit, context, text)).await;
    }

    /// Waits until a pull request has one comment, and its text contains a string.
    pub(super) async fn until_comment(&self, pull: u64, text: &str) -> String {
        self.looking(self.stage.until_comment(pull, text)).await
    }

    /// Waits until a file of the journal contains a string.
    pub(super) async fn until_journaled(&self, path: &str, text: &str) {
        self.looking(self.stage.world.until_journal(path, text)).await;
    }

    /// Waits until the daemon has closed its request.
    pub(super) async fn until_closed(&self, request: &PullRequest) {
        let is_closed = || {
            let requests = self.requests();
            requests.iter().any(|one| one.number == request.number && one.state != PullStatus::Open)
        };
        self.looking(eventually("the request is closed after the rollout", async || is_closed())).await;
    }

    /// Waits until the record of a pull request fulfills a condition.
    pub(super) async fn until_record(&mut self, number: u64, is_so: impl Fn(&PullRecord) -> bool) -> PullRecord {
        let find = |s: &Snapshot| s.facts.pulls.records.get(&number).cloned();
        let what = format!("a record of pull request {number}");
        let snapshot = self.until(&what, |s| find(s).is_some_and(|record| is_so(&record))).await;
        find(&snapshot).unwrap()
    }

    /// Waits until the verdict on the upgrade fulfills a condition.
    pub(super) async fn until_verdict(&mut self, what: &str, is_so: impl Fn(&Verdict) -> bool) -> Verdict {
        let snapshot = self.until(what, |s| verdicts(s).any(&is_so)).await;
        verdicts(&snapshot).find(|verdict| is_so(verdict)).unwrap().clone()
    }

    /// Waits until an approval by an account does not count for a reason, and checks that the upgrade has not started.
    pub(super) async fn until_void(&mut self, by: &str, is_reason: impl Fn(&Why) -> bool) -> Verdict {
        let is_so = |verdict: &Verdict| {
            !verdict.is_met() && verdict.void.iter().any(|void| void.by == by && is_reason(&void.why))
        };
        let found = self.until_verdict(&format!("the approval by {by} does not count"), is_so).await;
        self.assert_held().await;
        found
    }

    /// Waits until a verdict on the upgrade has this number of approvals that count.
    pub(super) async fn until_seats(&mut self, seats: usize) -> Verdict {
        self.until_verdict(&format!("{seats} approvals count"), |verdict| verdict.have.len() == seats).await
    }

    /// Checks that no cluster has started on the upgrade.
    pub(super) async fn assert_held(&mut self) {
        let snapshot = self.daemon.until("a tick", |s| s.tick > 0).await;
        let clusters = &snapshot.report.addons[ADDON].clusters;
        assert!(clusters.values().all(|cluster| cluster.version == "0.4.0"), "{clusters:#?}");
    }

    /// Waits until the upgrade is everywhere.
    pub(super) async fn until_settled(&mut self) {
        self.until_version("0.4.1").await;
    }

    /// Waits until a version is everywhere.
    pub(super) async fn until_version(&mut self, version: &str) {
        let look = self.daemon.look().clone();
        looking(look, self.daemon.until_settled(version)).await;
    }

    /// Waits until the upgrade is everywhere, and ends the daemon.
    pub(super) async fn completes(mut self) {
        self.until_settled().await;
        self.ends().await;
    }

    /// Ends the daemon, and checks that it made no mistakes on the forge.
    pub(super) async fn ends(self) {
        self.stage.forge.assert_clean();
        self.daemon.end().await;
    }
}

/// Waits for something, while the daemon looks again and again.
pub(super) async fn looking<T>(look: watch::Sender<()>, wait: impl Future<Output = T>) -> T {
    let again = async {
        loop {
            look.send_replace(());
            // The clock is paused, so this time passes at once when the daemon has nothing left to do.
            tokio::time::sleep(LOOK).await;
        }
    };
    tokio::select! {
        done = wait => done,
        () = again => unreachable!(),
    }
}

/// Returns the configuration of a daemon that reports nothing to the forge.
pub(super) fn quiet(stage: &Stage) -> Config {
    let mut config = stage.config();
    if let Some(forge) = &mut config.forge {
        (forge.publish.comments, forge.publish.statuses, forge.publish.gates) = (false, false, false);
        forge.publish.checks = Checks::Off;
    }
    config
}

/// Returns the verdicts on the rules for the upgrade.
fn verdicts(snapshot: &Snapshot) -> impl Iterator<Item = &Verdict> {
    let addon = snapshot.report.addons.get(ADDON).into_iter();
    addon.flat_map(|addon| &addon.approvals).map(|approval| &approval.verdict)
}
