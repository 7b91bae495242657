//! What happens to clusters and on the hub, besides what Tidegate does.

use serde_json::{Value, json};
use tidegate_api::key;
use tidegate_model::object::ObjectKey;
use tidegate_model::time::Timestamp;

use super::agents::{Agents, Conduct, Nature};
use super::hub::Hub;
use super::instance;

/// Something that happens. Clusters are numbers.
#[derive(Debug, Clone)]
pub enum Accident {
    /// A cluster joins.
    Join {
        /// The cluster.
        cluster: u8,
        /// Whether it is in the EU, else in the US.
        in_eu: bool,
        /// Whether it is a canary.
        is_canary: bool,
        /// What its agent does.
        nature: Nature,
    },
    /// A cluster leaves.
    Leave {
        /// The cluster.
        cluster: u8,
    },
    /// The labels of a cluster change.
    Label {
        /// The cluster.
        cluster: u8,
        /// Whether it is in the EU, else in the US.
        in_eu: bool,
        /// Whether it is a canary.
        is_canary: bool,
    },
    /// The agent of a cluster behaves in another way.
    Turn {
        /// The cluster.
        cluster: u8,
        /// What its agent does.
        nature: Nature,
    },
    /// The hub loses sight of a cluster, or sees it again.
    Sight {
        /// The cluster.
        cluster: u8,
        /// Whether the hub sees it.
        is_seen: bool,
    },
    /// The images of a cluster come from another registry.
    Registry {
        /// The cluster.
        cluster: u8,
        /// The number of the registry.
        number: u8,
    },
    /// Someone deletes what is on the hub for a cluster: its add-on with everything that belongs to it, or its works.
    Delete {
        /// The cluster.
        cluster: u8,
        /// The kind of the objects.
        kind: &'static str,
    },
    /// Someone writes another instance's mark on the add-on of a cluster.
    Claim {
        /// The cluster.
        cluster: u8,
    },
    /// The hub loses one PlacementDecision.
    LosePage {
        /// Its number.
        which: u8,
    },
}

impl Accident {
    /// Lets it happen.
    pub fn happen(self, hub: &mut Hub, agents: &mut Agents, now: Timestamp) {
        match self {
            Self::Join { cluster, in_eu, is_canary, nature } => {
                let name = format!("c{cluster}");
                agents.behave(&name, nature);
                hub.apply(json!({
                    "apiVersion": "cluster.open-cluster-management.io/v1", "kind": "ManagedCluster",
                    "metadata": { "name": name, "labels": labels(in_eu, is_canary) },
                    "spec": { "hubAcceptsClient": true },
                }));
                hub.patch(&numbered(cluster), &sight(true, now));
            }
            Self::Leave { cluster } => hub.delete(&numbered(cluster)),
            Self::Label { cluster, in_eu, is_canary } => {
                hub.patch(&numbered(cluster), &json!({ "metadata": { "labels": labels(in_eu, is_canary) } }));
            }
            Self::Turn { cluster, nature } => agents.behave(&format!("c{cluster}"), nature),
            Self::Sight { cluster, is_seen } => {
                let key = numbered(cluster);
                if is_out_of_sight(hub, &key) == is_seen {
                    hub.patch(&key, &sight(is_seen, now));
                }
            }
            Self::Registry { cluster, number } => {
                let registries =
                    json!({ "registries": [{ "source": "example.com", "mirror": format!("mirror-{number}.com") }] });
                let annotations = json!({ key::IMAGE_REGISTRIES: registries.to_string() });
                hub.patch(&numbered(cluster), &json!({ "metadata": { "annotations": annotations } }));
            }
            Self::Delete { cluster, kind } => {
                let namespace = format!("c{cluster}");
                let lost = hub.of_kind(kind).map(|(key, _)| key.clone());
                for key in lost.filter(|key| key.namespace == namespace).collect::<Vec<_>>() {
                    hub.delete(&key);
                }
            }
            Self::Claim { cluster } => {
                mark(hub, &format!("c{cluster}"), "fedcba9876543210");
            }
            Self::LosePage { which } => {
                let pages: Vec<ObjectKey> = hub.of_kind("PlacementDecision").map(|(key, _)| key.clone()).collect();
                if let Some(page) = pages.get(usize::from(which) % pages.len().max(1)) {
                    hub.delete(page);
                }
            }
        }
    }
}

/// Lets the hub see a cluster, lets its agent do what it should at once, and gives its add-on back to this instance.
pub fn heal(hub: &mut Hub, agents: &mut Agents, cluster: &ObjectKey, now: Timestamp) {
    agents.behave(&cluster.name, Nature { conduct: Conduct::Well, delay: 1 });
    if is_out_of_sight(hub, cluster) {
        hub.patch(cluster, &sight(true, now));
    }
    mark(hub, &cluster.name, instance().id.as_str());
}

/// Writes the mark of an instance on the add-on of a cluster, and on the works of an application.
fn mark(hub: &mut Hub, cluster: &str, instance: &str) {
    let addon = ObjectKey::new(key::ADDON_GROUP, "ManagedClusterAddOn", cluster, "hello");
    let is_marked = |object: &Value| object["metadata"]["labels"].get(key::INSTANCE_LABEL).is_some();
    let works = hub.of_kind("ManifestWork").filter(|(key, work)| key.namespace == cluster && is_marked(work));
    let keys: Vec<ObjectKey> = works.map(|(key, _)| key.clone()).chain([addon]).collect();
    for key in keys {
        hub.patch(&key, &json!({ "metadata": { "labels": { key::INSTANCE_LABEL: instance } } }));
    }
}

/// Returns `true` if the hub has lost sight of a cluster.
pub fn is_out_of_sight(hub: &Hub, cluster: &ObjectKey) -> bool {
    hub.object(cluster).is_some_and(|object| object["status"]["conditions"][0]["status"] != "True")
}

/// Returns the key of a cluster.
pub fn cluster_key(cluster: &str) -> ObjectKey {
    ObjectKey::new("cluster.open-cluster-management.io", "ManagedCluster", "", cluster)
}

fn numbered(cluster: u8) -> ObjectKey {
    cluster_key(&format!("c{cluster}"))
}

fn labels(in_eu: bool, is_canary: bool) -> Value {
    json!({ "region": if in_eu { "eu" } else { "us" }, "tier": if is_canary { "canary" } else { "rest" } })
}

fn sight(is_seen: bool, now: Timestamp) -> Value {
    let status = if is_seen { "True" } else { "Unknown" };
    json!({ "status": { "conditions": [{
        "type": "ManagedClusterConditionAvailable", "status": status, "reason": "R", "message": "",
        "lastTransitionTime": now,
    }] } })
}
