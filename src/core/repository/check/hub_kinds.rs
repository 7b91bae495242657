//! Which objects a repository may put on the hub.
//!
//! Declared objects are applied at once: no rollout, policy or approval holds them back. So a repository may only declare the kinds that
//! configure add-ons and select their clusters, and what these refer to. The operator of the hub may allow more, in the file of the daemon.

use std::collections::{BTreeMap, BTreeSet};

use super::hub_role::is_harmless;
use super::kept_kinds::{is_system_namespace, never};
use crate::application::{describes_applications, is_read_kind};
use crate::assemble::index::Index;
use crate::complaint::{Complaint, Rule, mark_from};
use crate::operator::AllowedKind;
use crate::read::builtin::is_group;
use crate::read::notes::Notes;
use crate::read::object::Object;
use crate::reference::hub_permissions::{Scope, wanted};
use crate::reference::target::{Target, references};
use crate::settings::SETTINGS_FILE;
use tidegate_api::key::{self, ADDON_GROUP, CLUSTER_GROUP, RBAC_GROUP};
use tidegate_api::ocm::is_declaration;
use tidegate_model::diagnostic::Place;
use tidegate_model::object::{GroupKind, ObjectKey};

/// The group of the kinds with which OCM's operator is configured.
const OPERATOR_GROUP: &str = "operator.open-cluster-management.io";

/// Adds an error for each object that the repository may not put on the hub.
pub(crate) fn check(objects: &[Object], index: &Index<'_>, allowed: &[AllowedKind], complaints: &mut Vec<Complaint>) {
    let used = Used::of(objects, index);
    // A kind that is misspelled has an error already.
    let known: BTreeSet<&Place> = complaints.iter().filter(|c| c.is_error()).map(|c| &c.diagnostic.place).collect();
    let mut found = Vec::new();
    // Applications and their definitions do not go to the hub.
    for object in objects.iter().filter(|object| !describes_applications(object)) {
        let Some(why) = refused(object, &used, allowed) else { continue };
        let member = if object.key.kind == "Namespace" { &["metadata", "name"][..] } else { &["kind"] };
        let origin = object.origin_of(member);
        if !known.contains(&object.place_of(origin)) {
            let mut of_object = Vec::new();
            Notes { object, complaints: &mut of_object }.error(origin, why);
            found.append(&mut of_object);
        }
    }
    mark_from(&mut found, 0, Rule::Hub);
    complaints.append(&mut found);
}

/// Returns why an object may not be declared.
fn refused(object: &Object, used: &Used, allowed: &[AllowedKind]) -> Option<String> {
    let key = &object.key;
    if let Some(why) = never(key) {
        return Some(format!("{} cannot be declared: {why}", GroupKind::of(key)));
    }
    if is_of_ocm(key) || allowed.iter().any(|allowed| allowed.allows(key)) {
        return None;
    }
    let why = match (key.group.as_str(), key.kind.as_str()) {
        ("", "Namespace") if !is_system_namespace(&key.name) => return None,
        ("", "Namespace") => format!("namespace {:?} belongs to the hub", key.name),
        (RBAC_GROUP, "ClusterRole") if used.roles.get(key) == Some(&true) => match is_harmless(&object.value) {
            Ok(()) => return None,
            Err(why) => format!("a repository may not declare a role like this one: {why}"),
        },
        _ if !is_system_namespace(&key.namespace) && used.has_configuration(key) => return None,
        _ => format!("a repository may not put {} on the hub", GroupKind::of(key)),
    };
    // With applications switched on, these objects do not get here.
    if key.group == key::APPLICATION_GROUP && is_read_kind(&key.kind) {
        return Some(format!(
            "{why}, and applications are switched off; write enabled = true in section [applications] of {SETTINGS_FILE}, so that Tidegate rolls \
             it out. For a hub with KubeVela's own controller, let the operator of the hub add {} to [hub] kinds in the file of the daemon (--config)",
            AllowedKind::of(key)
        ));
    }
    Some(format!(
        "{why}; remove it, or let the operator of the hub add {} to [hub] kinds in the file of the daemon (--config)",
        AllowedKind::of(key)
    ))
}

/// Returns `true` for a kind that a repository may always declare: those that configure add-ons and select their clusters.
fn is_of_ocm(key: &ObjectKey) -> bool {
    let is_more = matches!(
        (key.group.as_str(), key.kind.as_str()),
        (ADDON_GROUP, "ManagedClusterAddOn") | (CLUSTER_GROUP, "ManagedCluster") | (key::TIDEGATE_GROUP, _)
    );
    is_more || is_declaration(key)
}

/// What the add-ons of the repository use besides the kinds of OCM.
struct Used {
    /// The group and kind of each configuration.
    configurations: BTreeSet<GroupKind>,
    /// The roles that templates give to agents, and whether all of them do so in the namespace of the agent's cluster.
    roles: BTreeMap<ObjectKey, bool>,
}

impl Used {
    fn of(objects: &[Object], index: &Index<'_>) -> Self {
        let mut used = Self { configurations: BTreeSet::new(), roles: BTreeMap::new() };
        for object in objects {
            if object.is_addon_kind("ClusterManagementAddOn") || object.is_addon_kind("ManagedClusterAddOn") {
                let targets = references(&object.value).into_iter().map(|reference| reference.target);
                let configurations = targets.filter(|target| matches!(target, Target::Configuration(_)));
                used.configurations
                    .extend(configurations.filter_map(|target| Some(GroupKind::of(&index.target(&target)?.key))));
            }
            if object.is_addon_kind("AddOnTemplate") {
                for (role, scope) in wanted(&object.value).into_iter().filter_map(|wanted| wanted.role.ok()) {
                    let is_own = scope == Scope::CurrentCluster;
                    used.roles.entry(role).and_modify(|own| *own &= is_own).or_insert(is_own);
                }
            }
        }
        used
    }

    /// Returns `true` if an object is of a kind by which an add-on is configured, and not of one that has another meaning for the hub.
    fn has_configuration(&self, key: &ObjectKey) -> bool {
        let is_plain = (key.group.is_empty() && key.kind == "ConfigMap")
            || !(is_group(&key.group) || [ADDON_GROUP, CLUSTER_GROUP, OPERATOR_GROUP].contains(&key.group.as_str()));
        is_plain && self.configurations.contains(&GroupKind::of(key))
    }
}
