//! Runs a rollout many times.

use std::collections::BTreeMap;

use super::document::{AddonRehearsal, RehearsedWave, Summary};
use super::statistics::quantile;
use super::what_if::{self, Deadline};
use crate::forecast::{self, Behavior, Forecast, Outcome, Wave};
use crate::plan::PlacementOutlook;
use crate::rollout::{Error, Input, Status};
use tidegate_api::ocm::rollout_strategy::RolloutStrategy;
use tidegate_model::name::AddonName;
use tidegate_model::semantics::Semantics;
use tidegate_model::time::{SignedDuration, Timestamp};

/// What to rehearse.
#[derive(Debug, Clone, Copy)]
pub struct Request<'a> {
    /// The add-on.
    pub addon: &'a AddonName,
    /// Its placements.
    pub placements: &'a [PlacementOutlook],
    /// The engine.
    pub semantics: Semantics,
    /// The begin, in virtual time.
    pub now: Timestamp,
    /// The number of runs.
    pub runs: usize,
    /// The moment by which the rollout should be done, and the risk that is accepted.
    pub deadline: Option<Deadline>,
}

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
        result: summary(&whole, request.deadline),
        waves: waves(&placements, &whole),
        alternatives: what_if::alternatives(request, &placements, behavior)?,
        advice: None,
    };
    Ok(what_if::advised(rehearsal, request.deadline))
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
    let mut all = Vec::with_capacity(runs);
    for number in 0..runs {
        let mut behavior = behavior(number);
        let mut whole = Vec::with_capacity(placements.len());
        for (placement, strategy) in placements.iter().zip(strategies) {
            let (groups, existing, now) = (&placement.groups, &placement.statuses, request.now);
            let input = Input { strategy, groups, existing, now };
            whole.push(forecast::run(&input, request.semantics, &mut behavior)?);
        }
        all.push(whole);
    }
    Ok(all)
}

/// Summarizes runs.
pub(super) fn summary(runs: &[Whole], deadline: Option<Deadline>) -> Summary {
    let (mut ends, mut stops, mut exposed, mut failed, mut stalls) =
        (Vec::new(), Vec::new(), Vec::new(), Vec::new(), 0);
    for run in runs {
        let since = |forecast: &Forecast| forecast.begin.duration_until(forecast.outcome.at()).as_secs();
        let stopped = run.iter().filter(|forecast| matches!(forecast.outcome, Outcome::Stopped { .. }));
        if let Some(stop) = stopped.map(since).min() {
            let has_started = |forecast: &Forecast| {
                let is_started = |at: Timestamp| forecast.begin.duration_until(at).as_secs() <= stop;
                forecast.clusters.iter().filter(|run| run.started.is_some_and(is_started)).count()
            };
            stops.push(stop);
            exposed.push(run.iter().map(has_started).sum::<usize>());
        } else if run.iter().any(|forecast| matches!(forecast.outcome, Outcome::Stalled { .. })) {
            stalls += 1;
        } else {
            ends.extend(run.iter().map(since).max());
        }
        let is_failure =
            |run: &&forecast::Run| run.started.is_some() && matches!(run.status, Status::Failed | Status::Progressing);
        failed.push(run.iter().map(|forecast| forecast.clusters.iter().filter(is_failure).count()).sum::<usize>());
    }
    ends.sort_unstable();
    stops.sort_unstable();
    exposed.sort_unstable();
    failed.sort_unstable();
    let share = |count: usize| count as f64 / runs.len().max(1) as f64;
    Summary {
        completes: share(ends.len()),
        in_time: deadline.map(|deadline| share(ends.iter().filter(|end| **end <= deadline.within.as_secs()).count())),
        stops: share(stops.len()),
        stalls: share(stalls),
        median_end: quantile(&ends, 0.5),
        p90_end: quantile(&ends, 0.9),
        median_stop: quantile(&stops, 0.5),
        median_exposed: quantile(&exposed, 0.5),
        most_exposed: exposed.last().copied(),
        median_failed: quantile(&failed, 0.5).unwrap_or_default(),
    }
}

/// Summarizes the waves of runs.
fn waves(placements: &[&PlacementOutlook], runs: &[Whole]) -> Vec<RehearsedWave> {
    let mut found: BTreeMap<(usize, usize, i32), Vec<Wave>> = BTreeMap::new();
    for run in runs {
        for (place, forecast) in run.iter().enumerate() {
            for wave in forecast::waves(forecast) {
                found.entry((wave.stage, place, wave.group)).or_default().push(wave);
            }
        }
    }
    let seconds = |span: SignedDuration| span.as_secs();
    let summarized = |((_, place, group), waves): ((usize, usize, i32), Vec<Wave>)| {
        let placement = placements.get(place)?;
        let mut starts: Vec<i64> = waves.iter().map(|wave| seconds(wave.starts)).collect();
        let mut done: Vec<i64> = waves.iter().map(|wave| seconds(wave.reported.unwrap_or(wave.starts))).collect();
        starts.sort_unstable();
        done.sort_unstable();
        Some(RehearsedWave {
            placement: placement.placement.as_ref().map(ToString::to_string).unwrap_or_default(),
            group: forecast::group_name(&placement.groups, group),
            clusters: waves.iter().map(|wave| wave.clusters).max().unwrap_or_default(),
            starts: waves.len() as f64 / runs.len().max(1) as f64,
            median_start: quantile(&starts, 0.5)?,
            median_done: quantile(&done, 0.5)?,
            p90_done: quantile(&done, 0.9)?,
        })
    };
    found.into_iter().filter_map(summarized).collect()
}
