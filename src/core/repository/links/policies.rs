//! Checks of RolloutPolicies against the add-ons, groups and other policies of a repository.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::application::declared_unit;
use crate::assemble::index::Index;
use crate::complaint::{Complaint, Rule, mark_from};
use crate::links::approvers;
use crate::links::dependencies::Dependencies;
use crate::links::policy::{Policy, policies};
use crate::read::notes::Notes;
use crate::read::object::{Object, path};
use tidegate_api::key;
use tidegate_api::schema::path::Path;
use tidegate_consent::People;
use tidegate_model::glob;
use tidegate_model::name::UnitName;
use tidegate_model::near::remedy;
use tidegate_rollout::gate;

/// Adds the problems of RolloutPolicies that depend on other objects.
pub(crate) fn check(objects: &[Object], index: &Index<'_>, people: &People, complaints: &mut Vec<Complaint>) {
    let units: BTreeSet<UnitName> = objects.iter().filter_map(declared_unit).collect();
    let addons: BTreeSet<&str> = units.iter().map(UnitName::as_str).collect();
    let placements: BTreeSet<String> = index
        .by_key
        .keys()
        .filter(|key| key.group == key::CLUSTER_GROUP && key.kind == "Placement")
        .map(|key| format!("{}/{}", key.namespace, key.name))
        .collect();
    let groups = groups(index);
    let policies = policies(objects);
    let dependencies = Dependencies::new((objects, index), &policies, &addons);
    for policy in &policies {
        let mut found = Vec::new();
        let mut notes = Notes { object: policy.object, complaints: &mut found };
        let selector = path(&["spec", "selector"]);
        matched(&mut notes, &selector.member("addOns"), &policy.spec.selector.add_ons, &addons, "add-on");
        let placements: BTreeSet<&str> = placements.iter().map(String::as_str).collect();
        matched(&mut notes, &selector.member("placements"), &policy.spec.selector.placements, &placements, "placement");
        of_groups(&mut notes, policy, &groups);
        dependencies.check_policy(&mut notes, policy);
        windows(&mut notes, policy, &policies, &addons);
        approvers::check(&mut notes, &policy.spec, people);
        mark_from(&mut found, 0, Rule::Policy);
        complaints.append(&mut found);
    }
    dependencies.check_applications(complaints);
}

/// The decision groups of the placements, as people may write them.
struct Groups {
    /// Their names, and the indexes of those without one.
    known: BTreeSet<String>,
    /// Whether a placement has groups of a size, so that their number depends on the fleet.
    is_open: bool,
}

impl Groups {
    fn may_exist(&self, group: &str) -> bool {
        self.known.contains(group) || (self.is_open && group.parse::<u32>().is_ok())
    }
}

/// Returns the decision groups of the placements.
fn groups(index: &Index<'_>) -> Groups {
    let mut groups = Groups { known: BTreeSet::from(["0".to_owned()]), is_open: false };
    let placements = index.by_key.iter().filter(|(key, _)| key.group == key::CLUSTER_GROUP && key.kind == "Placement");
    for (_, placement) in placements {
        let strategy = placement.value.pointer("/spec/decisionStrategy/groupStrategy");
        let declared = strategy.and_then(|strategy| strategy.get("decisionGroups")).and_then(Value::as_array);
        for (position, group) in declared.into_iter().flatten().enumerate() {
            let name = group.get("groupName").and_then(Value::as_str).unwrap_or_default();
            groups.known.insert(if name.is_empty() { position.to_string() } else { name.to_owned() });
        }
        groups.is_open |= strategy.is_some_and(|strategy| strategy.get("clustersPerDecisionGroup").is_some());
        groups.known.insert(declared.map_or(0, Vec::len).to_string());
    }
    groups
}

/// Warns about patterns that match nothing.
fn matched(notes: &mut Notes<'_>, at: &Path, patterns: &[String], known: &BTreeSet<&str>, kind: &str) {
    for (position, pattern) in patterns.iter().enumerate() {
        if !known.iter().any(|name| glob::matches(pattern, name)) {
            let at = at.item(position);
            let remedy = remedy(pattern, known.iter().copied());
            notes.warning(
                notes.object.value_origin(&at),
                format!("{at} is {pattern:?}, which matches no {kind} of the repository; {remedy}"),
            );
        }
    }
}

/// Warns about groups that no placement has: what they guard would never be guarded.
fn of_groups(notes: &mut Notes<'_>, policy: &Policy<'_>, known: &Groups) {
    let approvals = policy.spec.approvals.iter().enumerate();
    let approvals =
        approvals.map(|(at, approval)| (path(&["spec", "approvals"]).item(at).member("before"), &approval.before));
    let checks = policy.spec.checks.iter().enumerate();
    let checks = checks.map(|(at, check)| (path(&["spec", "checks"]).item(at).member("groups"), &check.groups));
    for (at, groups) in approvals.chain(checks) {
        for (position, group) in groups.iter().enumerate().filter(|(_, group)| !known.may_exist(group)) {
            let at = at.item(position);
            let remedy = remedy(group, known.known.iter().map(String::as_str));
            notes.error(
                notes.object.value_origin(&at),
                format!("{at} is {group:?}, but no placement has this decision group; {remedy}"),
            );
        }
    }
}

/// Warns about windows that never meet those of another policy for the same add-on.
fn windows(notes: &mut Notes<'_>, policy: &Policy<'_>, policies: &[Policy<'_>], addons: &BTreeSet<&str>) {
    let shares = |other: &&Policy<'_>| addons.iter().any(|addon| policy.selects(addon) && other.selects(addon));
    let others = policies.iter().filter(|other| other.object.key != policy.object.key).filter(shares);
    for other in others.filter(|other| !gate::windows_meet(&policy.spec, &other.spec)) {
        let at = path(&["spec", "windows"]);
        let message = format!(
            "{at} are never open together with those of RolloutPolicy {}, so a cluster that both select never starts; change one of them",
            other.object.key.name
        );
        notes.warning(notes.object.key_origin(&at), message);
    }
}
