//! Problems between objects: duplicates, dangling references, and undeclared groups and add-ons.

use std::collections::BTreeMap;

use serde_json::Value;

use super::check::strategies;
use super::complaint::{Complaint, Rule, mark_from};
use super::index::Index;
use super::notes::Notes;
use super::object::{Object, path};
use super::references::{Reference, Target, references};
use super::sets;
use tidegate_api::key;
use tidegate_api::ocm::config_reference::ConfigReference;
use tidegate_api::schema::path::{Path, Step};
use tidegate_model::name::NamespacedName;
use tidegate_model::near::{nearest, remedy};
use tidegate_model::object::ObjectKey;
use tidegate_model::plural::plural;

/// Maximum number of searches for a near miss. It bounds the work if every reference is dangling.
const MAX_HINTS: usize = 500;

/// Adds the problems between objects. With `incomplete`, a missing object may be in a file that could not be read.
pub(super) fn check(objects: &[Object], index: &Index<'_>, incomplete: bool, complaints: &mut Vec<Complaint>) {
    let mut resolver = Resolver { index, incomplete, hints: BTreeMap::new() };
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
        let is_addon = object.is_addon_kind("ClusterManagementAddOn");
        if is_addon || object.is_addon_kind("ManagedClusterAddOn") {
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
        if is_addon {
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
    incomplete: bool,
    hints: BTreeMap<Target, String>,
}

impl Resolver<'_> {
    fn remedy_for(&mut self, target: &Target) -> String {
        if let Some(hint) = self.hints.get(target) {
            return hint.clone();
        }
        if let Some(hint) = self.index.renames.hint(target) {
            return hint;
        }
        let near = if self.hints.len() < MAX_HINTS { self.near(target) } else { None };
        let hint = match near {
            Some(near) => format!("did you mean {near:?}?"),
            None if self.incomplete => "add it, or fix the files that could not be read".to_owned(),
            None => "add it, or correct the reference".to_owned(),
        };
        self.hints.insert(target.clone(), hint.clone());
        hint
    }

    fn near(&self, target: &Target) -> Option<String> {
        let (namespace, name) = match target {
            Target::Placement(wanted) => (&wanted.namespace, &wanted.name),
            Target::Configuration(wanted) => (&wanted.namespace, &wanted.name),
        };
        let known = self.index.names(target);
        let elsewhere = known.iter().find(|known| known.rsplit('/').next() == Some(name.as_str())).cloned();
        let wanted = NamespacedName::new(namespace, name).to_string();
        elsewhere.or_else(|| nearest(&wanted, known.iter().map(String::as_str)).map(str::to_owned))
    }

    fn reference(&mut self, notes: &mut Notes<'_>, reference: &Reference) {
        if let Some(target) = self.index.target(&reference.target) {
            return template_of(notes, reference, target);
        }
        if notes.is_full() {
            return;
        }
        let object = notes.object;
        let origin = object.value_origin(&reference.path.member("name"));
        match &reference.target {
            Target::Placement(name) => {
                let remedy = self.remedy_for(&reference.target);
                notes.error(origin, format!("Placement {name} is not in the repository; {remedy}"));
            }
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
                    let remedy = self.remedy_for(&reference.target);
                    let message = format!("{} {name} is not in the repository; {remedy}", singular(resource));
                    if known.contains(&resource) {
                        notes.error(origin, message);
                    } else {
                        // It may exist on the hub only, but then its changes are not tracked here.
                        notes.warning(origin, message);
                    }
                }
            }
        }
    }

    fn mandatory_groups(&mut self, notes: &mut Notes<'_>) {
        let object = notes.object;
        for strategy in strategies(&object.value).into_iter().filter(|strategy| strategy.in_force) {
            let placement = object.value.pointer(&format!("/spec/installStrategy/placements/{}", strategy.placement));
            let text =
                |member: &str| placement.and_then(|placement| placement.get(member)?.as_str()).unwrap_or_default();
            let name = NamespacedName::new(text("namespace"), text("name"));
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
        let addon = |name: &str| ObjectKey::new(key::ADDON_GROUP, "ClusterManagementAddOn", "", name);
        if !self.index.by_key.contains_key(&addon(name)) {
            let wanted = ConfigReference {
                group: key::ADDON_GROUP.to_owned(),
                resource: plural("ClusterManagementAddOn"),
                namespace: String::new(),
                name: name.clone(),
            };
            let remedy = self.remedy_for(&Target::Configuration(wanted));
            let origin = object.value_origin(&path(&["metadata", "name"]));
            notes.error(origin, format!("ClusterManagementAddOn {name} is not in the repository; {remedy}"));
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

fn singular(resource: &str) -> &str {
    match resource {
        key::ADDON_TEMPLATES => "AddOnTemplate",
        key::ADDON_DEPLOYMENT_CONFIGS => "AddOnDeploymentConfig",
        other => other,
    }
}
