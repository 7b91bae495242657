//! The progress of the demo: a table that is redrawn on a terminal. In a pipe, changes are printed line by line.

use super::screen::Screen;
use super::status_table::{self, Row};
use crate::cli::process::Process;
use tidegate_model::progress::Counts;
use tidegate_model::shared::Shared;
use tidegate_plan::report::{AddonReport, Report};

/// Shows progress.
#[derive(Debug)]
pub(crate) struct LiveTable {
    process: Process,
    screen: Screen,
    last_line: String,
}

impl LiveTable {
    /// Creates a table on standard output.
    pub(crate) fn new(process: &Process) -> Self {
        Self { process: process.clone(), screen: Screen::new(process), last_line: String::new() }
    }

    /// Shows the state of the add-ons: in place of the previous one on a terminal, or as a line if it has changed.
    pub(crate) fn show(&mut self, report: &Report) {
        if self.screen.is_terminal() {
            let table = status_table::table(report.addons.iter().map(|(name, addon)| Row::of_report(name, addon)));
            // An error is no reason to stop the work that is shown.
            let _ = self.screen.draw(&table);
        } else {
            let line = summary(report);
            if line != self.last_line && !line.is_empty() {
                let _ = self.process.say(&format!("  {line}\n"));
                self.last_line = line;
            }
        }
    }

    /// Prints a permanent line above the table.
    pub(crate) fn say(&mut self, text: &str) {
        let _ = self.screen.clear();
        let _ = self.process.say_line(text);
    }

    /// Keeps the table that is drawn now, so that the next one is drawn below it.
    pub(crate) fn settle(&mut self) {
        self.screen.settle();
    }
}

fn summary(report: &Report) -> String {
    let addon = |(name, addon): (_, &Shared<AddonReport>)| {
        let Counts { succeeded, total, .. } = addon.counts();
        format!("{name} {}: {succeeded}/{total} clusters", addon.version)
    };
    let known = report.addons.iter().filter(|(_, addon)| !addon.version.is_empty());
    known.map(addon).collect::<Vec<_>>().join(" · ")
}
