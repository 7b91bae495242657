//! The schemas of the OCM kinds, by group, version and kind.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde_json::Value;

use crate::api::ocm::crds;

/// A served version of a kind.
type Key = (String, String, String);

static SCHEMAS: LazyLock<BTreeMap<Key, Value>> = LazyLock::new(|| {
    let crds = crds::all().unwrap_or_default();
    let versions = crds.into_iter().flat_map(|crd| {
        let (group, kind) = (crd.spec.group, crd.spec.names.kind);
        crd.spec.versions.into_iter().filter_map(move |version| {
            let schema = serde_json::to_value(version.schema?.open_api_v3_schema?).ok()?;
            Some(((group.clone(), kind.clone(), version.name), schema))
        })
    });
    versions.collect()
});

/// What is known of a group, version and kind.
pub(super) enum Known {
    /// It has this schema.
    Schema(&'static Value),
    /// The kind is OCM's, but not in this version; it is in these.
    Versions(Vec<String>),
    /// The group is OCM's, but has no such kind; it has these.
    Kinds(Vec<String>),
    /// It is none of OCM's.
    Foreign,
}

/// Looks a kind up.
pub(super) fn known(group: &str, version: &str, kind: &str) -> Known {
    if let Some(schema) = SCHEMAS.get(&(group.to_owned(), kind.to_owned(), version.to_owned())) {
        return Known::Schema(schema);
    }
    let versions: Vec<String> =
        SCHEMAS.keys().filter(|(g, k, _)| g == group && k == kind).map(|(g, _, v)| format!("{g}/{v}")).collect();
    if !versions.is_empty() {
        return Known::Versions(versions);
    }
    let mut kinds: Vec<String> = SCHEMAS.keys().filter(|(g, _, _)| g == group).map(|(_, k, _)| k.clone()).collect();
    kinds.dedup();
    if kinds.is_empty() { Known::Foreign } else { Known::Kinds(kinds) }
}
