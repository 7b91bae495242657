//! The decisions of people about rollouts: the commits to control files in the history of the followed branch.

use super::archive::History;
use crate::audit::event::{Event, What};
use crate::cli::failure::Failure;
use tidegate_core::repository::{self, control};
use tidegate_model::chain::{Content, FileVersion};
use tidegate_model::name::AddonName;
use tidegate_model::reserved::CONTROL;
use tidegate_model::tree::Tree;

/// The number of commits that are visited, newest first.
const LIMIT: usize = 100_000;

/// Returns the decisions in the history of the followed branch, the oldest first; none if the clone lacks that branch. Blocks.
pub(crate) fn decisions(history: &History) -> Result<Vec<Event>, Failure> {
    let Some(tip) = history.followed() else { return Ok(Vec::new()) };
    let found = history.archive().directory_history(CONTROL, &tip, LIMIT);
    let found = found.map_err(|error| Failure::internal(&error))?;
    let mut events = Vec::new();
    // A merge that only combines what its parents have decides nothing, and without a parent it is not known what a commit decided.
    let is_change =
        |version: &&FileVersion| !version.is_cut && version.before.iter().all(|before| *before != version.after);
    for version in found.versions.iter().rev().filter(is_change) {
        let Some(addon) = about(&version.path) else { continue };
        let before =
            version.before.first().map(|before| read(&version.path, before, addon.as_ref())).unwrap_or_default();
        let author = history.archive().commit_info(&version.commit).map_err(|error| Failure::internal(&error))?.author;
        for decided in read(&version.path, &version.after, addon.as_ref()).decided_since(&before) {
            let (decision, reason, by) = (decided.what, decided.reason, author.name.clone());
            let what = What::Decided { addon: addon.clone(), decision, reason, by };
            events.push(Event { at: author.time, commit: version.commit.clone(), what });
        }
    }
    Ok(events)
}

/// Returns what a control file is about; `None` if its name is not that of one.
fn about(path: &str) -> Option<Option<AddonName>> {
    let name = path.rsplit('/').next()?.strip_suffix(".yaml")?;
    if name == control::FLEET { Some(None) } else { name.parse().ok().map(Some) }
}

/// Reads a version of a control file. What cannot be read counts as a pause, as for the daemon.
fn read(path: &str, content: &Content, addon: Option<&AddonName>) -> control::Control {
    let Content::File(bytes) = content else { return control::Control::default() };
    let tree = Tree { files: [(path.to_owned(), bytes.clone())].into(), ..Tree::default() };
    repository::load(&tree, "").repository.controls.about(addon)
}
