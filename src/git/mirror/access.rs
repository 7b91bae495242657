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

use crate::exchange::Exchange;
use crate::request::History;
use crate::store::repack::repack;
use crate::store::state;
use crate::{Error, Limits, Remote, Signer};

/// A bare repository in a state directory that follows one remote.
///
/// Branches of the remote are stored under `refs/remotes/origin/`, local ones under `refs/heads/`. All methods block, and may be
/// called from several threads at once.
///
/// # Guarantees
/// If the process is killed at any moment, the mirror can be opened again. A damaged mirror is recreated
/// ([`ensure`](Mirror::ensure)). Nothing is ever removed from the object database, so a commit stays readable once fetched, even
/// after its branch was rewritten. Packs and loose objects left by many fetches and commits are packed together from time to time.
pub struct Mirror {
    pub(crate) dir: PathBuf,
    remote: Remote,
    limits: Limits,
    repository: Mutex<ThreadSafeRepository>,
    pub(crate) signer: Option<Signer>,
    stop: Arc<AtomicBool>,
    /// Read-locked while the repository is used, write-locked for housekeeping.
    in_use: RwLock<()>,
    /// Held while objects are received: only one thread at a time may move the shallow boundary.
    transfer: Mutex<()>,
    /// Excludes other processes while the mirror is open.
    pub(crate) lock: Mutex<File>,
    /// Number of times that the mirror was recreated.
    pub(super) generation: AtomicU64,
    /// When the mirror was last recreated.
    pub(super) recreated_at: Mutex<Option<Instant>>,
}

impl Mirror {
    /// Opens the mirror in a state directory, creating it if it does not exist. The remote is not contacted.
    ///
    /// # Errors
    /// [`Error::Open`] if the directory cannot be used, [`Error::InUse`] if another mirror uses it, [`Error::Foreign`] if the path
    /// of the mirror holds something else.
    pub fn open(dir: impl AsRef<Path>, remote: Remote) -> Result<Self, Error> {
        let (lock, repository) = state::open(dir.as_ref())?;
        Ok(Self {
            dir: dir.as_ref().to_owned(),
            remote,
            limits: Limits::default(),
            signer: None,
            repository: Mutex::new(repository),
            stop: Arc::new(AtomicBool::new(false)),
            in_use: RwLock::new(()),
            transfer: Mutex::new(()),
            lock: Mutex::new(lock),
            generation: AtomicU64::new(0),
            recreated_at: Mutex::new(None),
        })
    }

    /// Limits how much is read from one commit.
    pub fn with_limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Returns the remote that is followed.
    pub fn remote(&self) -> &Remote {
        &self.remote
    }

    /// Aborts all current and future conversations with the remote, for a shutdown.
    pub fn interrupt(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    pub(crate) fn limits(&self) -> Limits {
        self.limits
    }

    /// Returns a handle for one operation.
    pub(crate) fn repository(&self) -> Handle<'_> {
        // An operation may hold several handles, so housekeeping that waits must not block it from taking another.
        let in_use = self.in_use.read_recursive();
        Handle { repository: self.repository.lock().to_thread_local(), _in_use: in_use }
    }

    /// Packs the small packs and loose objects if there are too many and the mirror is not in use. Returns `true` if anything was
    /// packed. Blocks.
    ///
    /// Every fetch does this automatically; call it to learn why it fails.
    ///
    /// # Errors
    /// [`Error::Repository`] if the mirror cannot be read or written, such as on a full disk. Nothing is lost.
    pub fn repack(&self) -> Result<bool, Error> {
        let Some(_exclusive) = self.in_use.try_write() else { return Ok(false) };
        let repository = self.repository.lock().to_thread_local();
        let moved = repack(&repository).map_err(Error::local("pack its loose objects and small packs"))?;
        drop(repository);
        if moved {
            self.reopen()?;
        }
        Ok(moved)
    }

    /// Reopens the repository. The old handle keeps every pack that it ever saw mapped, and can hold only a limited number of them.
    pub(crate) fn reopen(&self) -> Result<(), Error> {
        let mut repository = self.repository.lock();
        *repository = state::repository(repository.path()).map_err(Error::local("be reopened"))?;
        Ok(())
    }

    /// Waits until no other thread uses the repository.
    pub(super) fn lock_exclusively(&self) -> RwLockWriteGuard<'_, ()> {
        self.in_use.write()
    }

    /// Replaces the repository.
    pub(crate) fn replace(&self, repository: ThreadSafeRepository) {
        *self.repository.lock() = repository;
    }

    /// Waits until no other thread is receiving objects.
    pub(super) fn lock_transfer(&self) -> MutexGuard<'_, ()> {
        self.transfer.lock()
    }

    /// Prepares an exchange for a fetch.
    pub(super) fn exchange_for(&self, history: History) -> Result<Exchange<'_>, Error> {
        let exchange = self.exchange(Service::UploadPack)?;
        Ok(if history == History::Complete { exchange.with_long_requests() } else { exchange })
    }

    /// Prepares an exchange with the remote.
    pub(crate) fn exchange(&self, service: Service) -> Result<Exchange<'_>, Error> {
        if self.stop.load(Ordering::Relaxed) {
            return Err(Error::Interrupted);
        }
        Exchange::new(&self.remote, &self.dir, service, &self.stop)
    }
}

/// The repository, for one operation.
pub(crate) struct Handle<'a> {
    repository: gix::Repository,
    _in_use: RwLockReadGuard<'a, ()>,
}

impl Deref for Handle<'_> {
    type Target = gix::Repository;

    fn deref(&self) -> &gix::Repository {
        &self.repository
    }
}

impl Drop for Mirror {
    /// Releases the lock. Closing the file is not enough: a child process that another thread is just starting briefly holds a copy
    /// of the file descriptor, and with it the lock.
    fn drop(&mut self) {
        self.lock.lock().unlock().ok();
    }
}
