//! The face of the hub: connect, observe, act.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use tokio::task::JoinSet;
use tokio::time::timeout;

use super::act::{Outcome, act};
use super::discovery::Discovery;
use super::error::Error;
use super::health::Health;
use super::kind::FIXED;
use super::metrics::Metrics;
use super::resource::Resource;
use super::session::Session;
use super::state::{Seen, State};
use super::watch::keep;
use tidegate_api::fleet::Fleet;
use tidegate_model::action::Lane;
use tidegate_model::object::GroupKind;
use tidegate_model::rewind::Rewind;

/// How a hub is used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// How many writes are under way at a time. Default 64: an API server handles 200 changes at a time by default, and others want
    /// theirs.
    pub concurrency: usize,
    /// Kinds to watch from the start beside the fixed ones.
    pub kinds: BTreeSet<GroupKind>,
}

impl Default for Options {
    fn default() -> Self {
        Self { concurrency: 64, kinds: BTreeSet::new() }
    }
}

/// A connection to a hub. Its watches run until it is dropped.
pub struct Hub {
    pub(super) session: Arc<Session>,
    concurrency: usize,
    /// One watch for each kind; dropping the set ends them.
    watches: Mutex<JoinSet<()>>,
    /// The kinds that have a watch, served or not.
    kinds: Mutex<BTreeSet<GroupKind>>,
}

impl Hub {
    /// Finds out what the hub serves and begins to watch. Must be called within a tokio runtime.
    ///
    /// # Errors
    /// [`Error::MissingKind`] if an OCM kind is not served; else what keeps discovery from being read.
    pub async fn connect(client: kube::Client, options: Options, metrics: Metrics) -> Result<Self, Error> {
        let Options { concurrency, kinds } = options;
        let mut resources = Vec::new();
        let mut discovery = Discovery::new(&client);
        for fixed in FIXED {
            let kind = fixed.group_kind();
            let found = discovery.find(&kind).await?;
            resources.push(found.ok_or(Error::MissingKind { kind, version: fixed.version })?);
        }
        let hub = Self {
            session: Arc::new(Session::new(client, metrics)),
            concurrency: concurrency.max(1),
            watches: Mutex::default(),
            kinds: Mutex::new(resources.iter().map(|resource| resource.kind.clone()).collect()),
        };
        for resource in resources {
            hub.watch(resource.kind.clone(), Some(resource));
        }
        hub.watch_kinds(&kinds).await;
        Ok(hub)
    }

    /// Watches kinds beside those that are watched already. One that the hub does not serve is found in [`Hub::unserved`], and is
    /// watched as soon as it is served.
    ///
    /// No kind is ever dropped: what left the repository must still be seen to be removed.
    pub async fn watch_kinds(&self, kinds: &BTreeSet<GroupKind>) {
        let new: Vec<GroupKind> = {
            let mut watched = self.kinds.lock();
            kinds.iter().filter(|kind| watched.insert((*kind).clone())).cloned().collect()
        };
        let mut discovery = Discovery::new(&self.session.client);
        for kind in new {
            let found = discovery.find(&kind).await;
            match &found {
                Ok(Some(_)) => {}
                Ok(None) => self.session.lost(&kind, &Error::Unserved { kind: kind.clone() }),
                Err(error) => self.session.lost(&kind, error),
            }
            self.watch(kind, found.ok().flatten());
        }
    }

    fn watch(&self, kind: GroupKind, resource: Option<Resource>) {
        let resource = resource.map(Arc::new);
        if let Some(resource) = &resource {
            self.session.serve(Arc::clone(resource));
        }
        self.watches.lock().spawn(keep(Arc::clone(&self.session), kind, resource));
    }

    /// Returns the declared kinds that cannot be watched, with the reason: not served, or not allowed.
    pub fn unserved(&self) -> BTreeMap<GroupKind, String> {
        self.session.unserved()
    }

    /// Returns what is known of the hub; the same snapshot as before if nothing has changed.
    pub fn fleet(&self) -> Arc<Fleet> {
        self.session.look().fleet
    }

    /// Returns what is known of the hub as [`Hub::fleet`] does, with the history that it is from.
    pub fn look(&self) -> Seen {
        self.session.look()
    }

    /// Waits until something has changed since the last [`Hub::fleet`]; returns at once if it has.
    pub async fn changed(&self) {
        self.session.changed().await;
    }

    /// Waits until every kind that is served has been listed once, and again if the hub went back in time.
    ///
    /// # Errors
    /// [`Error::NotSynced`] with the kinds that are missing after that time.
    pub async fn synced(&self, within: Duration) -> Result<(), Error> {
        self.look_at_all(within).await.map(drop)
    }

    /// Returns what is known of the hub as [`Hub::look`] does, but waits until every kind of it has been listed.
    ///
    /// A snapshot of which one kind is from before the hub went back in time and another from after it is never returned: decisions
    /// made from it would be wrong.
    ///
    /// # Errors
    /// [`Error::NotSynced`] with the kinds that are missing after that time.
    pub async fn look_at_all(&self, within: Duration) -> Result<Seen, Error> {
        let missing = |state: &State| {
            let unserved = self.session.unserved();
            state.pending().into_iter().filter(|kind| !unserved.contains_key(kind)).collect::<BTreeSet<_>>()
        };
        let whole = async {
            loop {
                self.session.until(|state| missing(state).is_empty()).await;
                // The state may have changed since it was waited for.
                if let Some(seen) = self.session.look_if(|state| missing(state).is_empty()) {
                    return seen;
                }
            }
        };
        match timeout(within, whole).await {
            Ok(seen) => Ok(seen),
            Err(_) => Err(Error::NotSynced { missing: self.session.read(missing) }),
        }
    }

    /// Returns the highest resource version that was seen on the hub; `None` if it has none that are numbers.
    pub fn version(&self) -> Option<u64> {
        self.session.read(State::reached)
    }

    /// Returns the last time that the hub was found to have gone back in time, since the process started.
    pub fn rewind(&self) -> Option<Rewind> {
        self.session.rewind()
    }

    /// Compares the hub with the resource version that an earlier process saw on it. Call it when every kind has been listed.
    pub fn compare(&self, before: u64) {
        if let Some(now) = self.version().filter(|now| *now < before) {
            self.session.rewound(before, now);
        }
    }

    /// Returns `true` if the hub answers.
    pub fn health(&self) -> Health {
        self.session.pulse.health()
    }

    /// Carries out lanes: stage after stage, the lanes of a stage side by side, the writes of a lane one after the other until one
    /// does not succeed. What the hub answers is part of the next [`Hub::fleet`].
    ///
    /// Dropping the future stops between or within requests; each is whole or not made.
    pub async fn act(&self, lanes: Vec<Lane>) -> Outcome {
        act(&self.session, lanes, self.concurrency).await
    }

    /// Lets no further write begin, now and in every later [`Hub::act`]. Writes under way are finished.
    pub fn halt(&self) {
        self.session.halt();
    }
}
