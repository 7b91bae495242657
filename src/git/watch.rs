//! Watches a local repository for changes.

use std::path::Path;

use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher as _};

use crate::store::state;
use crate::{Error, Remote};

/// A running watch. It ends when this is dropped.
#[derive(Debug)]
pub struct Watcher {
    _running: RecommendedWatcher,
}

/// Calls `on_change` whenever a branch of a local remote may have moved. Returns `None` if the remote is not on this
/// machine.
///
/// One push causes several calls from the watcher thread, so the caller should wait a moment and look once. A call is
/// only a hint, so the caller must also look from time to time without one.
///
/// # Errors
/// [`Error::Open`] if there is no repository, [`Error::Watch`] if the system refuses to watch it.
pub fn watch(remote: &Remote, on_change: impl Fn() + Send + 'static) -> Result<Option<Watcher>, Error> {
    let Some(path) = remote.local_path() else { return Ok(None) };
    let repository = state::options().open(&path).map_err(|source| Error::Open { dir: path.clone(), source })?;
    let failed = |source| Error::Watch { path: path.clone(), source };
    // Events have absolute paths.
    let root = repository.to_thread_local().common_dir().canonicalize().map_err(|error| failed(error.into()))?;
    let heads = root.join("refs").join("heads");

    let below = heads.clone();
    let mut running = notify::recommended_watcher(move |event: notify::Result<Event>| {
        // A queue overflow or another error of the watch may hide a change.
        if event.map_or(true, |event| concerns(&event, &below)) {
            on_change();
        }
    })
    .map_err(failed)?;
    running.watch(&heads, RecursiveMode::Recursive).map_err(failed)?;
    // The `packed-refs` file is replaced as a whole, so watch its directory.
    running.watch(&root, RecursiveMode::NonRecursive).map_err(failed)?;
    Ok(Some(Watcher { _running: running }))
}

/// Returns `true` if an event may mean that a branch moved. Reads and lock files do not count.
fn concerns(event: &Event, heads: &Path) -> bool {
    let is_branch = |path: &Path| path.starts_with(heads) || path.file_name().is_some_and(|name| name == "packed-refs");
    let is_lock = |path: &Path| path.extension().is_some_and(|extension| extension == "lock");
    let touched = event.paths.iter().any(|path| is_branch(path) && !is_lock(path));
    event.need_rescan() || (touched && !matches!(event.kind, EventKind::Access(_)))
}
