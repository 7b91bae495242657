//! The blocks of a page.

use tidegate_model::line::visible;

use super::code;
use super::inline::{Place, line};
use crate::presentation::page::{Block, Diff, Fold, Line, Open, Table};

/// Returns the blocks, to be separated by empty lines.
pub(super) fn blocks(blocks: &[Block]) -> Vec<String> {
    blocks.iter().filter_map(block).collect()
}

fn block(block: &Block) -> Option<String> {
    match block {
        // The titles of folds are enough in a comment, which has no room for bars either.
        Block::Section(_) | Block::Timeline(_) => None,
        Block::Subtitle(title) => Some(format!("**{}**", line(title, Place::Text))),
        Block::Paragraph(text) => Some(line(text, Place::Text)),
        Block::List(items) => Some(list(items)),
        Block::Table(rows) => Some(table(rows)),
        Block::Diff(change) => Some(diff(change)),
        Block::Fold(blocks) => Some(fold(blocks)),
    }
}

fn list(items: &[Line]) -> String {
    items.iter().map(|item| format!("- {}", line(item, Place::Text))).collect::<Vec<_>>().join("\n")
}

fn table(table: &Table) -> String {
    let row = |cells: Vec<String>| format!("| {} |", cells.join(" | "));
    let titles = table.columns.iter().map(|column| column.title.to_owned()).collect();
    let rules = table.columns.iter().map(|column| if column.is_number { "---:" } else { "---" }.to_owned()).collect();
    let cells = |cells: &Vec<Line>| row(cells.iter().map(|cell| line(cell, Place::Cell)).collect());
    let mut rows = vec![row(titles), row(rules)];
    rows.extend(table.rows.iter().map(cells));
    rows.join("\n")
}

fn diff(diff: &Diff) -> String {
    let title = line(&diff.title, Place::Text);
    match &diff.text {
        Some(text) => format!("{title}\n\n{}", code::fence(&visible(text))),
        None => title,
    }
}

fn fold(fold: &Fold) -> String {
    let open = if fold.open == Open::Always { " open" } else { "" };
    let title = line(&fold.title, Place::Element);
    let blocks = blocks(&fold.blocks).join("\n\n");
    format!("<details{open}><summary>{title}</summary>\n\n{blocks}\n\n</details>")
}
