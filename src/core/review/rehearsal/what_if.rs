//! The same rollout with other settings.

use k8s_openapi::apimachinery::pkg::util::intstr::IntOrString;

use super::document::{AddonRehearsal, Alternative};
use super::runs::{Request, Whole, runs};
use super::summary::summary;
use tidegate_api::ocm::rollout_strategy::RolloutStrategy;
use tidegate_model::time::{GoDuration, SignedDuration, parse_go_duration};
use tidegate_plan::PlacementOutlook;
use tidegate_rollout::forecast::Behavior;
use tidegate_rollout::{Error, effective, written_threshold};

/// At most this many clusters are run through all alternatives together.
const MOST_CLUSTERS: usize = 4_000_000;
/// Each alternative is run at least this often.
const LEAST_RUNS: usize = 20;
/// The numbers of clusters at once that are tried.
const CONCURRENCIES: [i32; 5] = [5, 10, 25, 50, 100];

/// The share of runs of an alternative that must be done in time.
const ENOUGH: f64 = 0.99;
/// The number of runs of an alternative, if a time is given: one of them may be late.
const RUNS: usize = 100;
/// Longer soak times are not tried.
const LONGEST_SOAK: SignedDuration = SignedDuration::from_hours(24 * 365);

/// Settings that differ from the declared ones.
#[derive(Debug, Clone, PartialEq)]
struct Variant {
    concurrency: Option<IntOrString>,
    soak: SignedDuration,
    is_declared: bool,
}

/// Runs the rollout with other numbers of clusters at once and other soak times. The declared settings are among them; their runs are
/// given.
pub(super) fn alternatives<B: Behavior>(
    request: &Request<'_>,
    placements: &[&PlacementOutlook],
    declared: &[Whole],
    behavior: &mut impl FnMut(usize) -> B,
) -> Result<Vec<Alternative>, Error> {
    let Some(first) = placements.first() else { return Ok(Vec::new()) };
    let mut found = Vec::new();
    let variants = variants(&first.strategy);
    let clusters: usize = placements.iter().map(|placement| placement.statuses.len()).sum();
    // Fewer runs than this could not show that the accepted risk is kept.
    let needed = request.within.map_or(LEAST_RUNS, |_| RUNS);
    let number = (MOST_CLUSTERS / (clusters * variants.len()).max(1)).max(needed).min(request.runs);
    for variant in variants {
        let result = if variant.is_declared {
            summary(declared.get(..number).unwrap_or(declared), request.within)
        } else {
            let strategies: Vec<RolloutStrategy> =
                placements.iter().map(|placement| changed(&placement.strategy, &variant)).collect();
            let strategies: Vec<&RolloutStrategy> = strategies.iter().collect();
            summary(&runs(request, placements, &strategies, number, behavior)?, request.within)
        };
        found.push(Alternative {
            max_concurrency: variant.concurrency.as_ref().map(written_threshold),
            soak: GoDuration(variant.soak).to_string(),
            runs: number,
            is_declared: variant.is_declared,
            result,
        });
    }
    Ok(found)
}

fn variants(strategy: &RolloutStrategy) -> Vec<Variant> {
    let declared = declared(strategy);
    let base = declared.soak.max(SignedDuration::from_mins(5));
    let mut variants = vec![declared.clone()];
    let soaks = [Some(SignedDuration::ZERO), Some(base), base.checked_mul(2)].into_iter().flatten();
    for soak in soaks.filter(|soak| *soak <= LONGEST_SOAK) {
        let concurrencies: Vec<Option<IntOrString>> = match declared.concurrency {
            None => vec![None],
            Some(_) => CONCURRENCIES.iter().map(|count| Some(IntOrString::Int(*count))).collect(),
        };
        for concurrency in concurrencies {
            let is_same = declared.soak == soak && declared.concurrency == concurrency;
            if !is_same {
                variants.push(Variant { concurrency, soak, is_declared: false });
            }
        }
    }
    variants
}

fn declared(strategy: &RolloutStrategy) -> Variant {
    let effective = effective(strategy).unwrap_or_default();
    let soak = effective.progressive.as_ref().and_then(|s| s.min_success_time.clone());
    let soak = soak.or_else(|| effective.progressive_per_group.as_ref().and_then(|s| s.min_success_time.clone()));
    let soak = soak.or_else(|| effective.all.as_ref().and_then(|s| s.min_success_time.clone()));
    let soak = soak.and_then(|soak| parse_go_duration(&soak).ok()).unwrap_or_default();
    // Without a limit, the field of the effective strategy is 0.
    let concurrency = strategy.progressive.as_ref().filter(|_| effective.progressive.is_some());
    let concurrency = concurrency
        .map(|progressive| progressive.max_concurrency.clone().unwrap_or(IntOrString::String("100%".to_owned())));
    Variant { concurrency, soak, is_declared: true }
}

fn changed(strategy: &RolloutStrategy, variant: &Variant) -> RolloutStrategy {
    let mut strategy = strategy.clone();
    let soak = Some(GoDuration(variant.soak).to_string());
    match strategy.type_.as_str() {
        "Progressive" => {
            let progressive = strategy.progressive.get_or_insert_default();
            progressive.min_success_time = soak;
            if variant.concurrency.is_some() {
                progressive.max_concurrency.clone_from(&variant.concurrency);
            }
        }
        "ProgressivePerGroup" => strategy.progressive_per_group.get_or_insert_default().min_success_time = soak,
        _ => strategy.all.get_or_insert_default().min_success_time = soak,
    }
    strategy
}

/// Adds the alternative that exposes the fewest clusters and is done in time.
pub(super) fn advised(rehearsal: AddonRehearsal) -> AddonRehearsal {
    let is_in_time = |alternative: &&Alternative| alternative.result.in_time.is_some_and(|in_time| in_time >= ENOUGH);
    let exposed = |alternative: &&Alternative| {
        let count = alternative.max_concurrency.as_deref().and_then(|text| text.parse::<usize>().ok());
        (count.unwrap_or(usize::MAX), std::cmp::Reverse(parse_go_duration(&alternative.soak).unwrap_or_default()))
    };
    let best = rehearsal.alternatives.iter().filter(is_in_time).min_by_key(exposed);
    let advice = best.map(|best| {
        let at_once = best.max_concurrency.as_deref().map(|count| format!("{count} at once, ")).unwrap_or_default();
        format!("{at_once}soak time {}", best.soak)
    });
    AddonRehearsal { advice, ..rehearsal }
}
