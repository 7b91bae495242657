//! What is wrong with the head, and what else people should know.

use super::block::{Block, Column, Fold, Open, Table};
use super::change::{OBJECTS, of_declared};
use super::line::Line;
use crate::proposal::document::{Finding, Plan};

/// Returns the complaints, errors first.
pub(super) fn complaints(plan: &Plan) -> Vec<Block> {
    if plan.complaints.is_empty() {
        return Vec::new();
    }
    let mut complaints: Vec<&Finding> = plan.complaints.iter().collect();
    complaints.sort_by_key(|complaint| !complaint.is_error);
    let errors = complaints.iter().filter(|complaint| complaint.is_error).count();
    let warnings = complaints.len() - errors;
    let mut title = Line::default();
    if errors > 0 {
        title = title.bold(Line::default().counted(errors, ["error", "errors"]));
    }
    if warnings > 0 {
        title = if errors > 0 { title.words(" and ") } else { title };
        title = title.counted(warnings, ["warning", "warnings"]);
    }
    let row = |complaint: &&Finding| {
        vec![
            if complaint.is_error { Line::default().bold(Line::of("error")) } else { Line::of("warning") },
            Line::default().name(&complaint.place),
            Line::default().sentence(&complaint.message),
        ]
    };
    let columns = vec![Column::text("severity"), Column::text("place"), Column::text("problem")];
    let table = Table { columns, rows: complaints.iter().map(row).collect() };
    let open = if errors > 0 { Open::Always } else { Open::Never };
    vec![Block::Fold(Fold { title, section: Some("Problems"), open, blocks: vec![Block::Table(table)] })]
}

/// Returns the other objects that change, and the notices.
pub(super) fn others(plan: &Plan) -> Vec<Block> {
    let mut blocks = Vec::new();
    if !plan.objects.is_empty() {
        let table = Table {
            columns: vec![Column::text("object"), Column::text("change")],
            rows: plan.objects.iter().map(of_declared).collect(),
        };
        let title = Line::of("Other declarations: ").counted(plan.objects.len(), OBJECTS);
        blocks.push(section("Other declarations", title, Block::Table(table)));
    }
    if !plan.notices.is_empty() {
        let title = Line::default().counted(plan.notices.len(), ["notice", "notices"]);
        let notices = plan.notices.iter().map(|notice| Line::default().sentence(notice)).collect();
        blocks.push(section("Notices", title, Block::List(notices)));
    }
    blocks
}

fn section(section: &'static str, title: Line, block: Block) -> Block {
    Block::Fold(Fold { title, section: Some(section), open: Open::Never, blocks: vec![block] })
}
