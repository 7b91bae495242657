//! The approvals that the clusters of a placement need.

use crate::context::Context;
use crate::node::Node;
use crate::report::{AddonReport, ApprovalReport, GateReport};
use tidegate_consent::{Judges, Rule};
use tidegate_model::decision::DecisionGroup;
use tidegate_model::time::Timestamp;
use tidegate_rollout::GroupKey;
use tidegate_rollout::gate::{Approvable, Gates, Judged};

/// Judges the approvals of a node.
pub(super) fn judged(context: &Context<'_>, node: &Node<'_>, judges: &Judges, gates: &Gates<'_>) -> Vec<Judged> {
    let key = |group: &DecisionGroup| GroupKey { index: group.index, name: group.name.clone() };
    let groups: Vec<GroupKey> = node.groups.iter().map(key).collect();
    let subject = Approvable {
        unit: context.name,
        digest: &context.unit.digest,
        placement: node.placement.as_ref(),
        instance: &context.input.instance.id,
        approvals: context.input.approvals,
        judges,
        now: context.input.now,
    };
    let placement = node.placement.as_ref().map(ToString::to_string).unwrap_or_default();
    let before = context.input.past.report.addons.get(context.name);
    let before = before.filter(|report| report.digest.as_ref() == Some(&context.unit.digest));
    gates.judged(&subject, &groups, |rule| reached(before?, &placement, rule))
}

/// Returns when it was the turn of the group of a rule: when clusters waited for an approval of the group first. That stays known as long as
/// the digest is in force. For a rule that breaks the glass, it is when clusters waited for any gate first.
fn reached(before: &AddonReport, placement: &str, rule: &Rule) -> Option<Timestamp> {
    let known = before.approvals.iter().filter(|known| known.placement == placement);
    let known = known.filter(|known| known.breaks_glass == rule.break_glass && known.verdict.group == rule.group);
    let waits = |known: &ApprovalReport, gate: &GateReport| {
        if rule.break_glass { gate.placement == placement } else { known.closes(gate) }
    };
    let since = |known: &ApprovalReport| {
        let gates = before.gates.iter().filter(|gate| waits(known, gate)).map(|gate| gate.since);
        gates.chain(known.reached).min()
    };
    known.filter_map(since).min()
}

/// Returns the reports of verdicts on a placement.
pub(super) fn reports(judged: &[Judged], placement: &str) -> Vec<ApprovalReport> {
    let report = |judged: &Judged| ApprovalReport {
        placement: placement.to_owned(),
        policy: judged.source.clone(),
        breaks_glass: judged.breaks_glass,
        reached: judged.reached,
        selects_clusters: judged.selects_clusters,
        verdict: judged.verdict.clone(),
    };
    judged.iter().map(report).collect()
}
