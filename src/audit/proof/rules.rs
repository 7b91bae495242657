//! Follows which rules are in force, and checks the changes of digests that the journal records.

use super::tracked::{Tracked, together};
use std::sync::Arc;

use super::changes;
use super::doubt::{Doubt, revision};
use super::evidence::Evidence;
use super::known::Known;
use super::seats::facts;
use crate::audit::claims::Claim;
use crate::audit::rules::tolerance::SLACK;
use tidegate_consent::{
    Approvals, Authors, Change, Operator, RulesApproval, RulesState, RulesSubject, RulesVoucher, Vouched, WaitingRules,
    rules_in_force, vouched_authors,
};
use tidegate_journal::record::Sync;
use tidegate_model::digest::Digest;
use tidegate_model::followed::DigestChange;

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

/// Why rules are not in force.
pub(super) struct Waits {
    /// What is missing, in words.
    missing: String,
    /// Whether there are approvals, which do not count.
    has_approvals: bool,
}

/// Returns the recorded changes since the rules in force, up to those with a digest, newest first.
pub(super) fn changes_to<'s>(sync: &'s Sync, digest: &Digest, before: &Tracked) -> Vec<&'s DigestChange> {
    let changes = sync.changes.get(&Approvals::rules()).map(Vec::as_slice).unwrap_or_default();
    let mut found = Vec::new();
    for change in changes.iter().skip_while(|change| change.digest != *digest) {
        found.push(change);
        if change.from.as_ref() == Some(&before.state.digest) {
            break;
        }
    }
    found
}

/// Decides again whether a change of the rules needed an approval, and whether it has it. Returns the rules in force after it, and what is
/// missing if it waits.
pub(super) fn decided(
    claim: &Claim,
    before: &Tracked,
    newest: &DigestChange,
    evidence: &mut dyn Evidence,
) -> Result<(Tracked, Option<Waits>), Doubt> {
    let name = Approvals::rules();
    let after = revision(evidence, &newest.commit)?;
    let chain = changes_to(&claim.sync, &newest.digest, before);
    let is_connected = chain.last().is_some_and(|oldest| oldest.from.as_ref() == Some(&before.state.digest));
    let mut authors = Authors::Known(Vec::new());
    for change in &chain {
        let made = evidence.authors(change.base.as_ref(), &change.commit);
        authors = together(authors, vouched_authors(&made, (&name, &change.digest), &claim.pulls));
    }
    if !is_connected {
        authors = Authors::Unknown("older changes of the rules are not recorded".to_owned());
    }
    let change = Change {
        digest: newest.digest.clone(),
        from: Some(before.state.digest.clone()),
        commit: newest.commit.clone(),
        authors,
        rules: vec![Vouched::new(before.basis.clone(), RulesVoucher::InForce(before.commit.clone()))],
        before: before.basis.clone(),
        after: after.basis.clone(),
    };
    let approvals = Approvals {
        facts: facts(&name, claim.entry.at, evidence)?,
        pulls: claim.pulls.clone(),
        changes: [(name, vec![change])].into(),
        replaced: claim.sync.replaced.clone(),
        operator: Arc::new(Operator::default()),
    };
    let Some(instance) = claim.sync.instance.as_ref().map(|instance| &instance.id) else {
        return Err(Doubt::Unchecked("the journal names no instance, so approvals cannot be checked".to_owned()));
    };
    let (clock, now) = (&claim.sync.clock, claim.entry.at);
    let subject = RulesSubject { approvals: &approvals, last: Some(&before.state), instance, clock, now };
    // Which clusters exist is not known here: the labels of a cluster that is declared for the first time are accepted.
    let decision = rules_in_force(&subject, |_| false);
    if let Some(waiting) = decision.waiting() {
        let void: Vec<_> = waiting.approvals.iter().flat_map(|approval| &approval.verdict.void).collect();
        let reasons = void.iter().map(|void| format!("; the approval by {} does not count: {}", void.by, void.why));
        let reasons: String = reasons.collect();
        let missing = format!("{}: {}{reasons}", waiting.changes.join("; "), missing_of(waiting));
        return Ok((before.clone(), Some(Waits { missing, has_approvals: !void.is_empty() })));
    }
    let approved = decision.state.is_some_and(|state| state.approved);
    let state = RulesState { digest: newest.digest.clone(), approved, approvals: Vec::new(), waiting: None };
    let (commit, basis) = (newest.commit.clone(), after.basis.clone());
    Ok((Tracked { state, commit, basis, first: before.first.clone() }, None))
}

/// Returns what a waiting change of the rules lacks, in words.
fn missing_of(waiting: &WaitingRules) -> String {
    waiting.approvals.iter().filter_map(RulesApproval::missing).collect::<Vec<_>>().join("; ")
}
