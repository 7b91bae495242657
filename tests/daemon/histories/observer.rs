//! What clusters get: every version that their works have had, as the hub reports it to a client that only watches.

use std::collections::BTreeMap;
use std::sync::Arc;

use kube::api::{Api, ApiResource, DynamicObject, GroupVersionKind};
use parking_lot::Mutex;

use super::unit::Unit;
use crate::watcher::{Change, Initial, watch};

/// The versions of each cluster, in the order in which it got them.
#[derive(Debug, Clone)]
pub(in crate::daemon) struct Observer {
    /// The text before the version in the content of the works.
    image: &'static str,
    versions: Arc<Mutex<BTreeMap<String, Vec<String>>>>,
}

impl Observer {
    /// Starts to observe the add-on on a hub.
    pub(in crate::daemon) fn start(client: kube::Client) -> Self {
        Self::of(Unit::AddOn, client)
    }

    /// Starts to observe a unit on a hub.
    pub(super) fn of(unit: Unit, client: kube::Client) -> Self {
        let kind = GroupVersionKind::gvk("work.open-cluster-management.io", "v1", "ManifestWork");
        let api: Api<DynamicObject> = Api::all_with(client, &ApiResource::from_gvk_with_plural(&kind, "manifestworks"));
        let (sender, mut changes) = tokio::sync::mpsc::unbounded_channel();
        let observer = Self { image: unit.image(), versions: Arc::default() };
        tokio::spawn(watch(api, Initial::Listed, sender));
        tokio::spawn({
            let observer = observer.clone();
            async move {
                while let Some(change) = changes.recv().await {
                    match change {
                        Change::Listed(works) => works.iter().for_each(|work| observer.observe(work)),
                        Change::Applied(work) => observer.observe(&work),
                        Change::Deleted(_) => {}
                    }
                }
            }
        });
        observer
    }

    /// Returns what has been observed.
    pub(in crate::daemon) fn versions(&self) -> BTreeMap<String, Vec<String>> {
        self.versions.lock().clone()
    }

    /// A work without content has no version: a person has emptied it.
    fn observe(&self, work: &DynamicObject) {
        let content = work.data["spec"].to_string();
        let Some((_, after)) = content.split_once(self.image) else { return };
        let version: String = after.chars().take_while(|c| c.is_ascii_digit() || *c == '.').collect();
        let mut all = self.versions.lock();
        let versions = all.entry(work.metadata.namespace.clone().unwrap_or_default()).or_default();
        if versions.last() != Some(&version) {
            versions.push(version);
        }
    }
}
