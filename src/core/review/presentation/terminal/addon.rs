//! An add-on of a plan: its classes of clusters, and what changes for them.

use std::fmt::Write as _;

use owo_colors::OwoColorize as _;

use super::sign::sign;
use super::waves::waves;
use crate::proposal::document::{Action, AddonPlan, AddonSide, Change, Class, ObjectChange};
use tidegate_model::line::one_line;
use tidegate_model::plural::counted;

/// The number of classes whose differences are shown.
const CLASSES: usize = 5;
/// The number of lines of a difference that are shown.
const LINES: usize = 40;

/// Writes an add-on. Differences are folded unless all are asked for.
pub(super) fn addon(text: &mut String, addon: &AddonPlan, is_full: bool) {
    let side = |side: &Option<AddonSide>| side.as_ref().map(|side| (one_line(&side.version), side.digest.clone()));
    let (from, to) = (side(&addon.base), side(&addon.head));
    let arrow = |from: Option<String>, to: Option<String>| match (from, to) {
        (Some(from), Some(to)) if from == to => from,
        (from, to) => format!("{} → {}", from.unwrap_or_else(|| "–".to_owned()), to.unwrap_or_else(|| "–".to_owned())),
    };
    let versions = arrow(from.clone().map(|side| side.0), to.clone().map(|side| side.0));
    let digests = arrow(from.map(|side| side.1), to.map(|side| side.1));
    let _ = writeln!(
        text,
        "{} {} {versions}  {}",
        sign(addon.change),
        addon.name.bold(),
        format!("digest {digests}").dimmed()
    );
    for blocked in &addon.blocked {
        let _ = writeln!(text, "    {} {}", "blocked:".red(), one_line(blocked));
    }
    for setting in &addon.settings {
        let value = |value: &Option<String>| value.as_deref().map_or_else(|| "–".to_owned(), one_line);
        let _ = writeln!(
            text,
            "    {} {}: {} → {}",
            setting.of,
            setting.field,
            value(&setting.from).red(),
            value(&setting.to).green()
        );
    }
    for overlap in &addon.overlaps {
        let (clusters, (before, after)) = (counted(overlap.clusters, "cluster"), overlap.words());
        let (placement, winner) = (&overlap.placement, &overlap.winner);
        let _ = writeln!(text, "    {clusters} of placement {placement} {before} {winner}{after}");
    }
    for (place, found) in addon.classes.iter().enumerate() {
        class(text, (place, found), is_full || place < CLASSES);
    }
    if addon.unchanged > 0 {
        let _ = writeln!(text, "    {}", format!("{} unchanged", counted(addon.unchanged, "cluster")).dimmed());
    }
    waves(text, addon);
    for permission in &addon.permissions {
        let _ = writeln!(text, "    its agents get {}", one_line(permission));
    }
    if let Some(works) = &addon.works {
        let share = works.largest * 100 / works.limit.max(1);
        let size = format!(
            "{} per cluster, the largest has {} bytes ({share} % of the limit)",
            counted(works.works, "work"),
            works.largest
        );
        let _ = writeln!(text, "    {}", size.dimmed());
    }
    text.push('\n');
}

fn class(text: &mut String, (place, class): (usize, &Class), is_shown: bool) {
    let action = match class.action {
        Action::Blocked => "blocked".red().to_string(),
        Action::Install => "install".green().to_string(),
        Action::Update => "update".yellow().to_string(),
        Action::Remove => "remove".red().to_string(),
        Action::Move => "move".cyan().to_string(),
    };
    let labels = if class.labels.is_empty() { String::new() } else { format!(" ({})", class.labels.join(", ")) };
    let _ = writeln!(
        text,
        "    {} {action} {}{}: {}",
        format!("class {}", place + 1).bold(),
        counted(class.clusters, "cluster"),
        one_line(&labels),
        one_line(&class.names)
    );
    if let Some(reason) = &class.reason {
        let _ = writeln!(text, "        {}", one_line(reason));
    }
    if !class.groups.is_empty() && class.clusters > 1 {
        let groups: Vec<String> =
            class.groups.iter().map(|g| format!("{} {}", one_line(&g.group), g.clusters)).collect();
        let _ = writeln!(text, "        {}", groups.join(" · ").dimmed());
    }
    for change in &class.objects {
        object(text, change, is_shown);
    }
}

fn object(text: &mut String, change: &ObjectChange, is_shown: bool) {
    let counts = match &change.diff {
        None => "(values not shown)".to_owned(),
        Some(_) => format!("{} {}", format!("+{}", change.added).green(), format!("-{}", change.removed).red()),
    };
    let manner = change.manner.as_ref().map(|manner| format!("  ({})", one_line(manner))).unwrap_or_default();
    let _ = writeln!(text, "        {} {}  {counts}{manner}", sign(change.change), one_line(&change.object));
    // A whole object that is added or removed says little line by line.
    let Some(diff) = change.diff.as_deref().filter(|_| is_shown && change.change == Change::Changed) else { return };
    let lines: Vec<&str> = diff.lines().collect();
    for line in lines.iter().take(LINES) {
        let shown = one_line(line);
        let shown = match line.chars().next() {
            Some('+') => shown.green().to_string(),
            Some('-') => shown.red().to_string(),
            Some('@') => shown.cyan().to_string(),
            _ => shown.dimmed().to_string(),
        };
        let _ = writeln!(text, "          {shown}");
    }
    if lines.len() > LINES {
        let _ = writeln!(text, "          ... and {} more lines; --full shows them", lines.len() - LINES);
    }
}
