//! What waits for a person in an add-on.

use super::types::{Need, Urgency, need};
use crate::facts::Facts;
use crate::view::release::Release;
use tidegate_consent::{Missing, Verdict};
use tidegate_journal::record::{AddonStatus, ApprovalRecord, GateRecord};
use tidegate_model::plural::counted;
use tidegate_model::progress::Phase;
use tidegate_plan::Hold;
use tidegate_plan::report::{ApprovalReport, GateReport};

/// Returns what waits for a person in an add-on.
pub(super) fn needs(status: &AddonStatus, facts: &Facts) -> Vec<Need> {
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
    let (name, cluster) = clusters.find(|(_, cluster)| crate::view::waiting::is_failed(cluster.state))?;
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
