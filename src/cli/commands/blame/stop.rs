//! The history of a value: the places where it was written, and the commits that wrote them.

use serde::Serialize;

use super::commits::{Commits, Wrote};
use tidegate_kustomize::yaml::{Origin, Provenance};
use tidegate_model::diagnostic::Place;

/// One place in the history of a value.
#[derive(Debug, Serialize)]
pub(super) struct Stop {
    file: String,
    line: u32,
    column: u32,
    /// The commit that wrote the line.
    #[serde(skip_serializing_if = "Wrote::is_uncommitted")]
    commit: Wrote,
    /// The entry that set it, such as `patches[0]`; `None` for the file in which it started.
    #[serde(skip_serializing_if = "Option::is_none")]
    by: Option<String>,
    /// The place of that entry, if the value was not written there.
    #[serde(skip_serializing_if = "Option::is_none")]
    entry: Option<String>,
    /// The history of the value before it was put there, the last change first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    from: Vec<Stop>,
}

impl Stop {
    /// Looks up who wrote the lines.
    pub(super) fn date(&mut self, commits: &mut Commits<'_>) {
        self.commit = commits.find(&self.file, self.line);
        self.from.iter_mut().for_each(|stop| stop.date(commits));
    }

    /// Prints the stop, and below it, one level deeper, what came before it.
    pub(super) fn print(&self, level: usize, text: &mut String) {
        let entry = self.entry.as_ref().map(|entry| format!(", {entry}")).unwrap_or_default();
        let by = self.by.as_ref().map(|by| format!("  ({by}{entry})")).unwrap_or_default();
        let Self { file, line, column, .. } = self;
        text.push_str(&format!("\n{}{file}:{line}:{column}{by}", "  ".repeat(level)));
        match &self.commit {
            Wrote::Unknown => {}
            Wrote::Uncommitted => text.push_str("  (not committed)"),
            Wrote::Commit(written) => text.push_str(&format!("  {written}")),
        }
        self.from.iter().for_each(|stop| stop.print(level + 1, text));
    }
}

/// Maximum number of places that are printed for a value: replacements that copy values back and forth can make a very long
/// history.
const MAX_STOPS: usize = 200;

/// Returns the places of a value: where it was written, then those of the values that it replaced or changed, the last first.
pub(super) fn history(origin: Origin, provenance: &Provenance) -> Vec<Stop> {
    chain(origin, provenance, &mut { MAX_STOPS })
}

fn chain(origin: Origin, provenance: &Provenance, room: &mut usize) -> Vec<Stop> {
    let stop = |origin: Origin| {
        let Place { file, line, column } = provenance.place(origin);
        let (commit, by, entry, from) = (Wrote::Unknown, None, None, Vec::new());
        Stop { file, line, column, commit, by, entry, from }
    };
    let mut stops = Vec::new();
    let mut at = origin;
    for step in provenance.steps(origin) {
        if *room == 0 {
            return stops;
        }
        *room -= 1;
        let by = Some(step.field.to_string());
        // A replacement takes a value from somewhere else; other entries of the same file contain the value that they set.
        let is_elsewhere = step.at.source != at.source || step.field.starts_with("replacements");
        let entry = (is_elsewhere && step.at.line > 0).then(|| provenance.place(step.at).to_string());
        // Only follow steps that happened before the value was put there.
        let from = step.from.filter(|from| from.step() < at.step()).map(|from| chain(from, provenance, room));
        stops.push(Stop { by, entry, from: from.unwrap_or_default(), ..stop(at) });
        match step.before {
            Some(before) => at = before,
            None => return stops,
        }
    }
    stops.push(stop(at));
    stops
}
