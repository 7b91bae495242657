//! The effective strategy: only the settings of its type, with defaults filled in.

use k8s_openapi::apimachinery::pkg::util::intstr::IntOrString;

use crate::settings::Kind;
use crate::threshold::Threshold;
use tidegate_api::ocm::placement::Placement;
use tidegate_api::ocm::rollout_strategy::{
    RolloutAll, RolloutProgressive, RolloutProgressivePerGroup, RolloutStrategy,
};
use tidegate_model::semantics::Rules;
use tidegate_model::time::{GoDuration, parse_go_duration};

/// Returns the effective strategy; `None` for an unknown type.
///
/// # Shape
/// Settings of other types are dropped. Soak time and thresholds are always set: a valid soak time is formatted as in
/// Go, a missing threshold is 0.
///
/// # Source
/// The strategy that upstream's rollout handler returns next to its result, or next to its error.
pub fn effective(strategy: &RolloutStrategy) -> Option<RolloutStrategy> {
    let mut effective = RolloutStrategy { type_: strategy.type_.clone(), ..RolloutStrategy::default() };
    match Kind::of(&strategy.type_)? {
        Kind::All => {
            let given = strategy.all.clone().unwrap_or_default();
            effective.all = Some(RolloutAll {
                min_success_time: soak(given.min_success_time),
                max_failures: threshold(given.max_failures),
                progress_deadline: deadline(given.progress_deadline),
            });
        }
        Kind::Progressive => {
            let given = strategy.progressive.clone().unwrap_or_default();
            effective.progressive = Some(RolloutProgressive {
                min_success_time: soak(given.min_success_time),
                max_failures: threshold(given.max_failures),
                max_concurrency: threshold(given.max_concurrency),
                progress_deadline: deadline(given.progress_deadline),
                mandatory_decision_groups: given.mandatory_decision_groups,
            });
        }
        Kind::ProgressivePerGroup => {
            let given = strategy.progressive_per_group.clone().unwrap_or_default();
            effective.progressive_per_group = Some(RolloutProgressivePerGroup {
                min_success_time: soak(given.min_success_time),
                max_failures: threshold(given.max_failures),
                progress_deadline: deadline(given.progress_deadline),
                mandatory_decision_groups: given.mandatory_decision_groups,
            });
        }
    }
    Some(effective)
}

/// Returns a strategy of type Progressive with the group size of the placement in place of a missing `maxConcurrency`.
/// Strategies of other types are returned unchanged.
///
/// In compat, a `maxConcurrency` of 0 counts as missing. In strict it stays, and no cluster may start with it; a group
/// size of 0 means one group of all clusters, and so no limit.
///
/// # Source
/// OCM `pkg/addon/controllers/addonconfiguration` (2026-08-11).
pub fn with_default_concurrency(
    strategy: &RolloutStrategy,
    placement: Option<&Placement>,
    rules: &Rules,
) -> RolloutStrategy {
    let mut strategy = strategy.clone();
    if Kind::of(&strategy.type_) == Some(Kind::Progressive) {
        let concurrency = &mut strategy.progressive.get_or_insert_default().max_concurrency;
        let is_given = match concurrency {
            None => false,
            Some(IntOrString::Int(count)) => *count != 0 || rules.refuses_zero_concurrency,
            Some(IntOrString::String(text)) => !text.is_empty(),
        };
        if !is_given {
            let decisions = placement.and_then(|placement| placement.spec.decision_strategy.as_ref());
            let groups = decisions.and_then(|decisions| decisions.group_strategy.as_ref());
            let size = groups.and_then(|groups| groups.clusters_per_decision_group.clone());
            *concurrency = size.filter(|size| !rules.refuses_zero_concurrency || !Threshold::is_never_positive(size));
        }
    }
    strategy
}

fn soak(given: Option<String>) -> Option<String> {
    let Some(text) = given else { return Some("0s".to_owned()) };
    Some(parse_go_duration(&text).map_or(text, |span| GoDuration(span).to_string()))
}

fn threshold(given: Option<IntOrString>) -> Option<IntOrString> {
    Some(given.unwrap_or(IntOrString::Int(0)))
}

fn deadline(given: Option<String>) -> Option<String> {
    given.filter(|text| !text.is_empty())
}
