//! Which gates of an add-on wait for the approval of people.

use std::collections::BTreeSet;

use super::item::News;
use tidegate_consent::approve_command;
use tidegate_model::name::UnitName;
use tidegate_plan::report::{AddonReport, GateReport};

/// Returns the approvals that are awaited now and were not before, as one item.
pub(super) fn changes(name: &UnitName, before: &AddonReport, after: &AddonReport) -> Option<News> {
    let is_same = |gate: &GateReport, known: &GateReport| {
        (&gate.placement, &gate.group, &gate.gate) == (&known.placement, &known.group, &known.gate)
    };
    // Another digest needs approvals of its own.
    let was_awaited =
        |gate: &GateReport| before.digest == after.digest && before.gates.iter().any(|known| is_same(gate, known));
    folded(name, after, approvals(after).filter(|gate| !was_awaited(gate)).collect())
}

/// Returns all approvals that are awaited, as one item.
pub(super) fn awaited(name: &UnitName, after: &AddonReport) -> Option<News> {
    folded(name, after, approvals(after).collect())
}

/// Returns the closed gates that an approval opens.
fn approvals(report: &AddonReport) -> impl Iterator<Item = &GateReport> {
    report.gates.iter().filter(|gate| report.approvals.iter().any(|approval| approval.closes(gate)))
}

fn folded(name: &UnitName, report: &AddonReport, gates: Vec<&GateReport>) -> Option<News> {
    let reason = gates.first()?.opens.clone();
    let clusters = gates.iter().map(|gate| gate.clusters).sum();
    let commands = commands(name, report, &gates);
    let gates: BTreeSet<&String> = gates.iter().map(|gate| &gate.gate).collect();
    let gates = gates.into_iter().collect();
    Some(News::ApprovalAwaited { addon: name.clone(), to: report.version.clone(), clusters, gates, reason, commands })
}

/// Returns the commands that approve what the gates wait for, each once.
fn commands(name: &UnitName, report: &AddonReport, gates: &[&GateReport]) -> Vec<String> {
    let closing = report.approvals.iter().filter(|approval| gates.iter().any(|gate| approval.closes(gate)));
    let groups: BTreeSet<Option<&String>> = closing.map(|approval| approval.verdict.group.as_ref()).collect();
    groups.into_iter().map(|group| approve_command(name, group.map(String::as_str))).collect()
}
