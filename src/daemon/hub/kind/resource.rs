//! How the hub serves a kind: paths, version and scope.

use crate::hub::error::Error;
use tidegate_api::ocm::convert::AddonVersion;
use tidegate_model::object::GroupKind;

/// A kind as the hub serves it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::hub) struct Resource {
    pub(in crate::hub) kind: GroupKind,
    /// The version in which objects are watched and patched.
    pub(in crate::hub) version: String,
    pub(in crate::hub) plural: String,
    pub(in crate::hub) namespaced: bool,
}

impl Resource {
    /// Returns the version to convert to before writing, or `None` outside the add-on group.
    pub(in crate::hub) fn addon_version(&self) -> Option<AddonVersion> {
        if self.kind.group != tidegate_api::key::ADDON_GROUP {
            return None;
        }
        [AddonVersion::V1Alpha1, AddonVersion::V1Beta1].into_iter().find(|version| version.as_str() == self.version)
    }

    /// Returns the `apiVersion` of its objects.
    pub(in crate::hub) fn api_version(&self) -> String {
        if self.kind.group.is_empty() { self.version.clone() } else { format!("{}/{}", self.kind.group, self.version) }
    }

    /// Returns the path of all objects of the kind on the hub.
    pub(in crate::hub) fn path(&self) -> String {
        self.collection(&self.version, "")
    }

    /// Returns the path of the objects of a namespace, in a version.
    ///
    /// # Errors
    /// [`Error::BadName`] if the namespace is not a plain path segment.
    pub(in crate::hub) fn path_in(&self, version: &str, namespace: &str) -> Result<String, Error> {
        if !self.namespaced {
            return Ok(self.collection(version, ""));
        }
        checked(namespace)?;
        Ok(self.collection(version, namespace))
    }

    fn collection(&self, version: &str, namespace: &str) -> String {
        let group = &self.kind.group;
        let root = if group.is_empty() { format!("/api/{version}") } else { format!("/apis/{group}/{version}") };
        let plural = &self.plural;
        if namespace.is_empty() {
            format!("{root}/{plural}")
        } else {
            format!("{root}/namespaces/{namespace}/{plural}")
        }
    }
}

/// Checks that a name is exactly one segment of a path: names come from files that anyone may have written.
///
/// # Source
/// Kubernetes `ValidatePathSegmentName`, without the characters that start a query, a fragment or an escape in a URL.
pub(in crate::hub) fn checked(name: &str) -> Result<&str, Error> {
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"-._~:@!$&'()*+,;=".contains(&b);
    if name.is_empty() || name == "." || name == ".." || name.len() > 253 || !name.bytes().all(plain) {
        return Err(Error::BadName { name: name.to_owned() });
    }
    Ok(name)
}
