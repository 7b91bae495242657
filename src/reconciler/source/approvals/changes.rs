//! Records the changes of digests: which revision brought a digest, which one was followed before it, and which digests left force.

use std::collections::BTreeMap;

use tidegate_core::repository::Repository;
use tidegate_model::digest::Digest;
use tidegate_model::followed::DigestChange;
use tidegate_model::name::AddonName;
use tidegate_model::replaced::Replaced;
use tidegate_model::revision::CommitId;
use tidegate_model::time::Timestamp;

/// Maximum number of changes that are recorded for one add-on.
const MAX_CHANGES: usize = 8;

/// Adds the changes that a revision brings to those that are recorded, newest first, and forgets those of add-ons that are gone.
pub(super) fn record(
    changes: &mut BTreeMap<AddonName, Vec<DigestChange>>,
    before: &BTreeMap<AddonName, Digest>,
    base: Option<&CommitId>,
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
        let recorded = changes.entry(addon.clone()).or_default();
        let change =
            DigestChange { digest: digest.clone(), from: from.cloned(), commit: commit.clone(), base: base.cloned() };
        recorded.insert(0, change);
        recorded.truncate(MAX_CHANGES);
    }
}

/// Records the digests that have left force: those that were in force `before`, and are not in the repository that is in force now.
pub(super) fn replace(
    replaced: &mut BTreeMap<AddonName, Replaced>,
    before: &BTreeMap<AddonName, Digest>,
    in_force: &Repository,
    at: Timestamp,
) {
    for (addon, digest) in before {
        match in_force.digest(addon) {
            Some(now) if now == digest => {}
            Some(_) => replaced.entry(addon.clone()).or_default().record(digest.clone(), at),
            None => replaced.entry(addon.clone()).or_default().remove_all(at),
        }
    }
}
