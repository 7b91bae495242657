//! Recovery of the mirror. It is a cache: when it is damaged or missing, it is recreated, and everything in it is fetched again.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use crate::store::state;
use crate::{Error, Mirror};

/// Minimum time between two recreations: if the same error returns at once, it has another cause.
const MIN_INTERVAL: Duration = Duration::from_secs(60);

impl Mirror {
    /// Returns the number of times that the mirror was recreated since it was opened. Commits known in another generation may be
    /// gone.
    pub fn generation(&self) -> u64 {
        self.generation.load(Ordering::Acquire)
    }

    /// Recreates the mirror if it was deleted or is no longer a repository. Costs only a few file system calls. Blocks.
    ///
    /// Returns `true` if it was recreated. It is then empty.
    ///
    /// # Errors
    /// [`Error::Open`] if the state directory cannot be used, [`Error::Foreign`] if it holds something that Tidegate did not
    /// create, [`Error::InUse`] if another process has taken the directory.
    pub fn ensure(&self) -> Result<bool, Error> {
        let generation = self.generation();
        if state::is_complete(&state::path(&self.dir)) && state::lock_path(&self.dir).is_file() {
            return Ok(false);
        }
        tracing::warn!(directory = %self.dir.display(), "the copy of the repository is gone or damaged; it is fetched again");
        self.recreate(generation).map(|()| true)
    }

    /// Recreates the mirror if damage to it caused an error. Blocks.
    ///
    /// Returns `true` if it was recreated. It is then empty.
    ///
    /// # Errors
    /// As for [`ensure`](Mirror::ensure).
    pub fn recover(&self, error: &Error) -> Result<bool, Error> {
        let generation = self.generation();
        if self.ensure()? {
            return Ok(true);
        }
        let is_soon = self.recreated_at.lock().is_some_and(|at| at.elapsed() < MIN_INTERVAL);
        if is_soon || !(error.is_damage() || self.has_damage()) {
            return Ok(false);
        }
        tracing::warn!(directory = %self.dir.display(), %error, "the copy of the repository is damaged; it is fetched again");
        self.recreate(generation).map(|()| true)
    }

    /// Recreates the mirror, unless another thread has already done so since the given generation.
    fn recreate(&self, generation: u64) -> Result<(), Error> {
        let _exclusive = self.lock_exclusively();
        if self.generation() != generation {
            return Ok(());
        }
        if !state::lock_path(&self.dir).is_file() {
            // The directory was deleted together with the lock file, so another process could lock a new one.
            *self.lock.lock() = state::lock(&self.dir)?;
        }
        let made = state::recreate(&self.dir)?;
        self.replace(made);
        *self.recreated_at.lock() = Some(Instant::now());
        self.generation.fetch_add(1, Ordering::Release);
        Ok(())
    }

    /// Returns `true` if a ref of the mirror leads to a commit or tree that cannot be read.
    fn has_damage(&self) -> bool {
        let repository = self.repository();
        let is_readable = |reference: gix::Reference<'_>| -> bool {
            let Ok(id) = reference.into_fully_peeled_id() else { return false };
            let Ok(object) = id.object() else { return false };
            let Ok(commit) = object.try_into_commit() else { return true };
            commit.tree().is_ok()
        };
        let Ok(references) = repository.references() else { return true };
        let Ok(all) = references.all() else { return true };
        !all.flatten().all(is_readable)
    }
}
