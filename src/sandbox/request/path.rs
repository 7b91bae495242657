//! Paths of the Kubernetes API.

use std::sync::Arc;

use crate::api_error::ApiError;
use crate::kind::{Catalog, Document, Kind, Version};
use crate::store::{Key, Place};

/// The resource that a path names.
#[derive(Debug, Clone)]
pub(crate) enum Route {
    /// A discovery document.
    Document(Document),
    /// Objects of a kind.
    Objects(Target),
    /// Nothing, but the group and version are served: the error to answer with.
    Nothing(ApiError),
}

/// A subresource of an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Subresource {
    /// The status.
    Status,
    /// The finalizers in the `spec` of a namespace.
    Finalize,
    /// The conditions that approve or deny a CertificateSigningRequest.
    Approval,
}

impl Subresource {
    /// Parses the last segment of a path.
    fn read(name: &str) -> Option<Self> {
        match name {
            "status" => Some(Self::Status),
            "finalize" => Some(Self::Finalize),
            "approval" => Some(Self::Approval),
            _ => None,
        }
    }

    /// Returns the path segment.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Status => "status",
            Self::Finalize => "finalize",
            Self::Approval => "approval",
        }
    }

    fn is_served(self, kind: &Kind, version: &Version) -> bool {
        match self {
            Self::Status => version.has_status,
            Self::Finalize => kind.group.is_empty() && kind.kind == "Namespace",
            Self::Approval => kind.has_approval(),
        }
    }
}

/// The objects that a request is about.
#[derive(Debug, Clone)]
pub(crate) struct Target {
    /// Their kind.
    pub(crate) kind: Arc<Kind>,
    /// The version that the request uses.
    pub(crate) version: String,
    /// The namespace; empty for cluster-scoped objects and for requests across all namespaces.
    pub(crate) namespace: String,
    /// The name, if the request is about one object.
    pub(crate) name: Option<String>,
    /// The subresource, if the request is not about the whole object.
    pub(crate) subresource: Option<Subresource>,
}

impl Target {
    /// Returns the version that the request uses. Only served versions have a path.
    pub(crate) fn requested_version(&self) -> &Version {
        self.kind.version(&self.version).expect("targets are created only for served versions")
    }

    /// Returns the place of the object with this name.
    pub(crate) fn place(&self, name: &str) -> Place {
        Place::new(self.kind.index, Key::new(&self.namespace, name))
    }

    /// Returns the `apiVersion` that the request uses.
    pub(crate) fn api_version(&self) -> String {
        self.kind.api_version(&self.version)
    }
}

/// Parses a path; `None` if nothing is served there.
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
        ["api", version, rest @ ..] => return objects(catalog, "", version, rest),
        ["apis", group, version, rest @ ..] => return objects(catalog, group, version, rest),
        _ => return None,
    };
    Some(Route::Document(document))
}

/// The parts of a path below a version.
struct Parts<'a> {
    namespace: &'a str,
    plural: &'a str,
    name: Option<&'a str>,
    subresource: Option<&'a str>,
}

impl<'a> Parts<'a> {
    fn read(group: &str, rest: &[&'a str]) -> Option<Self> {
        let (namespace, plural, name, subresource) = match *rest {
            // These are the subresources of the namespace itself, not resources in the namespace.
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
        Some(Self { namespace, plural, name, subresource })
    }
}

/// Parses the path below a group and version. Different parts of a real server serve core kinds and custom resources, and they
/// answer differently if nothing is served at a path.
fn objects(catalog: &Catalog, group: &str, version: &str, rest: &[&str]) -> Option<Route> {
    let is_core =
        catalog.kinds().iter().any(|kind| kind.group == group && !kind.custom && kind.version(version).is_some());
    let nothing = || is_core.then(|| Route::Nothing(ApiError::no_resource()));
    let Some(parts) = Parts::read(group, rest) else { return nothing() };
    let Some(kind) = catalog.find(group, version, parts.plural) else { return nothing() };
    let in_namespace = !parts.namespace.is_empty();
    if (in_namespace && !kind.namespaced) || (parts.name.is_some() && kind.namespaced != in_namespace) {
        return nothing();
    }
    let subresource = match parts.subresource {
        None => None,
        Some(given) => {
            let served = Subresource::read(given)
                .filter(|part| kind.version(version).is_some_and(|version| part.is_served(kind, version)));
            match served {
                Some(part) => Some(part),
                None if kind.custom => {
                    let name = parts.name.unwrap_or_default();
                    return Some(Route::Nothing(ApiError::not_found(kind, name)));
                }
                None => return nothing(),
            }
        }
    };
    Some(Route::Objects(Target {
        kind: Arc::clone(kind),
        version: version.to_owned(),
        namespace: parts.namespace.to_owned(),
        name: parts.name.map(str::to_owned),
        subresource,
    }))
}

/// Decodes percent encoding; invalid escapes stay unchanged.
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
