//! What waits for a person besides add-ons.

use super::types::{Need, Urgency, need};
use crate::facts::Facts;
use tidegate_journal::record::Sync;
use tidegate_model::plural::counted;
use tidegate_model::time::{SignedDuration, Timestamp};
use tidegate_plan::Hold;

/// For how long it is shown that the hub went back.
const RECENT: SignedDuration = SignedDuration::from_hours(24);

/// Returns what waits for a person besides add-ons.
pub(super) fn needs(facts: &Facts) -> Vec<Need> {
    let of_sync = facts.journal.sync.iter().flat_map(|sync| of_sync(sync, facts.moment.at));
    of_sync.chain(unreadable(facts)).collect()
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

fn of_sync(sync: &Sync, written: Timestamp) -> Vec<Need> {
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
        let verdicts = waiting.approvals.iter().filter_map(|approval| approval.verdict.missing.as_ref());
        let missing: Vec<String> = verdicts.map(ToString::to_string).collect();
        needs.push(Need {
            why: waiting.changes.join("; "),
            since: Some(waiting.since),
            opens: missing.join("; "),
            ..need(Urgency::Decide, "a change of the rules waits for an approval")
        });
    }
    let broken = sync.policies.broken.iter().filter(|broken| broken.is_error && !broken.policy.is_empty());
    needs.extend(broken.map(|broken| Need {
        why: broken.message.clone(),
        ..need(Urgency::Decide, format!("the revision breaks policy {}", broken.policy))
    }));
    needs.extend(sync.notices.iter().map(|notice| need(Urgency::Look, notice.clone())));
    let went_back = sync.hub.as_ref().and_then(|hub| hub.went_back.as_ref());
    let recent = went_back.filter(|went_back| went_back.at.duration_until(written) < RECENT);
    needs.extend(recent.map(|went_back| Need {
        since: Some(went_back.at),
        ..need(Urgency::Look, "the hub was found in an older state, as after a restore from a backup")
    }));
    needs
}
