//! `tidegate app diff`: what differs between what two revisions render to.

use serde_json::json;

use super::revisions::refused;
use crate::cli::args::AppDiffArgs;
use crate::cli::failure::Failure;
use crate::cli::output::document::printed;
use crate::cli::process::Process;
use crate::cli::repository::overlay::{self, Choice};
use tidegate_model::name::{ApplicationName, NamespacedName};
use tidegate_repository::revisions::{Side, rendered};
use tidegate_review::proposal::document::{Change, ObjectChange};
use tidegate_review::proposal::object_changes;

/// Prints the objects that differ, as unified diffs in YAML.
///
/// # Errors
/// [`Failure::Usage`] if one of the two does not exist, [`Failure::Unfinished`] if it has errors.
pub(super) fn run(process: &Process, args: &AppDiffArgs) -> Result<(), Failure> {
    let Choice { tree, directory, .. } = overlay::choose(process, &args.source.path, None)?;
    let directory = directory.unwrap_or_default();
    let objects = |text: &str| rendered(&tree, &directory, &side(text)?).map_err(|refusal| refused(&refusal));
    let changes = object_changes(&objects(&args.before)?, &objects(&args.after)?);
    if let Some(output) = args.source.output {
        let document = json!({ "before": args.before, "after": args.after, "objects": changes });
        return process.say_line(printed(output, &document)?.trim_end());
    }
    if changes.is_empty() {
        return process.say_line("no object differs");
    }
    changes.iter().try_for_each(|change| process.say(&shown(change)))
}

/// Reads the name of a revision or an application.
fn side(text: &str) -> Result<Side, Failure> {
    if let Ok(name) = ApplicationName::try_from(text.to_owned()) {
        return Ok(Side::Application(name));
    }
    text.parse::<NamespacedName>()
        .map(Side::Named)
        .map_err(|error| Failure::Usage(format!("{error}; write NAMESPACE/REVISION, or application/NAMESPACE/NAME")))
}

fn shown(change: &ObjectChange) -> String {
    let what = match change.change {
        Change::Added => "is new",
        Change::Removed => "is removed",
        _ => "differs",
    };
    let hidden = || "values of a Secret are not shown\n".to_owned();
    format!("{} {what}\n{}", change.object, change.diff.clone().unwrap_or_else(hidden))
}
