//! Whether a report about health is newer than the works that it is about. Strict only.
//!
//! An agent reports that a work is applied at once, and the status of its objects at its next poll. Until then, it repeats what it
//! observed before. So health counts only if it is proven to be newer, or if every agent has polled since.

use std::collections::BTreeMap;

use tidegate_api::condition::{self, Claim};
use tidegate_api::key;
use tidegate_api::ocm::managed_cluster_addon::ManagedClusterAddOnStatus;
use tidegate_model::agent::LAG;
use tidegate_model::time::Timestamp;

/// The generations of workloads on a cluster, as its agent reports them, by workload.
pub type Generations = BTreeMap<String, i64>;

/// Records that a cluster starts, and which generations it reports of the workloads that it has.
pub fn start(status: &mut ManagedClusterAddOnStatus, before: &Generations, now: Timestamp) {
    let before: Vec<String> = before.iter().map(|(workload, generation)| format!("{workload}={generation}")).collect();
    status.conditions.retain(|condition| condition.type_ != key::DELIVERED);
    condition::set(&mut status.conditions, Claim::new(key::DELIVERED, "False", "Started", before.join(", ")), now);
}

/// Records whether a cluster has applied its works. The time of the condition is when it was first seen.
pub fn note(status: &mut ManagedClusterAddOnStatus, is_applied: bool, now: Timestamp) {
    let before = condition::find(&status.conditions, key::DELIVERED).map(|found| found.message.clone());
    let (state, reason) = if is_applied { ("True", "Applied") } else { ("False", "Started") };
    let claim = Claim::new(key::DELIVERED, state, reason, before.unwrap_or_default());
    condition::set(&mut status.conditions, claim, now);
}

/// Returns when the health that a cluster reports counts; `None` if it does already. `reported` has each workload that determines the
/// health, if their generations are known.
///
/// # Assumptions
/// [`note`] has recorded that the works are applied.
pub fn counts_from(
    status: &ManagedClusterAddOnStatus,
    reported: Option<&Generations>,
    now: Timestamp,
) -> Option<Timestamp> {
    let delivered = condition::find(&status.conditions, key::DELIVERED)?;
    let before = |workload: &str| {
        let mut known = delivered.message.split(", ").filter_map(|entry| entry.rsplit_once('='));
        known.find(|(name, _)| *name == workload)?.1.parse::<i64>().ok()
    };
    let is_newer = |(workload, generation): (&String, &i64)| before(workload).is_none_or(|before| *generation > before);
    if reported.is_some_and(|reported| reported.iter().all(is_newer)) {
        return None;
    }
    let until = delivered.last_transition_time.0.checked_add(LAG).unwrap_or(Timestamp::MAX);
    (now < until).then_some(until)
}

/// Removes what was recorded.
pub fn forget(status: &mut ManagedClusterAddOnStatus) {
    status.conditions.retain(|condition| condition.type_ != key::DELIVERED);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(second).unwrap()
    }

    fn generations(of: &[(&str, i64)]) -> Generations {
        of.iter().map(|(workload, generation)| ((*workload).to_owned(), *generation)).collect()
    }

    /// A cluster that started with workload `a` in generation 3, and applied its works at second 100.
    fn applied() -> ManagedClusterAddOnStatus {
        let mut status = ManagedClusterAddOnStatus::default();
        start(&mut status, &generations(&[("deployments x/a", 3)]), at(90));
        note(&mut status, true, at(100));
        status
    }

    fn from(reported: Option<&Generations>, now: i64) -> Option<i64> {
        counts_from(&applied(), reported, at(now)).map(Timestamp::as_second)
    }

    #[test]
    fn health_without_generations_counts_after_the_lag() {
        assert_eq!((from(None, 100), from(None, 124), from(None, 125)), (Some(125), Some(125), None));
    }

    #[test]
    fn a_newer_generation_of_each_workload_counts_at_once() {
        let same = generations(&[("deployments x/a", 3)]);
        let newer = generations(&[("deployments x/a", 4), ("deployments x/b", 1)]);
        let half = generations(&[("deployments x/a", 3), ("deployments x/b", 1)]);
        assert_eq!(
            (from(Some(&same), 101), from(Some(&newer), 101), from(Some(&half), 101)),
            (Some(125), None, Some(125))
        );
    }

    #[test]
    fn works_that_are_not_applied_any_longer_start_again() {
        let mut status = applied();
        note(&mut status, false, at(110));
        note(&mut status, true, at(120));
        assert_eq!(counts_from(&status, None, at(120)), Some(at(145)));
    }
}
