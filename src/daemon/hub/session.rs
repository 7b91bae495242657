//! The state that the watches, the writes and the public interface of the hub share.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use parking_lot::{Mutex, RwLock};
use tokio::sync::watch;

use super::error::Error;
use super::guard::Guard;
use super::health::Pulse;
use super::kind::resource::Resource;
use super::kind::watched::{Shape, fixed};
use super::metrics::Metrics;
use crate::hub::known::state::{Listing, Seen, State};
use tidegate_model::error_chain::ErrorChain;
use tidegate_model::object::GroupKind;
use tidegate_model::rewind::Rewind;
use tidegate_model::time::Timestamp;

/// The state that the watches, the writes and the public interface of the hub share. Locks are held only briefly, and never
/// across an await.
pub(super) struct Session {
    /// Its requests pass the guard.
    pub(super) client: kube::Client,
    pub(super) guard: Guard,
    pub(super) metrics: Metrics,
    pub(super) pulse: Pulse,
    state: RwLock<State>,
    resources: RwLock<BTreeMap<GroupKind, Arc<Resource>>>,
    /// The declared kinds that cannot be watched, with the reason.
    unserved: Mutex<BTreeMap<GroupKind, String>>,
    /// Wakes waiting tasks when reports have arrived. The reports themselves are in the state.
    reported: watch::Sender<()>,
    /// The generation of the snapshot that was returned last.
    seen: AtomicU64,
    /// The last time that the hub went back in time. Each watch lists its kind again when this changes.
    rewind: watch::Sender<Option<Rewind>>,
    /// Whether works without the label of an add-on are watched as well.
    all_works: AtomicBool,
}

impl Session {
    pub(super) fn new((client, guard): (kube::Client, Guard), metrics: Metrics) -> Self {
        Self {
            client,
            guard,
            metrics,
            pulse: Pulse::default(),
            state: RwLock::default(),
            resources: RwLock::default(),
            unserved: Mutex::default(),
            reported: watch::Sender::new(()),
            seen: AtomicU64::new(0),
            rewind: watch::Sender::new(None),
            all_works: AtomicBool::new(false),
        }
    }

    /// Stores a whole list of a kind, and records a rewind if the list proves that the hub went back in time.
    pub(super) fn replace(&self, kind: &GroupKind, listing: Listing) {
        let mut proof = None;
        self.report(|state| proof = state.replace_all(kind, listing));
        if let Some((from, to)) = proof {
            self.rewound(from, to);
        }
    }

    /// Records that the hub went back in time, and has every kind listed again.
    pub(super) fn rewound(&self, from: u64, to: u64) {
        let rewind = Rewind { from, to, at: Timestamp::now() };
        self.metrics.rewinds.inc();
        tracing::warn!(
            from_version = from,
            to_version = to,
            "the hub went back in time, as after a restore from a backup; listing everything again, and rolling out again what is \
             missing"
        );
        self.rewind.send_replace(Some(rewind));
    }

    /// Watches all works from now on. Until they are listed, the state is not complete.
    pub(super) fn watch_all_works(&self) {
        if !self.all_works.swap(true, Ordering::SeqCst) {
            self.list_again();
        }
    }

    /// Returns `true` if works without the label of an add-on are watched as well.
    pub(super) fn watches_all_works(&self) -> bool {
        self.all_works.load(Ordering::SeqCst)
    }

    /// Has every kind listed again.
    pub(super) fn list_again(&self) {
        self.report(State::distrust);
        // Each watch lists its kind again when it is notified.
        self.rewind.send_modify(|_| {});
    }

    /// Returns a receiver that is notified when the hub goes back in time, or everything is to be listed again.
    pub(super) fn rewinds(&self) -> watch::Receiver<Option<Rewind>> {
        self.rewind.subscribe()
    }

    /// Returns the last time that the hub went back in time.
    pub(super) fn rewind(&self) -> Option<Rewind> {
        *self.rewind.borrow()
    }

    /// Changes the state and wakes the tasks that wait for it.
    pub(super) fn report(&self, change: impl FnOnce(&mut State)) {
        let mut state = self.state.write();
        change(&mut state);
        self.metrics.objects.set(state.len() as u64);
        drop(state);
        self.reported.send_replace(());
    }

    pub(super) fn read<T>(&self, look: impl FnOnce(&State) -> T) -> T {
        look(&self.state.read())
    }

    pub(super) fn look(&self) -> Seen {
        self.snapshot(&self.state.read())
    }

    /// Returns the known state if a condition holds for it, else `None`.
    pub(super) fn look_if(&self, question: impl FnOnce(&State) -> bool) -> Option<Seen> {
        let state = self.state.read();
        question(&state).then(|| self.snapshot(&state))
    }

    fn snapshot(&self, state: &State) -> Seen {
        // Stored under the lock, so that every later change is newer than the snapshot.
        self.seen.store(state.generation(), Ordering::Release);
        state.seen()
    }

    /// Waits until the state has changed since the last snapshot.
    pub(super) async fn changed(&self) {
        self.until(|state| state.generation() != self.seen.load(Ordering::Acquire)).await;
    }

    /// Waits until a condition holds for the state.
    pub(super) async fn until(&self, question: impl Fn(&State) -> bool) {
        let mut reports = self.reported.subscribe();
        // The sender is a field of this object, so the channel cannot be closed.
        let _ = reports.wait_for(|()| self.read(&question)).await;
    }

    /// Records that a kind is served.
    pub(super) fn serve(&self, resource: Arc<Resource>) {
        self.report(|state| state.watch(&resource.kind));
        self.unserved.lock().remove(&resource.kind);
        self.resources.write().insert(resource.kind.clone(), resource);
    }

    /// Returns the resource of a kind.
    ///
    /// # Errors
    /// [`Error::Unserved`] if the kind is not known to be served.
    pub(super) fn resource(&self, kind: &GroupKind) -> Result<Arc<Resource>, Error> {
        self.resources.read().get(kind).cloned().ok_or_else(|| Error::Unserved { kind: kind.clone() })
    }

    pub(super) fn unserved(&self) -> BTreeMap<GroupKind, String> {
        self.unserved.lock().clone()
    }

    /// Records that a kind cannot be watched. If it is one of the fixed kinds, or the hub cannot be reached, the whole hub
    /// counts as away. A declared kind that is refused only affects its own objects.
    pub(super) fn lost(&self, kind: &GroupKind, error: &Error) {
        tracing::debug!(%kind, error = %ErrorChain(error), "a watch was interrupted");
        if error.is_transient() || fixed(kind).is_some() {
            return self.pulse.lost(kind, error);
        }
        self.pulse.back(kind);
        // A hub without this kind has no requests that wait for an answer.
        if Shape::of(kind) == Shape::Request && matches!(error, Error::Unserved { .. }) {
            return;
        }
        if self.unserved.lock().insert(kind.clone(), ErrorChain(error).to_string()).is_none() {
            tracing::warn!(%kind, error = %ErrorChain(error), "failed to watch a declared kind; retrying");
        }
        self.reported.send_replace(());
    }

    /// Records that a kind is watched.
    pub(super) fn back(&self, kind: &GroupKind) {
        self.pulse.back(kind);
        self.unserved.lock().remove(kind);
    }
}
