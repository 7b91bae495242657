//! The journal of the repository that declares applications.

use std::collections::BTreeMap;
use std::path::Path;

use crate::cli::args::{AppSourceArgs, SourceArgs};
use crate::cli::failure::Failure;
use crate::cli::journal::archive::History;
use crate::cli::process::Process;
use tidegate_journal::Journal;
use tidegate_journal::record::ClusterReport;

/// A journal with all its files.
pub(super) struct Recorded {
    /// The journal.
    pub(super) journal: Journal,
    /// Its files, by path.
    pub(super) files: BTreeMap<String, Vec<u8>>,
}

/// Reads the journal that the arguments name, or else the one of the clone around `root`.
///
/// # Errors
/// [`Failure::Usage`] if there is none.
pub(super) async fn read(args: &AppSourceArgs, root: &Path) -> Result<Recorded, Failure> {
    let source = args.journal.source.clone().or_else(|| Some(root.display().to_string()));
    let args = SourceArgs { source, ..args.journal.clone() };
    let read = move || {
        let (journal, files) = History::open(&args)?.journal()?;
        Ok(Recorded { journal, files })
    };
    tokio::task::spawn_blocking(read).await.map_err(|error| Failure::internal(&error))?
}

/// Reads the journal as [`read`] does. Says so if there is none and the arguments do not name one, and returns `None`.
///
/// # Errors
/// A journal that the arguments name and that cannot be read.
pub(super) async fn if_any(process: &Process, args: &AppSourceArgs, root: &Path) -> Result<Option<Recorded>, Failure> {
    let is_named = args.journal.source.is_some() || args.journal.journal_branch.is_some();
    match read(args, root).await {
        Ok(recorded) => Ok(Some(recorded)),
        Err(Failure::Usage(why)) if !is_named => {
            process.warn_line(&format!("clusters and states are not shown: {why}"));
            Ok(None)
        }
        Err(failure) => Err(failure),
    }
}

/// Returns `true` if a placement selects a cluster. The journal leaves its name out if a unit has only one.
pub(super) fn is_in(report: &ClusterReport, placement: &str, placements: usize) -> bool {
    report.placement == placement || report.placement.is_empty() && placements == 1
}
