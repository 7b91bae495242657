//! Pull requests of the daemon that ask for approvals.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::progress::state;
use super::record::Written;
use super::refusals::{Place, Refusals};
use super::trees::Trees;
use tidegate_consent::file::request;
use tidegate_consent::{Approvals, Command, GateRequest, Missing, PullRecord, Pulls, Standing};
use tidegate_forge::{Error, Forge, NewPull, Result};
use tidegate_git::{Ancestry, NewCommit, PushError};
use tidegate_journal::headline::{AUTHOR, EMAIL};
use tidegate_model::error_chain::ErrorChain;
use tidegate_model::forge::Pull;
use tidegate_model::instance::InstanceId;
use tidegate_model::name::UnitName;
use tidegate_model::progress::Phase;
use tidegate_model::revision::CommitId;
use tidegate_model::time::Timestamp;
use tidegate_plan::report::{AddonReport, Report};
use tidegate_review::presentation::{Asked, ask};

/// The beginning of the names of branches for requests.
const BRANCHES: &str = "tidegate/gate/";

/// The forge and the repository in which requests are made.
pub(super) struct ApprovalRequests<'d> {
    pub(super) forge: &'d Forge,
    pub(super) trees: &'d Arc<Trees>,
    /// The followed branch.
    pub(super) branch: &'d str,
    /// Its tip.
    pub(super) tip: &'d CommitId,
    pub(super) instance: &'d InstanceId,
    pub(super) approvals: &'d Approvals,
    /// Whether comments count as approvals.
    pub(super) commands: bool,
    pub(super) now: Timestamp,
}

/// An approval for which clusters wait.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Need {
    pub(super) asked: Asked,
    /// Since when.
    pub(super) since: Timestamp,
}

/// Returns the approvals for which clusters of an add-on wait.
pub(super) fn needs(name: &UnitName, report: &AddonReport) -> Vec<Need> {
    let Some(digest) = &report.digest else { return Vec::new() };
    let mut needs: BTreeMap<Option<String>, Need> = BTreeMap::new();
    for gate in &report.gates {
        for approval in report.approvals.iter().filter(|approval| approval.closes(gate)) {
            let group = approval.verdict.group.clone();
            // The request itself is where a review counts.
            let missing = approval.verdict.missing.clone().map(|missing| Missing { on: Vec::new(), ..missing });
            let missing = missing.as_ref().map(ToString::to_string).unwrap_or_default();
            let need = needs.entry(group.clone()).or_insert_with(|| Need {
                asked: Asked { addon: name.clone(), digest: digest.clone(), group, comment: None, rules: Vec::new() },
                since: gate.since,
            });
            need.since = need.since.min(gate.since);
            let rule = (approval.verdict.rule.clone(), missing);
            if !need.asked.rules.contains(&rule) {
                need.asked.rules.push(rule);
            }
        }
    }
    needs.into_values().collect()
}

impl ApprovalRequests<'_> {
    /// Opens the requests that are missing, and closes those that are not needed any more. `known` are the add-ons of which it is known
    /// which pull requests brought them. Returns what was written, and the first error; the others were still tried.
    pub(super) async fn serve(
        &self,
        (report, known): (&Report, &BTreeSet<&UnitName>),
        (records, refusals): (&Pulls, &mut Refusals),
        link: impl Fn(&UnitName) -> Option<String>,
    ) -> (Vec<Written>, Result<()>) {
        let (mut written, mut outcome) = (Vec::new(), Ok(()));
        for (name, addon) in report.addons.iter().filter(|(name, _)| known.contains(name)) {
            for need in needs(name, addon) {
                let asks = |record: &PullRecord| {
                    // A request that was merged for an earlier wait is over: what people said about it may no longer count.
                    let is_current = |gate: &GateRequest| record.state == Standing::Open || gate.since >= need.since;
                    record.gate.as_ref().is_some_and(|gate| self.is_for(gate, &need) && is_current(gate))
                };
                if records.values().any(asks) {
                    continue;
                }
                let place = Place::Request(branch(&need));
                if refusals.is_paused(&place, self.now) {
                    continue;
                }
                let opened = self.open(&need, addon, link(name).as_deref()).await;
                match refusals.note(place, opened, self.now) {
                    Ok(opened) => written.push(Written::Opened(Box::new(opened))),
                    Err(error) => outcome = outcome.and(Err(error)),
                }
            }
        }
        let open = records.iter().filter(|(_, record)| record.state == Standing::Open);
        let over = open.filter(|(_, record)| record.gate.as_ref().is_some_and(|gate| self.is_over(gate, report)));
        for (number, _) in over {
            let place = Place::Pull(*number);
            if refusals.is_paused(&place, self.now) {
                continue;
            }
            match refusals.note(place, self.forge.close_pull(*number).await, self.now) {
                Ok(()) => written.push(Written::Withdrawn(*number)),
                Err(error) => outcome = outcome.and(Err(error)),
            }
        }
        (written, outcome)
    }

    fn is_for(&self, gate: &GateRequest, need: &Need) -> bool {
        let Asked { addon, digest, group, .. } = &need.asked;
        let is_same = (&gate.addon, &gate.digest, &gate.group) == (addon, digest, group);
        let is_closed = gate.is_withdrawn && gate.since < need.since;
        is_same && gate.instance == *self.instance && !is_closed && !self.is_earlier(gate)
    }

    /// Returns `true` if a request asks for an earlier rollout of its digest. What people say about it does not count any more.
    fn is_earlier(&self, gate: &GateRequest) -> bool {
        gate.is_over(self.approvals.replaced(&gate.addon, &gate.digest))
    }

    /// Returns `true` if nothing waits for a request any more: its digest is everywhere, or it is no longer rolled out.
    fn is_over(&self, gate: &GateRequest, report: &Report) -> bool {
        // Before the first tick, nothing is known.
        let Some(addon) = report.addons.get(&gate.addon) else { return !report.addons.is_empty() };
        self.is_earlier(gate)
            || addon.digest.as_ref().is_some_and(|digest| *digest != gate.digest)
            || addon.phase == Phase::Completed
    }

    /// Opens a request, or finds the one that was opened before a restart.
    async fn open(&self, need: &Need, report: &AddonReport, link: Option<&str>) -> Result<(Pull, GateRequest)> {
        let branch = branch(need);
        let Asked { addon, digest, group, .. } = &need.asked;
        let mut gate = GateRequest {
            addon: addon.clone(),
            digest: digest.clone(),
            group: group.clone(),
            instance: self.instance.clone(),
            since: need.since,
            commit: self.tip.clone(),
            is_withdrawn: false,
        };
        let (trees, tip, to, wanted, at) =
            (self.trees.clone(), self.tip.clone(), branch.clone(), gate.clone(), need.since);
        let pushed = tokio::task::spawn_blocking(move || push(&trees, &tip, &to, &wanted, at)).await;
        let pushed =
            pushed.map_err(|error| Error::Unreachable(format!("the request could not be committed: {error}")))?;
        gate.commit = pushed.map_err(|why| {
            Error::Denied(format!(
                "the branch {branch} could not be pushed: {why}; the daemon needs to push branches {BRANCHES}*"
            ))
        })?;
        if let Some(known) = self.forge.find_pull(&branch, self.branch).await? {
            return Ok((known, gate));
        }
        let comment = self.commands.then(|| Command::line(addon, group.as_deref(), digest)).flatten();
        let asked = Asked { comment, ..need.asked.clone() };
        let (title, body) = ask(&asked, &state(addon, report, digest), link);
        let new = NewPull { title, body, head_branch: branch, base_branch: self.branch.to_owned() };
        Ok((self.forge.open_pull(&new).await?, gate))
    }
}

/// Returns the branch of a request. After a restart, the same request has the same branch; a later rollout of the digest has another one.
fn branch(need: &Need) -> String {
    let Asked { addon, digest, group, .. } = &need.asked;
    let is_safe = |c: char| c.is_ascii_alphanumeric() || c == '-';
    let group = group.as_deref().unwrap_or("start").chars().map(|c| if is_safe(c) { c } else { '-' }).take(60);
    format!("{BRANCHES}{addon}-{}-{}-{}", digest.short(), group.collect::<String>(), need.since.as_second())
}

/// Why the branch of a request is not pushed.
#[derive(Debug, thiserror::Error)]
enum NotPushed {
    #[error("it exists, and does not only add the request to the followed branch; remove it")]
    Occupied,
    #[error("{}", ErrorChain(.0))]
    Git(#[from] tidegate_git::Error),
    #[error("{}", ErrorChain(.0))]
    Refused(#[from] PushError),
}

/// Pushes the commit of a request, and returns it. If the branch exists, its commit must be such a request.
fn push(trees: &Trees, tip: &CommitId, branch: &str, gate: &GateRequest, at: Timestamp) -> Result<CommitId, NotPushed> {
    let mirror = trees.mirror();
    let (path, text) = request(gate);
    if let Some(known) = mirror.fetch(&[branch])?.remove(branch) {
        return is_request(trees, (&known, tip), (&path, &text))?.then_some(known).ok_or(NotPushed::Occupied);
    }
    let before = mirror.local(branch)?;
    mirror.reset_local(branch, before.as_ref(), tip)?;
    let new = NewCommit {
        branch: branch.to_owned(),
        parent: Some(tip.clone()),
        files: [(path, Some(text.into_bytes()))].into(),
        message: format!("approve {} {}\n", gate.addon, gate.digest.short()),
        author: AUTHOR.to_owned(),
        email: EMAIL.to_owned(),
        at,
    };
    let commit = mirror.commit(&new)?;
    mirror.push(branch, None, &commit)?;
    Ok(commit)
}

/// Returns `true` if a commit only adds the file of a request to a commit in the history of the followed branch. So a merge of the
/// request merges nothing else.
fn is_request(
    trees: &Trees,
    (commit, tip): (&CommitId, &CommitId),
    (path, text): (&str, &str),
) -> Result<bool, tidegate_git::Error> {
    let mirror = trees.mirror();
    let info = mirror.commit_info(commit)?;
    let [parent] = info.parents.as_slice() else { return Ok(false) };
    if !mirror.obtain(parent)? || !matches!(mirror.ancestry(parent, tip)?, Ancestry::Same | Ancestry::Ahead) {
        return Ok(false);
    }
    let changed = mirror.changed_paths(Some(parent), commit)?;
    let is_only = changed.len() == 1 && changed.contains(path);
    Ok(is_only && mirror.read(commit, path)?.is_some_and(|bytes| bytes == text.as_bytes()))
}
