//! A table that is redrawn in place on a terminal. If the output is not a terminal, changes are printed line by line.

use std::io::IsTerminal as _;

use super::status_table::{self, Row};
use super::stdout::say;
use tidegate_core::plan::report::{AddonReport, Report};
use tidegate_model::progress::Counts;

/// Shows progress.
#[derive(Debug)]
pub(crate) struct LiveTable {
    is_terminal: bool,
    drawn: usize,
    last_line: String,
}

impl LiveTable {
    /// Creates a screen on standard output.
    pub(crate) fn stdout() -> Self {
        Self { is_terminal: std::io::stdout().is_terminal(), drawn: 0, last_line: String::new() }
    }

    /// Shows the state of the add-ons: in place of the previous one on a terminal, or as a line if it has changed.
    pub(crate) fn show(&mut self, report: &Report) {
        if self.is_terminal {
            self.clear();
            let table = status_table::table(report.addons.iter().map(|(name, addon)| Row::of_report(name, addon)));
            self.drawn = table.lines().count();
            show(&clipped(&table));
        } else {
            let line = summary(report);
            if line != self.last_line && !line.is_empty() {
                show(&format!("  {line}\n"));
                self.last_line = line;
            }
        }
    }

    /// Prints a permanent line above the table.
    pub(crate) fn say(&mut self, text: &str) {
        self.clear();
        show(&format!("{text}\n"));
    }

    /// Keeps the table that is drawn now, so that the next one is drawn below it.
    pub(crate) fn settle(&mut self) {
        self.drawn = 0;
    }

    fn clear(&mut self) {
        if self.is_terminal && self.drawn > 0 {
            // Move up by this number of lines, and erase from there to the end of the screen.
            show(&format!("\x1b[{}A\x1b[0J", self.drawn));
        }
        self.drawn = 0;
    }
}

/// Returns a string whose lines a terminal cuts at its right edge instead of wrapping them: a wrapped line would be counted
/// as one but take up two.
fn clipped(text: &str) -> String {
    format!("\x1b[?7l{text}\x1b[?7h")
}

/// Prints a string. An error is ignored: it is no reason to stop the work that is shown.
fn show(text: &str) {
    let _ = say(text);
}

fn summary(report: &Report) -> String {
    let addon = |(name, addon): (_, &AddonReport)| {
        let Counts { succeeded, total, .. } = addon.counts();
        format!("{name} {}: {succeeded}/{total} clusters", addon.version)
    };
    let known = report.addons.iter().filter(|(_, addon)| !addon.version.is_empty());
    known.map(addon).collect::<Vec<_>>().join(" · ")
}
