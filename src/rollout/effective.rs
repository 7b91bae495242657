//! The strategy that takes effect: the settings of its type alone, with what was left out filled in.

use k8s_openapi::apimachinery::pkg::util::intstr::IntOrString;

use crate::api::ocm::rollout_strategy::{RolloutAll, RolloutProgressive, RolloutProgressivePerGroup, RolloutStrategy};
use crate::model::time::{GoDuration, parse_go_duration};
use crate::rollout::settings::Kind;

/// Returns the strategy that takes effect; `None` for an unknown type.
///
/// # Shape
/// Settings of other types are gone. Soak time and thresholds are always there: a soak time in Go's spelling, as far as
/// it is one; a threshold that was not given as 0.
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
