//! Reports to the forge: plans and approvals on pull requests, and rollouts on the commits that they come from.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::approvals;
use super::config::{Checks, ForgeConfig};
use super::links::Linked;
use super::plan_status::{PLAN, check_run, status, unplanned};
use super::planner::{Head, Planned};
use super::plans::Plans;
use super::progress;
use super::published::Published;
use super::record::Written;
use super::reported::Reported;
use tidegate_consent::{Approvals, GoodDigests, PullRecord, Pulls, Standing};
use tidegate_forge::{Result, State};
use tidegate_model::forge::{ForgeKind, Pull};
use tidegate_model::instance::InstanceId;
use tidegate_model::name::UnitName;
use tidegate_model::revision::CommitId;
use tidegate_model::time::Timestamp;
use tidegate_plan::report::Report;
use tidegate_repository::Repository;
use tidegate_review::presentation::{Options, markdown, marker, progress as rollouts};
use tidegate_review::proposal::document::Plan;

/// The context of the status for the approvals.
const APPROVALS: &str = "tidegate/approvals";

/// Reports to the forge what differs from what was reported last.
pub(super) struct Publisher {
    config: ForgeConfig,
    branch: String,
    published: Published,
    /// The comment with the plan of each pull request, which stays below its rollouts.
    comments: BTreeMap<u64, String>,
}

/// What is in force.
pub(super) struct InForce<'f> {
    pub(super) repository: &'f Repository,
    pub(super) approvals: &'f Approvals,
    pub(super) good: &'f GoodDigests,
    pub(super) instance: &'f InstanceId,
    /// Whether comments count as approvals.
    pub(super) commands: bool,
    pub(super) now: Timestamp,
}

/// The rollouts to report.
pub(super) struct Rollouts<'r> {
    pub(super) report: &'r Report,
    /// The commit that each add-on comes from.
    pub(super) commits: &'r BTreeMap<UnitName, CommitId>,
    /// The merged pull requests that brought them.
    pub(super) linked: &'r Linked,
}

impl Publisher {
    pub(super) fn new(config: ForgeConfig, branch: String) -> Self {
        Self { config, branch, published: Published::default(), comments: BTreeMap::new() }
    }

    /// Returns the open pull requests that are planned.
    pub(super) fn planned<'p>(&self, open: impl Iterator<Item = &'p Pull>) -> Vec<&'p Pull> {
        open.filter(|pull| self.config.publish.plans(pull)).collect()
    }

    /// Reports the plans of pull requests.
    pub(super) async fn plans(
        &mut self,
        pulls: &[&Pull],
        plans: &Plans,
        records: &Pulls,
        in_force: &InForce<'_>,
    ) -> Reported {
        let mut reported = Reported::default();
        for pull in pulls {
            let Some(record) = records.get(&pull.number) else { continue };
            let written = match plans.of(&head(self.config.forge.kind(), pull)) {
                // With hundreds of new pull requests, a status for each one that waits would take minutes.
                None => continue,
                Some(Err(why)) => {
                    let (state, text) = unplanned(&why);
                    self.status(&pull.head, PLAN, (state, &text), None, in_force.now).await
                }
                Some(Ok(planned)) => {
                    let plan = match record.gate {
                        None => complete(&planned, (pull.number, record), in_force),
                        Some(_) => planned.plan.clone(),
                    };
                    if record.gate.is_none() {
                        reported.full.insert(pull.number, self.markdown(&plan, pull.number, Options::OTHERS));
                    }
                    let comment = self.plan((pull, record), &plan, in_force.now).await;
                    comment.map(|id| reported.written.extend(id.map(|id| Written::Comment(pull.number, id))))
                }
            };
            if let Err(error) = written {
                let is_general = error.is_general();
                reported.fail(error);
                if is_general {
                    break;
                }
            }
        }
        reported
    }

    /// Reports one plan, and returns the number of its comment, if it is known.
    async fn plan(&mut self, (pull, record): (&Pull, &PullRecord), plan: &Plan, now: Timestamp) -> Result<Option<u64>> {
        let link = self.config.publish.link(&format!("pulls/{}.md", pull.number));
        let link = link.as_deref();
        let budget = self.config.forge.limits().comment.saturating_sub(5_000).min(Options::OTHERS);
        let body = self.markdown(plan, pull.number, budget);
        let (state, text) = status(plan);
        if self.config.publish.checks == Checks::CheckRuns {
            let run = check_run(&pull.head, (state, &text), (&body, plan), link.map(str::to_owned));
            self.published.check_run(&self.config.forge, run, now).await?;
        } else {
            self.status(&pull.head, PLAN, (state, &text), link, now).await?;
        }
        let (state, text) = approvals::status(record, &pull.head, &plan.approvals);
        self.status(&pull.head, APPROVALS, (state, &text), link, now).await?;
        // A request of the daemon changes nothing; its statuses let people merge it.
        if !self.config.publish.comments || record.gate.is_some() {
            return Ok(None);
        }
        let marker = marker(&self.options(pull.number, budget));
        let comment = (pull, record.comment);
        let id = self.published.comment(&self.config.forge, comment, (&marker, &body, None), now).await?;
        self.comments.insert(pull.number, body);
        Ok(id)
    }

    /// Reports the plan of an entry of a merge queue.
    ///
    /// # Errors
    /// Those of the forge.
    pub(super) async fn queued(&mut self, head: &Head, plans: &Plans, now: Timestamp) -> Result<()> {
        let (state, text) = match plans.of(head) {
            None => (State::Pending, "the plan is being made".to_owned()),
            Some(Err(why)) => unplanned(&why),
            Some(Ok(planned)) => status(&planned.plan),
        };
        self.status(&head.commit, PLAN, (state, &text), None, now).await?;
        // Approvals were checked on the pull request; the digests decide after the merge.
        self.status(&head.commit, APPROVALS, (State::Success, "checked on the pull request"), None, now).await
    }

    /// Reports how far rollouts are: on the commits that they come from, and on the pull requests that brought them.
    pub(super) async fn rollouts(
        &mut self,
        rollouts: &Rollouts<'_>,
        records: &Pulls,
        pulls: &BTreeMap<u64, Pull>,
        now: Timestamp,
    ) -> Reported {
        let mut reported = Reported::default();
        if self.config.publish.statuses {
            for (name, commit) in rollouts.commits {
                let Some(report) = rollouts.report.addons.get(name) else { continue };
                let Some(digest) = &report.digest else { continue };
                let link = self.config.publish.link(&tidegate_journal::file::status(name));
                let (state, text) = progress::status(report, digest);
                let context = format!("tidegate/{name}");
                if let Err(error) = self.set_status(commit, &context, (state, &text), link.as_deref(), now).await {
                    reported.fail(error);
                }
            }
        }
        if !self.config.publish.comments {
            return reported;
        }
        for (number, addons) in rollouts.linked {
            let Some((record, pull)) = records.get(number).zip(pulls.get(number)) else { continue };
            if record.state == Standing::Merged {
                match self.progress((pull, record), addons.keys(), rollouts.report, now).await {
                    Ok(id) => reported.written.extend(id.map(|id| Written::Comment(*number, id))),
                    Err(error) => reported.fail(error),
                }
            }
        }
        reported
    }

    /// Reports the rollouts of one pull request, and returns the number of its comment, if it is known.
    async fn progress(
        &mut self,
        (pull, record): (&Pull, &PullRecord),
        addons: impl Iterator<Item = &UnitName>,
        report: &Report,
        now: Timestamp,
    ) -> Result<Option<u64>> {
        let state = |name: &UnitName| {
            let report = report.addons.get(name)?;
            Some(progress::state(name, report, report.digest.as_ref()?))
        };
        let states: Vec<_> = addons.filter_map(state).collect();
        if states.is_empty() {
            return Ok(None);
        }
        let options = self.options(pull.number, self.config.forge.limits().comment.min(Options::OTHERS));
        let body = rollouts(&states, self.comments.get(&pull.number).map(String::as_str), &options);
        let news = states.into_iter().map(|state| (state.digest, state.phase, state.reasons)).collect();
        let (comment, marker) = ((pull, record.comment), marker(&options));
        self.published.comment(&self.config.forge, comment, (&marker, &body, Some(news)), now).await
    }

    /// Forgets what nothing is reported about any more.
    pub(super) fn keep(&mut self, heads: &BTreeSet<CommitId>, records: &Pulls) {
        self.published.keep(|commit| heads.contains(commit), |number| records.contains_key(&number));
        self.comments.retain(|number, _| records.contains_key(number));
    }

    /// Takes over the plans of a journal, which complete the comments after a restart.
    pub(super) fn restore(&mut self, plans: &BTreeMap<u64, String>) {
        self.comments.extend(plans.iter().map(|(number, plan)| (*number, plan.clone())));
    }

    async fn status(
        &mut self,
        commit: &CommitId,
        context: &str,
        status: (State, &str),
        link: Option<&str>,
        now: Timestamp,
    ) -> Result<()> {
        if self.config.publish.checks == Checks::Off {
            return Ok(());
        }
        self.set_status(commit, context, status, link, now).await
    }

    async fn set_status(
        &mut self,
        commit: &CommitId,
        context: &str,
        status: (State, &str),
        link: Option<&str>,
        now: Timestamp,
    ) -> Result<()> {
        self.published.status(&self.config.forge, (commit, &self.branch), context, status, link, now).await
    }

    fn markdown(&self, plan: &Plan, number: u64, budget: usize) -> String {
        markdown(plan, &self.options(number, budget))
    }

    fn options(&self, number: u64, budget: usize) -> Options {
        let full_plan = self.config.publish.link(&format!("pulls/{number}.md"));
        Options { budget, repository: Some(self.config.project.clone()), pull_request: Some(number), full_plan }
    }
}

/// Returns the head of a pull request.
pub(super) fn head(kind: ForgeKind, pull: &Pull) -> Head {
    let name = format!("{} {} at {}", kind.pull_request(), pull.number, pull.head.short());
    Head { name, commit: pull.head.clone() }
}

/// Returns the plan with the approvals of the pull request.
fn complete(planned: &Arc<Planned>, pull: (u64, &PullRecord), in_force: &InForce<'_>) -> Plan {
    let InForce { repository, approvals, good, instance, commands, now } = in_force;
    let approvals = approvals::needed(planned, pull, (repository, approvals, *commands), good, instance, *now);
    Plan { approvals, ..planned.plan.clone() }
}
