//! The first table: the add-ons that change.

use super::Detail;
use super::block::{Block, Column, Table};
use super::change::{clusters, is_blocked, of_addon};
use super::line::{Line, some};
use crate::proposal::document::{AddonPlan, Change, Plan};

/// The groups that one cell shows.
const GROUPS: usize = 6;
/// The gates that one cell shows.
const GATES: usize = 6;

pub(super) fn blocks(plan: &Plan, detail: Detail) -> Vec<Block> {
    let shown = shown(plan);
    let unchanged = plan.addons.len() - shown.len();
    let mut blocks = Vec::new();
    if !shown.is_empty() {
        let columns = vec![
            Column::text("add-on"),
            Column::text("change"),
            Column::number("clusters"),
            Column::text("groups in order"),
            Column::text("gates"),
            Column::text("digest"),
        ];
        let rows: Vec<_> = shown.iter().take(detail.rows()).map(|addon| row(addon)).collect();
        let hidden = shown.len() - rows.len();
        blocks.push(Block::Section("Add-ons"));
        if !rows.is_empty() {
            blocks.push(Block::Table(Table::compact(columns, rows)));
        }
        if hidden > 0 {
            let hidden = Line::of("Not shown: ").counted(hidden, ["add-on that changes", "add-ons that change"]);
            blocks.push(Block::Paragraph(hidden.words(".")));
        }
    }
    if unchanged > 0 && !shown.is_empty() {
        let line = Line::default().counted(unchanged, ["other add-on does not change", "other add-ons do not change"]);
        blocks.push(Block::Paragraph(line.words(".")));
    }
    blocks
}

/// Returns the add-ons that change, blocked ones first.
pub(super) fn shown(plan: &Plan) -> Vec<&AddonPlan> {
    let is_shown = |addon: &&AddonPlan| addon.change != Change::Unchanged || !addon.blocked.is_empty();
    let mut shown: Vec<&AddonPlan> = plan.addons.iter().filter(is_shown).collect();
    shown.sort_by_key(|addon| !is_blocked(addon));
    shown
}

fn row(addon: &AddonPlan) -> Vec<Line> {
    let digest = addon.head.as_ref().or(addon.base.as_ref()).map(|side| side.digest.as_str()).unwrap_or_default();
    vec![
        Line::default().name(addon.name.as_str()),
        of_addon(addon),
        Line::default().number(clusters(addon)),
        groups(addon),
        some(addon.gates.iter().map(|gate| Line::default().sentence(gate)), GATES, ", "),
        if digest.is_empty() { Line::default() } else { Line::default().name(digest) },
    ]
}

/// Returns the groups with clusters that change, in the order of each placement.
fn groups(addon: &AddonPlan) -> Line {
    let changed = addon.groups.iter().filter(|group| group.changed > 0);
    let placements = || changed.clone().map(|group| &group.placement);
    let has_several = placements().zip(placements().skip(1)).any(|(one, next)| one != next);
    let group = |group: &crate::proposal::document::GroupPlan| {
        let line = Line::default().name(&group.group).words(" ").number(group.changed);
        // Groups of different placements do not wait for each other, so that an arrow between them would be wrong.
        if has_several { line.words(" of ").name(&group.placement) } else { line }
    };
    some(changed.map(group), GROUPS, if has_several { ", " } else { " → " })
}
