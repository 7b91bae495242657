//! Own words for what happens to add-ons, clusters and objects.

use crate::proposal::document::{Action, AddonPlan, Change, DeclaredChange, ObjectChange};

use super::line::Line;

pub(super) const CLUSTERS: [&str; 2] = ["cluster", "clusters"];
pub(super) const OBJECTS: [&str; 2] = ["object", "objects"];

/// Returns the number of clusters for which an add-on changes something.
pub(super) fn clusters(addon: &AddonPlan) -> usize {
    addon.classes.iter().map(|class| class.clusters).sum()
}

/// Returns `true` if all or some of a change cannot be rolled out.
pub(super) fn is_blocked(addon: &AddonPlan) -> bool {
    addon.change == Change::Blocked || !addon.blocked.is_empty()
}

/// Returns what happens to an add-on, with its versions.
pub(super) fn of_addon(addon: &AddonPlan) -> Line {
    let version = |side: &Option<crate::proposal::document::AddonSide>| {
        side.as_ref().map(|side| side.version.clone()).filter(|version| !version.is_empty())
    };
    let named = |words, version: Option<String>| match version {
        Some(version) => Line::of(words).words(" ").name(&version),
        None => Line::of(words),
    };
    let (base, head) = (version(&addon.base), version(&addon.head));
    let line = match addon.change {
        Change::Added => named("new,", head),
        Change::Removed => named("removed, was", base),
        Change::Unchanged => Line::of("no change"),
        Change::Blocked => {
            return match base {
                Some(base) => Line::default().bold(Line::of("blocked")).words(", stays at ").name(&base),
                None => Line::default().bold(Line::of("blocked")),
            };
        }
        Change::Changed => match (base, head) {
            (Some(base), Some(head)) if base != head => Line::default().name(&base).words(" → ").name(&head),
            (_, head) => named("settings of", head),
        },
    };
    if addon.blocked.is_empty() { line } else { line.words(", ").bold(Line::of("partly blocked")) }
}

/// Returns what happens to the clusters of a class.
pub(super) fn of_clusters(action: Action) -> &'static str {
    match action {
        Action::Blocked => "blocked",
        Action::Install => "install",
        Action::Update => "update",
        Action::Remove => "remove",
        Action::Move => "move",
    }
}

/// Returns an object of a cluster with what happens to it.
pub(super) fn of_object(object: &ObjectChange) -> Line {
    let line = Line::default().name(&object.object).words(match object.change {
        Change::Added => " is added",
        Change::Removed => " is removed",
        Change::Changed => " changes",
        Change::Unchanged => " does not change",
        Change::Blocked => " is blocked",
    });
    let line = match object.diff {
        Some(_) => line.words(", ").lines((object.added, object.removed)),
        None => line.words("; its values are not shown"),
    };
    match &object.manner {
        Some(manner) => line.words(" (").sentence(manner).words(")"),
        None => line,
    }
}

/// Returns an object of the repository with what happens to it.
pub(super) fn of_declared(object: &DeclaredChange) -> Vec<Line> {
    let change = match object.change {
        Change::Added => "added",
        Change::Removed => "removed",
        Change::Changed => "changed",
        Change::Unchanged => "not changed",
        Change::Blocked => "blocked",
    };
    vec![Line::default().name(&object.object), Line::of(change)]
}
