//! Converts an intended write to a call: versions, paths, preconditions.

use std::collections::BTreeMap;
use std::sync::Arc;

use kube::core::params::Preconditions;
use serde_json::{Value, json};

use super::call::{Call, Payload};
use crate::hub::error::Error;
use crate::hub::kind::resource::{Resource, checked};
use crate::hub::session::Session;
use tidegate_api::key::ADDON_GROUP;
use tidegate_api::ocm::convert::{AddonVersion, convert, convert_members, convert_owners};
use tidegate_model::action::{Precondition, Write};
use tidegate_model::object::{GroupKind, ObjectKey, group_version};

/// A write that is ready to be sent.
pub(super) struct Prepared {
    pub(super) key: ObjectKey,
    pub(super) resource: Arc<Resource>,
    pub(super) call: Call,
    /// The state that the object must still have.
    pub(super) upon: Option<Precondition>,
    /// Whether the hub may not have the object without a mark.
    pub(super) must_be_marked: bool,
}

/// The objects that a lane has written so far.
///
/// A lane is planned from one observation. A second write to the same object must succeed although the first one has changed its
/// resource version, and must fail if another client has changed it.
#[derive(Debug, Default)]
pub(super) struct Written(BTreeMap<ObjectKey, Step>);

#[derive(Debug)]
struct Step {
    /// The resource version before the first write of the lane; `None` if the lane created the object.
    from: Option<String>,
    to: Precondition,
}

impl Written {
    /// Records the answer to a write of an object.
    pub(super) fn note(&mut self, key: ObjectKey, upon: Option<Precondition>, answer: &Value) {
        let text = |pointer: &str| answer.pointer(pointer).and_then(Value::as_str).map(str::to_owned);
        let Some(uid) = text("/metadata/uid") else { return };
        let to = Precondition { uid, resource_version: text("/metadata/resourceVersion") };
        let from = upon.and_then(|upon| upon.resource_version);
        match self.0.get_mut(&key) {
            Some(step) => step.to = to,
            None => drop(self.0.insert(key, Step { from, to })),
        }
    }

    /// Updates a precondition to the version that the lane itself has written.
    fn moved(&self, key: &ObjectKey, given: Option<Precondition>) -> Option<Precondition> {
        match (self.0.get(key), given) {
            (Some(step), None) => Some(step.to.clone()),
            (Some(step), Some(given)) if given.uid == step.to.uid && given.resource_version == step.from => {
                Some(step.to.clone())
            }
            (_, given) => given,
        }
    }
}

/// Builds the call for a write.
///
/// # Errors
/// [`Error::NoIdentity`], [`Error::BadName`], [`Error::Unserved`] or [`Error::NoPrecondition`]; nothing has been sent.
pub(super) fn prepare(session: &Session, write: Write, written: &Written) -> Result<Prepared, Error> {
    let key = write.key().ok_or(Error::NoIdentity)?;
    let resource = session.resource(&GroupKind::of(&key))?;
    let mut version = resource.version.clone();
    let mut upon = None;
    let must_be_marked = matches!(write, Write::Declare { .. });
    let (doing, body) = match write {
        Write::Apply { object } | Write::Declare { object } => {
            ("applying", Payload::Apply(outward(&resource, object, &mut version)))
        }
        Write::Create { object } => {
            ("creating", Payload::Create(outward(&resource, object.json.value(), &mut version)))
        }
        Write::Patch { precondition, patch, .. } => {
            upon = written.moved(&key, Some(precondition));
            ("patching", Payload::Merge(patch.value()))
        }
        Write::PatchStatus { precondition, status, .. } => {
            upon = written.moved(&key, precondition);
            ("patching the status of", Payload::MergeStatus(json!({ "status": status.value() })))
        }
        Write::Replace { subresource, object } => {
            upon = version_of(&object);
            ("replacing a subresource of", Payload::Replace(subresource, object))
        }
        Write::Delete { precondition, .. } => {
            let Precondition { uid, resource_version } = precondition.clone();
            upon = Some(precondition);
            ("deleting", Payload::Delete(Preconditions { uid: Some(uid), resource_version }))
        }
    };
    let what = format!("{doing} {key}");
    let mut body = match body {
        Payload::Merge(patch) => Payload::Merge(merge(&resource, patch, upon.as_ref())),
        Payload::MergeStatus(_) | Payload::Replace(..) if upon.is_none() => return Err(Error::NoPrecondition { what }),
        Payload::MergeStatus(patch) => Payload::MergeStatus(merge(&resource, patch, upon.as_ref())),
        body => body,
    };
    name_owners(session, &mut body);
    let path = resource.path_in(&version, &key.namespace)?;
    let name = checked(&key.name)?.to_owned();
    Ok(Prepared { key, resource, call: Call { what, path, name, body }, upon, must_be_marked })
}

/// Returns the state of an object that a replacement is based on; `None` if it has no uid or no resourceVersion.
fn version_of(object: &Value) -> Option<Precondition> {
    let text = |field: &str| object.get("metadata")?.get(field)?.as_str().map(str::to_owned);
    Some(Precondition { uid: text("uid")?, resource_version: Some(text("resourceVersion")?) })
}

/// Converts a whole object to the version in which it is written: that of the hub for the add-on group, else its own.
fn outward(resource: &Resource, mut object: Value, version: &mut String) -> Value {
    match resource.addon_version() {
        Some(to) => convert(&mut object, to),
        None => {
            if let Some((_, own)) = group_version(&object) {
                own.clone_into(version);
            }
        }
    }
    object
}

/// Names owners of the add-on group in the version that the hub serves.
fn name_owners(session: &Session, body: &mut Payload) {
    let addons = session.resource(&GroupKind::new(ADDON_GROUP, "ManagedClusterAddOn"));
    let Some(version) = addons.ok().and_then(|addons| addons.addon_version()) else { return };
    let object = match body {
        Payload::Apply(object) | Payload::Create(object) | Payload::Merge(object) | Payload::Replace(_, object) => {
            object
        }
        Payload::MergeStatus(_) | Payload::Delete(_) => return,
    };
    if let Some(metadata) = object.get_mut("metadata") {
        convert_owners(metadata, version);
    }
}

/// Converts a merge patch to the version of the hub and adds the precondition.
fn merge(resource: &Resource, mut patch: Value, upon: Option<&Precondition>) -> Value {
    if resource.addon_version() == Some(AddonVersion::V1Alpha1) {
        convert_members(&mut patch, &resource.kind.kind, AddonVersion::V1Alpha1);
    }
    if let (Some(members), Some(Precondition { uid, resource_version })) = (patch.as_object_mut(), upon)
        && let Some(metadata) = members.entry("metadata").or_insert_with(|| json!({})).as_object_mut()
    {
        metadata.insert("uid".to_owned(), json!(uid));
        if let Some(version) = resource_version {
            metadata.insert("resourceVersion".to_owned(), json!(version));
        }
    }
    patch
}
