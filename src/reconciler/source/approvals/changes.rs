//! Records the changes of digests: which revision brought a digest, and which one was followed before it.

use std::collections::BTreeMap;

use tidegate_core::repository::Repository;
use tidegate_model::digest::Digest;
use tidegate_model::followed::DigestChange;
use tidegate_model::name::AddonName;
use tidegate_model::revision::CommitId;

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
