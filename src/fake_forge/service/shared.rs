//! What the web server and the handle of a forge share.

use parking_lot::Mutex;

use super::super::instance::Instance;
use super::super::traffic::{Faults, Log, Usage};
use super::super::webhooks::{Queue, signed};
use super::super::{gitea, github, gitlab};
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
    pub(crate) webhooks: Queue,
}

impl Shared {
    /// Returns a forge that has no requests yet.
    pub(crate) fn new(kind: ForgeKind, origin: String, instance: Instance, webhooks: Queue) -> Self {
        let instance = Mutex::new(instance);
        let (log, faults, usage) = (Mutex::default(), Mutex::default(), Mutex::default());
        Self { kind, origin, instance, log, faults, usage, webhooks }
    }

    /// Runs something on the forge, at the current time of its clock.
    pub(crate) fn act<T>(&self, act: impl FnOnce(&mut Instance) -> T) -> T {
        let mut instance = self.instance.lock();
        instance.now = to_seconds((instance.options.clock)());
        let result = act(&mut instance);
        self.announce(&mut instance);
        result
    }

    /// Adds messages about what happened to the queue of the webhook.
    fn announce(&self, forge: &mut Instance) {
        let events = std::mem::take(&mut forge.events);
        let Some(webhook) = forge.options.webhook.clone() else { return };
        for event in events {
            let payload = match self.kind {
                ForgeKind::GitHub => github::payload(forge, &event),
                ForgeKind::GitLab => gitlab::payload(forge, &event),
                ForgeKind::Gitea => gitea::payload(forge, &event),
            };
            let Some(payload) = payload else { continue };
            let number = forge.store.next_id();
            let delivery = signed(self.kind, &webhook, &self.origin, &payload, number, forge.now);
            self.webhooks.add(&webhook.url, delivery);
        }
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
