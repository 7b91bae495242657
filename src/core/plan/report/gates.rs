//! The closed gates of an add-on, for its report.

use std::collections::BTreeMap;

use super::types::{AddonReport, ApprovalReport, GateReport};
use tidegate_model::time::{Timestamp, to_seconds};
use tidegate_rollout::{Barrier, Gate, GroupKey};

/// Collects the gates that the clusters of one placement wait for.
#[derive(Debug, Default)]
pub(crate) struct ClosedGates(BTreeMap<(GroupKey, String), (Gate, usize)>);

impl ClosedGates {
    /// Adds a cluster that waits for a gate.
    pub(crate) fn add(&mut self, group: GroupKey, gate: &Gate) {
        let entry = self.0.entry((group, gate.lasting())).or_insert_with(|| (gate.clone(), 0));
        entry.1 += 1;
        // The earliest moment at which one of them may open.
        if gate.look_at().is_some_and(|at| entry.0.look_at().is_none_or(|known| at < known)) {
            entry.0 = gate.clone();
        }
    }

    /// Returns the reports. A gate that was closed before has been closed since then.
    pub(crate) fn reports(self, placement: &str, before: Option<&AddonReport>, now: Timestamp) -> Vec<GateReport> {
        let earlier = |group: &GroupKey, gate: &str| {
            let mut reports = before.into_iter().flat_map(|report| &report.gates);
            reports.find(|known| known.placement == placement && known.group == *group && known.gate == gate)
        };
        let report = |((group, text), (gate, clusters)): ((GroupKey, String), (Gate, usize))| GateReport {
            placement: placement.to_owned(),
            since: earlier(&group, &text).map_or_else(|| to_seconds(now), |known| known.since),
            opens: gate.opens(),
            look_at: gate.look_at(),
            gate: text,
            group,
            clusters,
        };
        self.0.into_iter().map(report).collect()
    }
}

impl ApprovalReport {
    /// Returns `true` if this approval is missing and closes a gate. Only clusters whose turn it is wait for a gate.
    pub fn closes(&self, gate: &GateReport) -> bool {
        let Self { placement, policy, breaks_glass, reached: _, selects_clusters: _, verdict } = self;
        if *breaks_glass || verdict.is_met() || *placement != gate.placement {
            return false;
        }
        let group = verdict.group.is_some().then(|| gate.group.clone());
        let barrier = Barrier::Approval { rule: verdict.rule.clone(), group, have: 0, need: 0, missing: String::new() };
        Gate { source: policy.clone(), barrier }.lasting() == gate.gate
    }
}
