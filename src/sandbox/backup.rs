//! Backup and restore of the hub's state.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use super::Sandbox;
use super::kind::Catalog;
use super::store::Store;

/// A snapshot of everything that a hub held at one moment.
#[derive(Debug)]
pub struct Backup {
    catalog: Arc<Catalog>,
    store: Store,
}

impl Sandbox {
    /// Takes a backup of everything that the hub holds.
    pub fn backup(&self) -> Backup {
        self.read(|store| Backup { catalog: self.catalog(), store: store.copy() })
    }

    /// Restores a backup as etcd does: the objects, their resourceVersions and the revision counter.
    ///
    /// Open watches end, as they do when the API server is stopped for a restore.
    pub fn restore(&self, backup: &Backup) {
        let revision = {
            let mut store = self.hub.store.write();
            *self.hub.catalog.write() = Arc::clone(&backup.catalog);
            *store = backup.store.copy();
            self.hub.restores.fetch_add(1, Ordering::Release);
            store.revision()
        };
        self.hub.revision.send_replace(revision);
    }

    /// Returns how many times a backup was restored.
    pub(crate) fn restores(&self) -> u64 {
        self.hub.restores.load(Ordering::Acquire)
    }
}
