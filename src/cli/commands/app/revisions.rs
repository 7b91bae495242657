//! `tidegate app revisions`: the published revisions of an application.

use serde_json::{Value, json};

use crate::cli::args::AppRevisionsArgs;
use crate::cli::failure::Failure;
use crate::cli::output::document::printed;
use crate::cli::output::revision_table;
use crate::cli::process::Process;
use crate::cli::repository::overlay::{self, Choice};
use tidegate_repository::revisions::{Listed, Refusal, listing};

/// Prints the revisions.
///
/// # Errors
/// [`Failure::Usage`] if there is no such application.
pub(super) fn run(process: &Process, args: &AppRevisionsArgs) -> Result<(), Failure> {
    let Choice { tree, directory, .. } = overlay::choose(process, &args.source.path, None)?;
    let listed =
        listing(&tree, &directory.unwrap_or_default(), &args.application).map_err(|refusal| refused(&refusal))?;
    match args.source.output {
        Some(output) => {
            let revisions: Vec<Value> = listed.iter().map(document).collect();
            process.say_line(printed(output, &json!({ "revisions": revisions }))?.trim_end())
        }
        None if listed.is_empty() => {
            process.warn_line("no revision is published; `tidegate app publish` publishes one");
            Ok(())
        }
        None => process.say(&revision_table::table(&listed)),
    }
}

fn document(listed: &Listed) -> Value {
    let Listed { namespace, name, application, digest, images, used_by, place, error } = listed;
    let users: Vec<String> = used_by.iter().map(ToString::to_string).collect();
    json!({
        "revision": format!("{namespace}/{name}"),
        "application": application,
        "digest": digest,
        "images": images,
        "usedBy": users,
        "place": place,
        "error": error,
    })
}

/// Returns how a command fails that cannot read or publish revisions.
pub(super) fn refused(refusal: &Refusal) -> Failure {
    match refusal {
        Refusal::Off | Refusal::NoApplication { .. } | Refusal::NoRevision { .. } | Refusal::Name { .. } => {
            Failure::Usage(refusal.to_string())
        }
        Refusal::Unreadable(_) | Refusal::Errors { .. } | Refusal::Taken { .. } | Refusal::File { .. } => {
            Failure::Unfinished(refusal.to_string())
        }
    }
}
