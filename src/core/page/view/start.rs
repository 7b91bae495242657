//! The start: what needs people, what is under way, and what is quiet.

use schemars::JsonSchema;
use serde::Serialize;

use super::release::Release;
use super::waves;
use crate::facts::Facts;
use crate::forecast::Band;
use tidegate_journal::history::Story;
use tidegate_journal::record::{AddonStatus, Outcome, Sync};
use tidegate_model::name::UnitName;
use tidegate_model::plural::counted;
use tidegate_model::progress::{Counts, Phase};
use tidegate_model::time::{Rfc3339, Timestamp};

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
    /// Why most of the waiting clusters wait; empty if none waits.
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
    Start { needs, active, quiet }
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
        let seen = sync.seen.as_ref().map(|seen| seen.commit.short()).unwrap_or_default();
        needs.push(Need {
            why: first.clone(),
            opens: "push a revision without them; `tidegate validate` shows them all".to_owned(),
            ..need(Urgency::Failed, format!("revision {seen} has {}", counted(complaints, "complaint")))
        });
    }
    needs.extend(sync.failures.first().map(|first| Need {
        why: first.clone(),
        ..need(Urgency::Failed, format!("the hub refuses {}", counted(sync.failures.len(), "object")))
    }));
    if let Some(hold) = sync.hold.as_ref().filter(|hold| hold.confirmed_by.is_none()) {
        needs.push(Need {
            why: format!("at most {} of {} may be removed at once", hold.limit, hold.total),
            opens: "confirm the removal with a commit, or bring the objects back".to_owned(),
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
    needs.extend(sync.policies.broken.iter().filter(|broken| broken.is_error).map(|broken| Need {
        why: broken.message.clone(),
        ..need(Urgency::Decide, format!("the revision breaks policy {}", broken.policy))
    }));
    needs
}

/// Returns what waits for a person in an add-on.
fn of_addon(status: &AddonStatus, facts: &Facts) -> Vec<Need> {
    let addon = Some(status.addon.clone());
    let mut needs = Vec::new();
    let stuck = match status.phase {
        Phase::Stopped => Some((Urgency::Failed, "its rollout stopped")),
        Phase::Refused => Some((Urgency::Failed, "it is refused")),
        Phase::Held => Some((Urgency::Decide, "it is held")),
        Phase::Completed | Phase::Progressing | Phase::Removing => None,
    };
    if let Some((urgency, what)) = stuck {
        let why = status.problem.clone().unwrap_or_default();
        needs.push(Need { why, since: Some(status.since), ..need(urgency, what) });
    }
    let open = status.approvals.iter().filter(|approval| !approval.verdict.is_met());
    for approval in open.filter(|approval| approval.reached.is_some() && !approval.breaks_glass) {
        let verdict = &approval.verdict;
        let place = verdict.group.as_ref().map_or("the rollout".to_owned(), |group| format!("group {group}"));
        needs.push(Need {
            why: format!("{} of {}", verdict.have.len(), counted(verdict.need as usize, "approval")),
            opens: verdict.missing.as_ref().map(ToString::to_string).unwrap_or_default(),
            urls: verdict.missing.as_ref().map(|missing| missing.on.clone()).unwrap_or_default(),
            since: approval.reached,
            ..need(Urgency::Decide, format!("{place} waits for the approval {} of {}", verdict.rule, approval.policy))
        });
    }
    if let Some(hold) = status.removal.as_ref().filter(|hold| hold.confirmed_by.is_none()) {
        needs.push(Need {
            why: format!("at most {} of {} may lose it at once", hold.limit, hold.total),
            opens: "confirm the removal with a commit, or select the clusters again".to_owned(),
            ..need(Urgency::Decide, format!("its removal from {} is held", counted(hold.held.len(), "cluster")))
        });
    }
    needs.extend(of_clusters(status, facts));
    needs.into_iter().map(|need| Need { addon: addon.clone(), ..need }).collect()
}

/// Returns what clusters need: those that failed, do not work any more, or were left out.
fn of_clusters(status: &AddonStatus, facts: &Facts) -> Vec<Need> {
    let mut needs = Vec::new();
    let Some(clusters) = facts.journal.lists.get(&status.addon) else { return needs };
    if status.clusters.failed > 0 && status.phase != Phase::Stopped {
        let is_failed = super::waiting::is_failed;
        let first = clusters.iter().find(|(_, cluster)| is_failed(cluster.state));
        let why = first.map(|(name, cluster)| format!("{name}: {}", cluster.reason)).unwrap_or_default();
        needs.push(Need {
            why,
            ..need(Urgency::Failed, format!("{} failed", counted(status.clusters.failed, "cluster")))
        });
    }
    if status.clusters.degraded > 0 {
        let first = clusters.iter().find_map(|(name, cluster)| Some((name, cluster.degraded.as_ref()?)));
        let why = first.map(|(name, why)| format!("{name}: {why}")).unwrap_or_default();
        let what = format!("it has stopped working on {}", counted(status.clusters.degraded, "cluster"));
        needs.push(Need { why, ..need(Urgency::Look, what) });
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
    let current = waves.iter().position(|wave| wave.done.is_none()).unwrap_or(waves.len().saturating_sub(1));
    let end = waves.iter().filter_map(|wave| wave.expected).max_by_key(|band| band.p90);
    let is_known = waves.iter().all(|wave| wave.done.is_some() || wave.expected.is_some() && !wave.is_stuck());
    let waiting = super::waiting::waiting(&story.addon, facts);
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
