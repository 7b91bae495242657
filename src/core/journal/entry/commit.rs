//! Turns a report into the files of one journal commit.

use super::draft::Entry;

use super::draft::Draft;
use crate::documents::Journal;
use crate::facts::Facts;
use crate::record::Sync;
use crate::yaml::Unwritable;
use crate::{fleet, hub};
use tidegate_model::time::Timestamp;
use tidegate_plan::report::Report;

/// Returns the entry that brings the journal up to date with a report, or `None` if nothing has changed.
///
/// # Errors
/// [`Unwritable`] if a document cannot be written as YAML.
pub fn entry(before: &Journal, report: &Report, facts: &Facts, now: Timestamp) -> Result<Option<Entry>, Unwritable> {
    let mut draft = Draft::new(before);
    let hub = hub::record(before.sync.as_ref(), facts);
    draft.follow(report, facts, hub.as_ref(), now)?;
    draft.let_go(report, facts, now)?;
    let (fleet, notice) = fleet::file(before, &facts.fleet, (now, !draft.sealed.is_empty()));
    let mut sync = Sync { hub, ..sync(before.sync.as_ref(), report, facts) };
    sync.notices.extend(notice);
    sync.notices.extend(hub::notice(sync.hub.as_ref(), draft.journal.addons.values()));
    draft.describe(&sync, facts, &fleet)?;
    draft.entry(sync, facts, fleet, now)
}

fn sync(before: Option<&Sync>, report: &Report, facts: &Facts) -> Sync {
    // If the hub refuses an object, the revision is not applied, even if it is valid.
    let applied =
        if facts.failures.is_empty() { &facts.revision.applied } else { &before.and_then(|b| b.applied.clone()) };
    Sync {
        instance: before.and_then(|before| before.instance.clone()),
        term: before.map_or(0, |before| before.term),
        looked: before.and_then(|before| before.looked),
        adopts: facts.revision.adopts.clone(),
        seen: facts.revision.seen.clone(),
        applied: applied.clone(),
        verified: facts.revision.verified.clone(),
        refused: facts.revision.refused.clone(),
        rewritten: facts.revision.rewritten.clone(),
        changes: facts.revision.changes.clone(),
        replaced: facts.revision.replaced.clone(),
        addons: facts.revision.addons.clone(),
        policies: facts.revision.policies.clone(),
        rules: report.rules.clone(),
        complaints: facts.revision.complaints.clone(),
        unlisted_complaints: facts.revision.unlisted_complaints,
        failures: facts.failures.clone(),
        notices: report.notices.iter().chain(&facts.notices).cloned().collect(),
        overrides: report.overrides.clone(),
        hold: report.hold.as_ref().map(Into::into),
        unseen: report.unseen.clone(),
        clock: report.clock.clone(),
        ..Sync::empty()
    }
}
