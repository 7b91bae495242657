//! Paths of the Kubernetes API.

use std::sync::Arc;

use crate::sandbox::kind::{Catalog, Document, Kind, Version};
use crate::sandbox::store::{Key, Place};

/// What a path leads to.
#[derive(Debug, Clone)]
pub(crate) enum Route {
    /// A discovery document.
    Document(Document),
    /// Objects of a kind.
    Objects(Target),
}

/// The objects that a request is about.
#[derive(Debug, Clone)]
pub(crate) struct Target {
    /// Their kind.
    pub(crate) kind: Arc<Kind>,
    /// The version that is spoken.
    pub(crate) version: String,
    /// The namespace; empty for cluster-scoped objects and for those of all namespaces.
    pub(crate) namespace: String,
    /// The name, if it is about one object.
    pub(crate) name: Option<String>,
    /// Whether it is about the status only.
    pub(crate) status: bool,
}

impl Target {
    /// Returns the version that is spoken. Only served versions have a path.
    pub(crate) fn spoken(&self) -> &Version {
        self.kind.version(&self.version).expect("a target is only made for a served version")
    }

    /// Returns where an object of this name lies.
    pub(crate) fn place(&self, name: &str) -> Place {
        Place::new(self.kind.index, Key::new(&self.namespace, name))
    }

    /// Returns the `apiVersion` that is spoken.
    pub(crate) fn api_version(&self) -> String {
        self.kind.api_version(&self.version)
    }
}

/// Reads a path; `None` if nothing is served there.
pub(crate) fn route(catalog: &Catalog, path: &str) -> Option<Route> {
    let segments: Vec<String> = path.split('/').filter(|segment| !segment.is_empty()).map(decoded).collect();
    let segments: Vec<&str> = segments.iter().map(String::as_str).collect();
    let document = match segments.as_slice() {
        ["version"] => Document::ServerVersion,
        ["healthz" | "livez" | "readyz"] => Document::Health,
        ["openapi", "v2"] => Document::OpenApiV2,
        ["openapi", "v3"] => Document::OpenApiIndex,
        ["openapi", "v3", path @ ..] => Document::OpenApi(path.join("/")),
        ["api"] => Document::CoreVersions,
        ["apis"] => Document::Groups,
        ["apis", group] => Document::Group((*group).to_owned()),
        ["api", version] => Document::Resources { group: String::new(), version: (*version).to_owned() },
        ["apis", group, version] => Document::Resources { group: (*group).to_owned(), version: (*version).to_owned() },
        ["api", version, rest @ ..] => return target(catalog, "", version, rest).map(Route::Objects),
        ["apis", group, version, rest @ ..] => return target(catalog, group, version, rest).map(Route::Objects),
        _ => return None,
    };
    Some(Route::Document(document))
}

fn target(catalog: &Catalog, group: &str, version: &str, rest: &[&str]) -> Option<Target> {
    let (namespace, plural, name, subresource) = match *rest {
        // A namespace is itself an object, and only then a place for others.
        ["namespaces", name, subresource @ ("status" | "finalize")] if group.is_empty() => {
            ("", "namespaces", Some(name), Some(subresource))
        }
        ["namespaces", namespace, plural] => (namespace, plural, None, None),
        ["namespaces", namespace, plural, name] => (namespace, plural, Some(name), None),
        ["namespaces", namespace, plural, name, subresource] => (namespace, plural, Some(name), Some(subresource)),
        [plural] => ("", plural, None, None),
        [plural, name] => ("", plural, Some(name), None),
        [plural, name, subresource] => ("", plural, Some(name), Some(subresource)),
        _ => return None,
    };
    let kind = catalog.find(group, version, plural)?;
    let status = match subresource {
        None => false,
        Some("status") if kind.version(version)?.has_status => true,
        Some(_) => return None,
    };
    let in_namespace = !namespace.is_empty();
    if (in_namespace && !kind.namespaced) || (name.is_some() && kind.namespaced != in_namespace) {
        return None;
    }
    Some(Target {
        kind: Arc::clone(kind),
        version: version.to_owned(),
        namespace: namespace.to_owned(),
        name: name.map(str::to_owned),
        status,
    })
}

/// Undoes percent encoding; what is not encoded properly stays as it is.
fn decoded(segment: &str) -> String {
    let mut bytes = Vec::with_capacity(segment.len());
    let mut rest = segment.as_bytes();
    while let Some((&first, tail)) = rest.split_first() {
        let code = tail.get(..2).and_then(|code| std::str::from_utf8(code).ok());
        match code.and_then(|code| u8::from_str_radix(code, 16).ok()) {
            Some(byte) if first == b'%' => {
                bytes.push(byte);
                rest = tail.get(2..).unwrap_or_default();
            }
            _ => {
                bytes.push(first);
                rest = tail;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
