//! What the web server and the handle of a forge share.

use parking_lot::Mutex;

use super::faults::Faults;
use super::instance::Instance;
use super::limits::Usage;
use super::log::Log;
use tidegate_model::forge::ForgeKind;
use tidegate_model::time::to_seconds;

/// A forge that is served.
pub(crate) struct Shared {
    pub(crate) kind: ForgeKind,
    pub(crate) origin: String,
    pub(crate) instance: Mutex<Instance>,
    pub(crate) log: Mutex<Log>,
    pub(crate) faults: Mutex<Faults>,
    pub(crate) usage: Mutex<Option<Usage>>,
}

impl Shared {
    /// Returns a forge that has no requests yet.
    pub(crate) fn new(kind: ForgeKind, origin: String, instance: Instance) -> Self {
        let instance = Mutex::new(instance);
        let (log, faults, usage) = (Mutex::default(), Mutex::default(), Mutex::default());
        Self { kind, origin, instance, log, faults, usage }
    }

    /// Runs something on the forge, at the current time of its clock.
    pub(crate) fn act<T>(&self, act: impl FnOnce(&mut Instance) -> T) -> T {
        let mut instance = self.instance.lock();
        instance.now = to_seconds((instance.options.clock)());
        let result = act(&mut instance);
        instance.events.clear();
        result
    }

    /// Returns the path of the API.
    pub(crate) fn api_path(&self) -> &'static str {
        match self.kind {
            ForgeKind::GitHub => "/api/v3",
            ForgeKind::GitLab => "/api/v4",
            ForgeKind::Gitea => "/api/v1",
        }
    }
}
