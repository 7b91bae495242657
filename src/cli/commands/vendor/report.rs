//! What the command prints.

use serde::Serialize;
use serde_json::json;

use super::change::{Action, Change};
use super::reach::is_vendored;
use crate::cli::args::Output;
use crate::cli::failure::Failure;
use crate::cli::output::document::printed;
use crate::cli::process::Process;
use tidegate_model::diagnostic::Diagnostic;
use tidegate_model::line::one_line;
use tidegate_model::plural::counted;

/// Most objects or files of one change that are listed.
const LISTED: usize = 20;

/// What a run did.
#[derive(Serialize)]
pub(super) struct Report {
    /// The number of vendored directories.
    pub(super) entries: usize,
    pub(super) changes: Vec<Change>,
    pub(super) diagnostics: Vec<Diagnostic>,
}

/// Prints a report: the changes to standard output, and what is wrong to standard error.
pub(super) fn print(process: &Process, report: &Report, output: Option<Output>) -> Result<(), Failure> {
    if let Some(output) = output {
        return process.say_line(printed(output, &json!(report))?.trim_end());
    }
    for diagnostic in &report.diagnostics {
        let severity = if diagnostic.is_error() { "" } else { "warning: " };
        process.warn_line(&format!("{}: {severity}{}", diagnostic.place, one_line(&diagnostic.message)));
    }
    report.changes.iter().try_for_each(|change| process.say_line(&lines(change)))?;
    match (report.changes.is_empty(), report.diagnostics.iter().any(Diagnostic::is_error)) {
        (_, true) => Ok(()),
        (true, false) => process.say_line(&match report.entries {
            0 => "nothing is to be vendored".to_owned(),
            count => format!("{} vendored as declared", counted(count, "source")),
        }),
        (false, false) => process.say_line(&format!(
            "{} in vendor.lock; review {} and commit both",
            if report.entries == 1 { "1 entry".to_owned() } else { format!("{} entries", report.entries) },
            if report.changes.iter().all(|change| is_vendored(&change.directory)) { "vendor/" } else { "these files" }
        )),
    }
}

/// Returns the lines about a change: the directory, what happened to it, and the objects or files if it existed before.
fn lines(change: &Change) -> String {
    let Change { directory, source, from, to, added, changed, removed, .. } = change;
    let versions = match (from, to) {
        (Some(from), Some(to)) if from != to => format!(" {from} -> {to}"),
        (_, Some(version)) | (Some(version), None) => format!(" {version}"),
        (None, None) => String::new(),
    };
    let action = match change.action {
        Action::Added => "added",
        Action::Updated => "updated",
        Action::Restored => "restored",
        Action::Removed => "removed",
        Action::Released => "released",
    };
    let mut text = format!("{action} {directory}: {}{versions}", one_line(source));
    if !matches!(change.action, Action::Updated | Action::Restored) {
        return text;
    }
    let signs = [("+", added), ("~", changed), ("-", removed)];
    let all: Vec<String> = signs
        .iter()
        .flat_map(|(sign, names)| names.iter().map(move |name| format!("  {sign} {}", one_line(name))))
        .collect();
    for line in all.iter().take(LISTED) {
        text.push('\n');
        text.push_str(line);
    }
    if all.len() > LISTED {
        text.push_str(&format!("\n  and {} more", all.len() - LISTED));
    }
    text
}
