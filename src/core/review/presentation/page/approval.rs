//! The approvals that the change needs, as far as they were given.

use super::block::{Block, Column, Fold, Open, Table};
use super::line::{Line, joined};

use crate::proposal::document::{Plan, PlanApproval};
use tidegate_consent::{Missing, Seat, Void, approve_command};

/// Returns the table of approvals, those that are missing first.
pub(super) fn fold(plan: &Plan) -> Option<Block> {
    let mut approvals: Vec<&PlanApproval> = plan.approvals.iter().collect();
    if approvals.is_empty() {
        return None;
    }
    approvals.sort_by_key(|approval| (approval.verdict.is_met(), approval.at_its_turn));
    let met = approvals.iter().filter(|approval| approval.verdict.is_met()).count();
    let title = Line::default().number(met).words(" of ").counted(approvals.len(), ["approval", "approvals"]);
    let columns = vec![
        Column::text("add-on"),
        Column::text("rule"),
        Column::text("before"),
        Column::text("have"),
        Column::text("approved by"),
        Column::text("missing"),
    ];
    let mut blocks =
        vec![Block::Table(Table::compact(columns, approvals.iter().map(|approval| row(approval)).collect()))];
    let voids: Vec<Line> =
        approvals.iter().flat_map(|approval| approval.verdict.void.iter().map(|void| line(approval, void))).collect();
    let ways = ways(&approvals);
    if !ways.is_empty() {
        blocks.push(Block::Subtitle(Line::of("To approve")));
        blocks.push(Block::List(ways));
    }
    if !voids.is_empty() {
        blocks.push(Block::Subtitle(Line::of("Approvals that do not count")));
        blocks.push(Block::List(voids));
    }
    Some(Block::Fold(Fold {
        title: Line::default().bold(title),
        section: Some("Approvals"),
        open: Open::Always,
        blocks,
    }))
}

/// Returns how the approvals are given that are missing now, each once, with lines to copy.
fn ways(approvals: &[&PlanApproval]) -> Vec<Line> {
    let is_missing = |approval: &&PlanApproval| !approval.verdict.is_met() && !approval.at_its_turn;
    let mut ways: Vec<Line> = Vec::new();
    for PlanApproval { addon, digest, comment, verdict, .. } in approvals.iter().copied().filter(is_missing) {
        let line = Line::default().name(addon.as_str()).words(", digest ").name(digest.as_str()).words(": review it");
        let line = match comment {
            Some(comment) => line.words(", comment ").name(comment),
            None => line,
        };
        let line = line.words(", or after the merge run ").name(&approve_command(addon, verdict.group.as_deref()));
        if !ways.contains(&line) {
            ways.push(line);
        }
    }
    ways
}

fn row(approval: &PlanApproval) -> Vec<Line> {
    let verdict = &approval.verdict;
    let group = verdict.group.as_deref().map_or_else(|| Line::of("the start"), |group| Line::default().name(group));
    let seats = verdict.have.iter().map(|seat: &Seat| Line::default().name(&seat.person));
    let missing = match &verdict.missing {
        None => Line::default(),
        Some(_) if approval.at_its_turn => Line::of("can be given when it is the turn of the group"),
        Some(missing) => self::missing(missing),
    };
    let have = verdict.have.len();
    vec![
        Line::default().name(approval.addon.as_str()),
        Line::default().name(&verdict.rule).words(" of ").sentence(&approval.policy),
        group,
        Line::default().number(have).words(" of ").number(usize::try_from(verdict.need).unwrap_or(usize::MAX)),
        joined(seats, ", "),
        missing,
    ]
}

fn missing(missing: &Missing) -> Line {
    Line::default().sentence(&missing.to_string())
}

fn line(approval: &PlanApproval, void: &Void) -> Line {
    let who = Line::default().name(&void.by).words(" for ").name(&approval.verdict.rule).words(": ");
    who.sentence(&void.why.to_string())
}
