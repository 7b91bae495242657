//! The mirror is a cache: when it is damaged or gone, it is made again, and everything in it is fetched again.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use super::{Error, Mirror, state};

/// A mirror is not made again more often than this: if the same trouble returns at once, it has another cause.
const APART: Duration = Duration::from_secs(60);

impl Mirror {
    /// Returns how often the mirror was made again since it was opened. Commits that were known at another generation may be gone.
    pub fn generation(&self) -> u64 {
        self.generation.load(Ordering::Acquire)
    }

    /// Makes the mirror again if it was deleted or is no repository any longer. Costs a few looks at the file system. Blocks.
    ///
    /// Returns `true` if it was made again. It is empty then.
    ///
    /// # Errors
    /// [`Error::Open`] if the state directory cannot be used, [`Error::Foreign`] if something is there that Tidegate did not make,
    /// [`Error::InUse`] if another process has taken the directory.
    pub fn ensure(&self) -> Result<bool, Error> {
        let generation = self.generation();
        if state::is_whole(&state::path(&self.dir)) && state::lock_path(&self.dir).is_file() {
            return Ok(false);
        }
        tracing::warn!(directory = %self.dir.display(), "the copy of the repository is gone or damaged; it is fetched again");
        self.remake(generation).map(|()| true)
    }

    /// Makes the mirror again if an error was caused by damage to it. Blocks.
    ///
    /// Returns `true` if it was made again. It is empty then.
    ///
    /// # Errors
    /// As for [`ensure`](Mirror::ensure).
    pub fn recover(&self, error: &Error) -> Result<bool, Error> {
        let generation = self.generation();
        if self.ensure()? {
            return Ok(true);
        }
        let is_soon = self.remade.lock().is_some_and(|at| at.elapsed() < APART);
        if is_soon || !(error.is_damage() || self.has_damage()) {
            return Ok(false);
        }
        tracing::warn!(directory = %self.dir.display(), %error, "the copy of the repository is damaged; it is fetched again");
        self.remake(generation).map(|()| true)
    }

    /// Makes the mirror again, unless another thread has done so since it was at a generation.
    fn remake(&self, generation: u64) -> Result<(), Error> {
        let _alone = self.alone();
        if self.generation() != generation {
            return Ok(());
        }
        if !state::lock_path(&self.dir).is_file() {
            // The directory was deleted, and the lock with it: another process could take a new one.
            *self.lock.lock() = state::lock(&self.dir)?;
        }
        let made = state::renew(&self.dir)?;
        self.replace(made);
        *self.remade.lock() = Some(Instant::now());
        self.generation.fetch_add(1, Ordering::Release);
        Ok(())
    }

    /// Returns `true` if a reference of the mirror leads to a commit or a tree that cannot be read.
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
