//! Rehearses the rollout of one add-on.

use super::document::AddonRehearsal;
use super::runs::{Request, runs};
use super::summary::{summary, waves};
use super::what_if;
use tidegate_api::ocm::rollout_strategy::RolloutStrategy;
use tidegate_plan::PlacementOutlook;
use tidegate_rollout::forecast::Behavior;
use tidegate_rollout::{Error, Status};

/// Rehearses the rollout of an add-on. `behavior` returns how the clusters behave in the run with a number.
///
/// # Errors
/// A strategy that cannot be followed.
pub fn rehearse<B: Behavior>(
    request: &Request<'_>,
    behavior: &mut impl FnMut(usize) -> B,
) -> Result<AddonRehearsal, Error> {
    let waiting = |placement: &&PlacementOutlook| {
        !placement.is_partial && placement.statuses.iter().any(|status| status.status == Status::ToApply)
    };
    let placements: Vec<&PlacementOutlook> = request.placements.iter().filter(waiting).collect();
    let declared: Vec<&RolloutStrategy> = placements.iter().map(|placement| &placement.strategy).collect();
    let whole = runs(request, &placements, &declared, request.runs, behavior)?;
    let clusters = placements.iter().flat_map(|placement| &placement.statuses);
    let rehearsal = AddonRehearsal {
        name: request.addon.clone(),
        clusters: clusters.filter(|status| status.status == Status::ToApply).count(),
        result: summary(&whole, request.within),
        waves: waves(&placements, &whole),
        alternatives: what_if::alternatives(request, &placements, &whole, behavior)?,
        advice: None,
    };
    Ok(what_if::advised(rehearsal))
}
