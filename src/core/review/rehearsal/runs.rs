//! Many runs of one rollout.

use tidegate_api::ocm::rollout_strategy::RolloutStrategy;
use tidegate_model::name::UnitName;
use tidegate_model::semantics::Semantics;
use tidegate_model::time::{SignedDuration, Timestamp};
use tidegate_plan::{Guards, PlacementOutlook};
use tidegate_rollout::forecast::{self, Behavior, Forecast};
use tidegate_rollout::{Error, Input};

/// What to rehearse.
#[derive(Debug, Clone, Copy)]
pub struct Request<'a> {
    /// The add-on.
    pub addon: &'a UnitName,
    /// Its placements.
    pub placements: &'a [PlacementOutlook],
    /// The gates.
    pub guards: Guards<'a>,
    /// The engine.
    pub semantics: Semantics,
    /// The begin, in virtual time.
    pub now: Timestamp,
    /// The number of runs.
    pub runs: usize,
    /// The time from the merge by which the rollout should be done.
    pub within: Option<SignedDuration>,
}

/// One run: the forecasts of the placements, in their order.
pub(super) type Whole = Vec<Forecast>;

/// Runs the rollout of all placements a number of times, with these strategies.
pub(super) fn runs<B: Behavior>(
    request: &Request<'_>,
    placements: &[&PlacementOutlook],
    strategies: &[&RolloutStrategy],
    runs: usize,
    behavior: &mut impl FnMut(usize) -> B,
) -> Result<Vec<Whole>, Error> {
    let judges = request.guards.judges();
    // The same in every run.
    let tolerates: Vec<bool> =
        placements.iter().map(|placement| request.guards.tolerates(&judges, placement)).collect();
    let mut all = Vec::with_capacity(runs);
    for number in 0..runs {
        let mut behavior = behavior(number);
        let mut whole: Whole = Vec::with_capacity(placements.len());
        let (mut step, mut begin, mut stages) = (0, request.now, 0);
        for ((placement, strategy), tolerates_failures) in placements.iter().zip(strategies).zip(&tolerates) {
            if placement.step > step {
                // Once those of all earlier steps are done.
                step = placement.step;
                begin = whole.iter().map(|forecast| forecast.outcome.at()).max().unwrap_or(begin);
                stages = whole.iter().map(Forecast::stages).max().unwrap_or_default();
            }
            let (groups, existing, now) = (&placement.groups, &placement.statuses, begin);
            let input = Input { strategy, groups, existing, tolerates_failures: *tolerates_failures, now };
            let mut gates = request.guards.foreseen(&judges, placement, now);
            let forecast = forecast::run_with(&input, request.semantics, &mut behavior, &mut gates)?;
            whole.push(forecast.as_part(request.now, stages));
        }
        all.push(whole);
    }
    Ok(all)
}
