//! `tidegate app publish`: writes an application as it is to a file of its own, as a revision.

use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::Path;

use serde_json::json;

use super::revisions::refused;
use crate::cli::args::AppPublishArgs;
use crate::cli::failure::Failure;
use crate::cli::output::document::printed;
use crate::cli::process::Process;
use crate::cli::repository::overlay::{self, Choice};
use tidegate_repository::revisions::{Publication, publish};

/// Writes the file of a revision, unless the same content is published already.
///
/// # Errors
/// [`Failure::Unfinished`] if the application has errors, the name is taken, or the file cannot be written.
pub(super) fn run(process: &Process, args: &AppPublishArgs) -> Result<(), Failure> {
    let Choice { tree, root, directory, .. } = overlay::choose(process, &args.source.path, None)?;
    let directory = directory.unwrap_or_default();
    let publication =
        publish(&tree, &directory, &args.application, args.name.as_deref()).map_err(|refusal| refused(&refusal))?;
    let Publication { name, digest, file, text, is_overlay } = publication;
    let is_new = text.is_some();
    if let Some(text) = text {
        write_new(&root.join(&file), text.as_bytes())?;
    }
    let revision = format!("{}/{name}", args.application.namespace());
    if let Some(output) = args.source.output {
        let document = json!({ "revision": revision, "digest": digest, "file": file, "isNew": is_new });
        return process.say_line(printed(output, &document)?.trim_end());
    }
    if !is_new {
        return process.say_line(&format!(
            "nothing to do: revision {revision} in {file} has this content (digest {})",
            digest.short()
        ));
    }
    process.say_line(&format!("{file}: revision {revision} (digest {}); commit it", digest.short()))?;
    if is_overlay {
        process.say_line(&format!("add {file} to the resources of its kustomization.yaml, or it is not read"))?;
    }
    Ok(())
}

/// Writes a file that must not exist.
fn write_new(path: &Path, content: &[u8]) -> Result<(), Failure> {
    let failed = |error: std::io::Error| {
        Failure::Unfinished(format!("{} cannot be written: {error}; check the directory", path.display()))
    };
    let mut file = OpenOptions::new().write(true).create_new(true).open(path).map_err(failed)?;
    file.write_all(content).map_err(failed)
}
