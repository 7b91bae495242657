//! Records the changes of digests: which revision brought a digest, which one was followed before it, whose rules were in force then, and
//! which digests left force.

use std::collections::BTreeMap;

use tidegate_core::consent::{Approvals, Basis};
use tidegate_model::digest::Digest;
use tidegate_model::followed::DigestChange;
use tidegate_model::name::AddonName;
use tidegate_model::replaced::Replaced;
use tidegate_model::revision::CommitId;
use tidegate_model::time::Timestamp;

/// Maximum number of changes that are recorded for one add-on. Beyond that, the two oldest ones become one, so that no author and no rule
/// is forgotten.
const MAX_CHANGES: usize = 16;

/// A revision that is followed from now on.
pub(super) struct Arrival<'a> {
    /// The commit.
    pub(super) commit: &'a CommitId,
    /// What it says.
    pub(super) basis: &'a Basis,
    /// The digests of its add-ons.
    pub(super) digests: BTreeMap<AddonName, Digest>,
    /// The revision whose rules are in force.
    pub(super) rules: Option<&'a CommitId>,
    /// The last revision without complaints.
    pub(super) applied: Option<&'a CommitId>,
    /// The revision that was seen last.
    pub(super) seen: Option<&'a CommitId>,
}

/// The digest of an add-on, or of the rules, before a revision, and the revision that has it.
pub(super) type Before = BTreeMap<AddonName, (Digest, CommitId)>;

/// Adds the changes that a revision brings to those that are recorded, newest first, and forgets those of add-ons that are gone.
pub(super) fn record(changes: &mut BTreeMap<AddonName, Vec<DigestChange>>, before: &Before, arrival: &Arrival<'_>) {
    let rules = Approvals::rules();
    changes.retain(|addon, _| *addon == rules || arrival.digests.contains_key(addon));
    let of_rules = [(rules, arrival.basis.rules.clone())];
    for (addon, digest) in arrival.digests.iter().map(|(addon, digest)| (addon.clone(), digest.clone())).chain(of_rules)
    {
        let (from, base) = before.get(&addon).cloned().unzip();
        if from.as_ref() == Some(&digest) {
            continue;
        }
        // An add-on that was held by an error is on an older revision than others, so that the person who made the error is an author of what
        // fixes it. A new add-on may have been in the revisions since the last one without complaints, with an error.
        let of_new = || arrival.seen.and(arrival.applied.or(arrival.seen)).cloned();
        let base = base.or_else(of_new).filter(|base| base != arrival.commit);
        let seen = arrival.seen.filter(|seen| arrival.rules != Some(*seen)).cloned();
        let rules = arrival.rules.filter(|rules| base.as_ref() != Some(*rules)).cloned();
        let recorded = changes.entry(addon).or_default();
        recorded.insert(0, DigestChange { digest, from, commit: arrival.commit.clone(), base, rules, seen });
        join_oldest(recorded);
    }
}

/// Makes one change of the two oldest ones if there are too many.
fn join_oldest(recorded: &mut Vec<DigestChange>) {
    if recorded.len() <= MAX_CHANGES {
        return;
    }
    let Some(oldest) = recorded.pop() else { return };
    if let Some(next) = recorded.last_mut() {
        let DigestChange { from, base, rules, seen, .. } = oldest;
        *next = DigestChange { from, base, rules, seen, digest: next.digest.clone(), commit: next.commit.clone() };
    }
}

/// Records the digests that have left force: those that were in force `before`, and are not in force now.
pub(super) fn replace(
    replaced: &mut BTreeMap<AddonName, Replaced>,
    before: &BTreeMap<AddonName, Digest>,
    in_force: &BTreeMap<AddonName, Digest>,
    at: Timestamp,
) {
    for (addon, digest) in before {
        match in_force.get(addon) {
            Some(now) if now == digest => {}
            Some(_) => replaced.entry(addon.clone()).or_default().record(digest.clone(), at),
            None => replaced.entry(addon.clone()).or_default().remove_all(at),
        }
    }
}
