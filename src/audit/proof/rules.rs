//! Follows which rules are in force, and checks the changes of digests that the journal records.

use super::decided::{Waits, changes_to, decided};
use super::tracked::Tracked;

use super::changes;
use super::doubt::{Doubt, revision};
use super::evidence::Evidence;
use super::known::Known;
use crate::audit::claims::Claim;
use crate::audit::rules::tolerance::SLACK;
use tidegate_consent::{Approvals, RulesState};
use tidegate_journal::record::Sync;

/// Applies a commit that changes the rules or the recorded changes. Returns what is not proven.
pub(super) fn follow(claim: &Claim, known: &mut Known, evidence: &mut dyn Evidence) -> Vec<Doubt> {
    let mut doubts = Vec::new();
    match &known.before {
        None => match first(&claim.sync, evidence) {
            Ok(tracked) => known.now = tracked,
            Err(doubt) => doubts.push(doubt),
        },
        Some(before) => match moved(claim, before, evidence) {
            Ok(Moved { now, doubt }) => {
                known.now = Some(now);
                doubts.extend(doubt);
            }
            Err(doubt) => doubts.push(doubt),
        },
    }
    doubts.extend(changes::check(claim, known, evidence));
    doubts
}

/// Returns the rules of the first revision of a journal; `None` if it names none yet.
fn first(sync: &Sync, evidence: &mut dyn Evidence) -> Result<Option<Tracked>, Doubt> {
    let Some(seen) = sync.seen.as_ref().map(|seen| &seen.commit) else { return Ok(None) };
    let changes = sync.changes.get(&Approvals::rules()).map(Vec::as_slice).unwrap_or_default();
    let oldest = changes.last().map(|oldest| oldest.base.as_ref().unwrap_or(&oldest.commit));
    let commit = oldest.unwrap_or(seen);
    let basis = revision(evidence, commit)?.basis.clone();
    let state = RulesState { digest: basis.rules.clone(), approved: false, approvals: Vec::new(), waiting: None };
    Ok(Some(Tracked { state, commit: commit.clone(), basis, first: seen.clone() }))
}

/// The rules in force after a commit, and what is not proven about them.
struct Moved {
    now: Tracked,
    doubt: Option<Doubt>,
}

/// Checks a move of the rules in force: the rules before allow it, or the delay of the operator has passed.
fn moved(claim: &Claim, before: &Tracked, evidence: &mut dyn Evidence) -> Result<Moved, Doubt> {
    let same = |doubt| Moved { now: before.clone(), doubt };
    let Some(state) = claim.sync.rules.as_ref().filter(|state| state.digest != before.state.digest) else {
        return Ok(same(None));
    };
    let steps = changes_to(&claim.sync, &state.digest, before);
    if steps.is_empty() {
        let why = format!("rules {} took effect, but their change is not recorded", state.digest.short());
        return Err(Doubt::Wrong(why));
    }
    // Rules that only add gates are in force at once, and judge the next change.
    let (mut now, mut waits) = (before.clone(), None);
    for change in steps.iter().rev() {
        (now, waits) = decided(claim, &now, change, evidence)?;
    }
    let Some(waits) = waits else { return Ok(Moved { now, doubt: None }) };
    let newest = steps.first().map_or(&before.commit, |newest| &newest.commit);
    let basis = revision(evidence, newest)?.basis.clone();
    let accepted = |approved| Tracked {
        state: RulesState { digest: state.digest.clone(), approved, approvals: Vec::new(), waiting: None },
        commit: newest.clone(),
        basis: basis.clone(),
        first: before.first.clone(),
    };
    let delay = evidence.operator().map(|operator| operator.delay);
    let has_keys = evidence.has_keys();
    let waited = claim.before.as_ref().and_then(|sync| sync.rules.as_ref()?.waiting.as_ref());
    let waited = waited.filter(|waiting| waiting.digest == state.digest);
    let until = waited.and_then(|waiting| Some((waiting.since, waiting.until?)));
    if let Some((since, until)) = until.filter(|(_, until)| until.duration_since(claim.entry.at) <= SLACK)
        && delay.is_none_or(|delay| delay.is_some_and(|delay| until.duration_since(since) >= delay))
    {
        let why = format!(
            "rules {} took effect without an approval: their delay was over at {until}, as the journal records it",
            state.digest.short()
        );
        return Ok(Moved { now: accepted(true), doubt: Some(Doubt::Unchecked(why)) });
    }
    let Waits { missing, has_approvals } = waits;
    let why = format!("rules {} took effect, but {missing}", state.digest.short());
    if !has_keys && has_approvals {
        let why = format!("{why}; give the keys of those who approve with --trusted-keys");
        return Ok(Moved { now: accepted(state.approved), doubt: Some(Doubt::Unchecked(why)) });
    }
    Ok(Moved { now: accepted(state.approved), doubt: Some(Doubt::Wrong(why)) })
}
