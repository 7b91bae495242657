//! What would be different with other settings: a table of alternatives, and advice.

use crate::presentation::page::block::{Block, Column, Table};
use crate::presentation::page::line::Line;
use crate::rehearsal::document::{AddonRehearsal, Alternative};

pub(super) fn blocks(addon: &AddonRehearsal) -> Vec<Block> {
    let Some(first) = addon.alternatives.first() else { return Vec::new() };
    let mut blocks = vec![Block::Subtitle(Line::of("Other settings")), Block::Table(table(&addon.alternatives))];
    let note = Line::of("Each row is the result of ").counted(first.runs, ["run", "runs"]).words(".");
    let exposed = " Exposed clusters have the new version when a run stops (median).";
    let is_exposed = addon.alternatives.iter().any(|alternative| alternative.result.median_exposed.is_some());
    blocks.push(Block::Paragraph(if is_exposed { note.words(exposed) } else { note }));
    blocks.extend(advice(addon).map(Block::Paragraph));
    blocks
}

/// Returns the advice, if a time is given by which the rollout should be done.
fn advice(addon: &AddonRehearsal) -> Option<Line> {
    match &addon.advice {
        Some(advice) => {
            let settings = Line::default().bold(Line::default().sentence(advice));
            Some(Line::of("Done in time in 99 of 100 runs: ").then(settings).words("."))
        }
        None => addon.result.in_time.map(|_| Line::of("No alternative is done in time in 99 of 100 runs.")),
    }
}

fn table(alternatives: &[Alternative]) -> Table {
    let columns = vec![
        Column::text("at once"),
        Column::text("soak time"),
        Column::text("settings"),
        Column::number("completes"),
        Column::number("in time"),
        Column::number("stops"),
        Column::number("median end"),
        Column::number("90th percentile"),
        Column::number("exposed clusters"),
    ];
    Table::compact(columns, alternatives.iter().map(row).collect())
}

/// Returns the row of an alternative. The declared settings are bold, and called so.
fn row(alternative: &Alternative) -> Vec<Line> {
    let Alternative { max_concurrency, soak, runs: _, is_declared, result } = alternative;
    let setting = |value: Line| if *is_declared { Line::default().bold(value) } else { value };
    let time = |seconds: Option<i64>| seconds.map_or_else(|| Line::of("–"), |seconds| Line::default().seconds(seconds));
    let at_once = max_concurrency.as_ref().map(|count| setting(Line::default().name(count)));
    vec![
        at_once.unwrap_or_default(),
        setting(Line::default().span(soak)),
        if *is_declared { setting(Line::of("declared")) } else { Line::default() },
        Line::default().share(result.completes),
        result.in_time.map(|share| Line::default().share(share)).unwrap_or_default(),
        Line::default().share(result.stops),
        time(result.median_end),
        time(result.p90_end),
        result.median_exposed.map(|exposed| Line::default().number(exposed)).unwrap_or_default(),
    ]
}
