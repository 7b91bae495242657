//! Requests for certificates, as agents and others create them, and the hub that judges them.

use std::sync::Arc;

use k8s_openapi::ByteString;
use k8s_openapi::api::certificates::v1::CertificateSigningRequest;
use serde_json::{Value, json};
use x509_cert::der::asn1::ObjectIdentifier;
use x509_cert::der::oid::db::rfc4519::ORGANIZATIONAL_UNIT_NAME;

use tidegate_api::fleet::Fleet;
use tidegate_api::key;
use tidegate_api::ocm::managed_cluster_addon::ManagedClusterAddOn;
use tidegate_delivery::registration::{Decision, Evidence, Reason, decide};
use tidegate_model::instance::{Instance, InstanceId};
use tidegate_model::name::AddonName;

pub(super) use crate::certificate_request::{Asked, cn, o};

pub(super) const ONE: &str = "system:open-cluster-management:cluster:east:addon:hello";
pub(super) const ALL: &str = "system:open-cluster-management:addon:hello";
pub(super) const KUBE: &str = "kubernetes.io/kube-apiserver-client";
pub(super) const SIGNER: &str = "example.com/hello";

/// Returns a request as the agent of cluster east creates it for add-on hello.
pub(super) fn csr(signer: &str, asked: &Asked) -> CertificateSigningRequest {
    let mut csr: CertificateSigningRequest = serde_json::from_value(json!({
        "metadata": {
            "name": "addon-east-hello-x7x2k",
            "labels": {key::CLUSTER_NAME: "east", key::ADDON_NAME: "hello"},
        },
        "spec": {
            "signerName": signer,
            "request": "",
            "username": "system:open-cluster-management:east:agent-1",
            "groups": [
                "system:open-cluster-management:east",
                "system:open-cluster-management:managed-clusters",
                "system:authenticated",
            ],
            "usages": ["digital signature", "key encipherment", "client auth"],
        },
    }))
    .unwrap();
    csr.spec.request = ByteString(asked.pem().into_bytes());
    csr
}

pub(super) fn usual() -> CertificateSigningRequest {
    csr(KUBE, &Asked::default())
}

pub(super) fn ou(value: &str) -> (ObjectIdentifier, String) {
    (ORGANIZATIONAL_UNIT_NAME, value.to_owned())
}

/// The hub, and the registrations of the template of add-on hello.
pub(super) struct Hub {
    pub(super) fleet: Fleet,
    pub(super) registrations: Option<Value>,
}

/// The objects of a hub as JSON, before they become a [`Hub`].
pub(super) fn cluster(name: &str) -> Value {
    json!({"metadata": {"name": name}, "spec": {"hubAcceptsClient": true}})
}

pub(super) fn addon(cluster: &str) -> Value {
    json!({
        "metadata": {
            "name": "hello", "namespace": cluster, "labels": {key::INSTANCE_LABEL: instance().id.as_str()},
        },
        "spec": {},
        "status": {"configReferences": [{
            "group": key::ADDON_GROUP, "resource": key::ADDON_TEMPLATES,
            "desiredConfig": {"name": "hello-1", "specHash": "abc"},
        }]},
    })
}

fn instance() -> Instance {
    Instance { id: InstanceId::of(7), name: String::new() }
}

impl Hub {
    pub(super) fn of(clusters: &[Value], addons: &[Value]) -> Self {
        let mut fleet = Fleet::default();
        for cluster in clusters {
            let name = cluster["metadata"]["name"].as_str().unwrap().parse().unwrap();
            fleet.clusters.insert(name, Arc::new(serde_json::from_value(cluster.clone()).unwrap()));
        }
        let by_cluster = fleet.cluster_addons.entry("hello".parse().unwrap()).or_default();
        for addon in addons {
            let cluster = addon["metadata"]["namespace"].as_str().unwrap().parse().unwrap();
            by_cluster.insert(cluster, Arc::new(serde_json::from_value(addon.clone()).unwrap()));
        }
        let signer = json!({"signerName": SIGNER, "signingCA": {"name": "ca", "namespace": "hub"}});
        let registrations = json!([{"type": "KubeClient"}, {"type": "CustomSigner", "customSigner": signer}]);
        Self { fleet, registrations: Some(registrations) }
    }

    pub(super) fn with(registrations: Value) -> Self {
        Self { registrations: Some(registrations), ..Self::default() }
    }

    pub(super) fn decide(&self, csr: &CertificateSigningRequest) -> Decision {
        let registrations = |_: &AddonName, _: &ManagedClusterAddOn| {
            self.registrations.clone().map(|registrations| serde_json::from_value(registrations).unwrap())
        };
        decide(csr, Evidence { fleet: &self.fleet, instance: &instance(), registrations: &registrations })
    }

    /// Returns the reason why a request is left alone.
    pub(super) fn reason(&self, csr: &CertificateSigningRequest) -> Reason {
        match self.decide(csr) {
            Decision::Ignore(reason) => reason,
            other => panic!("{other:?}"),
        }
    }
}

impl Default for Hub {
    fn default() -> Self {
        Self::of(&[cluster("east")], &[addon("east")])
    }
}
