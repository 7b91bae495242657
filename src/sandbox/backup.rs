//! Backups: the hub as it was at one moment, and putting it back to that.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use super::Sandbox;
use super::kind::Catalog;
use super::store::Store;

/// A hub as it was at one moment.
#[derive(Debug)]
pub struct Backup {
    catalog: Arc<Catalog>,
    store: Store,
}

impl Sandbox {
    /// Copies everything that the hub holds.
    pub fn backup(&self) -> Backup {
        self.read(|store| Backup { catalog: self.catalog(), store: store.copy() })
    }

    /// Puts the hub back to what it was, as etcd is restored from a backup: the objects, their resourceVersions and the counter.
    ///
    /// Open watches end, as they do when the API server of a hub is stopped for it.
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

    /// Returns how often the hub was put back to a backup.
    pub(crate) fn restores(&self) -> u64 {
        self.hub.restores.load(Ordering::Acquire)
    }
}
