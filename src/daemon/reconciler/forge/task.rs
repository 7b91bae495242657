//! The task that looks at the forge and reports to it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use super::config::ForgeConfig;
use super::deployments::Deployments;
use super::planner::{Circumstance, Head};
use super::plans::{Ground, Plans};
use super::poller::ForgePoller;
use super::publish::{InForce, Publisher, Rollouts, head};
use super::refusals::Refusals;
use super::reported::Reported;
use super::requests::ApprovalRequests;
use super::trees::Trees;
use crate::hub::{Hub, jitter};
use crate::reconciler::clock::Clock;
use crate::reconciler::outage::{Outage, Trouble};
use crate::reconciler::snapshot::Snapshot;
use crate::reconciler::source::{Followed, files_below};
use tidegate_forge::{Error, Result};
use tidegate_journal::experience;
use tidegate_journal::pulls::PullFacts;
use tidegate_model::backoff::Backoff;
use tidegate_model::digest::Digest;
use tidegate_model::error_chain::ErrorChain;
use tidegate_model::forge::{ForgeKind, Pull};
use tidegate_model::instance::Instance;
use tidegate_model::name::UnitName;
use tidegate_model::progress::Phase;
use tidegate_model::revision::CommitId;
use tidegate_model::shared::Shared;
use tidegate_model::time::{SignedDuration, Timestamp};
use tidegate_plan::report::AddonReport;
use tidegate_repository::PlanPolicy;
use tidegate_review::proposal::held;

/// Minimum time between two looks.
const GAP: Duration = Duration::from_secs(1);

/// Everything that the task needs.
pub(crate) struct Reviewing {
    pub(crate) config: ForgeConfig,
    pub(crate) trees: Arc<Trees>,
    /// The followed branch.
    pub(crate) branch: String,
    pub(crate) instance: Instance,
    /// The policies of the daemon's own file.
    pub(crate) floor: Vec<PlanPolicy>,
    pub(crate) hub: Arc<Hub>,
    pub(crate) clock: Clock,
    /// The branch of the journal, and the directory on it.
    pub(crate) journal: (String, &'static str),
    pub(crate) followed: watch::Receiver<Option<Followed>>,
    pub(crate) snapshots: watch::Receiver<Arc<Snapshot>>,
    /// What is known of pull requests; at first, what the journal has.
    pub(crate) pulls: watch::Sender<PullFacts>,
    /// The channel that requests an immediate poll.
    pub(crate) look: watch::Receiver<()>,
    pub(crate) backoff: Backoff,
}

/// Polls the forge periodically, when a webhook arrives, and when the followed revision or a rollout has changed.
pub(crate) async fn review(reviewing: Reviewing, stop: CancellationToken) {
    let (poll, hub) = (reviewing.config.poll, reviewing.hub.clone());
    let (mut followed, mut snapshots, mut asked) =
        (reviewing.followed.clone(), reviewing.snapshots.clone(), reviewing.look.clone());
    let mut outage = Outage::none(reviewing.backoff);
    let mut reviewer = Reviewer::new(reviewing);
    loop {
        drop(followed.borrow_and_update());
        let seen = rollouts(&snapshots.borrow_and_update());
        if !hub.may_write() {
            // Another replica may publish now.
            tokio::select! {
                () = stop.cancelled() => break,
                () = tokio::time::sleep(GAP) => continue,
            }
        }
        let polled = tokio::select! {
            polled = reviewer.poll() => polled,
            // A forge that does not answer must not delay the shutdown.
            () = stop.cancelled() => break,
        };
        match polled {
            Ok(()) => outage.record_success("forge"),
            Err(error) => {
                let trouble = if error.is_transient() { Trouble::Away } else { Trouble::Refused };
                outage.record_failure("forge", trouble, &ErrorChain(&error).to_string());
            }
        }
        // Reviews and webhooks come in bursts.
        tokio::select! {
            () = stop.cancelled() => break,
            () = tokio::time::sleep(GAP) => {}
        }
        let wake_after = outage.wake_after().unwrap_or_else(|| poll - poll / 10 + jitter(poll / 5));
        tokio::select! {
            () = stop.cancelled() => break,
            () = tokio::time::sleep(wake_after) => {}
            Ok(()) = asked.changed() => {}
            Ok(()) = followed.changed() => {}
            Ok(_) = snapshots.wait_for(|snapshot| rollouts(snapshot) != seen), if outage.wake_after().is_none() => {}
        }
    }
}

/// What makes a poll worthwhile when it changes: what is rolled out, and what it waits for.
#[derive(PartialEq)]
struct Rollout {
    addon: UnitName,
    digest: Option<Digest>,
    phase: Phase,
    gates: Vec<String>,
    problem: Option<String>,
}

/// Returns the rollouts of a tick.
fn rollouts(snapshot: &Snapshot) -> Vec<Rollout> {
    let of = |(name, addon): (&UnitName, &Shared<AddonReport>)| Rollout {
        addon: name.clone(),
        digest: addon.digest.clone(),
        phase: addon.phase,
        gates: addon.gates.iter().map(|gate| gate.gate.clone()).collect(),
        problem: addon.problem.clone(),
    };
    snapshot.report.addons.iter().map(of).collect()
}

struct Reviewer {
    reviewing: Reviewing,
    trees: Arc<Trees>,
    poller: ForgePoller,
    publisher: Publisher,
    deployments: Deployments,
    plans: Plans,
    /// What the forge refuses about requests for approvals.
    refusals: Refusals,
    /// The full plans of pull requests, for the journal.
    full: BTreeMap<u64, String>,
}

impl Reviewer {
    fn new(reviewing: Reviewing) -> Self {
        let (records, full) = {
            let known = reviewing.pulls.borrow();
            (known.records.as_ref().clone(), known.plans.as_ref().clone())
        };
        let trees = reviewing.trees.clone();
        let config = reviewing.config.clone();
        let poller = ForgePoller::new(&config, trees.clone(), reviewing.branch.clone(), records);
        let deployments = Deployments::new(&config, &reviewing.branch);
        let mut publisher = Publisher::new(config, reviewing.branch.clone());
        publisher.restore(&full);
        Self {
            reviewing,
            trees,
            poller,
            publisher,
            deployments,
            plans: Plans::default(),
            refusals: Refusals::default(),
            full,
        }
    }

    /// Polls once: reads what people said, plans what is open, and reports.
    async fn poll(&mut self) -> Result<()> {
        let now = self.reviewing.clock.now();
        let Some(followed) = self.reviewing.followed.borrow().clone() else { return Ok(()) };
        let snapshot = self.reviewing.snapshots.borrow().clone();
        let Some(tip) = followed.facts.seen.as_ref().map(|seen| seen.commit.clone()) else { return Ok(()) };
        let polled = self.poller.poll(&followed, &snapshot.report, now).await;
        // What people said counts at once; what is reported may wait.
        self.send();
        if polled.as_ref().is_err_and(Error::is_general) {
            return polled;
        }
        let served = self.serve(&followed, &snapshot, &tip, now).await;
        let planned = self.plan(&followed, &snapshot, &tip, now).await;
        let published = self.publish(&followed, &snapshot, now).await;
        self.send();
        polled.and(served).and(planned).and(published)
    }

    /// Opens and closes requests for approvals.
    async fn serve(&mut self, followed: &Followed, snapshot: &Snapshot, tip: &CommitId, now: Timestamp) -> Result<()> {
        let Reviewing { config, branch, instance, .. } = &self.reviewing;
        // A tick that does not know all reviews yet may wait for an approval that was given.
        let has_judged = snapshot.facts.pulls.version == self.reviewing.pulls.borrow().version;
        if !config.publish.gates || !has_judged {
            return Ok(());
        }
        let known = snapshot.report.addons.keys().filter(|name| self.poller.has_links(followed, name)).collect();
        let requests = ApprovalRequests {
            forge: &config.forge,
            trees: &self.trees,
            branch,
            tip,
            instance: &instance.id,
            approvals: &followed.approvals,
            commands: config.commands,
            now,
        };
        let link = |name: &UnitName| config.publish.link(&tidegate_journal::file::status(name));
        let records = self.poller.records();
        let (written, served) = requests.serve((&snapshot.report, &known), (records, &mut self.refusals), link).await;
        self.poller.take_over(written, now);
        served
    }

    /// Plans open pull requests and the entries of merge queues, and reports the plans.
    async fn plan(&mut self, followed: &Followed, snapshot: &Snapshot, tip: &CommitId, now: Timestamp) -> Result<()> {
        // Without the fleet, it is not known what a change does.
        let Some(fleet) = self.reviewing.hub.listed_fleet() else { return Ok(()) };
        let open: Vec<Pull> = self.poller.open.iter().flat_map(BTreeMap::values).cloned().collect();
        let pulls = self.publisher.planned(open.iter());
        let queued = self.queued().await?;
        let kind = self.reviewing.config.forge.kind();
        let heads: Vec<Head> = pulls.iter().map(|pull| head(kind, pull)).chain(queued.iter().cloned()).collect();
        let rejected = followed.repository.rollbacks.values().map(|rollback| rollback.rejection.digest.clone());
        let ground = Ground { commit: tip.clone(), rejected: rejected.collect() };
        let due = self.plans.due(&ground, &heads, now);
        if !due.is_empty() {
            let given = Circumstance {
                fleet,
                instance: self.reviewing.instance.clone(),
                latencies: self.latencies().await,
                in_force: followed.repository.clone(),
                held: held(&snapshot.report),
                floor: self.reviewing.floor.clone(),
                now,
            };
            self.plans.make(&self.trees, (&ground, &self.reviewing.branch), due, given).await;
        }
        let in_force = InForce {
            repository: &followed.repository,
            approvals: &followed.approvals,
            good: &snapshot.report.good_digests(),
            instance: &self.reviewing.instance.id,
            commands: self.reviewing.config.commands,
            now,
        };
        let reported = self.publisher.plans(&pulls, &self.plans, self.poller.records(), &in_force).await;
        let Reported { full, written, outcome: mut published } = reported;
        self.poller.take_over(written, now);
        let is_kept =
            |number: &u64| self.poller.linked.contains_key(number) || open.iter().any(|pull| pull.number == *number);
        self.full.retain(|number, _| is_kept(number));
        self.full.extend(full);
        for head in &queued {
            published = published.and(self.publisher.queued(head, &self.plans, now).await);
        }
        published
    }

    /// Returns the entries of GitHub's merge queue, which are branches.
    async fn queued(&self) -> Result<Vec<Head>> {
        if self.reviewing.config.forge.kind() != ForgeKind::GitHub {
            return Ok(Vec::new());
        }
        let prefix = format!("gh-readonly-queue/{}/", self.reviewing.branch);
        let listed = self.trees.read(move |trees| trees.mirror().list_branches(&prefix)).await?;
        Ok(listed.into_iter().map(|(name, commit)| Head { name, commit }).collect())
    }

    /// Returns how long a cluster takes for each add-on, according to the journal.
    async fn latencies(&self) -> BTreeMap<UnitName, SignedDuration> {
        let (trees, (branch, prefix)) = (self.trees.clone(), self.reviewing.journal.clone());
        let read = tokio::task::spawn_blocking(move || {
            let tip = trees.mirror().local(&branch).ok().flatten()?;
            files_below(trees.mirror(), &tip, prefix).ok().map(|files| experience(&files))
        });
        let known = read.await.ok().flatten().unwrap_or_default();
        known.into_iter().filter_map(|(name, known)| Some((name, known.median()?))).collect()
    }

    /// Reports how far rollouts are.
    async fn publish(&mut self, followed: &Followed, snapshot: &Snapshot, now: Timestamp) -> Result<()> {
        let commits = commits(followed, snapshot);
        let rollouts = Rollouts { report: &snapshot.report, commits: &commits, linked: &self.poller.linked };
        let reported = self.publisher.rollouts(&rollouts, self.poller.records(), &self.poller.read, now).await;
        self.poller.take_over(reported.written, now);
        let published = reported.outcome.and(self.deployments.publish(&snapshot.report, &commits, now).await);
        let current: BTreeSet<CommitId> = commits.into_values().chain(self.plans.commits().cloned()).collect();
        self.publisher.keep(&current, self.poller.records());
        published
    }

    /// Passes on what is known, if it has changed.
    fn send(&self) {
        self.reviewing.pulls.send_if_modified(|known| {
            let is_same = *known.records == *self.poller.records() && *known.plans == self.full;
            if !is_same {
                let (records, plans) = (Arc::new(self.poller.records().clone()), Arc::new(self.full.clone()));
                *known = PullFacts { version: known.version + 1, records, plans };
            }
            !is_same
        });
    }
}

/// Returns the commit that each add-on with a digest comes from.
fn commits(followed: &Followed, snapshot: &Snapshot) -> BTreeMap<UnitName, CommitId> {
    let facts = &followed.facts;
    let commit = |name: &UnitName| {
        let change = facts.changes.get(name).and_then(|changes| changes.first()).map(|change| &change.commit);
        let commit = change.or_else(|| facts.addons.get(name)).cloned()?;
        Some((name.clone(), commit))
    };
    let addons = snapshot.report.addons.iter().filter(|(_, report)| report.digest.is_some());
    addons.filter_map(|(name, _)| commit(name)).collect()
}
