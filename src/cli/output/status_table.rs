//! The state of the add-ons, as a table with bars.

use std::borrow::Cow;
use std::fmt::Write as _;

use owo_colors::OwoColorize as _;

use tidegate_journal::bar::bar;
use tidegate_journal::record::{AddonStatus, Sync};
use tidegate_model::digest::Digest;
use tidegate_model::line::{brief, one_line};
use tidegate_model::name::UnitName;
use tidegate_model::plural::counted;
use tidegate_model::progress::{Counts, Phase};
use tidegate_model::revision::CommitId;
use tidegate_plan::report::{AddonReport, GroupReport, PlacementReport};

/// One add-on, from a report or from the journal.
#[derive(Debug, Clone)]
pub(crate) struct Row<'a> {
    /// Its name.
    pub name: &'a UnitName,
    /// The version that its clusters should have.
    pub version: &'a str,
    /// The digest of the revision that is in force for it; the table of a live report leaves it out.
    pub digest: Option<&'a Digest>,
    /// Its phase.
    pub phase: Phase,
    /// Why it is held, refused or stopped.
    pub problem: Option<&'a str>,
    /// The revision that it follows, if that is not the last one seen.
    pub held_at: Option<&'a CommitId>,
    /// Number of clusters from which it is being removed, or will be.
    pub leaving: usize,
    /// Its placements.
    pub placements: Cow<'a, [PlacementReport]>,
}

impl<'a> Row<'a> {
    /// Returns the row for an add-on in a report.
    pub(crate) fn of_report(name: &'a UnitName, report: &'a AddonReport) -> Self {
        let AddonReport { version, phase, problem, placements, .. } = report;
        let leaving = report.counts().leaving;
        let (digest, problem) = (None, problem.as_deref());
        Self { name, version, digest, phase: *phase, problem, held_at: None, leaving, placements: placements.into() }
    }

    /// Returns the row for an add-on in the journal.
    pub(crate) fn of_journal(status: &'a AddonStatus, sync: Option<&'a Sync>) -> Self {
        let AddonStatus { addon, version, digest, phase, problem, clusters, placements, .. } = status;
        let placements = placements.iter().map(PlacementReport::from).collect();
        let (digest, problem) = (digest.as_ref(), problem.as_deref());
        let is_old =
            |commit: &&CommitId| sync.and_then(|sync| sync.seen.as_ref()).is_some_and(|s| s.commit != **commit);
        let held_at = sync.and_then(|sync| sync.addons.get(addon)).filter(is_old);
        let leaving = clusters.leaving;
        Self { name: addon, version, digest, phase: *phase, problem, held_at, leaving, placements }
    }
}

const WIDTH: usize = 30;

/// Returns the table, one line for each decision group.
pub(crate) fn table<'a>(rows: impl Iterator<Item = Row<'a>>) -> String {
    let mut text = String::new();
    for row in rows {
        // Writing into a String cannot fail.
        let leaving = match row.leaving {
            0 => String::new(),
            leaving => format!("  leaves {}", counted(leaving, "cluster")),
        };
        let digest = row.digest.map(|digest| format!("  digest {}", digest.short()).dimmed().to_string());
        let (name, phase) = (row.name.bold(), phase(row.phase));
        let _ = writeln!(text, "{name} {}  {phase}{leaving}{}", row.version, digest.unwrap_or_default());
        if let Some(problem) = row.problem {
            let _ = writeln!(text, "  {}", brief(problem, usize::MAX).yellow());
        }
        if let Some(revision) = row.held_at {
            let _ = writeln!(text, "  stays on revision {}", revision.short());
        }
        for (at, placement) in row.placements.iter().enumerate() {
            let place = place(&row.placements, at);
            for group in &placement.groups {
                let name = named(placement, group);
                let label = if place.is_empty() { name } else { format!("{place} · {name}") };
                let _ = writeln!(text, "  {label:<28} {} {}", bar(&group.counts, WIDTH), numbers(&group.counts));
            }
            let waiting = placement.waiting.iter().filter(|(reason, _)| !reason.is_empty());
            for (reason, clusters) in waiting.take(3) {
                let _ = writeln!(text, "  {:<28} {}", "", one_line(&format!("{clusters} wait: {reason}")).dimmed());
            }
        }
    }
    text
}

/// Returns a label for a placement that is unique in its add-on: its name, with its namespace if two have the same name,
/// and with a number if the add-on names the placement twice.
fn place(placements: &[PlacementReport], at: usize) -> String {
    let Some(PlacementReport { placement: full, .. }) = placements.get(at) else { return String::new() };
    let short = |full: &str| full.rsplit('/').next().unwrap_or_default().to_owned();
    let is_alone = placements.iter().all(|other| other.placement == *full || short(&other.placement) != short(full));
    let name = if is_alone { short(full) } else { full.clone() };
    let same = |placements: &[PlacementReport]| placements.iter().filter(|other| other.placement == *full).count();
    match placements.get(..at).map(same) {
        Some(before) if same(placements) > 1 => format!("{name} #{}", before + 1),
        _ => name,
    }
}

/// Returns a label for a group that is unique in its placement.
fn named(placement: &PlacementReport, group: &GroupReport) -> String {
    let GroupReport { index, name, .. } = group;
    match placement.groups.iter().filter(|other| other.name == *name).count() {
        _ if name.is_empty() => format!("group {index}"),
        0 | 1 => name.clone(),
        _ => format!("{name} (group {index})"),
    }
}

fn numbers(counts: &Counts) -> String {
    let Counts { total, succeeded, progressing, failed, degraded, .. } = counts;
    let mut text = format!("{succeeded}/{total}");
    if *progressing > 0 {
        let _ = write!(text, ", {progressing} under way");
    }
    if *failed > 0 {
        let _ = write!(text, ", {failed} failed");
    }
    if *degraded > 0 {
        let _ = write!(text, ", {degraded} degraded");
    }
    text
}

fn phase(phase: Phase) -> String {
    match phase {
        Phase::Completed => phase.green().to_string(),
        Phase::Progressing | Phase::Removing => phase.cyan().to_string(),
        Phase::Stopped | Phase::Refused | Phase::Held => phase.red().to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn placement(placement: &str, groups: &[&str]) -> PlacementReport {
        let group =
            |(index, name): (i32, &&str)| GroupReport { index, name: (*name).to_owned(), ..GroupReport::default() };
        let groups = (0..).zip(groups).map(group).collect();
        PlacementReport { placement: placement.to_owned(), groups, ..PlacementReport::default() }
    }

    #[test]
    fn no_two_groups_of_an_addon_look_the_same() {
        let name = "hello".parse().unwrap();
        let labels = |placements: &[PlacementReport]| -> Vec<String> {
            let problem = Some("\u{1b}[2Ja\nb");
            let row = Row {
                name: &name,
                version: "1",
                digest: None,
                phase: Phase::Removing,
                problem,
                held_at: None,
                leaving: 2,
                placements: placements.into(),
            };
            let text = table([row].into_iter());
            let told = text.lines().nth(1).unwrap();
            assert!(told.contains("a b") && !told.contains("\u{1b}[2J"), "{told}");
            assert!(text.lines().next().unwrap().ends_with("  leaves 2 clusters"), "{text}");
            text.lines().skip(2).map(|line| line.split("  ").nth(1).unwrap().trim().to_owned()).collect()
        };
        assert_eq!(labels(&[placement("a/aws", &["canary", ""])]), ["aws · canary", "aws · group 1"]);
        let twins = [placement("a/aws", &["canary"]), placement("b/aws", &["canary"])];
        assert_eq!(labels(&twins), ["a/aws · canary", "b/aws · canary"]);
        assert_eq!(labels(&[placement("a/aws", &["x", "x"])]), ["aws · x (group 0)", "aws · x (group 1)"]);
        let twice = [placement("a/aws", &["canary"]), placement("a/aws", &["canary"])];
        assert_eq!(labels(&twice), ["aws #1 · canary", "aws #2 · canary"]);
    }
}
