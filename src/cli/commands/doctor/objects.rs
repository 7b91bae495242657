//! Objects of the hub, read for the checks.

use std::collections::BTreeMap;

use serde_json::Value;

use super::request::{Ask, Refusal, Requests, Resource};
use crate::doctor::facts::{
    Addon, Cluster, Definition, Foreign, Gate, KubeVela, Lease, Placement, REQUIRED, Writer, application, delivers,
    foreign_writers,
};
use crate::doctor::{Known, Unknown};
use tidegate_api::key::{APPLICATION_GROUP, HUB_NAMESPACE, INSTANCE_LABEL, UNIT_LABEL};
use tidegate_api::work_name::unit_label;
use tidegate_model::instance::InstanceId;
use tidegate_model::time::Timestamp;

const DEFINITIONS: Resource = Resource::new("/apis/apiextensions.k8s.io/v1", "customresourcedefinitions");
const MANAGERS: Resource = Resource::new("/apis/operator.open-cluster-management.io/v1", "clustermanagers");
const CLUSTERS: Resource = Resource::new("/apis/cluster.open-cluster-management.io/v1", "managedclusters");
const PLACEMENTS: Resource = Resource::new("/apis/cluster.open-cluster-management.io/v1beta1", "placements");
/// OCM's components elect their leaders in the namespace in which `clusteradm init` installs them.
const LEASES: Resource = Resource { root: "/apis/coordination.k8s.io/v1", namespace: HUB_NAMESPACE, plural: "leases" };

const APPLICATIONS: Resource = Resource::new("/apis/core.oam.dev/v1beta1", "applications");
const WORKS: Resource = Resource::new("/apis/work.open-cluster-management.io/v1", "manifestworks");

const ALPHA: &str = "/apis/addon.open-cluster-management.io/v1alpha1";
const BETA: &str = "/apis/addon.open-cluster-management.io/v1beta1";

/// Returns the CRDs of the required kinds that exist.
pub(super) async fn definitions(requests: &Requests) -> Known<Vec<Value>> {
    let mut found = Vec::new();
    for required in REQUIRED {
        found.extend(requests.get(DEFINITIONS, &required.name()).await?);
    }
    Ok(found)
}

/// Returns a resource of the add-on group in the version that the hub stores, so that no conversion is needed.
fn addon_resource(crds: &[Value], plural: &'static str) -> Resource {
    let mut crds = crds.iter().filter_map(Definition::read);
    let crd = crds.find(|crd| crd.name.split('.').next() == Some(plural));
    let is_alpha = crd.is_some_and(|crd| {
        crd.versions.iter().any(|version| version.name == "v1alpha1" && version.is_stored && version.is_served)
    });
    Resource::new(if is_alpha { ALPHA } else { BETA }, plural)
}

/// Returns the leases of leader election.
pub(super) async fn leases(requests: &Requests) -> Known<Vec<Lease>> {
    Ok(requests.list(LEASES).await?.iter().map(Lease::read).collect())
}

/// Returns the feature gates of the first ClusterManager; a hub has at most one.
pub(super) async fn gates(requests: &Requests) -> Known<Option<Vec<Gate>>> {
    match requests.list(MANAGERS).await {
        Ok(managers) => Ok(managers.first().map(Gate::read)),
        // The kind is only there if the operator of OCM is.
        Err(Unknown::NotServed { .. }) => Ok(None),
        Err(unknown) => Err(unknown),
    }
}

/// Returns the add-ons.
pub(super) async fn addons(requests: &Requests, crds: &[Value]) -> Known<Vec<Addon>> {
    let resource = addon_resource(crds, "clustermanagementaddons");
    Ok(requests.list(resource).await?.iter().map(Addon::read).collect())
}

/// Returns the placements.
pub(super) async fn placements(requests: &Requests) -> Known<Vec<Placement>> {
    Ok(requests.list(PLACEMENTS).await?.iter().map(Placement::read).collect())
}

/// Returns the clusters.
pub(super) async fn clusters(requests: &Requests) -> Known<Vec<Cluster>> {
    Ok(requests.list(CLUSTERS).await?.iter().map(Cluster::read).collect())
}

/// Returns the Applications of KubeVela, and those that Tidegate delivers as well: they have a work.
///
/// Whether the kind is served is asked of the discovery API, which everyone may read: a server refuses to list a kind that it does not have.
pub(super) async fn kubevela(requests: &Requests) -> Known<KubeVela> {
    match requests.answer("/apis", Ask::Get(APPLICATION_GROUP)).await {
        Ok(_) => {}
        Err(Refusal::Absent) => return Ok(KubeVela::default()),
        Err(refusal) => return Err(APPLICATIONS.unknown("list", refusal)),
    }
    let all = match requests.list(APPLICATIONS).await {
        Err(Unknown::NotServed { .. }) => return Ok(KubeVela::default()),
        all => all?,
    };
    let mut found = KubeVela { applications: Some(all.len()), shared: Vec::new() };
    for application in all.iter().filter_map(application) {
        let works = requests.first_metadata(WORKS, &format!("{UNIT_LABEL}={}", unit_label(&application))).await?;
        if works.iter().any(|work| delivers(work, &application)) {
            found.shared.push(format!("{}/{}", application.namespace(), application.name()));
        }
    }
    Ok(found)
}

/// The objects of an instance whose fields others own, and who wrote last.
pub(super) struct Owners {
    pub(super) foreign: Vec<Foreign>,
    pub(super) writers: Vec<Writer>,
}

/// Looks at who wrote to the objects of an instance, among the first of each kind. Without an instance, the objects of every instance
/// are looked at. The writers of ManagedClusterAddOns are those of all instances.
pub(super) async fn owners(requests: &Requests, crds: &[Value], instance: Option<&InstanceId>) -> Known<Owners> {
    let labels = instance.map_or_else(|| INSTANCE_LABEL.to_owned(), |id| format!("{INSTANCE_LABEL}={id}"));
    let resources = [
        addon_resource(crds, "clustermanagementaddons"),
        addon_resource(crds, "addontemplates"),
        addon_resource(crds, "addondeploymentconfigs"),
        addon_resource(crds, "managedclusteraddons"),
        PLACEMENTS,
        Resource::new("/apis/cluster.open-cluster-management.io/v1beta2", "managedclustersets"),
        Resource::new("/apis/cluster.open-cluster-management.io/v1beta2", "managedclustersetbindings"),
        WORKS,
    ];
    let mut foreign = Vec::new();
    let mut latest: BTreeMap<String, Timestamp> = BTreeMap::new();
    let mut wrote = |object: &Value| {
        for Writer { name, last } in Writer::read(object) {
            latest.entry(name).and_modify(|known| *known = last.max(*known)).or_insert(last);
        }
    };
    for resource in resources {
        for object in requests.first_metadata(resource, &labels).await? {
            wrote(&object);
            let managers = foreign_writers(&object);
            if !managers.is_empty() {
                foreign.push(Foreign { object: named(resource, &object), managers });
            }
        }
    }
    // OCM's add-on manager also writes to the add-ons of others.
    let all = requests.first_metadata(addon_resource(crds, "managedclusteraddons"), "").await?;
    all.iter().for_each(&mut wrote);
    let writers = latest.into_iter().map(|(name, last)| Writer { name, last }).collect();
    Ok(Owners { foreign, writers })
}

fn named(resource: Resource, object: &Value) -> String {
    let text = |pointer: &str| object.pointer(pointer).and_then(Value::as_str).unwrap_or_default();
    let (namespace, name) = (text("/metadata/namespace"), text("/metadata/name"));
    let separator = if namespace.is_empty() { "" } else { "/" };
    format!("{} {namespace}{separator}{name}", resource.plural)
}
