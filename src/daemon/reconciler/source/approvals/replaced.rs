//! Records the digests that have left force: their approvals have ended.

use std::collections::BTreeMap;

use tidegate_model::digest::Digest;
use tidegate_model::name::UnitName;
use tidegate_model::replaced::Replaced;
use tidegate_model::time::Timestamp;

/// Records the digests that have left force: those that were in force `before`, and are not in force now.
pub(super) fn replace(
    replaced: &mut BTreeMap<UnitName, Replaced>,
    before: &BTreeMap<UnitName, Digest>,
    in_force: &BTreeMap<UnitName, Digest>,
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
