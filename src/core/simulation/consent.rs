//! The people of a config repository: Bob may approve what others change.

use std::sync::Arc;

use tidegate_consent::{
    Addition, Approvals, Authors, Basis, Change, Fact, People, RulesVoucher, Signature, Signer, Vouched, Written,
};
use tidegate_model::digest::Digest;
use tidegate_model::name::UnitName;
use tidegate_model::revision::CommitId;
use tidegate_model::time::Timestamp;
use tidegate_repository::{Repository, basis};

use super::instance;

const BOB: &str = "bob@example.com";

/// An approval of a digest by Bob.
#[derive(Debug, Clone, Copy)]
pub struct Approval {
    /// Whether it is only for the canaries.
    pub for_canaries: bool,
    /// Whether it overrides windows and freezes.
    pub breaks_glass: bool,
}

/// Returns the only unit of a repository, with its digest.
pub fn unit(repository: &Repository) -> Option<(&UnitName, &Digest)> {
    repository.addons.iter().next().map(|(name, unit)| (name, &unit.digest))
}

/// Returns the digest of the only unit.
pub fn digest(repository: &Repository) -> Option<&Digest> {
    unit(repository).map(|(_, digest)| digest)
}

/// Records that a commit changed the digest of the add-on, if it did.
pub fn record_change(approvals: &mut Approvals, before: Option<&Repository>, after: &Repository, commit: &CommitId) {
    let from = before.and_then(digest).cloned();
    let Some((addon, digest)) = unit(after).map(|(name, digest)| (name.clone(), digest.clone())) else { return };
    if from.as_ref() == Some(&digest) {
        return;
    }
    let people = Arc::new(People::new([("bob".to_owned(), vec![BOB.to_owned()])].into()));
    let of = |repository: &Repository| Arc::new(Basis { people: people.clone(), ..basis(repository) });
    let after = of(after);
    let before = before.map_or_else(|| after.clone(), of);
    let change = Change {
        digest,
        commit: commit.clone(),
        from,
        authors: Authors::Known(Vec::new()),
        rules: vec![Vouched::new(before.clone(), RulesVoucher::Base)],
        before,
        after,
    };
    approvals.changes.entry(addon).or_default().insert(0, change);
}

/// Records that Bob approves a digest in a commit.
pub fn approve(
    approvals: &mut Approvals,
    (unit, digest): (&UnitName, &Digest),
    approval: Approval,
    commit: &CommitId,
    now: Timestamp,
) {
    let signer = Signer { principal: BOB.to_owned(), key: "SHA256:bob".to_owned() };
    let addition = Addition {
        commit: commit.clone(),
        committed: now,
        seen: None,
        signature: Signature::Good(signer),
        written: Written { by: BOB.to_owned(), is_again: false, has_only_approvals: true },
    };
    approvals.facts.push(Fact {
        file: "approvals/hello/all.yaml".to_owned(),
        addon: unit.clone(),
        digest: digest.as_str().to_owned(),
        group: approval.for_canaries.then(|| "canary".to_owned()),
        instance: instance().id,
        by: "bob".to_owned(),
        at: now,
        reason: "reviewed".to_owned(),
        break_glass: approval.breaks_glass,
        added: vec![addition],
        withdrawn: None,
    });
}
