//! The policies that the change breaks.

use super::block::{Block, Column, Fold, Open, Table};
use super::line::{Line, joined};
use crate::proposal::document::{Applies, BrokenPolicy, Plan};
use tidegate_repository::PolicySeverity;

/// Returns the table of broken policies, those that block first.
pub(super) fn fold(plan: &Plan) -> Option<Block> {
    let mut policies: Vec<&BrokenPolicy> = plan.policies.iter().collect();
    if policies.is_empty() {
        return None;
    }
    policies.sort_by_key(|policy| (!policy.blocks(), policy.applies == Applies::NextChange));
    let blocking = policies.iter().filter(|policy| policy.blocks()).count();
    let count = Line::default().counted(policies.len(), ["broken policy", "broken policies"]);
    let title = if blocking > 0 { Line::default().bold(count) } else { count };
    let columns =
        vec![Column::text("policy"), Column::text("severity"), Column::text("add-ons"), Column::text("problem")];
    let table = Table { columns, rows: policies.into_iter().map(row).collect() };
    let open = if blocking > 0 { Open::Always } else { Open::Never };
    Some(Block::Fold(Fold { title, section: Some("Policies"), open, blocks: vec![Block::Table(table)] }))
}

fn row(broken: &BrokenPolicy) -> Vec<Line> {
    let severity = match (broken.severity, broken.applies) {
        (_, Applies::NextChange) => Line::of("will apply from the next change"),
        (PolicySeverity::Error, Applies::Now) => Line::default().bold(Line::of("error")),
        (PolicySeverity::Warning, Applies::Now) => Line::of("warning"),
    };
    let problem = Line::default().sentence(&broken.message);
    let problem = match &broken.remedy {
        Some(remedy) => problem.words("; ").sentence(remedy),
        None => problem,
    };
    vec![
        Line::default().name(&broken.policy).words(" at ").name(&broken.place),
        severity,
        joined(broken.addons.iter().map(|addon| Line::default().name(addon.as_str())), ", "),
        problem,
    ]
}
