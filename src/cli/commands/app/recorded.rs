//! The journal of the repository that declares applications.

use std::path::Path;

use crate::cli::args::{AppSourceArgs, SourceArgs};
use crate::cli::failure::Failure;
use crate::cli::journal::archive::History;
use crate::cli::journal::reader::Reader;
use crate::cli::process::Process;
use tidegate_journal::Journal;

/// Reads the journal that the arguments name, or else the one of the clone around `root`. Without one, says so, and returns `None`.
///
/// # Errors
/// A journal that the arguments name and that cannot be read.
pub(super) async fn journal(process: &Process, args: &AppSourceArgs, root: &Path) -> Result<Option<Journal>, Failure> {
    if args.journal.source.is_some() || args.journal.journal_branch.is_some() {
        return Reader::open(&args.journal).await?.read().await.map(Some);
    }
    let here = SourceArgs { source: Some(root.display().to_string()), ..args.journal.clone() };
    let read = tokio::task::spawn_blocking(move || Ok(History::open(&here)?.journal()?.0)).await;
    match read.map_err(|error| Failure::internal(&error))? {
        Ok(journal) => Ok(Some(journal)),
        Err(Failure::Usage(why)) => {
            process.warn_line(&format!("the clusters and the state are not shown: {why}"));
            Ok(None)
        }
        Err(failure) => Err(failure),
    }
}
