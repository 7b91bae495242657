//! What many runs have in common.

use std::collections::BTreeMap;

use super::document::{RehearsedWave, Summary};
use super::runs::Whole;
use super::statistics::quantile;
use tidegate_model::time::{SignedDuration, Timestamp};
use tidegate_plan::PlacementOutlook;
use tidegate_rollout::Status;
use tidegate_rollout::forecast::{self, Forecast, Outcome, Wave};

/// Summarizes runs.
pub(super) fn summary(runs: &[Whole], within: Option<SignedDuration>) -> Summary {
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
        in_time: within.map(|within| share(ends.iter().filter(|end| **end <= within.as_secs()).count())),
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
pub(super) fn waves(placements: &[&PlacementOutlook], runs: &[Whole]) -> Vec<RehearsedWave> {
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
        let mut done: Vec<i64> =
            waves.iter().map(|wave| seconds(wave.finished.or(wave.reported).unwrap_or(wave.starts))).collect();
        starts.sort_unstable();
        done.sort_unstable();
        Some(RehearsedWave {
            placement: placement.placement.as_ref().map(ToString::to_string).unwrap_or_default(),
            step: placement.step_name.clone(),
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
