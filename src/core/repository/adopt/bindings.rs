//! What agents lose on the hub when Tidegate delivers their add-on: subjects of RoleBindings that Tidegate would not write.

use std::collections::{BTreeMap, BTreeSet};

use k8s_openapi::api::rbac::v1::{RoleBinding, Subject};

use tidegate_api::fleet::Fleet;
use tidegate_delivery::Agent;
use tidegate_model::name::{AddonName, ClusterName};
use tidegate_model::plural::counted;

/// A subject and the role that it loses: add-on, name of the bindings, subject, role.
type Loss = (AddonName, String, String, String);

/// Returns a line for each subject of the agents of these add-ons that loses a role, with the namespaces in which it does.
pub(super) fn losses(fleet: &Fleet, addons: &BTreeSet<AddonName>) -> Vec<String> {
    let mut losses: BTreeMap<Loss, Vec<&str>> = BTreeMap::new();
    for addon in addons {
        let bindings = fleet.role_bindings.get(addon.as_str()).into_iter().flatten();
        for (namespace, binding) in bindings.flat_map(|(namespace, all)| all.values().map(move |b| (namespace, b))) {
            for subject in lost(fleet, addon, namespace, binding) {
                let name = binding.metadata.name.clone().unwrap_or_default();
                let subject = format!("{} {}", subject.kind, subject.name);
                let role = format!("{} {}", binding.role_ref.kind, binding.role_ref.name);
                losses.entry((addon.clone(), name, subject, role)).or_default().push(namespace);
            }
        }
    }
    losses.into_iter().map(line).collect()
}

fn line(((addon, binding, subject, role), namespaces): (Loss, Vec<&str>)) -> String {
    let place = match namespaces.as_slice() {
        [only] => format!("namespace {only}"),
        several => {
            format!("{}, such as {}", counted(several.len(), "namespace"), several.first().copied().unwrap_or_default())
        }
    };
    format!("{addon}: {subject} loses {role} in {place} (RoleBinding {binding})")
}

/// Returns the subjects of a binding that Tidegate would not write. A binding is not changed as long as the agents are not known.
fn lost<'a>(fleet: &Fleet, addon: &AddonName, namespace: &str, binding: &'a RoleBinding) -> Vec<&'a Subject> {
    let installed = fleet.cluster_addons.get(addon.as_str());
    let of = |cluster: &ClusterName| {
        let status = installed?.get(cluster)?.status.as_ref()?;
        Agent { addon, cluster }.identities(&status.registrations).ok()
    };
    let is_own = binding.metadata.owner_references.as_ref().is_some_and(|owners| !owners.is_empty());
    let kept: Vec<Subject> = match namespace.parse::<ClusterName>().ok().filter(|_| is_own) {
        Some(cluster) => of(&cluster).map(|known| known.own).unwrap_or_default(),
        None => installed
            .into_iter()
            .flat_map(|clusters| clusters.keys())
            .filter_map(of)
            .flat_map(|known| known.shared)
            .collect(),
    };
    let subjects = binding.subjects.iter().flatten();
    if kept.is_empty() { Vec::new() } else { subjects.filter(|subject| !kept.contains(subject)).collect() }
}
