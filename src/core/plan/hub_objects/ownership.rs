//! Who owns an object on the hub, and whether it may be written or removed.
//!
//! An object belongs to at most one instance. An object of another instance, or of one that cannot be proven to be this one, is
//! read but never written or removed. An object without a mark belongs to no one. One of OCM's kinds is taken over by declaring it, as
//! with `kubectl apply`; any other only if the operator lists it. It is not removed before that.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::stamp;
use tidegate_api::key;
use tidegate_api::mark::Mark;
use tidegate_api::ocm::managed_cluster_addon::ManagedClusterAddOn;
use tidegate_model::instance::Instance;
use tidegate_model::name::{AddonName, ClusterName};
use tidegate_model::object::ObjectKey;
use tidegate_model::time::Timestamp;
use tidegate_repository::{Adopt, Repository};

/// Proof from the journal of an instance of what the instance wrote before it had an identity.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Proof {
    /// The hashes that declared objects carry if this instance applied them.
    hashes: BTreeMap<ObjectKey, BTreeSet<String>>,
    /// The clusters on which the journal reported each add-on.
    clusters: BTreeMap<AddonName, BTreeSet<ClusterName>>,
    /// When the identity was created. Anything created later carries it.
    until: Option<Timestamp>,
}

impl Proof {
    /// Collects what the applied revisions declare, and on which clusters the journal reported each add-on.
    pub fn of<'a>(
        applied: impl Iterator<Item = &'a Repository>,
        clusters: BTreeMap<AddonName, BTreeSet<ClusterName>>,
        until: Option<Timestamp>,
    ) -> Self {
        let mut hashes: BTreeMap<ObjectKey, BTreeSet<String>> = BTreeMap::new();
        for (key, declared) in applied.flat_map(|repository| &repository.objects) {
            hashes.entry(key.clone()).or_default().insert(stamp::unidentified_hash(&declared.object, key));
        }
        Self { hashes, clusters, until }
    }

    fn proves(&self, key: &ObjectKey, object: &Value) -> bool {
        let hash =
            object.pointer("/metadata/annotations").and_then(|a| a.get(key::APPLIED_HASH)).and_then(Value::as_str);
        hash.is_some_and(|hash| self.hashes.get(key).is_some_and(|hashes| hashes.contains(hash)))
    }

    fn proves_install(&self, name: &AddonName, cluster: &ClusterName, addon: &ManagedClusterAddOn) -> bool {
        let created = addon.metadata.creation_timestamp.as_ref().map(|at| at.0);
        let is_before = self.until.zip(created).is_some_and(|(until, created)| created <= until);
        is_before && self.clusters.get(name).is_some_and(|clusters| clusters.contains(cluster))
    }
}

/// The owner of an object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Owner {
    /// This instance, according to its mark, its adoption settings or its journal.
    Ours,
    /// No one: the object has no mark.
    Nobody,
    /// Another instance, or an instance without an identity that is not proven to be this one.
    Other(Mark),
}

impl Owner {
    /// Returns `true` if the object may be written: it belongs to this instance or to no one.
    pub(crate) fn may_write(&self) -> bool {
        !matches!(self, Self::Other(_))
    }

    /// Returns the mark of the other owner, if there is one.
    pub(crate) fn other(&self) -> Option<&Mark> {
        match self {
            Self::Other(mark) => Some(mark),
            Self::Ours | Self::Nobody => None,
        }
    }
}

/// The rules that decide who owns an object.
#[derive(Debug, Clone, Copy)]
pub struct Ownership<'a> {
    /// This instance.
    pub instance: &'a Instance,
    /// Whose objects the operator lets it take over.
    pub adopt: &'a Adopt,
    /// What its journal proves.
    pub proof: &'a Proof,
}

impl Ownership<'_> {
    /// Returns the mark of a declared object that another instance owns.
    pub fn other_mark(&self, key: &ObjectKey, object: &Value) -> Option<Mark> {
        self.of_object(key, object).other().cloned()
    }

    /// Returns the owner of a declared object.
    pub(crate) fn of_object(&self, key: &ObjectKey, object: &Value) -> Owner {
        match Mark::of_object(object) {
            Mark::Unidentified if self.proof.proves(key, object) => Owner::Ours,
            mark => self.of_mark(mark),
        }
    }

    /// Returns the owner of the add-on of a cluster. Versions up to 0.1.0 wrote no mark on it.
    pub(crate) fn of_install(&self, name: &AddonName, cluster: &ClusterName, addon: &ManagedClusterAddOn) -> Owner {
        // The label alone means that the configurations of the cluster are declared; it does not show who created the
        // object.
        match Mark::of(&addon.metadata) {
            Mark::None | Mark::Unidentified if self.proof.proves_install(name, cluster, addon) => Owner::Ours,
            Mark::Unidentified if !self.adopt.unidentified => Owner::Nobody,
            mark => self.of_mark(mark),
        }
    }

    /// Returns `true` if a declared object is written even if the hub has one that no instance has marked.
    pub(crate) fn takes_over(&self, key: &ObjectKey) -> bool {
        [key::ADDON_GROUP, key::CLUSTER_GROUP].contains(&key.group.as_str()) || self.adopt.lists(key)
    }

    /// Returns the owner of an object with this mark, if the journal proves nothing.
    pub(crate) fn of_mark(&self, mark: Mark) -> Owner {
        match &mark {
            Mark::None => Owner::Nobody,
            Mark::Unidentified if self.adopt.unidentified => Owner::Ours,
            Mark::Instance { id, .. } if self.is_ours(id) => Owner::Ours,
            Mark::Unidentified | Mark::Instance { .. } => Owner::Other(mark),
        }
    }

    fn is_ours(&self, id: &str) -> bool {
        id == self.instance.id.as_str() || self.adopt.instances.iter().any(|adopted| adopted.as_str() == id)
    }
}

/// Returns what would hand an object of another instance over to this one; completes the phrase `continues when`.
pub(crate) fn transfer(mark: &Mark) -> String {
    match mark {
        Mark::Instance { id, .. } => {
            format!("the other instance has removed it, or the file of the daemon has [adopt] instances = [\"{id}\"]")
        }
        Mark::Unidentified | Mark::None => "the file of the daemon has [adopt] unidentified = true".to_owned(),
    }
}

/// Returns what to do about an object that another instance owns, for the end of a message.
pub fn remedy(mark: &Mark) -> String {
    match mark {
        Mark::Instance { id, .. } => format!(
            "remove it from one of the two repositories, or take it over with [adopt] instances = [\"{id}\"] in the file of the daemon"
        ),
        Mark::Unidentified | Mark::None => {
            "if it was this repository's, take it over with [adopt] unidentified = true in the file of the daemon"
                .to_owned()
        }
    }
}
