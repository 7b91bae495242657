//! The fold of an add-on: what happens, on which clusters, and with which settings.

use std::collections::{BTreeMap, BTreeSet};

use super::block::{Block, Column, Fold, Open, Table};
use super::change::{CLUSTERS, OBJECTS, clusters, is_blocked};
use super::line::Line;
use super::{Detail, class, overview};
use crate::proposal::document::{AddonPlan, Class, Overlap, Plan, SettingChange, WorkSize};

/// A fold with more lines of diffs than this is closed at first.
const LONG: usize = 200;

pub(super) fn folds(plan: &Plan, detail: Detail) -> Vec<Block> {
    let addons = overview::shown(plan);
    let is_long = addons.iter().map(|addon| lines(addon)).sum::<usize>() > LONG;
    let open = if is_long { Open::Never } else { Open::OnPage };
    let fold = |addon: &&AddonPlan| {
        let blocks = blocks(addon, plan, detail);
        (!blocks.is_empty()).then(|| Block::Fold(Fold { title: title(addon), section: None, open, blocks }))
    };
    let folds: Vec<Block> = addons.iter().filter_map(fold).collect();
    if folds.is_empty() { folds } else { [Block::Section("What changes")].into_iter().chain(folds).collect() }
}

fn lines(addon: &AddonPlan) -> usize {
    let diffs = addon.classes.iter().flat_map(|class| &class.objects).filter_map(|object| object.diff.as_ref());
    diffs.map(|diff| diff.lines().count()).sum()
}

fn title(addon: &AddonPlan) -> Line {
    let line = Line::default().bold(Line::default().name(addon.name.as_str())).words(": ");
    if addon.classes.is_empty() {
        return line.words(if is_blocked(addon) { "blocked" } else { "no cluster changes" });
    }
    let line = line.counted(clusters(addon), CLUSTERS).words(" in ").counted(addon.classes.len(), ["class", "classes"]);
    // Each class shows the objects of one cluster; the largest set describes the add-on.
    let largest = addon.classes.iter().max_by_key(|class| class.objects.len());
    match largest.filter(|class| !class.objects.is_empty()) {
        Some(class) => line.words(", ").counted(class.objects.len(), OBJECTS).words(", ").lines(class.lines()),
        None => line,
    }
}

fn blocks(addon: &AddonPlan, plan: &Plan, detail: Detail) -> Vec<Block> {
    let mut blocks = Vec::new();
    let blocked = blocked(addon, plan);
    if !blocked.is_empty() {
        blocks.push(Block::Subtitle(Line::of("Blocked")));
        blocks.push(Block::List(blocked));
    }
    blocks.extend(class::blocks(addon, detail));
    if addon.removed > 0 {
        let leaving = ["cluster loses the add-on", "clusters lose the add-on"];
        blocks.push(Block::Paragraph(Line::default().bold(Line::default().counted(addon.removed, leaving)).words(".")));
    }
    if !addon.settings.is_empty() {
        blocks.push(Block::Subtitle(Line::of("Settings that change")));
        blocks.push(Block::Table(settings(&addon.settings)));
    }
    if !addon.overlaps.is_empty() {
        blocks.push(Block::Subtitle(Line::of("Clusters that several placements select")));
        blocks.push(Block::List(addon.overlaps.iter().map(overlap).collect()));
    }
    if !addon.permissions.is_empty() {
        blocks.push(Block::Subtitle(Line::of("New permissions of its agents on the hub")));
        blocks.push(Block::List(sentences(&addon.permissions)));
    }
    if !addon.gates.is_empty() {
        blocks.push(Block::Subtitle(Line::of("What holds the rollout up")));
        blocks.push(Block::List(sentences(&addon.gates)));
    }
    blocks.extend(addon.works.as_ref().filter(|_| !addon.classes.is_empty()).map(|size| Block::Paragraph(works(size))));
    if addon.unchanged > 0 && !blocks.is_empty() {
        let same = match addon.classes.is_empty() {
            true => ["cluster with the add-on does not change.", "clusters with the add-on do not change."],
            false => {
                ["other cluster with the add-on does not change.", "other clusters with the add-on do not change."]
            }
        };
        blocks.push(Block::Paragraph(Line::default().counted(addon.unchanged, same)));
    }
    blocks
}

/// Returns why an add-on is blocked. Each class shows why its clusters are, the text of each complaint is among the problems, and that of
/// each policy among the policies.
fn blocked(addon: &AddonPlan, plan: &Plan) -> Vec<Line> {
    if addon.blocked.is_empty() {
        return Vec::new();
    }
    let complaints: BTreeMap<String, &str> =
        plan.complaints.iter().map(|complaint| (complaint.to_string(), complaint.place.as_str())).collect();
    let policies: BTreeMap<String, &str> =
        plan.policies.iter().map(|policy| (policy.to_string(), policy.policy.as_str())).collect();
    let mut shown: BTreeSet<String> = addon.classes.iter().filter_map(Class::obstacle).collect();
    let mut lines = Vec::new();
    for reason in &addon.blocked {
        let place = complaints.get(reason);
        if shown.insert(place.map_or_else(|| reason.clone(), |place| (*place).to_owned())) {
            lines.push(match place {
                Some(place) => Line::of("problem at ").name(place).words(", see above"),
                None if policies.contains_key(reason) => {
                    let name = policies.get(reason).copied().unwrap_or_default();
                    Line::of("policy ").name(name).words(", see above")
                }
                None => Line::default().sentence(reason),
            });
        }
    }
    lines
}

fn sentences(sentences: &[String]) -> Vec<Line> {
    sentences.iter().map(|sentence| Line::default().sentence(sentence)).collect()
}

fn settings(settings: &[SettingChange]) -> Table {
    let columns = vec![Column::text("of"), Column::text("setting"), Column::text("before"), Column::text("after")];
    let value =
        |value: &Option<String>| value.as_ref().map_or_else(|| Line::of("–"), |value| Line::default().name(value));
    let row = |setting: &SettingChange| {
        let name = |name: &str| Line::default().name(name);
        vec![Line::default().sentence(&setting.of), name(&setting.field), value(&setting.from), value(&setting.to)]
    };
    Table { columns, rows: settings.iter().map(row).collect() }
}

fn overlap(overlap: &Overlap) -> Line {
    let line = Line::default().counted(overlap.clusters, CLUSTERS).words(" of ").name(&overlap.placement);
    let (before, after) = overlap.words();
    line.words(" ").words(before).words(" ").name(&overlap.winner).words(after).words(".")
}

fn works(size: &WorkSize) -> Line {
    let line = Line::of("Size: ").counted(size.works, ["work", "works"]).words(" for each cluster; the largest has ");
    let line = line.number(size.largest).words(" of at most ").number(size.limit).words(" bytes");
    let percentage = size.largest.saturating_mul(100).checked_div(size.limit).unwrap_or_default();
    line.words(" (").number(percentage).words("%).")
}
