//! The title of a page, what the plan amounts to, and the last line.

use tidegate_model::time::{SignedDuration, parse_go_duration};

use super::block::{Badge, Fact, Tone};
use super::change::{CLUSTERS, is_blocked};
use super::line::{Line, joined};
use crate::proposal::document::{AddonPlan, Change, Plan, Revision, Verdict};

const ADDONS: [&str; 2] = ["add-on", "add-ons"];

/// The characters of a commit that are shown.
const SHORT: usize = 12;

pub(super) fn title(plan: &Plan) -> Line {
    let name = |line: Line, revision: &Revision| match &revision.commit {
        // The name of a commit is long, and its first characters are enough to recognize it.
        Some(commit) if commit.to_string() == revision.name => {
            line.name(revision.name.get(..SHORT).unwrap_or(&revision.name))
        }
        _ => line.name(&revision.name),
    };
    name(name(Line::of("Tidegate plan for "), &plan.head).words(" onto "), &plan.base)
}

pub(super) fn verdict(plan: &Plan) -> Badge {
    match plan.result {
        Verdict::Nothing => Badge { words: "Nothing changes", tone: Tone::Good },
        Verdict::Changes => Badge { words: "Changes", tone: Tone::Neutral },
        Verdict::Blocked => Badge { words: "Blocked", tone: Tone::Bad },
    }
}

/// Returns what the plan amounts to.
pub(super) fn facts(plan: &Plan) -> Vec<Fact> {
    if plan.result == Verdict::Nothing {
        return vec![Fact { value: Line::of("Nothing"), label: "changes" }];
    }
    let count = |of: &dyn Fn(&AddonPlan) -> bool| plan.addons.iter().filter(|addon| of(addon)).count();
    let number = |count: usize, singular: &'static str, plural: &'static str| Fact {
        value: Line::default().number(count),
        label: if count == 1 { singular } else { plural },
    };
    let blocked = count(&is_blocked);
    let changed = count(&|addon| !matches!(addon.change, Change::Unchanged | Change::Blocked));
    let errors = plan.complaints.iter().filter(|complaint| complaint.is_error).count();
    let leaving: usize = plan.addons.iter().map(|addon| addon.removed).sum();
    let mut facts = Vec::new();
    if blocked > 0 {
        facts.push(number(blocked, "add-on is blocked", "add-ons are blocked"));
    }
    if errors > 0 {
        facts.push(number(errors, "error", "errors"));
    }
    let broken = plan.policies.iter().filter(|policy| policy.blocks()).count();
    if broken > 0 {
        facts.push(number(broken, "policy is broken", "policies are broken"));
    }
    facts.push(number(changed, "add-on changes", "add-ons change"));
    let clusters = Line::default().number(plan.clusters).words(" of ").number(plan.fleet.clusters);
    facts.push(Fact { value: clusters, label: "clusters" });
    if leaving > 0 {
        facts.push(number(leaving, "cluster loses an add-on", "clusters lose an add-on"));
    }
    facts.extend(end(plan));
    facts
}

/// Returns when the rollouts are done. If every cluster answers at once and nothing has to be waited for, there is nothing to show.
fn end(plan: &Plan) -> Option<Fact> {
    let longest = |of: fn(&AddonPlan) -> Option<&String>| {
        plan.addons.iter().filter_map(of).filter_map(|span| parse_go_duration(span).ok()).max()
    };
    let fact = |span: SignedDuration, label| Fact {
        value: Line::default().span(&tidegate_model::time::GoDuration(span).to_string()),
        label,
    };
    let expected =
        longest(|addon| addon.expected.as_ref()).map(|span| fact(span, "from the merge to the end, as expected"));
    let earliest = longest(|addon| addon.earliest.as_ref()).filter(|span| *span > SignedDuration::ZERO);
    expected.or_else(|| earliest.map(|span| fact(span, "from the merge to the end, at the earliest")))
}

/// Returns the counts of everything.
pub(super) fn last(plan: &Plan) -> Line {
    let count = |change: Change| plan.addons.iter().filter(|addon| addon.change == change).count();
    let kinds = [
        (count(Change::Added), " to add"),
        (count(Change::Changed), " to change"),
        (count(Change::Removed), " to remove"),
        (count(Change::Blocked), " blocked"),
        (count(Change::Unchanged), " unchanged"),
    ];
    let kinds = kinds.into_iter().filter(|(count, _)| *count > 0);
    let mut parts: Vec<Line> =
        kinds.map(|(count, words)| Line::default().counted(count, ADDONS).words(words)).collect();
    let errors = plan.complaints.iter().filter(|complaint| complaint.is_error).count();
    let warnings = plan.complaints.len() - errors;
    if errors > 0 {
        parts.push(Line::default().counted(errors, ["error", "errors"]));
    }
    if warnings > 0 {
        parts.push(Line::default().counted(warnings, ["warning", "warnings"]));
    }
    let counts = if parts.is_empty() { Line::of("no add-ons") } else { joined(parts, ", ") };
    let fleet =
        Line::of(". Fleet: ").counted(plan.fleet.clusters, CLUSTERS).words(" from ").sentence(&plan.fleet.source);
    Line::of("Plan: ").then(counts).then(fleet)
}

/// Returns the time of the state of the fleet.
pub(super) fn state(plan: &Plan) -> Line {
    match plan.fleet.as_of {
        Some(at) => Line::of("State of the fleet at ").name(&at.to_string()),
        None => Line::default(),
    }
}
