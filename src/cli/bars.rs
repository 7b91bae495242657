//! How the add-ons stand, as a table with bars.

use std::fmt::Write as _;

use owo_colors::OwoColorize as _;

use crate::journal::bar::bar;
use crate::journal::record::AddonStatus;
use crate::model::name::AddonName;
use crate::plan::report::{AddonReport, Counts, Phase, PlacementReport};

/// One add-on, wherever it was read.
#[derive(Debug, Clone, Copy)]
pub struct Row<'a> {
    /// Its name.
    pub name: &'a AddonName,
    /// The version that its clusters should have.
    pub version: &'a str,
    /// How it stands as a whole.
    pub phase: Phase,
    /// Why it is held, refused or stopped.
    pub problem: Option<&'a str>,
    /// Its placements.
    pub placements: &'a [PlacementReport],
}

impl<'a> Row<'a> {
    /// Takes an add-on from a report.
    pub fn of_report(name: &'a AddonName, report: &'a AddonReport) -> Self {
        let AddonReport { version, phase, problem, placements, .. } = report;
        Self { name, version, phase: *phase, problem: problem.as_deref(), placements }
    }

    /// Takes an add-on from the journal.
    pub fn of_journal(status: &'a AddonStatus) -> Self {
        let AddonStatus { addon, version, phase, problem, placements, .. } = status;
        Self { name: addon, version, phase: *phase, problem: problem.as_deref(), placements }
    }
}

const WIDTH: usize = 30;

/// Returns the table, one line for each decision group.
pub fn table<'a>(rows: impl Iterator<Item = Row<'a>>) -> String {
    let mut text = String::new();
    for row in rows {
        // Writing into a String cannot fail.
        let _ = writeln!(text, "{} {}  {}", row.name.bold(), row.version, phase(row.phase));
        if let Some(problem) = row.problem {
            let _ = writeln!(text, "  {}", problem.yellow());
        }
        for placement in row.placements {
            for group in &placement.groups {
                let name = if group.name.is_empty() { format!("group {}", group.index) } else { group.name.clone() };
                let _ = writeln!(
                    text,
                    "  {:<28} {} {}",
                    label(placement, &name),
                    bar(&group.counts, WIDTH),
                    numbers(&group.counts)
                );
            }
            let waiting = placement.waiting.iter().filter(|(reason, _)| !reason.is_empty());
            for (reason, clusters) in waiting.take(3) {
                let _ = writeln!(text, "  {:<28} {}", "", format!("{clusters} wait: {reason}").dimmed());
            }
        }
    }
    text
}

fn label(placement: &PlacementReport, group: &str) -> String {
    let name = placement.placement.rsplit('/').next().unwrap_or_default();
    if name.is_empty() { group.to_owned() } else { format!("{name} · {group}") }
}

fn numbers(counts: &Counts) -> String {
    let Counts { total, succeeded, progressing, failed, .. } = counts;
    let mut text = format!("{succeeded}/{total}");
    if *progressing > 0 {
        let _ = write!(text, ", {progressing} under way");
    }
    if *failed > 0 {
        let _ = write!(text, ", {failed} failed");
    }
    text
}

fn phase(phase: Phase) -> String {
    match phase {
        Phase::Completed => phase.green().to_string(),
        Phase::Progressing => phase.cyan().to_string(),
        Phase::Stopped | Phase::Refused => phase.red().to_string(),
    }
}
