//! The conditions of a Placement: whether it is satisfied, and whether it is valid.

use super::filter::candidate::Sets;
use super::input::Input;
use super::outcome::Code;
use tidegate_api::condition::{Claim, Condition, set};
use tidegate_api::key::{PLACEMENT_MISCONFIGURED, PLACEMENT_SATISFIED};

/// The results of a run that the conditions report.
pub(super) struct Found<'a> {
    /// The sets of the Placement.
    pub(super) sets: &'a Sets<'a>,
    /// How many clusters the eligible sets offer.
    pub(super) candidates: usize,
    /// How many clusters were selected.
    pub(super) selected: usize,
    /// How many clusters are missing from the requested number.
    pub(super) unscheduled: usize,
    /// How the run ended.
    pub(super) code: &'a Code,
}

/// Returns the conditions after a run. Times change only if the status of a condition does; foreign conditions are
/// kept.
pub(super) fn conditions(input: &Input<'_>, found: &Found<'_>) -> Vec<Condition> {
    let mut conditions = input.status.map(|status| status.conditions.clone()).unwrap_or_default();
    set(&mut conditions, misconfigured(found.code), input.now);
    set(&mut conditions, satisfied(input, found), input.now);
    conditions
}

fn misconfigured(code: &Code) -> Claim {
    match code {
        Code::Misconfigured(problem) => {
            let message = format!("{}:{}", problem.plugin, problem.message);
            Claim::new(PLACEMENT_MISCONFIGURED, "True", "Misconfigured", message)
        }
        Code::Success | Code::Warning(_) | Code::Error(_) => {
            let message = "Placement configurations check pass";
            Claim::new(PLACEMENT_MISCONFIGURED, "False", "Succeedconfigured", message)
        }
    }
}

fn satisfied(input: &Input<'_>, found: &Found<'_>) -> Claim {
    let no = |reason: &str, message: String| Claim::new(PLACEMENT_SATISFIED, "False", reason, message);
    let Found { sets, candidates, selected, unscheduled, code } = found;
    if sets.bound.is_empty() {
        let message = "No valid ManagedClusterSetBindings found in placement namespace";
        no("NoManagedClusterSetBindings", message.to_owned())
    } else if sets.eligible.is_empty() {
        let wanted = input.spec.cluster_sets.join(",");
        no("NoIntersection", format!("None of ManagedClusterSets [{wanted}] is bound to placement namespace"))
    } else if *candidates == 0 {
        let names: Vec<&str> = sets.eligible.iter().copied().collect();
        let message = format!("All ManagedClusterSets [{}] have no member ManagedCluster", names.join(","));
        no("AllManagedClusterSetsEmpty", message)
    } else if let Code::Error(problem) = code {
        no("NotAllDecisionsScheduled", problem.message.clone())
    } else if *selected == 0 {
        no("NoManagedClusterMatched", "No ManagedCluster matches any of the cluster predicate".to_owned())
    } else if *unscheduled == 0 {
        Claim::new(PLACEMENT_SATISFIED, "True", "AllDecisionsScheduled", "All cluster decisions scheduled")
    } else {
        no("NotAllDecisionsScheduled", format!("{unscheduled} cluster decisions unscheduled"))
    }
}
