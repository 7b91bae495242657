//! The blocks of a page.

use super::diff::diff;
use super::inline::line;
use super::timeline::timeline;
use crate::presentation::page::{Block, Column, Fold, Line, Open, Table};

/// Returns the blocks of a page. Headings are in order: sections, folds, and the parts of folds.
pub(super) fn blocks(blocks: &[Block]) -> String {
    let mut html = String::new();
    let mut is_open = false;
    for block in blocks {
        let section = match block {
            Block::Section(title) => Some(*title),
            Block::Fold(fold) => fold.section,
            _ => None,
        };
        if let Some(title) = section {
            html.push_str(if is_open { "</section>\n<section>\n" } else { "<section>\n" });
            html.push_str(&format!("<h2>{title}</h2>\n"));
            is_open = true;
        }
        html.push_str(&self::block(block));
    }
    if is_open { html + "</section>\n" } else { html }
}

fn block(block: &Block) -> String {
    match block {
        Block::Section(_) => String::new(),
        Block::Subtitle(title) => format!("<h4>{}</h4>\n", line(title)),
        Block::Paragraph(text) => format!("<p>{}</p>\n", line(text)),
        Block::List(items) => {
            let items: String = items.iter().map(|item| format!("<li>{}</li>\n", line(item))).collect();
            format!("<ul>\n{items}</ul>\n")
        }
        Block::Table(rows) => table(rows),
        Block::Diff(change) => diff(change),
        Block::Timeline(bars) => timeline(bars),
        Block::Fold(fold) if fold.section.is_some() => fold.blocks.iter().map(in_section).collect(),
        Block::Fold(blocks) => fold(blocks),
    }
}

/// Returns a block whose heading follows that of the section, because the section has no fold in between.
fn in_section(block: &Block) -> String {
    match block {
        Block::Subtitle(title) => format!("<h3>{}</h3>\n", line(title)),
        other => self::block(other),
    }
}

fn table(table: &Table) -> String {
    let class = |column: &Column| if column.is_number { " class=\"number\"" } else { "" };
    let title = |column: &Column| format!("<th scope=\"col\"{}>{}</th>", class(column), column.title);
    let titles: String = table.columns.iter().map(title).collect();
    // On a phone, each row becomes a list of titles and values.
    let cell = |(column, text): (&Column, &Line)| {
        format!("<td{} data-title=\"{}\">{}</td>", class(column), column.title, content(text))
    };
    let row = |cells: &Vec<Line>| {
        let cells: String = table.columns.iter().zip(cells).map(cell).collect();
        format!("<tr>{cells}</tr>\n")
    };
    let rows: String = table.rows.iter().map(row).collect();
    // A wide table scrolls on a phone, also with the keyboard.
    format!(
        "<div class=\"table\" tabindex=\"0\">\n<table>\n<thead><tr>{titles}</tr></thead>\n<tbody>\n{rows}</tbody>\n</table>\n</div>\n"
    )
}

/// Returns the content of a cell as one element.
fn content(text: &Line) -> String {
    if text.0.is_empty() { String::new() } else { format!("<div>{}</div>", line(text)) }
}

fn fold(fold: &Fold) -> String {
    let open = if fold.open == Open::Never { "" } else { " open" };
    let title = line(&fold.title);
    let content: String = fold.blocks.iter().map(block).collect();
    format!(
        "<details{open}>\n<summary><h3>{title}</h3></summary>\n<div class=\"content\">\n{content}</div>\n</details>\n"
    )
}
