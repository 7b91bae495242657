//! Intended changes to the hub: what a plan decides and what the hub carries out.

use serde_json::Value;

use super::object::ObjectKey;

/// When the writes of a lane are made, relative to the other lanes of a plan. A stage begins after the one before it has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Stage {
    /// Namespaces, which other declared objects need to be there.
    Prepare,
    /// Declared objects: what the repository says that the hub should hold.
    Declare,
    /// Placement decisions and the status of Placements.
    Decide,
    /// Per cluster: the add-on, its status and its works.
    Deliver,
    /// The status of ClusterManagementAddOns: what all clusters together amount to.
    Conclude,
    /// Removal of objects that left the repository.
    Prune,
}

/// Writes that belong together: made one after the other, and given up at the first that fails.
///
/// Lanes of one stage are independent and run in parallel. What was given up is decided anew from a fresh observation.
#[derive(Debug, Clone, PartialEq)]
pub struct Lane {
    /// When the lane runs.
    pub stage: Stage,
    /// The writes, in order.
    pub writes: Vec<Write>,
}

/// The state of an object that a write was decided upon.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Precondition {
    /// `metadata.uid` as observed.
    pub uid: String,
    /// `metadata.resourceVersion` as observed; `None` where any version will do (a deletion).
    pub resource_version: Option<String>,
}

/// One change to one object. Objects of the add-on group are in the shape of v1beta1; the hub converts to what it serves.
#[derive(Debug, Clone, PartialEq)]
pub enum Write {
    /// Server-side apply of a whole object with field manager `tidegate`, forced.
    Apply {
        /// The whole object as declared.
        object: Value,
    },
    /// Creates an object; one that exists already makes the lane stop, to be observed again.
    Create {
        /// The whole object, without status.
        object: Value,
    },
    /// Merge patch of the object itself.
    Patch {
        /// Which object.
        key: ObjectKey,
        /// What it must still be.
        precondition: Precondition,
        /// The members to change (RFC 7386), without `uid` and `resourceVersion`.
        patch: Value,
    },
    /// Merge patch of the status subresource.
    PatchStatus {
        /// Which object.
        key: ObjectKey,
        /// What it must still be; `None` right after a create in the same lane.
        precondition: Option<Precondition>,
        /// The members of `status` to change.
        status: Value,
    },
    /// Deletes an object; one that is gone already is as good.
    Delete {
        /// Which object.
        key: ObjectKey,
        /// Only this very object, never a namesake made in the meantime.
        precondition: Precondition,
    },
}

impl Write {
    /// Returns the object that the write changes, or `None` if the object to write has no identity.
    pub fn key(&self) -> Option<ObjectKey> {
        match self {
            Self::Apply { object } | Self::Create { object } => ObjectKey::of(object),
            Self::Patch { key, .. } | Self::PatchStatus { key, .. } | Self::Delete { key, .. } => Some(key.clone()),
        }
    }
}
