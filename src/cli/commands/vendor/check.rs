//! What is not vendored as it is declared, for `--check` and for warnings.

use super::files::is_pending;
use super::needs::Found;
use super::state::State;
use super::vela::{misplaced, outdated, undeclared};
use tidegate_kustomize::vendor::{DIRECTORY, LOCK_FILE, Need, State as NeedState};
use tidegate_model::diagnostic::{Diagnostic, Place};
use tidegate_repository::{Rendering, Settings, renderings, settings};

/// Returns everything that `tidegate vendor` would change, and what prevents it from knowing that: errors. Files that no entry owns are
/// warnings, since the command leaves them alone.
pub(super) fn findings(state: &State, found: &Found) -> Vec<Diagnostic> {
    let mut all = found.problems.clone();
    all.extend(found.needs.iter().filter_map(finding));
    all.extend(applications(state));
    if found.problems.is_empty() {
        for directory in state.unused(&found.needs) {
            let place = state.entry(&directory).map(|entry| entry.place.clone());
            let place = place.unwrap_or_else(|| Place::start_of(LOCK_FILE));
            all.push(Diagnostic::error(place, format!("nothing uses {directory}; run `tidegate vendor`")));
        }
    }
    if state.tree.files.keys().any(|path| is_pending(path)) {
        let message = "a run of `tidegate vendor` was interrupted; run it again";
        all.push(Diagnostic::error(Place { file: DIRECTORY.to_owned(), line: 0, column: 0 }, message));
    }
    all.extend(strays(state));
    all.sort();
    all.dedup_by(|one, other| one.place == other.place && one.message == other.message);
    all
}

/// Returns the applications that are not rendered as they are declared.
fn applications(state: &State) -> Vec<Diagnostic> {
    let (tree, lock) = (&state.tree, &state.lock);
    // Mistakes in the settings are reported with the needs.
    let Ok(Settings { path, .. }) = settings(tree) else { return Vec::new() };
    let declared = renderings(tree);
    let undeclared = undeclared(lock, &declared).map(|known| {
        let message =
            format!("nothing in tidegate.toml declares {}; run `tidegate vendor`, which keeps the file", known.file);
        Diagnostic::error(known.place.clone(), message)
    });
    let of_declaration = |rendering: &Rendering| {
        let why = misplaced(tree, lock, &path, rendering).or_else(|| outdated(tree, lock, rendering))?;
        Some(Diagnostic::error(rendering.place.clone(), why))
    };
    declared.iter().filter_map(of_declaration).chain(undeclared).collect()
}

fn finding(need: &Need) -> Option<Diagnostic> {
    let message = match &need.state {
        NeedState::Current { .. } => return None,
        NeedState::Missing => format!("{} is not vendored; run `tidegate vendor`", need.wanted.name()),
        NeedState::Outdated { why, .. } => why.clone(),
    };
    Some(Diagnostic::error(need.place.clone(), message))
}

/// Returns a warning for each file below the directory of vendored files that no entry owns.
pub(super) fn strays(state: &State) -> Vec<Diagnostic> {
    let message =
        format!("no entry of {LOCK_FILE} owns this file, so it is never read; remove it, or move it elsewhere");
    let warning = |file: String| Diagnostic::warning(Place { file, line: 0, column: 0 }, message.clone());
    state.strays().into_iter().filter(|path| !is_pending(path)).map(warning).collect()
}
