//! The OCM kinds with their schemas, and the lookup by `apiVersion` and `kind`.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde_json::Value;

use tidegate_api::key;
use tidegate_api::ocm::crds;
use tidegate_api::schema::Schema;
use tidegate_model::near::{nearest, remedy};

/// A kind that has a schema.
#[derive(Debug)]
pub(super) struct OcmKind {
    pub(crate) namespaced: bool,
    /// Maps versions to schemas.
    pub(super) schemas: BTreeMap<String, Schema>,
}

/// Maps group and kind to the OCM kind. Built once, since deriving the schemas takes milliseconds.
static KINDS: LazyLock<BTreeMap<(String, String), OcmKind>> = LazyLock::new(|| {
    let crds = crds::all().expect("the versions of our own types have the same name and scope");
    let own = crds::own().expect("the schemas of our own kinds are valid in a CRD");
    crds.into_iter()
        .chain(own)
        .map(|crd| {
            let schema_of = |schema| Schema::compile(&serde_json::to_value(schema).unwrap_or(Value::Null));
            let versions = crd.spec.versions.into_iter();
            let schemas = versions
                .filter_map(|version| Some((version.name, schema_of(version.schema?.open_api_v3_schema?))))
                .collect();
            let kind = OcmKind { namespaced: crd.spec.scope == "Namespaced", schemas };
            ((crd.spec.group, crd.spec.names.kind), kind)
        })
        .collect()
});

/// The meaning of an `apiVersion` and a `kind`.
#[derive(Debug)]
pub(super) enum Meaning {
    /// A kind without a schema here.
    Plain,
    /// An OCM kind in a known version, with the schema of that version.
    Ocm(&'static OcmKind, &'static Schema),
    /// Probably a misspelled OCM kind.
    Mistaken {
        /// The misspelled field.
        member: &'static str,
        /// The problem and its remedy.
        message: String,
    },
}

/// Returns the schema of an OCM kind in a version.
pub(crate) fn schema(group: &str, kind: &str, version: &str) -> Option<&'static Schema> {
    KINDS.get(&(group.to_owned(), kind.to_owned()))?.schemas.get(version)
}

/// Returns the meaning of an `apiVersion` and a `kind`.
pub(super) fn meaning(api_version: &str, kind: &str) -> Meaning {
    let (group, version) = api_version.split_once('/').unwrap_or(("", api_version));
    if let Some(known) = KINDS.get(&(group.to_owned(), kind.to_owned())) {
        return match known.schemas.get(version) {
            Some(schema) => Meaning::Ocm(known, schema),
            None => {
                let known: Vec<String> = known.schemas.keys().map(|version| format!("{group}/{version}")).collect();
                let remedy = remedy("", known.iter().map(String::as_str));
                let message = format!("apiVersion {api_version:?} is not known for {kind}; {remedy}");
                Meaning::Mistaken { member: "apiVersion", message }
            }
        };
    }
    let groups = [key::ADDON_GROUP, key::CLUSTER_GROUP, key::WORK_GROUP, key::TIDEGATE_GROUP];
    let near_group = if groups.contains(&group) { Some(group) } else { nearest(group, groups) };
    let Some(near_group) = near_group else { return Meaning::Plain };
    if near_group != group && KINDS.contains_key(&(near_group.to_owned(), kind.to_owned())) {
        let message = format!("the group of apiVersion {api_version:?} is not known; did you mean {near_group:?}?");
        return Meaning::Mistaken { member: "apiVersion", message };
    }
    let of_group = KINDS.keys().filter(|(of, _)| of == near_group);
    let kinds: Vec<&str> = of_group.map(|(_, kind)| kind.as_str()).collect();
    match nearest(kind, kinds) {
        Some(near) if near_group == group => {
            let message = format!("kind {kind:?} is not known in {group}; did you mean {near:?}?");
            Meaning::Mistaken { member: "kind", message }
        }
        _ => Meaning::Plain,
    }
}
