//! The mirror: a bare repository in a state directory that follows one remote.

use std::fs::File;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

use gix::ThreadSafeRepository;
use gix::protocol::transport::Service;
use parking_lot::{Mutex, MutexGuard, RwLock, RwLockReadGuard, RwLockWriteGuard};

use super::connection::Connection;
use super::fetch::History;
use super::tidy::tidy;
use super::{Error, Limits, Remote, Signer, id, state};
use tidegate_model::revision::CommitId;

/// A bare repository in a state directory that follows one remote.
///
/// Branches of the remote are kept under `refs/remotes/origin/`, those that are written here under `refs/heads/`.
/// All methods block, and may be called from several threads at once.
///
/// # Guarantees
/// Killed at any instant, it opens again. One that is damaged is made again ([`ensure`](Mirror::ensure)). Nothing is ever removed from the object database, so a commit that was once
/// fetched stays readable, also after its branch was rewritten. What many fetches and commits leave is packed together
/// from time to time.
pub struct Mirror {
    pub(super) dir: PathBuf,
    remote: Remote,
    limits: Limits,
    repository: Mutex<ThreadSafeRepository>,
    pub(super) signer: Option<Signer>,
    stop: Arc<AtomicBool>,
    /// Shared by all who work with the repository; housekeeping has it alone.
    using: RwLock<()>,
    /// Held while something is received, since only one may move the edge of the history at a time.
    talking: Mutex<()>,
    /// Keeps other processes out for as long as the mirror lives.
    pub(super) lock: Mutex<File>,
    /// How often it was made again.
    pub(super) generation: AtomicU64,
    /// When it was made again last.
    pub(super) remade: Mutex<Option<Instant>>,
}

impl Mirror {
    /// Opens the mirror in a state directory, making it if it does not exist. The remote is not contacted.
    ///
    /// # Errors
    /// [`Error::Open`] if the directory cannot be used, [`Error::InUse`] if another mirror works in it, [`Error::Foreign`] if
    /// something else than a mirror is in its place.
    pub fn open(dir: impl AsRef<Path>, remote: Remote) -> Result<Self, Error> {
        let (lock, repository) = state::open(dir.as_ref())?;
        Ok(Self {
            dir: dir.as_ref().to_owned(),
            remote,
            limits: Limits::default(),
            signer: None,
            repository: Mutex::new(repository),
            stop: Arc::new(AtomicBool::new(false)),
            using: RwLock::new(()),
            talking: Mutex::new(()),
            lock: Mutex::new(lock),
            generation: AtomicU64::new(0),
            remade: Mutex::new(None),
        })
    }

    /// Reads no more from one commit than these say.
    pub fn with_limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Returns the remote that is followed.
    pub fn remote(&self) -> &Remote {
        &self.remote
    }

    /// Ends every running and every later conversation with the remote, for a shutdown.
    pub fn interrupt(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Returns `true` if the history of `descendant` holds `ancestor`; a commit is its own ancestor.
    ///
    /// # Errors
    /// [`Error::UnknownCommit`] if the mirror lacks one of them.
    pub fn is_ancestor(&self, ancestor: &CommitId, descendant: &CommitId) -> Result<bool, Error> {
        let repository = self.repository();
        let (ancestor, descendant) = (id::known(&repository, ancestor)?, id::known(&repository, descendant)?);
        let base = repository.merge_base(ancestor, descendant).map_err(Error::local("compare two histories"))?;
        Ok(base.is_some_and(|base| base == ancestor))
    }

    pub(super) fn limits(&self) -> Limits {
        self.limits
    }

    /// Returns a handle for one operation.
    pub(super) fn repository(&self) -> Handle<'_> {
        // An operation may hold several handles, so waiting housekeeping must not keep it from a further one.
        let using = self.using.read_recursive();
        Handle { repository: self.repository.lock().to_thread_local(), _using: using }
    }

    /// Packs what many fetches and commits have left, if it is time and nobody works with the mirror, and returns
    /// whether anything was packed. Blocks.
    ///
    /// Every fetch does it by itself; this is for who wants to know why it fails.
    ///
    /// # Errors
    /// [`Error::Repository`] if the mirror cannot be read or written, such as on a full disk. Nothing is lost.
    pub fn tidy(&self) -> Result<bool, Error> {
        let Some(_alone) = self.using.try_write() else { return Ok(false) };
        let repository = self.repository.lock().to_thread_local();
        let moved = tidy(&repository).map_err(Error::local("pack what is scattered in it"))?;
        drop(repository);
        if moved {
            self.renew()?;
        }
        Ok(moved)
    }

    /// Opens the repository afresh. The old handle keeps every pack that it ever saw mapped, and has room for a bounded
    /// number of them only.
    pub(super) fn renew(&self) -> Result<(), Error> {
        let mut repository = self.repository.lock();
        *repository = state::repository(repository.path()).map_err(Error::local("be opened again"))?;
        Ok(())
    }

    /// Waits until nobody else works with the repository.
    pub(super) fn alone(&self) -> RwLockWriteGuard<'_, ()> {
        self.using.write()
    }

    /// Replaces the repository by another one.
    pub(super) fn replace(&self, repository: ThreadSafeRepository) {
        *self.repository.lock() = repository;
    }

    /// Waits until nobody else receives anything.
    pub(super) fn talk(&self) -> MutexGuard<'_, ()> {
        self.talking.lock()
    }

    /// Prepares a conversation in which a history is received.
    pub(super) fn connection_for(&self, history: History) -> Result<Connection<'_>, Error> {
        let connection = self.connection(Service::UploadPack)?;
        Ok(if history == History::Whole { connection.patient() } else { connection })
    }

    /// Prepares a conversation with the remote.
    pub(super) fn connection(&self, service: Service) -> Result<Connection<'_>, Error> {
        if self.stop.load(Ordering::Relaxed) {
            return Err(Error::Interrupted);
        }
        // The programs that serve a local path say nothing that would tell a wrong path from a broken connection.
        if let Some(path) = self.remote.local_path() {
            let wrong = |source| Error::Remote { url: self.remote.address(), said: String::new(), source };
            // The library would look for a link to a repository in a file, and repeat what it finds there instead.
            if path.is_file() {
                let why = std::io::Error::new(std::io::ErrorKind::NotADirectory, "it is a file, and no repository");
                return Err(wrong(gix::Error::from_error(why)));
            }
            state::options().open(path).map_err(wrong)?;
        }
        Connection::new(&self.remote, &self.dir, service, &self.stop)
    }
}

/// The repository, for one operation.
pub(super) struct Handle<'a> {
    repository: gix::Repository,
    _using: RwLockReadGuard<'a, ()>,
}

impl Deref for Handle<'_> {
    type Target = gix::Repository;

    fn deref(&self) -> &gix::Repository {
        &self.repository
    }
}

impl Drop for Mirror {
    /// Gives the lock back. Closing the file is not enough: a program that another thread is just starting holds a copy
    /// of it for an instant, and with it the lock.
    fn drop(&mut self) {
        self.lock.lock().unlock().ok();
    }
}
