//! Problems between objects: duplicates, dangling references, and undeclared groups and add-ons.

use std::collections::BTreeMap;

use serde_json::Value;

use super::sets;
use crate::application::{is_app_deployment, is_application};
use crate::assemble::index::Index;
use crate::check::strategies;
use crate::complaint::{Complaint, Rule, mark_from};
use crate::read::notes::Notes;
use crate::read::object::{Object, path};
use crate::read::unreadable::Unreadable;
use crate::reference::target::{Reference, Target, references};
use tidegate_api::key;
use tidegate_api::object_key;
use tidegate_api::ocm::config_reference::ConfigReference;
use tidegate_api::schema::path::{Path, Step};
use tidegate_model::name::NamespacedName;
use tidegate_model::near::{nearest, remedy};
use tidegate_model::object::ObjectKey;
use tidegate_model::plural::plural;

/// Maximum number of searches for a near miss. It bounds the work if every reference is dangling.
const MAX_HINTS: usize = 500;

/// Adds the problems between objects. A missing object may be in a file that could not be read.
pub(crate) fn check(
    objects: &[Object],
    index: &Index<'_>,
    unreadable: Unreadable<'_>,
    complaints: &mut Vec<Complaint>,
) {
    let incomplete = !unreadable.is_empty();
    let mut resolver = Resolver { index, unreadable, hints: BTreeMap::new() };
    let mut first: BTreeMap<&ObjectKey, &Object> = BTreeMap::new();
    for object in objects {
        let mut found = Vec::new();
        let mut notes = Notes { object, complaints: &mut found };
        if let Some(first) = first.get(&object.key) {
            let message = format!("{} is already declared at {}; remove one of the two", object.key, first.place());
            notes.error(object.node.origin, message);
        } else {
            first.insert(&object.key, object);
        }
        let is_unit =
            object.is_addon_kind("ClusterManagementAddOn") || is_application(object) || is_app_deployment(object);
        if is_unit || object.is_addon_kind("ManagedClusterAddOn") {
            for reference in references(&object.value) {
                resolver.reference(&mut notes, &reference);
            }
        }
        if object.key.group == key::CLUSTER_GROUP && object.key.kind == "ManagedClusterSetBinding" {
            sets::bound(&mut notes, index);
        }
        if object.key.group == key::CLUSTER_GROUP && object.key.kind == "Placement" && !incomplete {
            sets::chosen(&mut notes, index);
        }
        if is_unit {
            resolver.mandatory_groups(&mut notes);
        } else if object.is_addon_kind("ManagedClusterAddOn") {
            resolver.addon_of(&mut notes);
        }
        mark_from(&mut found, 0, Rule::Reference);
        complaints.append(&mut found);
    }
}

struct Resolver<'a> {
    index: &'a Index<'a>,
    unreadable: Unreadable<'a>,
    hints: BTreeMap<Target, Absence>,
}

/// What is known about an object that does not exist.
#[derive(Debug, Clone)]
struct Absence {
    /// The end of the sentence that starts with the object: that it does not exist, and what to do.
    words: String,
    /// Whether only its namespace is wrong.
    is_elsewhere: bool,
}

impl Absence {
    fn with(remedy: &str) -> Self {
        Self { words: format!("is not in the repository; {remedy}"), is_elsewhere: false }
    }
}

impl Resolver<'_> {
    fn absence(&mut self, target: &Target) -> Absence {
        if let Some(known) = self.hints.get(target) {
            return known.clone();
        }
        if let Some(hint) = self.index.renames.hint(target) {
            return Absence::with(&hint);
        }
        let absence = if self.hints.len() < MAX_HINTS { self.explained(target) } else { None };
        let absence = absence.unwrap_or_else(|| {
            Absence::with(match self.unreadable.is_empty() {
                true => "add it, or correct the reference",
                false => "add it, or fix the files that could not be read",
            })
        });
        self.hints.insert(target.clone(), absence.clone());
        absence
    }

    /// Returns the probable reason why an object is not known, if one is found.
    fn explained(&self, target: &Target) -> Option<Absence> {
        let (namespace, name) = match target {
            Target::Placement(wanted) => (&wanted.namespace, &wanted.name),
            Target::Configuration(wanted) => (&wanted.namespace, &wanted.name),
        };
        if let Some(file) = self.unreadable.with(name) {
            let words = format!("is not known, since {file} could not be read; fix that file first");
            return Some(Absence { words, is_elsewhere: false });
        }
        let known = self.index.names(target);
        let elsewhere = known.iter().find(|known| known.rsplit('/').next() == Some(name.as_str()));
        let wanted = NamespacedName::new(namespace, name).to_string();
        let near = elsewhere.map(String::as_str).or_else(|| nearest(&wanted, known.iter().map(String::as_str)))?;
        let is_elsewhere = elsewhere.is_some() && !namespace.is_empty();
        Some(Absence { is_elsewhere, ..Absence::with(&format!("did you mean {near:?}?")) })
    }

    fn reference(&mut self, notes: &mut Notes<'_>, reference: &Reference) {
        if let Some(target) = self.index.target(&reference.target) {
            return template_of(notes, reference, target);
        }
        if notes.is_full() {
            return;
        }
        let object = notes.object;
        let origin = |absence: &Absence| {
            object.value_origin(&reference.path.member(if absence.is_elsewhere { "namespace" } else { "name" }))
        };
        match &reference.target {
            Target::Placement(name) => {
                let absence = self.absence(&reference.target);
                notes.error(origin(&absence), format!("Placement {name} {}", absence.words));
            }
            // It is reported with the entries.
            Target::Configuration(wanted) if wanted.resource == key::APPLICATION_REVISIONS => {}
            Target::Configuration(wanted) => {
                let known = [key::ADDON_TEMPLATES, key::ADDON_DEPLOYMENT_CONFIGS];
                let resource = wanted.resource.as_str();
                if wanted.group == key::ADDON_GROUP && !known.contains(&resource) {
                    let origin = object.value_origin(&resource_path(&reference.path).member("resource"));
                    let remedy = remedy(resource, known);
                    notes
                        .error(origin, format!("resource {resource:?} is not known in {}; {remedy}", key::ADDON_GROUP));
                } else if wanted.group != key::ADDON_GROUP && known.contains(&resource) {
                    let origin = object.value_origin(&resource_path(&reference.path).member("group"));
                    let (group, right) = (&wanted.group, key::ADDON_GROUP);
                    notes.error(origin, format!("the group of {resource} is {group:?}; write {right:?}"));
                } else {
                    let name = NamespacedName::new(&wanted.namespace, &wanted.name);
                    let absence = self.absence(&reference.target);
                    let key = wanted.object_key();
                    let kind = key.as_ref().map_or(resource, |key| key.kind.as_str());
                    let message = format!("{kind} {name} {}", absence.words);
                    if key.is_some() {
                        notes.error(origin(&absence), message);
                    } else {
                        // It may exist on the hub only, but then its changes are not tracked here.
                        notes.warning(origin(&absence), message);
                    }
                }
            }
        }
    }

    fn mandatory_groups(&mut self, notes: &mut Notes<'_>) {
        let object = notes.object;
        for strategy in strategies(&object.value).into_iter().filter(|strategy| strategy.in_force) {
            let name = &strategy.placement;
            let Some(target) = self.index.target(&Target::Placement(name.clone())) else { continue };
            let groups = target.value.pointer("/spec/decisionStrategy/groupStrategy/decisionGroups");
            let groups = groups.and_then(Value::as_array).into_iter().flatten();
            let known: Vec<&str> = groups.filter_map(|group| group.get("groupName")?.as_str()).collect();
            let mandatory = strategy.settings.get("mandatoryDecisionGroups").and_then(Value::as_array);
            for (index, group) in mandatory.into_iter().flatten().enumerate() {
                let group = group.get("groupName").and_then(Value::as_str).unwrap_or_default();
                if !group.is_empty() && !known.contains(&group) && !notes.is_full() {
                    let at = strategy.path.member("mandatoryDecisionGroups").item(index).member("groupName");
                    let origin = object.value_origin(&at);
                    let remedy = remedy(group, known.iter().copied());
                    notes.error(origin, format!("Placement {name} has no decision group {group:?}; {remedy}"));
                }
            }
        }
    }

    fn addon_of(&mut self, notes: &mut Notes<'_>) {
        let object = notes.object;
        let name = &object.key.name;
        let addon = |name: &str| object_key::addon(name);
        if !self.index.by_key.contains_key(&addon(name)) {
            let wanted = ConfigReference {
                group: key::ADDON_GROUP.to_owned(),
                resource: plural("ClusterManagementAddOn"),
                namespace: String::new(),
                name: name.clone(),
            };
            let Absence { words, .. } = self.absence(&Target::Configuration(wanted));
            let origin = object.value_origin(&path(&["metadata", "name"]));
            notes.error(origin, format!("ClusterManagementAddOn {name} {words}"));
        }
    }
}

/// Adds a complaint if an add-on uses the template of another add-on: the template would register under the other name.
fn template_of(notes: &mut Notes<'_>, reference: &Reference, target: &Object) {
    let addon = &notes.object.key.name;
    let named = target.value.pointer("/spec/addonName").and_then(Value::as_str).filter(|named| named != addon);
    if let (true, Some(named)) = (target.is_addon_kind("AddOnTemplate"), named) {
        let origin = notes.object.value_origin(&reference.path.member("name"));
        let template = &target.key.name;
        let place = target.place_of(target.origin_of(&["spec", "addonName"]));
        let message = format!(
            "{addon} uses AddOnTemplate {template}, which is for add-on {named:?} according to its spec.addonName \
             ({place}); write spec.addonName: {addon} there, or refer to another template"
        );
        notes.error(origin, message);
    }
}

/// Returns the path that holds the group and resource of a configuration: in v1alpha1, they are next to `defaultConfig`,
/// not inside it.
fn resource_path(at: &Path) -> Path {
    let mut steps = at.0.clone();
    if steps.last() == Some(&Step::Member("defaultConfig".to_owned())) {
        steps.pop();
    }
    Path(steps)
}
