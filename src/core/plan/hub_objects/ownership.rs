//! Who owns an object on the hub, and whether it may be written or removed.
//!
//! An object belongs to at most one instance. An object of another instance is
//! read but never written or removed. An object without a mark belongs to no one. One of OCM's kinds is taken over by declaring it, as
//! with `kubectl apply`; any other only if the operator lists it. It is not removed before that.

use serde_json::Value;

use tidegate_api::key;
use tidegate_api::mark::Mark;
use tidegate_api::ocm::managed_cluster_addon::ManagedClusterAddOn;
use tidegate_model::instance::Instance;
use tidegate_model::object::ObjectKey;
use tidegate_repository::Adopt;

/// The owner of an object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Owner {
    /// This instance, according to its mark or its adoption settings.
    Ours,
    /// No one: the object has no mark.
    Nobody,
    /// Another instance.
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
}

impl Ownership<'_> {
    /// Returns the mark of a declared object that another instance owns.
    pub fn other_mark(&self, object: &Value) -> Option<Mark> {
        self.of_object(object).other().cloned()
    }

    /// Returns the owner of a declared object.
    pub(crate) fn of_object(&self, object: &Value) -> Owner {
        self.of_mark(Mark::of_object(object))
    }

    /// Returns the owner of the add-on of a cluster.
    pub(crate) fn of_install(&self, addon: &ManagedClusterAddOn) -> Owner {
        self.of_mark(Mark::of(&addon.metadata))
    }

    /// Returns `true` if a declared object is written even if the hub has one that no instance has marked.
    pub(crate) fn takes_over(&self, key: &ObjectKey) -> bool {
        [key::ADDON_GROUP, key::CLUSTER_GROUP].contains(&key.group.as_str()) || self.adopt.lists(key)
    }

    /// Returns the owner of an object with this mark.
    pub(crate) fn of_mark(&self, mark: Option<Mark>) -> Owner {
        match mark {
            None => Owner::Nobody,
            Some(mark) if self.is_ours(&mark.id) => Owner::Ours,
            Some(mark) => Owner::Other(mark),
        }
    }

    fn is_ours(&self, id: &str) -> bool {
        id == self.instance.id.as_str() || self.adopt.instances.iter().any(|adopted| adopted.as_str() == id)
    }
}

/// Returns what would hand an object of another instance over to this one; completes the phrase `continues when`.
pub(crate) fn transfer(mark: &Mark) -> String {
    format!("the other instance has removed it, or the file of the daemon has [adopt] instances = [\"{}\"]", mark.id)
}

/// Returns what to do about an object that another instance owns, for the end of a message.
pub fn remedy(mark: &Mark) -> String {
    format!(
        "remove it from one of the two repositories, or take it over with [adopt] instances = [\"{}\"] in the file of the daemon",
        mark.id
    )
}
