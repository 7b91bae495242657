//! The placements of an add-on with their rollout strategies, as the plan of a change shows them.

use k8s_openapi::apimachinery::pkg::util::intstr::IntOrString;

use super::document::{Limit, PlacementPlan, StrategyPlan};
use tidegate_api::ocm::rollout_strategy::MandatoryDecisionGroup;
use tidegate_model::time::parse_go_duration;
use tidegate_plan::PlacementOutlook;
use tidegate_rollout::effective;
use tidegate_rollout::forecast::group_name;

/// Returns a placement with its strategy.
pub(super) fn placement(placement: &PlacementOutlook) -> PlacementPlan {
    PlacementPlan {
        placement: placement.placement.as_ref().map(ToString::to_string).unwrap_or_default(),
        clusters: placement.targets.len(),
        strategy: strategy(placement),
    }
}

/// The settings that all types have.
type Common = (Option<String>, Option<IntOrString>, Option<String>);

fn strategy(placement: &PlacementOutlook) -> Option<StrategyPlan> {
    let effective = effective(&placement.strategy)?;
    let total = placement.targets.len();
    let group = || placement.groups.iter().map(|group| group.clusters.len()).max().unwrap_or_default();
    let (at_once, common, mandatory): (usize, Common, Vec<MandatoryDecisionGroup>) =
        match (effective.all, effective.progressive, effective.progressive_per_group) {
            (Some(s), ..) => (total, (s.min_success_time, s.max_failures, s.progress_deadline), Vec::new()),
            (_, Some(s), _) => {
                // The effective strategy has 0 where nothing is given, which means no limit.
                let given = placement.strategy.progressive.as_ref().and_then(|given| given.max_concurrency.as_ref());
                let at_once = given.map_or(total, |given| clusters(given, total));
                (at_once, (s.min_success_time, s.max_failures, s.progress_deadline), s.mandatory_decision_groups)
            }
            (_, _, Some(s)) => {
                (group(), (s.min_success_time, s.max_failures, s.progress_deadline), s.mandatory_decision_groups)
            }
            (None, None, None) => return None,
        };
    let (soak, failures, deadline) = common;
    let name = |group: MandatoryDecisionGroup| match group.group_name.is_empty() {
        true => group_name(&placement.groups, group.group_index),
        false => group.group_name,
    };
    Some(StrategyPlan {
        type_: effective.type_,
        max_concurrency: limit(at_once, total),
        max_failures: limit(failures.map_or(0, |failures| clusters(&failures, total)), total),
        min_success_seconds: soak.as_deref().and_then(seconds).unwrap_or_default(),
        progress_deadline_seconds: deadline.as_deref().and_then(seconds),
        mandatory_groups: mandatory.into_iter().map(name).collect(),
    })
}

/// Returns a threshold as a number of `total` clusters, a percentage rounded up. One that cannot be read is 0; the rollout reports it.
fn clusters(threshold: &IntOrString, total: usize) -> usize {
    let number = match threshold {
        IntOrString::Int(count) => f64::from(*count),
        IntOrString::String(text) => {
            let percentage = text.strip_suffix('%').and_then(|number| number.parse::<f64>().ok()).unwrap_or_default();
            (percentage * total as f64 / 100.0).ceil()
        }
    };
    // The cast maps NaN and negative numbers to 0.
    (number as usize).min(total)
}

fn limit(clusters: usize, total: usize) -> Limit {
    Limit { clusters, percentage: clusters.saturating_mul(100).div_ceil(total.max(1)) }
}

/// Returns the seconds of a duration in the format of Go; `None` for `None` and for one that cannot be read.
fn seconds(text: &str) -> Option<i64> {
    parse_go_duration(text).ok().map(|span| span.as_secs())
}
