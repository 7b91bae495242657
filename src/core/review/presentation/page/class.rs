//! The classes of an add-on: clusters for which the same changes.

use super::Detail;
use super::block::{Block, Column, Diff, Table};
use super::change::{CLUSTERS, OBJECTS, of_clusters, of_object};
use super::line::{Line, joined};
use crate::proposal::document::{Action, AddonPlan, Class, ObjectChange};

/// Returns the classes with an example of each, or a table of them.
pub(super) fn blocks(addon: &AddonPlan, detail: Detail) -> Vec<Block> {
    if addon.classes.is_empty() {
        return Vec::new();
    }
    if !detail.has_diffs() {
        return vec![Block::Table(table(addon, detail))];
    }
    let first = addon.classes.iter().enumerate().find(|(_, class)| !class.objects.is_empty());
    let mut blocks = Vec::new();
    for (at, class) in addon.classes.iter().enumerate() {
        blocks.push(Block::Subtitle(title(at, class)));
        blocks.extend(description(class).map(Block::Paragraph));
        let model = first.filter(|(model, _)| *model < at);
        let likeness = model.map(|(model, other)| Likeness::of(class, model, other)).filter(Likeness::is_useful);
        let objects: Vec<&ObjectChange> = match &likeness {
            Some(likeness) => likeness.others.clone(),
            None => class.objects.iter().collect(),
        };
        blocks.extend(likeness.map(|likeness| Block::Paragraph(likeness.line())));
        blocks.extend(diffs(&objects, detail.lines()));
    }
    blocks
}

fn title(at: usize, class: &Class) -> Line {
    let line = Line::of("Class ").number(at + 1).words(" – ");
    let line = if class.clusters == 1 {
        line.words("cluster ").name(class.exemplar.as_str())
    } else {
        line.counted(class.clusters, CLUSTERS)
    };
    line.words(", ").words(of_clusters(class.action))
}

/// Returns the clusters of a class in words, and why they are blocked or move.
fn description(class: &Class) -> Option<Line> {
    let mut parts = Vec::new();
    if class.clusters > 1 {
        parts.push(Line::default().name(&class.names));
    }
    if !class.labels.is_empty() {
        parts.push(Line::of("labels ").then(labels(class)));
    }
    if !class.groups.is_empty() {
        parts.push(Line::of("groups ").then(groups(class)));
    }
    if let Some(reason) = &class.reason {
        parts.push(Line::default().bold(Line::default().sentence(reason)));
    }
    if class.clusters > 1 && !class.objects.is_empty() {
        parts.push(Line::of("example ").name(class.exemplar.as_str()));
    }
    (!parts.is_empty()).then(|| joined(parts, " · "))
}

fn labels(class: &Class) -> Line {
    joined(class.labels.iter().map(|label| Line::default().name(label)), ", ")
}

fn groups(class: &Class) -> Line {
    let group = |group: &crate::proposal::document::GroupCount| {
        Line::default().name(&group.group).words(" ").number(group.clusters)
    };
    joined(class.groups.iter().map(group), ", ")
}

fn table(addon: &AddonPlan, detail: Detail) -> Table {
    let columns = vec![
        Column::number("class"),
        Column::number("clusters"),
        Column::text("change"),
        Column::text("names"),
        Column::text("labels"),
        Column::text("groups"),
        Column::text("objects"),
        Column::text("reason"),
    ];
    let row = |(at, class): (usize, &Class)| {
        let objects = Line::default().lines(class.lines()).words(" in ").counted(class.objects.len(), OBJECTS);
        let is_named = detail.has_names() || class.action == Action::Blocked;
        vec![
            Line::default().number(at + 1),
            Line::default().number(class.clusters),
            Line::of(of_clusters(class.action)),
            if is_named { Line::default().name(&class.names) } else { Line::default() },
            if detail.has_names() { labels(class) } else { Line::default() },
            groups(class),
            if class.objects.is_empty() { Line::default() } else { objects },
            class.reason.as_ref().map(|reason| Line::default().sentence(reason)).unwrap_or_default(),
        ]
    };
    Table::compact(columns, addon.classes.iter().enumerate().map(row).collect())
}

/// What a class has in common with an earlier one.
struct Likeness<'a> {
    model: usize,
    same: usize,
    /// The objects that change in another way, or only here.
    others: Vec<&'a ObjectChange>,
    /// The objects that change only in the earlier class.
    missing: Vec<&'a ObjectChange>,
}

impl<'a> Likeness<'a> {
    fn of(class: &'a Class, model: usize, other: &'a Class) -> Self {
        let (same, others): (Vec<_>, Vec<_>) = class.objects.iter().partition(|object| other.objects.contains(object));
        let is_missing = |object: &&ObjectChange| !class.objects.iter().any(|own| own.object == object.object);
        let missing = other.objects.iter().filter(is_missing).collect();
        Self { model, same: same.len(), others, missing }
    }

    /// Returns `true` if it is shorter to name the earlier class than to repeat it.
    fn is_useful(&self) -> bool {
        self.same > self.missing.len()
    }

    fn line(&self) -> Line {
        let line = Line::of("As class ").number(self.model + 1);
        let line = match self.missing.as_slice() {
            [] => line,
            missing => {
                let names = missing.iter().map(|object| Line::default().name(&object.object));
                line.words(" without ").then(joined(names, ", "))
            }
        };
        if self.others.is_empty() { line.words(".") } else { line.words(", and:") }
    }
}

/// Returns the changes of objects, with at most so many lines of diffs.
fn diffs(objects: &[&ObjectChange], most: usize) -> Vec<Block> {
    let mut left = most;
    let mut blocks = Vec::new();
    for object in objects {
        let title = of_object(object);
        let Some(diff) = &object.diff else {
            blocks.push(Block::Diff(Diff { title, text: None }));
            continue;
        };
        let lines = diff.lines().count();
        let shown: String = diff.split_inclusive('\n').take(left).collect();
        let hidden = lines.saturating_sub(left);
        left = left.saturating_sub(lines);
        blocks.push(Block::Diff(Diff { title, text: (!shown.is_empty()).then_some(shown) }));
        if hidden > 0 {
            let hidden = Line::default().counted(hidden, ["more line", "more lines"]).words(" of this diff.");
            blocks.push(Block::Paragraph(hidden));
        }
    }
    blocks
}
