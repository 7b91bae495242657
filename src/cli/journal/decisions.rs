//! The decisions of people about rollouts: the commits to control files in the history of the followed branch.

use super::archive::History;
use crate::cli::failure::Failure;
use tidegate_journal::history::{Event, What};
use tidegate_model::chain::{Content, FileVersion};
use tidegate_model::reserved::CONTROL;
use tidegate_model::tree::Tree;
use tidegate_repository::control::Controls;

/// The number of commits that are visited, newest first.
const LIMIT: usize = 100_000;

/// The decisions in the history of the followed branch.
#[derive(Debug, Default)]
pub(crate) struct Decisions {
    /// The decisions, the oldest first.
    pub(crate) events: Vec<Event>,
    /// Why some are missing.
    pub(crate) gap: Option<&'static str>,
}

/// Returns the decisions in the history of the followed branch. Blocks.
pub(crate) fn decisions(history: &History) -> Result<Decisions, Failure> {
    let Some(tip) = history.followed() else {
        let gap = Some("this clone does not have the branch that the daemon follows; fetch it with `git fetch`");
        return Ok(Decisions { gap, ..Decisions::default() });
    };
    let found = history.archive().directory_history(CONTROL, &tip, LIMIT);
    let found = found.map_err(|error| Failure::internal(&error))?;
    let mut events = Vec::new();
    // A merge that only combines what its parents have decides nothing, and without a parent it is not known what a commit decided.
    let is_change =
        |version: &&FileVersion| !version.is_cut && version.before.iter().all(|before| *before != version.after);
    for version in found.versions.iter().rev().filter(is_change) {
        let before = version.before.first().map(|before| read(&version.path, before)).unwrap_or_default();
        let decided = read(&version.path, &version.after).decided_since(&before);
        if decided.is_empty() {
            continue;
        }
        let author = history.archive().commit_info(&version.commit).map_err(|error| Failure::internal(&error))?.author;
        events.extend(decided.into_iter().map(|(addon, decided)| {
            let what = What::Decided { addon, decision: decided.what, reason: decided.reason, by: author.name.clone() };
            Event { at: author.time, commit: version.commit.clone(), what }
        }));
    }
    let gap = (!found.is_complete).then_some("the history of the branch that the daemon follows is not complete here");
    Ok(Decisions { events, gap })
}

/// Reads a version of a control file. What cannot be read counts as a pause, as for the daemon.
fn read(path: &str, content: &Content) -> Controls {
    let Content::File(bytes) = content else { return Controls::default() };
    let tree = Tree { files: [(path.to_owned(), bytes.clone())].into(), ..Tree::default() };
    tidegate_repository::load(&tree, "").repository.controls
}
