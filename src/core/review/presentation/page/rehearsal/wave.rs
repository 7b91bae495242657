//! The waves of a rehearsal: a time line and a table.

use crate::presentation::page::block::{Block, Column, Table};
use crate::presentation::page::change::CLUSTERS;
use crate::presentation::page::line::Line;
use crate::presentation::page::timeline::{Bar, Timeline, range};
use crate::rehearsal::document::{AddonRehearsal, RehearsedWave};

pub(super) fn blocks(addon: &AddonRehearsal) -> Vec<Block> {
    if addon.waves.is_empty() {
        return Vec::new();
    }
    let placements = || addon.waves.iter().map(|wave| &wave.placement);
    let has_several_placements = placements().zip(placements().skip(1)).any(|(one, next)| one != next);
    let mut blocks = vec![Block::Subtitle(Line::of("Waves"))];
    blocks.extend(timeline(addon, has_several_placements).map(Block::Timeline));
    blocks.push(Block::Table(table(addon, has_several_placements)));
    let note = Line::of(
        "Times are from the merge, over the runs in which the wave starts. A wave ends when its last cluster answers.",
    );
    blocks.push(Block::Paragraph(note));
    blocks
}

/// Returns the time line; nothing if no wave takes any time.
fn timeline(addon: &AddonRehearsal, has_several_placements: bool) -> Option<Timeline> {
    let seconds = |seconds: i64| u64::try_from(seconds).unwrap_or_default();
    let late = |wave: &RehearsedWave| seconds(wave.p90_done.max(wave.median_done));
    let end = addon.waves.iter().map(late).max().filter(|end| *end > 0)?;
    let bar = |wave: &RehearsedWave| {
        let start = seconds(wave.median_start);
        let name = Line::default().name(&wave.group);
        let place = if wave.step.is_empty() { &wave.placement } else { &wave.step };
        let place = Line::default().name(place).words(" ");
        Bar {
            label: if has_several_placements { place.then(name) } else { name },
            range: range([start, seconds(wave.median_done)], end),
            late: range([start, late(wave)], end)[1],
            text: Line::default().counted(wave.clusters, CLUSTERS),
        }
    };
    Some(Timeline {
        bars: addon.waves.iter().map(bar).collect(),
        ends: [Line::of("merge"), Line::of("+ ").span(&format!("{end}s"))],
        meaning: "A bar is filled from the median start to the median end, and shaded to the 90th percentile of the end.",
    })
}

fn table(addon: &AddonRehearsal, has_several_placements: bool) -> Table {
    let columns = vec![
        Column::text("placement"),
        Column::text("step"),
        Column::text("wave"),
        Column::number("clusters"),
        Column::text("starts in"),
        Column::text("median start"),
        Column::text("median end"),
        Column::text("90th percentile of the end"),
    ];
    let time = |seconds: i64| Line::after_merge(&format!("{seconds}s"));
    let row = |wave: &RehearsedWave| {
        let placement = Line::default().name(&wave.placement);
        let share = Line::default().share(wave.starts).words(" of the runs");
        vec![
            if has_several_placements { placement } else { Line::default() },
            if wave.step.is_empty() { Line::default() } else { Line::default().name(&wave.step) },
            Line::default().name(&wave.group),
            Line::default().number(wave.clusters),
            if wave.starts < 1.0 { share } else { Line::of("all runs") },
            time(wave.median_start),
            time(wave.median_done),
            time(wave.p90_done),
        ]
    };
    Table::compact(columns, addon.waves.iter().map(row).collect())
}
