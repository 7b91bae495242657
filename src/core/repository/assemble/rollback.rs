//! Rollback: an add-on whose rollout failed is kept as it was at its last good digest.

use super::contested;
use super::held::replace;
use super::obstacles::obstacles;
use crate::types::{Repository, Rollback};
use tidegate_model::followed::Rejection;
use tidegate_model::name::UnitName;

/// Puts an add-on back to its last good digest, if the repository still has the digest that was rejected. `good` is the repository of the
/// last good revision.
///
/// It is refused, with the reasons, where the old version would lose data on clusters, where another unit has an object of it by now, and where
/// there is nothing to go back to.
pub fn roll_back(repository: &mut Repository, addon: &UnitName, rejection: &Rejection, good: Option<&Repository>) {
    let Some(failed) = repository.addons.get(addon).filter(|failed| failed.digest == rejection.digest) else { return };
    let good = good.filter(|good| good.digest(addon) == rejection.good.as_ref().map(|good| &good.digest));
    let refused = match good.and_then(|good| good.addons.get(addon)) {
        Some(before) => {
            let taken = contested::taken(repository, (addon, failed, before));
            obstacles(failed, before).into_iter().chain(taken).collect()
        }
        None if rejection.good.is_none() => vec!["no digest of the add-on has completed yet".to_owned()],
        None => vec!["the revision of the last good digest is not available, or means something else today".to_owned()],
    };
    if let Some(good) = good.filter(|_| refused.is_empty()) {
        replace(repository, addon, good);
    }
    repository.rollbacks.insert(addon.clone(), Rollback { rejection: rejection.clone(), refused });
}
