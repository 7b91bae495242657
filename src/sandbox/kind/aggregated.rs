//! Aggregated discovery: all groups with their versions and resources in one document.
//!
//! # Source
//! `k8s.io/api/apidiscovery/v2`.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::{Catalog, Kind, Version};
use crate::discovery::verbs;

impl Catalog {
    /// Returns aggregated discovery of the core group or of all other groups, in version `form` of `apidiscovery.k8s.io`.
    pub(crate) fn aggregated(&self, is_core: bool, form: &str) -> Value {
        let mut groups: Vec<&str> = Vec::new();
        for kind in self.kinds().iter().filter(|kind| kind.group.is_empty() == is_core && !kind.versions.is_empty()) {
            if !groups.contains(&kind.group.as_str()) {
                groups.push(&kind.group);
            }
        }
        let items: Vec<Value> = groups.into_iter().map(|group| self.aggregated_group(group)).collect();
        json!({
            "kind": "APIGroupDiscoveryList", "apiVersion": format!("apidiscovery.k8s.io/{form}"), "metadata": {},
            "items": items,
        })
    }

    fn aggregated_group(&self, group: &str) -> Value {
        // Versions are sorted by priority below, resources by name.
        let mut names: Vec<&str> = Vec::new();
        let mut resources: BTreeMap<&str, Vec<(&str, Value)>> = BTreeMap::new();
        for kind in self.kinds().iter().filter(|kind| kind.group == group) {
            for version in &kind.versions {
                if !names.contains(&version.name.as_str()) {
                    names.push(&version.name);
                }
                resources.entry(&version.name).or_default().push((&kind.plural, resource(kind, version)));
            }
        }
        names.sort_by_key(|name| std::cmp::Reverse(super::custom::priority(name)));
        let versions = names.into_iter().map(|name| {
            let mut of_version = resources.remove(name).unwrap_or_default();
            of_version.sort_by_key(|(plural, _)| *plural);
            let of_version: Vec<Value> = of_version.into_iter().map(|(_, resource)| resource).collect();
            json!({ "version": name, "resources": of_version, "freshness": "Current" })
        });
        let metadata = if group.is_empty() { json!({}) } else { json!({ "name": group }) };
        json!({ "metadata": metadata, "versions": versions.collect::<Vec<_>>() })
    }
}

fn resource(kind: &Kind, version: &Version) -> Value {
    let response = json!({ "group": kind.group, "version": version.name, "kind": kind.kind });
    let mut resource = json!({
        "resource": kind.plural, "responseKind": response, "scope": if kind.namespaced { "Namespaced" } else { "Cluster" },
        "singularResource": kind.singular,
        "verbs": verbs(kind),
    });
    if !kind.short_names.is_empty() {
        resource["shortNames"] = json!(kind.short_names);
    }
    if !kind.categories.is_empty() {
        resource["categories"] = json!(kind.categories);
    }
    if version.has_status {
        resource["subresources"] =
            json!([{ "subresource": "status", "responseKind": response, "verbs": ["get", "patch", "update"] }]);
    }
    resource
}
