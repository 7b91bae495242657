//! Records the changes of digests: which revision brought a digest, and from which one it comes.

use std::collections::BTreeMap;

use tidegate_core::repository::Repository;
use tidegate_model::digest::Digest;
use tidegate_model::followed::DigestChange;
use tidegate_model::name::AddonName;
use tidegate_model::revision::CommitId;

/// Maximum number of changes that are recorded for one add-on.
const MAX_CHANGES: usize = 8;

/// The revisions from which changes are counted.
pub(super) struct Bases {
    /// The revision from which the good state of each add-on comes. An add-on that was held by an error is on an older one than others, so
    /// that the person who made the error is an author of what fixes it.
    pub(super) good: BTreeMap<AddonName, CommitId>,
    /// The last revision without complaints. A new add-on may have been in the revisions since then, with an error.
    pub(super) applied: Option<CommitId>,
    /// The revision that was followed before; `None` if this is the first one.
    pub(super) seen: Option<CommitId>,
}

impl Bases {
    /// Returns the revision from which a change of an add-on is counted.
    fn of(&self, addon: &AddonName, commit: &CommitId) -> Option<CommitId> {
        self.seen.as_ref()?;
        let base = self.good.get(addon).or(self.applied.as_ref()).or(self.seen.as_ref());
        base.filter(|base| *base != commit).cloned()
    }
}

/// Adds the changes that a revision brings to those that are recorded, newest first, and forgets those of add-ons that are gone.
pub(super) fn record(
    changes: &mut BTreeMap<AddonName, Vec<DigestChange>>,
    before: &BTreeMap<AddonName, Digest>,
    bases: &Bases,
    repository: &Repository,
    commit: &CommitId,
) {
    changes.retain(|addon, _| repository.addons.contains_key(addon));
    for (addon, declared) in &repository.addons {
        let digest = &declared.digest;
        let from = before.get(addon);
        if from == Some(digest) {
            continue;
        }
        let base = bases.of(addon, commit);
        let recorded = changes.entry(addon.clone()).or_default();
        recorded.insert(0, DigestChange { digest: digest.clone(), from: from.cloned(), commit: commit.clone(), base });
        recorded.truncate(MAX_CHANGES);
    }
}
