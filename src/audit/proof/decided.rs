//! Which changes of the rules were decided, and which wait.

use std::sync::Arc;

use super::doubt::{Doubt, revision};
use super::evidence::Evidence;
use super::seats::facts;
use super::tracked::{Tracked, together};
use crate::audit::claims::Claim;
use tidegate_consent::{
    Approvals, Authors, Change, Operator, RulesApproval, RulesState, RulesSubject, RulesVoucher, Vouched, WaitingRules,
    rules_in_force, vouched_authors,
};
use tidegate_journal::record::Sync;
use tidegate_model::digest::Digest;
use tidegate_model::followed::DigestChange;

/// Why rules are not in force.
pub(super) struct Waits {
    /// What is missing, in words.
    pub(super) missing: String,
    /// Whether there are approvals, which do not count.
    pub(super) has_approvals: bool,
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
    let decision = rules_in_force(&subject, |_| None);
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
