//! When the clusters start: the waves of all add-ons.

use super::block::{Block, Column, Fold, Open, Table};
use super::line::{Line, some};
use super::timeline;
use crate::proposal::document::{AddonPlan, Plan, Wave};

/// The groups that one cell shows.
const GROUPS: usize = 3;

/// Returns the waves of all add-ons; nothing if no cluster starts.
pub(super) fn fold(plan: &Plan) -> Vec<Block> {
    let waves: Vec<(&AddonPlan, &Wave)> =
        plan.addons.iter().flat_map(|addon| addon.waves.iter().map(move |wave| (addon, wave))).collect();
    let Some((first, _)) = waves.first() else { return Vec::new() };
    let has_several_addons = waves.iter().any(|(addon, _)| addon.name != first.name);
    let has_several_placements = plan.addons.iter().any(|addon| {
        let placements = || addon.waves.iter().map(|wave| &wave.placement);
        placements().zip(placements().skip(1)).any(|(one, next)| one != next)
    });
    let columns = vec![
        Column::text("add-on"),
        Column::text("placement"),
        Column::text("step"),
        Column::text("wave"),
        Column::number("clusters"),
        Column::number("at once"),
        Column::text("starts at the earliest"),
        Column::text("done at the earliest"),
        Column::text("expected start"),
        Column::text("expected end"),
    ];
    // If clusters that answer at once are all done at the merge, only the expected times are of interest.
    let is_known = waves.iter().all(|(_, wave)| wave.expected_start.is_some() && wave.expected_done.is_some());
    let is_instant = waves.iter().all(|(_, wave)| wave.starts == "0s" && wave.done == "0s");
    // Without soak times, a wave that answers at once ends when it starts.
    let ends = |wave: &Wave| if is_instant { Line::default() } else { Line::after_merge(&wave.done) };
    let starts = |addon: &AddonPlan, wave: &Wave| {
        if is_known && is_instant { Line::default() } else { start(addon, wave) }
    };
    let row = |(addon, wave): &(&AddonPlan, &Wave)| {
        let named = |is_shown: bool, name: &str| if is_shown { Line::default().name(name) } else { Line::default() };
        let expected = |at: &Option<String>| at.as_deref().map(Line::after_merge).unwrap_or_default();
        vec![
            named(has_several_addons, addon.name.as_str()),
            named(has_several_placements, &wave.placement),
            named(!wave.step.is_empty(), &wave.step),
            Line::default().name(&wave.group),
            Line::default().number(wave.clusters),
            Line::default().number(wave.at_once),
            starts(addon, wave),
            ends(wave),
            expected(&wave.expected_start),
            expected(&wave.expected_done),
        ]
    };
    let table = Table::compact(columns, waves.iter().map(row).collect());
    let note =
        Line::of("Times are from the merge, if no cluster fails, and without the soak time of the last clusters.");
    let mut blocks: Vec<Block> = timeline::timeline(&waves).map(Block::Timeline).into_iter().collect();
    blocks.extend([Block::Table(table), Block::Paragraph(note)]);
    let title = Line::of("When: ").counted(waves.len(), ["wave", "waves"]);
    vec![Block::Fold(Fold { title, section: Some("When"), open: Open::Never, blocks })]
}

/// Returns when a wave starts at the earliest, and after which other waves.
fn start(addon: &AddonPlan, wave: &Wave) -> Line {
    let before = wave.waits_for(&addon.waves);
    if before.is_empty() {
        return Line::after_merge(&wave.starts);
    }
    let label = |before: &Wave| match before.placement == wave.placement {
        true => before.group.clone(),
        false => before.label(&addon.waves),
    };
    let before = before.into_iter().map(|before| Line::default().name(&label(before)));
    let after = Line::of("after ").then(some(before, GROUPS, ", "));
    if wave.starts == "0s" { after } else { Line::after_merge(&wave.starts).words(", ").then(after) }
}
