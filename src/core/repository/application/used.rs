//! The definitions that an application uses.

use serde_json::Value;

use super::component::COMPONENTS;
use super::traits::TRAITS;
use crate::definition::{ClusterReads, Definitions};
use crate::read::object::path;
use tidegate_api::schema::path::Path;
use tidegate_model::object::ObjectKey;

/// A use of a definition.
pub(crate) struct Used<'d> {
    /// The path of the type that names it.
    pub(crate) at: Path,
    /// The definition.
    pub(crate) key: &'d ObjectKey,
    /// Whether it reads the cluster.
    pub(crate) reads_cluster: bool,
}

impl<'d> Used<'d> {
    /// Returns a use by the component or trait at a place, and what the definition reads of the cluster, if it is known.
    fn of(at: &Path, key: &'d ObjectKey, reads: Option<&ClusterReads>) -> Self {
        Self { at: at.member("type"), key, reads_cluster: reads.is_some_and(|reads| !reads.is_empty()) }
    }
}

/// Returns `true` if an application is rendered for each cluster, because a definition that it uses reads `context.cluster`.
pub(crate) fn is_per_cluster(application: &Value, definitions: &Definitions) -> bool {
    used(application, definitions).iter().any(|used| used.reads_cluster)
}

/// Returns the definitions that an application uses, in its components and in its overrides. Those with mistakes are among them.
pub(crate) fn used<'d>(application: &Value, definitions: &'d Definitions) -> Vec<Used<'d>> {
    let namespace = application.pointer("/metadata/namespace").and_then(Value::as_str).unwrap_or_default();
    let mut found = Vec::new();
    let mut of_components = |at: &Path, components: Option<&Value>| {
        for (at, component) in listed(at, components) {
            let of_component = type_of(component).filter(|type_| COMPONENTS.schema(type_).is_none());
            let known = of_component.and_then(|type_| definitions.component(namespace, type_));
            let reads = known.and_then(|known| Some(&known.type_.as_ref()?.reads));
            found.extend(known.map(|known| Used::of(&at, &known.key, reads)));
            for (at, given) in listed(&at.member("traits"), component.get("traits")) {
                let of_trait = type_of(given).filter(|type_| TRAITS.schema(type_).is_none());
                let known = of_trait.and_then(|type_| definitions.of_trait(namespace, type_));
                let reads = known.and_then(|known| Some(&known.type_.as_ref()?.reads));
                found.extend(known.map(|known| Used::of(&at, &known.key, reads)));
            }
        }
    };
    of_components(&path(&["spec", "components"]), application.pointer("/spec/components"));
    for (at, policy) in listed(&path(&["spec", "policies"]), application.pointer("/spec/policies")) {
        of_components(&at.member("properties").member("components"), policy.pointer("/properties/components"));
    }
    found
}

fn type_of(value: &Value) -> Option<&str> {
    value.get("type")?.as_str()
}

fn listed<'v>(at: &Path, list: Option<&'v Value>) -> impl Iterator<Item = (Path, &'v Value)> + use<'v> {
    let at = at.clone();
    let items = list.and_then(Value::as_array).into_iter().flatten().enumerate();
    items.map(move |(index, item)| (at.item(index), item))
}
