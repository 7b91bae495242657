//! Intended changes to the hub: what a plan decides and what the hub carries out.

use serde_json::Value;

use super::json_text::JsonText;
use super::object::ObjectKey;

/// When the writes of a lane are made, relative to the other lanes of a plan. A stage starts when the previous one has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Stage {
    /// Namespaces, which must exist before other declared objects.
    Prepare,
    /// Declared objects: the ones that the repository wants on the hub.
    Declare,
    /// Placement decisions and the status of Placements.
    Decide,
    /// Per cluster: the add-on, its status and its works.
    Deliver,
    /// The status of ClusterManagementAddOns, which summarizes all clusters.
    Conclude,
    /// Removal of objects that are no longer in the repository.
    Prune,
}

/// Writes that belong together: made one after the other, abandoned at the first failure.
///
/// Lanes of one stage are independent and run in parallel. Abandoned writes are planned again from a fresh observation.
#[derive(Debug, Clone, PartialEq)]
pub struct Lane {
    /// When the lane runs.
    pub stage: Stage,
    /// The writes, in order.
    pub writes: Vec<Write>,
}

/// The state of an object that a write was based on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Precondition {
    /// `metadata.uid` as observed.
    pub uid: String,
    /// `metadata.resourceVersion` as observed; `None` if any version is accepted (a deletion).
    pub resource_version: Option<String>,
}

/// A part of an object that is written separately.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Subresource {
    /// The conditions of a CertificateSigningRequest that approve or deny it.
    Approval,
    /// The status.
    Status,
}

impl Subresource {
    /// Returns its name in a path.
    pub fn name(self) -> &'static str {
        match self {
            Self::Approval => "approval",
            Self::Status => "status",
        }
    }
}

/// A whole object as JSON text, with its key.
#[derive(Debug, Clone, PartialEq)]
pub struct WholeObject {
    /// `None` if the object has no identity.
    pub key: Option<ObjectKey>,
    /// The object.
    pub json: JsonText,
}

impl From<&Value> for WholeObject {
    fn from(object: &Value) -> Self {
        Self { key: ObjectKey::of(object), json: object.into() }
    }
}

impl From<Value> for WholeObject {
    fn from(object: Value) -> Self {
        Self::from(&object)
    }
}

/// One change to one object. The writes that are made for each cluster keep their content as text, because a plan can have tens of thousands.
///
///  Objects of the add-on group are v1beta1; `hub` converts them to the version that is served.
#[derive(Debug, Clone, PartialEq)]
pub enum Write {
    /// Server-side apply of a whole object with field manager `tidegate`, forced.
    Apply {
        /// The whole object as declared.
        object: Value,
    },
    /// The same for an object that may be on the hub without a mark, where no watch shows it. Refused in that case.
    Declare {
        /// The whole object as declared, with its mark.
        object: Value,
    },
    /// Creates an object. If it already exists, the lane stops and the object is observed again.
    Create {
        /// The whole object, without status.
        object: WholeObject,
    },
    /// Merge patch of the object itself.
    Patch {
        /// Which object.
        key: ObjectKey,
        /// The state it must still have.
        precondition: Precondition,
        /// The fields to change (RFC 7386), without `uid` and `resourceVersion`.
        patch: JsonText,
    },
    /// Merge patch of the status subresource.
    PatchStatus {
        /// Which object.
        key: ObjectKey,
        /// The state it must still have; `None` right after a create in the same lane.
        precondition: Option<Precondition>,
        /// The fields of `status` to change.
        status: JsonText,
    },
    /// Replaces a subresource of an object.
    Replace {
        /// The subresource.
        subresource: Subresource,
        /// The whole object as observed, with the new content of the subresource. It must still have this resourceVersion.
        object: Value,
    },
    /// Deletes an object; succeeds if it is already gone.
    Delete {
        /// Which object.
        key: ObjectKey,
        /// The object to delete; a new object with the same name is kept.
        precondition: Precondition,
    },
}

impl Write {
    /// Returns what the write does to its object, such as `patches the status of`.
    pub fn verb(&self) -> &'static str {
        match self {
            Self::Apply { .. } => "applies",
            Self::Declare { .. } => "declares",
            Self::Create { .. } => "creates",
            Self::Patch { .. } => "patches",
            Self::PatchStatus { .. } => "patches the status of",
            Self::Replace { .. } => "replaces",
            Self::Delete { .. } => "deletes",
        }
    }

    /// Returns the key of the object that the write changes, or `None` if the object has no identity.
    pub fn key(&self) -> Option<ObjectKey> {
        match self {
            Self::Apply { object } | Self::Declare { object } | Self::Replace { object, .. } => ObjectKey::of(object),
            Self::Create { object } => object.key.clone(),
            Self::Patch { key, .. } | Self::PatchStatus { key, .. } | Self::Delete { key, .. } => Some(key.clone()),
        }
    }
}
