//! The discovery documents of the small API server.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::server::Inner;

pub(super) fn status(code: u16, reason: &str, message: &str, details: Value) -> Value {
    json!({ "kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure", "message": message, "reason": reason,
        "details": details, "code": code })
}

pub(super) fn discovery(inner: &Inner, path: &str) -> Option<(u16, Value)> {
    let parts: Vec<&str> = path.trim_matches('/').split('/').collect();
    match parts.as_slice() {
        ["apis"] => {
            let mut groups: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
            for kind in inner.kinds.iter().filter(|kind| !kind.group.is_empty()) {
                let versions = groups.entry(kind.group).or_default();
                versions.extend(kind.versions.iter().filter(|v| !versions.contains(v)).copied().collect::<Vec<_>>());
            }
            let version = |group: &str, v: &str| json!({ "groupVersion": format!("{group}/{v}"), "version": v });
            let groups: Vec<Value> = groups
                .iter()
                .map(|(group, versions)| {
                    json!({ "name": group, "preferredVersion": version(group, versions[0]),
                        "versions": versions.iter().map(|v| version(group, v)).collect::<Vec<_>>() })
                })
                .collect();
            Some((200, json!({ "kind": "APIGroupList", "apiVersion": "v1", "groups": groups })))
        }
        ["apis", group, version] => Some((200, resources(inner, group, version))),
        ["api", version] => Some((200, resources(inner, "", version))),
        ["apis", "apiextensions.k8s.io", "v1", "customresourcedefinitions", name] => {
            let (plural, group) = name.split_once('.')?;
            let kind = inner.kinds.iter().find(|kind| kind.plural == plural && kind.group == group)?;
            if inner.hide_crds {
                return Some((403, status(403, "Forbidden", "no", json!({}))));
            }
            let versions: Vec<Value> = kind
                .versions
                .iter()
                .map(|v| json!({ "name": v, "served": true, "storage": *v == kind.stored }))
                .collect();
            Some((
                200,
                json!({ "metadata": { "name": name }, "spec": { "group": group, "scope": "Namespaced",
                "names": { "kind": kind.kind, "plural": plural }, "versions": versions } }),
            ))
        }
        _ => None,
    }
}

fn resources(inner: &Inner, group: &str, version: &str) -> Value {
    let of = inner.kinds.iter().filter(|kind| kind.group == group && kind.versions.contains(&version));
    let resources: Vec<Value> = of
        .flat_map(|kind| [kind.plural.to_owned(), format!("{}/status", kind.plural)].map(|name| (kind, name)))
        .map(|(kind, name)| {
            json!({ "name": name, "kind": kind.kind, "namespaced": kind.namespaced, "singularName": "", "verbs": [] })
        })
        .collect();
    let group_version = if group.is_empty() { version.to_owned() } else { format!("{group}/{version}") };
    json!({ "kind": "APIResourceList", "groupVersion": group_version, "resources": resources })
}
