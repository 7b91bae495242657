//! The public interface of the hub: connect, observe, act.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use k8s_openapi::api::core::v1::Secret;
use parking_lot::Mutex;
use tokio::task::JoinSet;
use tokio::time::timeout;

use super::clock::HubClock;
use super::error::Error;
use super::guard::{Condition, Guard};
use super::health::Health;
use super::kind::discovery::Discovery;
use super::kind::resource::Resource;
use super::kind::watched::FIXED;
use super::metrics::Metrics;
use super::request::act::{Outcome, act};
use super::request::read::secret;
use super::session::Session;
use super::watch::keep;
use crate::hub::known::state::{Seen, State};
use tidegate_api::fleet::Fleet;
use tidegate_model::action::Lane;
use tidegate_model::name::NamespacedName;
use tidegate_model::object::GroupKind;
use tidegate_model::rewind::Rewind;
use tidegate_model::time::Timestamp;

/// Options for a hub.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// Number of concurrent writes. Default 64: an API server handles 200 mutating requests at a time by default, and other
    /// clients need their share.
    pub concurrency: usize,
    /// Kinds to watch from the start, in addition to the fixed ones.
    pub kinds: BTreeSet<GroupKind>,
    /// Whether the works of applications are watched from the start, and so all works.
    pub all_works: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { concurrency: 64, kinds: BTreeSet::new(), all_works: false }
    }
}

/// A connection to a hub. Its watches run until it is dropped.
pub struct Hub {
    pub(super) session: Arc<Session>,
    /// For the lease, which decides whether writes may pass the guard.
    pub(super) unguarded: kube::Client,
    clock: HubClock,
    concurrency: usize,
    /// One watch for each kind; dropping the set ends them.
    watches: Mutex<JoinSet<()>>,
    /// The kinds that have a watch, served or not.
    kinds: Mutex<BTreeSet<GroupKind>>,
}

impl Hub {
    /// Discovers what the hub serves and starts to watch. Must be called within a tokio runtime.
    ///
    /// # Errors
    /// [`Error::MissingKind`] if an OCM kind is not served; any other error if discovery cannot be read.
    pub async fn connect(client: kube::Client, options: Options, metrics: Metrics) -> Result<Self, Error> {
        let Options { concurrency, kinds, all_works } = options;
        let (clock, guard) = (HubClock::default(), Guard::default());
        let unguarded = client;
        let client = guard.protecting(&unguarded, &clock);
        let mut resources = Vec::new();
        let mut discovery = Discovery::new(&client);
        for fixed in FIXED {
            let kind = fixed.group_kind();
            let found = discovery.find(&kind).await?;
            resources.push(found.ok_or(Error::MissingKind { kind, version: fixed.version })?);
        }
        let hub = Self {
            session: Arc::new(Session::new((client, guard), metrics)),
            unguarded,
            clock,
            concurrency: concurrency.max(1),
            watches: Mutex::default(),
            kinds: Mutex::new(resources.iter().map(|resource| resource.kind.clone()).collect()),
        };
        if all_works {
            hub.watch_all_works();
        }
        for resource in resources {
            hub.watch(resource.kind.clone(), Some(resource));
        }
        hub.watch_kinds(&kinds).await;
        Ok(hub)
    }

    /// Watches kinds in addition to those that are already watched. A kind that the hub does not serve is listed in
    /// [`Hub::unserved`], and is watched as soon as it is served.
    ///
    /// No kind is ever dropped: objects that left the repository must still be visible, so that they can be removed.
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

    /// Watches the works of applications from now on, and so all works. It never ends, so that an application can be removed.
    pub fn watch_all_works(&self) {
        self.session.watch_all_works();
    }

    /// Returns `true` if all works are watched, and not only those of add-ons.
    pub fn watches_all_works(&self) -> bool {
        self.session.watches_all_works()
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

    /// Returns the known state of the hub; the same snapshot as before if nothing has changed.
    pub fn fleet(&self) -> Arc<Fleet> {
        self.session.look().fleet
    }

    /// Returns the known state of the hub like [`Hub::fleet`], with the history that it belongs to.
    pub fn look(&self) -> Seen {
        self.session.look()
    }

    /// Waits until something has changed since the last [`Hub::fleet`]; returns at once if it has.
    pub async fn changed(&self) {
        self.session.changed().await;
    }

    /// Waits until every served kind has been listed once, and again if the hub went back in time.
    ///
    /// # Errors
    /// [`Error::NotSynced`] with the kinds that are still missing after this time.
    pub async fn synced(&self, within: Duration) -> Result<(), Error> {
        self.look_at_all(within).await.map(drop)
    }

    /// Returns the fleet as known at the moment, without counting as a look at it; `None` until every served kind has been listed.
    pub fn listed_fleet(&self) -> Option<Arc<Fleet>> {
        let unserved = self.session.unserved();
        self.session.read(|state| {
            let is_complete = state.pending().iter().all(|kind| unserved.contains_key(kind));
            is_complete.then(|| state.fleet())
        })
    }

    /// Returns the known state of the hub like [`Hub::look`], but waits until every served kind has been listed.
    ///
    /// If the hub went back in time, a snapshot never mixes kinds from before and after that: decisions based on it would be wrong.
    ///
    /// # Errors
    /// [`Error::NotSynced`] with the kinds that are still missing after this time.
    pub async fn look_at_all(&self, within: Duration) -> Result<Seen, Error> {
        let missing = |state: &State| {
            let unserved = self.session.unserved();
            state.pending().into_iter().filter(|kind| !unserved.contains_key(kind)).collect::<BTreeSet<_>>()
        };
        let whole = async {
            loop {
                self.session.until(|state| missing(state).is_empty()).await;
                // The state may have changed since the wait ended.
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

    /// Returns the highest resource version that was seen on the hub; `None` if its resource versions are not numbers.
    pub fn version(&self) -> Option<u64> {
        self.session.read(State::reached)
    }

    /// Returns the time on the clock of the hub, in whole seconds, according to its last answer; `None` if answers have no date.
    pub fn time(&self) -> Option<Timestamp> {
        self.clock.now()
    }

    /// Returns the last time, since the process started, that the hub was found to have gone back in time.
    pub fn rewind(&self) -> Option<Rewind> {
        self.session.rewind()
    }

    /// Compares the hub with the resource version that an earlier process saw on it. Call it when every kind has been listed.
    pub fn compare(&self, before: u64) {
        if let Some(now) = self.version().filter(|now| *now < before) {
            self.session.rewound(before, now);
        }
    }

    /// Has every kind listed again: [`Hub::look_at_all`] waits for that.
    pub fn list_again(&self) {
        self.session.list_again();
    }

    /// Returns whether the hub answers.
    pub fn health(&self) -> Health {
        self.session.pulse.health()
    }

    /// Executes lanes: stages in order, the lanes of a stage concurrently, and the writes of a lane in order until one does
    /// not succeed. The next [`Hub::fleet`] contains the answers of the hub. An object whose write was not answered, or that others have
    /// changed, is read; if that fails as well, [`Hub::look_at_all`] waits until everything has been listed again.
    ///
    /// Dropping the future stops between or within requests; each request takes effect as a whole or not at all.
    pub async fn act(&self, lanes: Vec<Lane>) -> Outcome {
        let outcome = act(&self.session, lanes, self.concurrency).await;
        if outcome.is_doubtful {
            self.session.list_again();
        }
        outcome
    }

    /// Reads a Secret. The answer is not stored.
    ///
    /// # Errors
    /// The error of the hub.
    pub async fn secret(&self, name: &NamespacedName) -> Result<Secret, Error> {
        secret(&self.session, name).await
    }

    /// Prevents any further write. Requests under way are finished, and not retried.
    pub fn halt(&self) {
        self.session.guard.halt();
    }

    /// Lets writes pass only while a condition holds, which is evaluated for each request. Only the first call has an effect.
    pub fn write_only_while(&self, condition: Condition) {
        self.session.guard.only_while(condition);
    }

    /// Returns `true` if writes may be sent now.
    pub fn may_write(&self) -> bool {
        self.session.guard.may_write()
    }
}
