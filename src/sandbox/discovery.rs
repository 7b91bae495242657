//! Discovery documents: the served groups, versions and resources.

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::kind::{Catalog, Kind, Version};

/// A document that describes the server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Document {
    /// `/version`.
    ServerVersion,
    /// `/api`.
    CoreVersions,
    /// `/apis`.
    Groups,
    /// `/apis/<group>`.
    Group(String),
    /// `/api/v1` and `/apis/<group>/<version>`.
    Resources {
        /// The group.
        group: String,
        /// The version.
        version: String,
    },
    /// `/openapi/v3`.
    OpenApiIndex,
    /// `/openapi/v3/<path>`.
    OpenApi(String),
    /// `/openapi/v2`, an empty document.
    OpenApiV2,
    /// `/healthz` and the like.
    Health,
}

const CUSTOM_VERBS: [&str; 8] = ["delete", "deletecollection", "get", "list", "patch", "create", "update", "watch"];
const CORE_VERBS: [&str; 8] = ["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"];
/// Returns the verbs of a kind, in the order of a real server.
pub(crate) fn verbs(kind: &Kind) -> Vec<&'static str> {
    let all = if kind.custom { CUSTOM_VERBS } else { CORE_VERBS };
    // A real server does not support deletecollection for namespaces.
    let is_single = !kind.custom && kind.plural == "namespaces";
    all.into_iter().filter(|verb| !(is_single && *verb == "deletecollection")).collect()
}

impl Catalog {
    /// Returns a document, or `None` if the group, version or path does not exist.
    pub(crate) fn document(&self, document: &Document) -> Option<Value> {
        match document {
            Document::ServerVersion => Some(json!({
                "major": "1", "minor": "36", "gitVersion": "v1.36.0+tidegate", "gitCommit": "", "gitTreeState": "clean",
                "buildDate": "1970-01-01T00:00:00Z", "goVersion": "none", "compiler": "rustc", "platform": "memory",
            })),
            Document::CoreVersions => {
                Some(json!({ "kind": "APIVersions", "versions": ["v1"], "serverAddressByClientCIDRs": [] }))
            }
            Document::Groups => {
                let mut names: Vec<&str> = self.kinds().iter().map(|kind| kind.group.as_str()).collect();
                names.retain(|name| !name.is_empty());
                names.sort_unstable();
                names.dedup();
                let groups: Vec<Value> = names.into_iter().filter_map(|name| self.group(name)).collect();
                Some(json!({ "kind": "APIGroupList", "apiVersion": "v1", "groups": groups }))
            }
            Document::Group(name) => {
                let mut group = self.group(name)?;
                group["kind"] = json!("APIGroup");
                group["apiVersion"] = json!("v1");
                Some(group)
            }
            Document::Resources { group, version } => self.resources(group, version),
            Document::OpenApiIndex => Some(self.openapi().index()),
            Document::OpenApi(path) => self.openapi().get(path).cloned(),
            Document::OpenApiV2 => {
                Some(json!({ "swagger": "2.0", "info": { "title": "Kubernetes", "version": "v1.36.0" }, "paths": {} }))
            }
            Document::Health => None,
        }
    }

    fn group(&self, name: &str) -> Option<Value> {
        let mut versions: Vec<&str> = Vec::new();
        for version in self.kinds().iter().filter(|kind| kind.group == name).flat_map(|kind| &kind.versions) {
            if !versions.contains(&version.name.as_str()) {
                versions.push(&version.name);
            }
        }
        let entry = |version: &&str| json!({ "groupVersion": format!("{name}/{version}"), "version": version });
        let preferred = versions.first().map(entry)?;
        let versions: Vec<Value> = versions.iter().map(entry).collect();
        Some(json!({ "name": name, "versions": versions, "preferredVersion": preferred }))
    }

    fn resources(&self, group: &str, version: &str) -> Option<Value> {
        let mut served: Vec<(&Kind, &Version)> = Vec::new();
        for kind in self.kinds().iter().filter(|kind| kind.group == group) {
            served.extend(kind.version(version).map(|version| (kind.as_ref(), version)));
        }
        if served.is_empty() {
            return None;
        }
        served.sort_by(|(a, _), (b, _)| a.plural.cmp(&b.plural));
        let resources: Vec<Value> = served.into_iter().flat_map(|(kind, version)| entries(kind, version)).collect();
        let group_version = if group.is_empty() { version.to_owned() } else { format!("{group}/{version}") };
        Some(json!({
            "kind": "APIResourceList", "apiVersion": "v1", "groupVersion": group_version, "resources": resources,
        }))
    }
}

fn entries(kind: &Kind, version: &Version) -> Vec<Value> {
    let verbs = json!(verbs(kind));
    let mut resource = json!({
        "name": kind.plural, "singularName": kind.singular, "namespaced": kind.namespaced, "kind": kind.kind,
        "verbs": verbs, "storageVersionHash": storage_hash(kind),
    });
    if !kind.short_names.is_empty() {
        resource["shortNames"] = json!(kind.short_names);
    }
    if !kind.categories.is_empty() {
        resource["categories"] = json!(kind.categories);
    }
    let part = |name: &str| {
        json!({
            "name": format!("{}/{name}", kind.plural), "singularName": "", "namespaced": kind.namespaced,
            "kind": kind.kind, "verbs": ["get", "patch", "update"],
        })
    };
    let approval = kind.has_approval().then(|| part("approval"));
    [Some(resource), approval, version.has_status.then(|| part("status"))].into_iter().flatten().collect()
}

/// Returns an opaque hash, which clients only compare.
fn storage_hash(kind: &Kind) -> String {
    let text = format!("{}/{}/{}", kind.group, kind.storage, kind.kind);
    Sha256::digest(text).iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}
