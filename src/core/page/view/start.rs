//! The start: what needs people, what is under way, and what is quiet.

use schemars::JsonSchema;
use serde::Serialize;

use super::release::Release;
use super::waves::{self, Wave};
use crate::facts::Facts;
use crate::forecast::Band;
use tidegate_consent::{Missing, Standing, Verdict};
use tidegate_journal::history::Story;
use tidegate_journal::record::{AddonStatus, ApprovalRecord, GateRecord, Outcome, Sync};
use tidegate_model::name::UnitName;
use tidegate_model::plural::counted;
use tidegate_model::progress::{Counts, Phase};
use tidegate_model::time::{Rfc3339, Timestamp};
use tidegate_plan::Hold;
use tidegate_plan::report::{ApprovalReport, GateReport};

/// The start.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Start {
    /// What waits for a person, the most urgent first.
    pub needs: Vec<Need>,
    /// The rollouts under way.
    pub active: Vec<Active>,
    /// The add-ons that are at rest.
    pub quiet: Vec<Quiet>,
    /// The number of pull requests that are open. Their reviews are asked for on the forge.
    pub open_pulls: usize,
}

/// How urgent something is. Sorted from the most urgent one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
pub enum Urgency {
    /// Something failed, or nothing is known any more.
    Failed,
    /// A person must decide.
    Decide,
    /// It works, but not as declared.
    Look,
}

/// Something that waits for a person.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Need {
    /// How urgent it is.
    pub urgency: Urgency,
    /// The add-on; absent if it is about the whole repository.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub addon: Option<UnitName>,
    /// What it is.
    pub what: String,
    /// Why; empty if there is nothing more to say.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub why: String,
    /// What to do, and who can; empty if that follows from the reason.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub opens: String,
    /// Pages of the forge where it can be done.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub urls: Vec<String>,
    /// Since when.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Rfc3339>")]
    pub since: Option<Timestamp>,
}

/// A rollout under way.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Active {
    /// The add-on.
    pub addon: UnitName,
    /// From which version to which.
    pub release: Release,
    /// The phase of the add-on.
    pub phase: Phase,
    /// The group that is under way, such as `canary`.
    pub wave: String,
    /// Its number, from 1, and the number of groups.
    pub position: [usize; 2],
    /// The clusters.
    pub counts: Counts,
    /// Why most of its clusters are not done; empty if that is not known.
    pub reason: String,
    /// When the rollout started.
    #[schemars(with = "Rfc3339")]
    pub started: Timestamp,
    /// When its end is expected; absent if that is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end: Option<Band>,
}

/// An add-on at rest.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Quiet {
    /// The add-on.
    pub addon: UnitName,
    /// The version of its clusters.
    pub version: String,
    /// The clusters.
    pub counts: Counts,
    /// Since when.
    #[schemars(with = "Rfc3339")]
    pub since: Timestamp,
}

/// Returns the start.
pub(crate) fn start(facts: &Facts, now: Timestamp) -> Start {
    let mut needs = facts.journal.sync.as_ref().map(of_repository).unwrap_or_default();
    needs.extend(unreadable(facts));
    needs.extend(facts.journal.addons.values().flat_map(|status| of_addon(status, facts)));
    needs.sort_by(|a, b| (a.urgency, a.since, &a.addon).cmp(&(b.urgency, b.since, &b.addon)));
    let open = facts.history.rollouts.iter().filter(|story| story.rollout.outcome == Outcome::InProgress);
    let active: Vec<Active> = open.map(|story| active(story, facts, now)).collect();
    let is_quiet = |status: &&AddonStatus| active.iter().all(|active| active.addon != status.addon);
    let quiet = facts.journal.addons.values().filter(is_quiet).map(|status| Quiet {
        addon: status.addon.clone(),
        version: status.version.clone(),
        counts: status.clusters,
        since: status.since,
    });
    let quiet = quiet.collect();
    let open_pulls = facts.journal.pulls.values().filter(|pull| pull.state == Standing::Open).count();
    Start { needs, active, quiet, open_pulls }
}

fn need(urgency: Urgency, what: impl Into<String>) -> Need {
    let (what, why, opens) = (what.into(), String::new(), String::new());
    Need { urgency, addon: None, what, why, opens, urls: Vec::new(), since: None }
}

fn unreadable(facts: &Facts) -> impl Iterator<Item = Need> {
    let lost = facts.history.unreadable.iter().map(|path| Need {
        opens: "restore it from the history of the journal's branch".to_owned(),
        ..need(Urgency::Failed, format!("{path} cannot be read"))
    });
    let missing = facts.history.missing.iter().map(|missing| Need {
        addon: Some(missing.addon.clone()),
        opens: "restore their files from the history of the journal's branch".to_owned(),
        ..need(Urgency::Failed, format!("rollouts {} to {} are missing in the journal", missing.first, missing.last))
    });
    lost.chain(missing)
}

/// Returns what waits for a person besides add-ons.
fn of_repository(sync: &Sync) -> Vec<Need> {
    let mut needs = Vec::new();
    if let Some(refused) = &sync.refused {
        let commit = refused.revision.commit.short();
        needs.push(Need {
            why: refused.reason.clone(),
            since: Some(refused.revision.time),
            ..need(Urgency::Failed, format!("revision {commit} {} is not followed", refused.revision.subject))
        });
    }
    let complaints = sync.complaints.len() + sync.unlisted_complaints;
    if let Some(first) = sync.complaints.first() {
        let seen = sync.seen.as_ref().map(|seen| &seen.commit);
        // A revision with warnings only is applied.
        let urgency = if seen.is_some() && seen == sync.applied.as_ref() { Urgency::Look } else { Urgency::Failed };
        let seen = seen.map(|seen| seen.short()).unwrap_or_default();
        needs.push(Need {
            why: first.clone(),
            opens: "push a revision without them; `tidegate validate` shows them all".to_owned(),
            ..need(urgency, format!("revision {seen} has {}", counted(complaints, "complaint")))
        });
    }
    needs.extend(sync.failures.first().map(|first| Need {
        why: first.clone(),
        ..need(Urgency::Failed, format!("the hub refuses {}", counted(sync.failures.len(), "object")))
    }));
    if let Some(hold) = sync.hold.as_ref().filter(|hold| hold.confirmed_by.is_none()) {
        needs.push(Need {
            why: format!("at most {} of {} may be removed at once", hold.limit, hold.total),
            opens: Hold::from(hold).opens(),
            ..need(Urgency::Decide, format!("the removal of {} is held", counted(hold.held.len(), "object")))
        });
    }
    if let Some(waiting) = sync.rules.as_ref().and_then(|rules| rules.waiting.as_ref()) {
        needs.push(Need {
            since: Some(waiting.since),
            opens: "approve the new rules; `tidegate explain` names who can".to_owned(),
            ..need(Urgency::Decide, "a change of the rules waits for an approval")
        });
    }
    let broken = sync.policies.broken.iter().filter(|broken| broken.is_error && !broken.policy.is_empty());
    needs.extend(broken.map(|broken| Need {
        why: broken.message.clone(),
        ..need(Urgency::Decide, format!("the revision breaks policy {}", broken.policy))
    }));
    needs.extend(sync.notices.iter().map(|notice| need(Urgency::Look, notice.clone())));
    needs.extend(sync.hub.as_ref().and_then(|hub| hub.went_back.as_ref()).map(|went_back| Need {
        since: Some(went_back.at),
        ..need(Urgency::Look, "the hub was found in an older state, as after a restore from a backup")
    }));
    needs
}

/// Returns what waits for a person in an add-on.
fn of_addon(status: &AddonStatus, facts: &Facts) -> Vec<Need> {
    let addon = Some(status.addon.clone());
    let mut needs = Vec::new();
    let is_removal_held = status.removal.as_ref().is_some_and(|hold| hold.confirmed_by.is_none());
    let stuck = match status.phase {
        Phase::Stopped => Some((Urgency::Failed, stopped(status))),
        Phase::Refused => Some((Urgency::Failed, "it is refused".to_owned())),
        Phase::Held if !is_removal_held => Some((Urgency::Decide, "it is held".to_owned())),
        Phase::Completed | Phase::Progressing if status.rejected.is_some() => {
            Some((Urgency::Failed, "its version was rejected".to_owned()))
        }
        Phase::Completed | Phase::Progressing if status.problem.is_some() => {
            Some((Urgency::Decide, "it does not follow the newest revision".to_owned()))
        }
        Phase::Held | Phase::Completed | Phase::Progressing | Phase::Removing => None,
    };
    if let Some((urgency, what)) = stuck {
        let failure = first_failure(status, facts).filter(|_| status.phase == Phase::Stopped);
        let why: Vec<String> = status.problem.iter().cloned().chain(failure).collect();
        let opens = if status.phase == Phase::Stopped { remedy(status) } else { String::new() };
        needs.push(Need { why: why.join("; "), opens, since: Some(status.since), ..need(urgency, what) });
    }
    for record in &status.gates {
        let gate = GateReport::from(record);
        let approvals = status.approvals.iter().filter(|approval| ApprovalReport::from(*approval).closes(&gate));
        let approval = approvals.into_iter().next();
        match approval {
            Some(approval) => needs.push(approval_need(status, approval, record)),
            // Time alone opens the others, or clusters do.
            None if record.look_at.is_some() || record.opens.is_empty() => {}
            None => needs.push(Need {
                opens: record.opens.clone(),
                since: Some(record.since),
                ..need(Urgency::Decide, format!("{}: {}", counted(record.clusters, "cluster"), record.gate))
            }),
        }
    }
    if let Some(hold) = status.removal.as_ref().filter(|hold| hold.confirmed_by.is_none()) {
        needs.push(Need {
            why: format!("at most {} of {} may lose it at once", hold.limit, hold.total),
            opens: Hold::from(hold).opens(),
            ..need(Urgency::Decide, format!("its removal from {} is held", counted(hold.held.len(), "cluster")))
        });
    }
    needs.extend(of_clusters(status, facts));
    needs.into_iter().map(|need| Need { addon: addon.clone(), ..need }).collect()
}

/// Returns the need of an approval that closes a gate.
fn approval_need(status: &AddonStatus, approval: &ApprovalRecord, gate: &GateRecord) -> Need {
    let verdict = &approval.verdict;
    let place = verdict.group.as_ref().map_or("the rollout".to_owned(), |group| format!("group {group}"));
    let void = verdict.void.first().map(|void| format!("; that of {} does not count: {}", void.by, void.why));
    Need {
        why: format!(
            "{} of {}{}",
            verdict.have.len(),
            counted(verdict.need as usize, "approval"),
            void.unwrap_or_default()
        ),
        opens: ways(status, verdict),
        urls: verdict.missing.as_ref().map(|missing| missing.on.clone()).unwrap_or_default(),
        since: Some(gate.since),
        ..need(Urgency::Decide, format!("{place} waits for approval {:?} of {}", verdict.rule, approval.policy))
    }
}

fn stopped(status: &AddonStatus) -> String {
    let version = status.rollout.as_ref().map(|rollout| format!(" of {}", Release::of(rollout).words()));
    let failed = counted(status.clusters.failed, "cluster");
    format!("its rollout{} stopped after {failed} failed", version.unwrap_or_default())
}

/// Returns the first cluster that failed, and why.
fn first_failure(status: &AddonStatus, facts: &Facts) -> Option<String> {
    let mut clusters = facts.journal.lists.get(&status.addon)?.iter();
    let (name, cluster) = clusters.find(|(_, cluster)| super::waiting::is_failed(cluster.state))?;
    Some(format!("{name}: {}", cluster.reason))
}

/// Returns what helps if clusters failed.
fn remedy(status: &AddonStatus) -> String {
    let addon = &status.addon;
    let revision = status.rollout.as_ref().and_then(|rollout| rollout.revision.as_ref());
    let revert = match revision {
        Some(revision) => format!("revert {} by {}", revision.commit.short(), revision.author),
        None => format!("tidegate rollback {addon}"),
    };
    format!("{revert}, or let the clusters try again with `tidegate retry {addon}`")
}

/// Returns how an approval can be given, without the pages of the forge.
fn ways(status: &AddonStatus, verdict: &Verdict) -> String {
    let Some(missing) = &verdict.missing else { return String::new() };
    let who = Missing { on: Vec::new(), ..missing.clone() }.to_string();
    let group = verdict.group.as_ref().map(|group| format!(" --group {group}")).unwrap_or_default();
    let review = if missing.on.is_empty() { "" } else { ", or a review" };
    if missing.count == 0 { who } else { format!("{who}: `tidegate approve {}{group}`{review}", status.addon) }
}

/// Returns what clusters need: those that failed, do not work any more, or were left out.
fn of_clusters(status: &AddonStatus, facts: &Facts) -> Vec<Need> {
    let mut needs = Vec::new();
    let Some(clusters) = facts.journal.lists.get(&status.addon) else { return needs };
    if status.clusters.failed > 0 && status.phase != Phase::Stopped {
        let why = first_failure(status, facts).unwrap_or_default();
        let what = format!("{} failed", counted(status.clusters.failed, "cluster"));
        needs.push(Need { why, opens: remedy(status), ..need(Urgency::Failed, what) });
    }
    if status.clusters.degraded > 0 {
        let first = clusters.iter().find_map(|(name, cluster)| Some((name, cluster.degraded.as_ref()?)));
        let why = first.map(|(name, why)| format!("{name}: {why}")).unwrap_or_default();
        let what = format!("it has stopped working on {}", counted(status.clusters.degraded, "cluster"));
        needs.push(Need { why, ..need(Urgency::Look, what) });
    }
    let unreachable: Vec<_> = clusters.iter().filter(|(_, cluster)| cluster.is_unreachable()).collect();
    if let Some((name, _)) = unreachable.first() {
        let what = format!(
            "{} cannot be reached, so that its current health is not known",
            counted(unreachable.len(), "cluster")
        );
        needs.push(Need { why: format!("the first one is {name}"), ..need(Urgency::Look, what) });
    }
    let left_out = clusters.iter().filter_map(|(name, cluster)| Some((name, cluster.left_out.as_ref()?)));
    let left_out: Vec<_> = left_out.collect();
    if let Some((name, why)) = left_out.first() {
        let what = format!("{} left out of its rollout", counted(left_out.len(), "cluster"));
        needs.push(Need { why: format!("{name}: {why}"), ..need(Urgency::Look, what) });
    }
    needs
}

fn active(story: &Story, facts: &Facts, now: Timestamp) -> Active {
    let waves = waves::waves(story, facts, now);
    let current = waves.iter().position(Wave::is_open).unwrap_or(waves.len().saturating_sub(1));
    let end = waves.iter().filter_map(|wave| wave.expected).max_by_key(|band| band.p90);
    let is_known = waves.iter().all(|wave| !wave.is_open() || wave.expected.is_some() && !wave.is_stuck());
    let group = waves.get(current).and_then(|wave| wave.group);
    let waiting = super::waiting::waiting(&story.addon, facts, Some(group));
    Active {
        addon: story.addon.clone(),
        release: Release::of(&story.rollout),
        phase: story.phase.unwrap_or_default(),
        wave: waves.get(current).map(|wave| wave.name.clone()).unwrap_or_default(),
        position: [current + 1, waves.len()],
        counts: story.counts,
        reason: waiting.into_iter().max_by_key(|waiting| waiting.clusters).map(|w| w.reason).unwrap_or_default(),
        started: story.rollout.started,
        end: end.filter(|_| is_known),
    }
}
