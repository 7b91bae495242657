//! The explanation of gates: what is closed, since when, what opens it, and who has approved.

use std::fmt::Write as _;

use tidegate_journal::record::{AddonStatus, ApprovalRecord, ClusterReport, GateRecord};
use tidegate_model::line::one_line;
use tidegate_rollout::GroupKey;
use tidegate_rollout::gate::checks::Evidence;

/// Returns the lines about the gates and approvals of an add-on.
pub(super) fn lines(status: &AddonStatus) -> String {
    let mut text = String::new();
    for gate in &status.gates {
        let group = if gate.group_name.is_empty() { gate.group.to_string() } else { gate.group_name.clone() };
        // Writing into a String cannot fail.
        let _ = writeln!(text, "\ngate {}", one_line(&gate.gate));
        let _ = writeln!(text, "  clusters   {} of group {}", gate.clusters, one_line(&group));
        let _ = writeln!(text, "  since      {}", one_line(&since(status, gate)));
        let _ = writeln!(text, "  opens      when {}", one_line(&gate.opens));
    }
    for approval in &status.approvals {
        let _ = writeln!(text, "\napproval {}", one_line(&headline(approval)));
        for seat in &approval.verdict.have {
            let commit = seat.commit.short();
            let place = match &seat.review {
                Some(review) => format!("of {commit}, see {}", one_line(&review.url)),
                None => format!("in {commit}"),
            };
            let _ = writeln!(text, "  approved   by {} at {}, {place}", one_line(&seat.person), seat.at);
        }
        for void in &approval.verdict.void {
            let _ = writeln!(text, "  void       by {}: {}", one_line(&void.by), one_line(&void.why.to_string()));
        }
        if let Some(missing) = &approval.verdict.missing {
            let _ = writeln!(text, "  missing    {}", one_line(&missing.to_string()));
        }
    }
    text
}

/// Returns since when a cluster waits for its gate, and when that is looked at next; `None` if it waits for no gate.
pub(super) fn of_cluster(status: &AddonStatus, report: &ClusterReport) -> Option<String> {
    let is_its = |gate: &&GateRecord| {
        let in_placement =
            gate.placement.is_empty() || report.placement.is_empty() || gate.placement == report.placement;
        in_placement && report.group.is_none_or(|group| group == gate.group) && report.reason.starts_with(&gate.gate)
    };
    status.gates.iter().find(is_its).map(|gate| since(status, gate))
}

fn since(status: &AddonStatus, gate: &GateRecord) -> String {
    let next = match (gate.look_at, measured(status, gate)) {
        (_, Some(Evidence { at, value, .. })) => format!("measured last at {at}: {value}"),
        (Some(at), None) => format!("looked at next at {at}"),
        (None, None) => "looked at whenever something changes".to_owned(),
    };
    format!("closed since {}, {next}", gate.since)
}

/// Returns the last measurement of the check that closes a gate.
fn measured<'a>(status: &'a AddonStatus, gate: &GateRecord) -> Option<&'a Evidence> {
    let is_of = |evidence: &&Evidence| {
        let group = GroupKey { index: evidence.group, name: evidence.group_name.clone() };
        let is_in_placement = gate.placement.is_empty() || evidence.placement == gate.placement;
        is_in_placement && gate.gate.contains(&format!("check {:?} of {group} ({})", evidence.check, evidence.policy))
    };
    status.checks.iter().find(is_of)
}

fn headline(approval: &ApprovalRecord) -> String {
    let ApprovalRecord { policy, breaks_glass, verdict, .. } = approval;
    let before = verdict.group.as_ref().map(|group| format!(" before group {group}")).unwrap_or_default();
    let what = if *breaks_glass { ", which overrides windows and freezes" } else { "" };
    let state = if verdict.is_met() { "met" } else { "missing" };
    format!("{:?}{before} ({policy}){what}: {state}, {} of {}", verdict.rule, verdict.have.len(), verdict.need)
}
