//! Compares the lock with the vendored files, and with what is needed.

use std::collections::BTreeSet;

use super::chart::CHART;
use super::lock::{Entry, Lock, What};
use super::resolve::problem;
use super::{DIRECTORY, LOCK_FILE, needs};
use tidegate_model::diagnostic::{Diagnostic, Place};
use tidegate_model::tree::Tree;

/// Maximum number of stray files that are listed.
const MAX_STRAY: usize = 20;

/// What a file with an Application that uses a chart contains.
const APPLICATION: [&str; 2] = ["core.oam.dev", "helm"];

/// Returns the problems of what is vendored in a tree: an unreadable lock and changed files, which are errors, and entries that nothing uses
/// and files that no entry owns, which are warnings. A tree without a lock has no problems.
///
/// `roots` are the directories that are rendered by themselves, and `used` the directories of entries that AddOnTemplates use.
pub fn audit(tree: &Tree, roots: &[String], used: &BTreeSet<String>) -> Vec<Diagnostic> {
    if !tree.files.contains_key(LOCK_FILE) && !tree.skipped.contains_key(LOCK_FILE) {
        return Vec::new();
    }
    let lock = match Lock::read(tree) {
        Ok(lock) => lock,
        Err(problems) => return problems,
    };
    let changed = lock.entries.iter().filter_map(|entry| {
        let why = problem(tree, entry)?;
        Some(Diagnostic::error(entry.place.clone(), why))
    });
    let mut found: Vec<_> = changed.collect();
    // A tree that was not read completely may lack what uses an entry.
    if !tree.is_cut {
        found.extend(unused(tree, &lock, roots, used));
        found.extend(stray(tree, &lock));
    }
    found
}

/// Returns a warning for each entry that nothing uses.
fn unused(tree: &Tree, lock: &Lock, roots: &[String], used: &BTreeSet<String>) -> Vec<Diagnostic> {
    let needs = needs(tree, roots);
    let needed: BTreeSet<&str> = needs.needs.iter().filter_map(|need| need.state.directory()).collect();
    let is_used = |entry: &Entry| {
        needed.contains(entry.directory.as_str())
            || used.contains(&entry.directory)
            // Kustomizations with problems may need it.
            || matches!(&entry.what, What::Chart(chart) if may_use(tree, &chart.used_by, &needs.problems))
    };
    let message = |entry: &Entry| format!("nothing uses {}; run `tidegate vendor`, which removes it", entry.directory);
    let unused = lock.entries.iter().filter(|entry| !is_used(entry));
    unused.map(|entry| Diagnostic::warning(entry.place.clone(), message(entry))).collect()
}

/// Returns `true` if a file may use a chart in a way that is not known here: as an AddOnTemplate or Application of another overlay, or with a
/// mistake.
fn may_use(tree: &Tree, file: &str, problems: &[Diagnostic]) -> bool {
    let contains = |bytes: &[u8], text: &str| bytes.windows(text.len()).any(|window| window == text.as_bytes());
    let names_charts = |bytes: &Vec<u8>| contains(bytes, CHART) || APPLICATION.iter().all(|text| contains(bytes, text));
    tree.files.get(file).is_some_and(names_charts) || problems.iter().any(|problem| problem.place.file == file)
}

/// Returns a warning for each file that no entry owns. Hidden files belong to other programs.
fn stray(tree: &Tree, lock: &Lock) -> Vec<Diagnostic> {
    let first = format!("{DIRECTORY}/");
    let below = |path: &&String| path.starts_with(&first);
    let files = tree.files.range(first.clone()..).map(|(path, _)| path).take_while(below);
    let links = tree.links.range(first.clone()..).map(|(path, _)| path).take_while(below);
    let is_stray = |path: &&String| {
        let name = path.rsplit('/').next().unwrap_or(path);
        !name.starts_with('.') && lock.owner(path).is_none()
    };
    let message = format!("no entry of {LOCK_FILE} owns this file; remove it, or move it out of {DIRECTORY}/");
    let stray = files.chain(links).filter(is_stray).take(MAX_STRAY);
    stray.map(|path| Diagnostic::warning(Place::start_of(path), message.as_str())).collect()
}
