//! What the work agents of the clusters of an application lack to apply it.

use std::collections::{BTreeMap, BTreeSet};

use k8s_openapi::api::rbac::v1::PolicyRule;
use serde::Serialize;
use serde_json::Value;

use crate::application::COMPONENT_LABEL;
use crate::read::builtin::is_namespaced;
use crate::settings::Grant;
use crate::types::Repository;
use crate::unit::Unit;
use tidegate_api::key::{self, RBAC_GROUP};
use tidegate_api::ocm::cluster_management_addon::PlacementStrategy;
use tidegate_delivery::{Access, Applied, held, missing, needed};
use tidegate_model::name::{NamespacedName, UnitName};
use tidegate_model::object::ObjectKey;
use tidegate_model::plural::plural;

/// The group and the kind of custom resources.
const DEFINITION: (&str, &str) = ("apiextensions.k8s.io", "CustomResourceDefinition");

/// What work agents lack to apply an application.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Lacking {
    /// The requests that nothing is known to allow, by component.
    pub components: BTreeMap<String, BTreeSet<Access>>,
    /// The kinds among them whose resource is guessed, such as `Rollout.standard.oam.dev`, with the resource.
    pub guessed: BTreeMap<String, String>,
}

impl Lacking {
    /// Returns all requests, each once.
    pub fn requests(&self) -> Vec<Access> {
        let all: BTreeSet<&Access> = self.components.values().flatten().collect();
        all.into_iter().cloned().collect()
    }

    /// Returns one sentence for each component: what its work agents lack, and what to do.
    pub fn notes(&self, unit: &UnitName) -> Vec<String> {
        let name = unit.as_str().trim_start_matches("application/");
        let note = |(component, requests): (&String, &BTreeSet<Access>)| {
            let mut verbs: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
            for access in requests {
                let dot = if access.group.is_empty() { "" } else { "." };
                let resource = format!("{}{dot}{}", access.resource, access.group);
                verbs.entry(resource).or_default().insert(&access.verb);
            }
            let verbs = verbs
                .into_iter()
                .map(|(resource, verbs)| format!("{} {resource}", verbs.into_iter().collect::<Vec<_>>().join(", ")));
            let verbs: Vec<String> = verbs.collect();
            format!(
                "{unit}: component {component} needs rights that work agents do not have by default: {}; `tidegate app permissions {name}` \
                 prints a role that gives them",
                verbs.join("; ")
            )
        };
        self.components.iter().map(note).collect()
    }
}

/// What is known about the rights of work agents in a repository.
///
/// An agent has what OCM gives every agent, what the settings grant, and the rules of each ClusterRole with the label
/// [`key::AGGREGATE_TO_WORK`] among the objects of any unit.
#[derive(Debug)]
pub struct Rights<'r> {
    repository: &'r Repository,
    resources: Resources<'r>,
    /// The rules that hold on each cluster.
    rules: Vec<PolicyRule>,
}

impl<'r> Rights<'r> {
    /// Finds the ClusterRoles and CustomResourceDefinitions among the objects of all units.
    pub fn of(repository: &'r Repository) -> Self {
        let contents = repository.addons.values().flat_map(|unit| unit.configurations.values());
        let mut rights = Self { repository, resources: Resources::new(), rules: held() };
        for object in contents.flat_map(|content| manifests(&content.object)) {
            rights.resources.extend(defined(object));
            if is_aggregated(object) {
                rights.rules.extend(rules_of(object));
            }
        }
        rights
    }

    /// Returns `true` if a unit that is the same in both repositories lacks the same in both.
    pub fn is_same(&self, other: &Rights<'_>) -> bool {
        let (one, two) = (self.repository, other.repository);
        self.resources == other.resources
            && self.rules == other.rules
            && one.settings.applications.granted == two.settings.applications.granted
            // Grants are for cluster sets.
            && one.placements == two.placements
            && one.cluster_set_bindings == two.cluster_set_bindings
    }

    /// Returns what the work agents of an application lack; `None` if the unit is not an application of the repository.
    pub fn lacking(&self, name: &UnitName) -> Option<Lacking> {
        self.beyond(name, |part| {
            let sets = sets(self.repository, part);
            let is_for = |grant: &&Grant| grant.cluster_set.as_ref().is_none_or(|set| sets.is_some_and_all(set));
            let granted = self.repository.settings.applications.granted.iter().filter(is_for).map(rule);
            self.rules.iter().cloned().chain(granted).collect()
        })
    }

    /// Returns everything that the work agents of an application need, whatever they have; `None` if the unit is not an application of the
    /// repository.
    pub fn needed(&self, name: &UnitName) -> Option<Lacking> {
        self.beyond(name, |_| Vec::new())
    }

    /// Returns what an application needs beyond the rules for the clusters of each part.
    fn beyond(&self, name: &UnitName, rules: impl Fn(&PlacementStrategy) -> Vec<PolicyRule>) -> Option<Lacking> {
        let unit = self.repository.addons.get(name).filter(|_| name.addon().is_none())?;
        let mut lacking = Lacking::default();
        for (index, part) in unit.parts().iter().enumerate() {
            let rules = rules(part);
            for content in contents(unit, (index, part)) {
                for object in manifests(content) {
                    add(&mut lacking, (object, is_only_read(content, object)), &self.resources, &rules);
                }
            }
        }
        Some(lacking)
    }
}

/// Adds what is missing for an object.
fn add(lacking: &mut Lacking, (object, is_only_read): (&Value, bool), resources: &Resources<'_>, rules: &[PolicyRule]) {
    let Some(ObjectKey { group, kind, .. }) = ObjectKey::of(object) else { return };
    let (resource, is_guessed) = resource(&group, &kind, resources);
    let needed = needed(Applied { object, resource: &resource, is_watched: false }).into_iter();
    let needed = needed.filter(|access| !is_only_read || access.verb == "get");
    let missing = missing(needed, rules);
    if missing.is_empty() {
        return;
    }
    if is_guessed {
        let dot = if group.is_empty() { "" } else { "." };
        lacking.guessed.insert(format!("{kind}{dot}{group}"), resource);
    }
    let component = object.pointer("/metadata/labels").and_then(|labels| labels.get(COMPONENT_LABEL)?.as_str());
    lacking.components.entry(component.unwrap_or_default().to_owned()).or_default().extend(missing);
}

/// The resources of kinds, by group and kind.
type Resources<'o> = BTreeMap<(&'o str, &'o str), &'o str>;

/// Returns the resource of a kind, and whether it is guessed.
fn resource(group: &str, kind: &str, resources: &Resources<'_>) -> (String, bool) {
    match resources.get(&(group, kind)) {
        Some(resource) => ((*resource).to_owned(), false),
        // The only kind of Kubernetes that is a plural already.
        None if (group, kind) == ("", "Endpoints") => ("endpoints".to_owned(), false),
        None => (plural(kind), is_namespaced(group, kind).is_none()),
    }
}

/// Returns the resource that a CustomResourceDefinition defines; `None` if the object is not one. The kinds of Kubernetes itself cannot be
/// defined again, and groups of custom resources have a dot.
fn defined(object: &Value) -> Option<((&str, &str), &str)> {
    let text = |pointer: &str| object.pointer(pointer).and_then(Value::as_str);
    let key = (text("/spec/group")?, text("/spec/names/kind")?);
    let plural = text("/spec/names/plural")?;
    let may_define = key.0.contains('.') && is_namespaced(key.0, key.1).is_none();
    (may_define && is(object, DEFINITION)).then_some((key, plural))
}

fn is(object: &Value, (group, kind): (&str, &str)) -> bool {
    ObjectKey::of(object).is_some_and(|key| key.group == group && key.kind == kind)
}

fn is_aggregated(object: &Value) -> bool {
    let labels = object.pointer("/metadata/labels");
    is(object, (RBAC_GROUP, "ClusterRole"))
        && labels.and_then(|labels| labels.get(key::AGGREGATE_TO_WORK)?.as_str()) == Some("true")
}

/// Returns the rules of a ClusterRole; none if they cannot be read.
fn rules_of(role: &Value) -> Vec<PolicyRule> {
    role.get("rules").and_then(|rules| serde_json::from_value(rules.clone()).ok()).unwrap_or_default()
}

fn rule(grant: &Grant) -> PolicyRule {
    PolicyRule {
        api_groups: Some(grant.groups.clone()),
        resources: Some(grant.resources.clone()),
        verbs: grant.verbs.clone(),
        ..PolicyRule::default()
    }
}

/// Returns the manifests in the content of a unit.
fn manifests(content: &Value) -> impl Iterator<Item = &Value> {
    content.pointer("/spec/agentSpec/workload/manifests").and_then(Value::as_array).into_iter().flatten()
}

/// Returns `true` if the agent reports an object, and does not apply it.
fn is_only_read(content: &Value, object: &Value) -> bool {
    let Some(ObjectKey { group, kind, namespace, name }) = ObjectKey::of(object) else { return false };
    let wanted = [group, plural(&kind), namespace, name];
    let configs = content.pointer("/spec/agentSpec/manifestConfigs").and_then(Value::as_array).into_iter().flatten();
    let is_of = |config: &&Value| {
        let text = |member: &str| config.pointer("/resourceIdentifier")?.get(member)?.as_str();
        ["group", "resource", "namespace", "name"]
            .into_iter()
            .zip(&wanted)
            .all(|(member, wanted)| text(member) == Some(wanted))
    };
    let mut configs = configs.filter(is_of);
    configs.any(|config| config.pointer("/updateStrategy/type").is_some_and(|type_| type_ == "ReadOnly"))
}

/// Returns what the clusters of a part get.
fn contents<'u>(
    unit: &'u Unit,
    (index, part): (usize, &'u PlacementStrategy),
) -> impl Iterator<Item = &'u Value> + use<'u> {
    let of_all = || if part.configs.is_empty() { unit.defaults() } else { &part.configs };
    let references = match &unit.per_cluster {
        Some(per_cluster) => per_cluster.contents(index),
        None => of_all().iter().collect(),
    };
    references.into_iter().filter_map(|reference| Some(&*unit.configurations.get(reference)?.object))
}

/// The sets that the clusters of a part can be in; `None` if the repository does not say.
struct Sets(Option<BTreeSet<String>>);

impl Sets {
    /// Returns `true` if every cluster is known to be in this set.
    fn is_some_and_all(&self, set: &str) -> bool {
        self.0.as_ref().is_some_and(|sets| !sets.is_empty() && sets.iter().all(|known| known == set))
    }
}

fn sets(repository: &Repository, part: &PlacementStrategy) -> Sets {
    let reference: NamespacedName = part.reference();
    let Some(placement) = repository.placements.get(&reference) else { return Sets(None) };
    if !placement.spec.cluster_sets.is_empty() {
        return Sets(Some(placement.spec.cluster_sets.iter().cloned().collect()));
    }
    // Without sets of its own, a Placement selects from all sets that are bound to its namespace.
    let bindings = repository.cluster_set_bindings.iter().filter(|(name, _)| name.namespace == reference.namespace);
    Sets(Some(bindings.map(|(_, binding)| binding.spec.cluster_set.clone()).collect()))
}
