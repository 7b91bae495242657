//! Requests for certificates, as agents and others create them, and the hub that judges them.

use k8s_openapi::ByteString;
use k8s_openapi::api::certificates::v1::CertificateSigningRequest;
use ring::rand::SystemRandom;
use ring::signature::{ECDSA_P256_SHA256_ASN1_SIGNING, EcdsaKeyPair, KeyPair as _};
use serde_json::{Value, json};
use std::sync::Arc;
use x509_cert::attr::{Attribute, AttributeTypeAndValue};
use x509_cert::der::asn1::{Any, BitString, Ia5String, ObjectIdentifier, OctetString, SetOfVec, Utf8StringRef};
use x509_cert::der::oid::AssociatedOid as _;
use x509_cert::der::oid::db::rfc4519::{COMMON_NAME, ORGANIZATION_NAME, ORGANIZATIONAL_UNIT_NAME};
use x509_cert::der::oid::db::rfc5912::{ECDSA_WITH_SHA_256, ID_EC_PUBLIC_KEY, SECP_256_R_1};
use x509_cert::der::pem::LineEnding;
use x509_cert::der::{Decode as _, Encode as _, EncodePem as _};
use x509_cert::ext::Extension;
use x509_cert::ext::pkix::SubjectAltName;
use x509_cert::ext::pkix::name::GeneralName;
use x509_cert::name::{RdnSequence, RelativeDistinguishedName};
use x509_cert::request::{CertReq, CertReqInfo, ExtensionReq, Version};
use x509_cert::spki::{AlgorithmIdentifierOwned, SubjectPublicKeyInfoOwned};

use tidegate_api::fleet::Fleet;
use tidegate_api::key;
use tidegate_api::ocm::config_reference::ConfigReference;
use tidegate_core::registration::{Decision, Evidence, Reason, decide};
use tidegate_model::instance::{Instance, InstanceId};

pub(super) const KEY: &str = include_str!("data/p256.pkcs8.key");
pub(super) const ONE: &str = "system:open-cluster-management:cluster:east:addon:hello";
pub(super) const ALL: &str = "system:open-cluster-management:addon:hello";
pub(super) const KUBE: &str = "kubernetes.io/kube-apiserver-client";
pub(super) const SIGNER: &str = "example.com/hello";

/// The subject and the alternative names of a PKCS#10 request.
#[derive(Debug, Clone)]
pub(super) struct Asked {
    pub(super) subject: Vec<(ObjectIdentifier, String)>,
    pub(super) dns: Vec<String>,
}

pub(super) fn cn(value: &str) -> (ObjectIdentifier, String) {
    (COMMON_NAME, value.to_owned())
}

pub(super) fn o(value: &str) -> (ObjectIdentifier, String) {
    (ORGANIZATION_NAME, value.to_owned())
}

pub(super) fn ou(value: &str) -> (ObjectIdentifier, String) {
    (ORGANIZATIONAL_UNIT_NAME, value.to_owned())
}

impl Default for Asked {
    fn default() -> Self {
        let subject = vec![o(ONE), o(ALL), cn(&format!("{ONE}:agent:hello-agent"))];
        Self { subject, dns: vec!["hello.addon.open-cluster-management.io".to_owned()] }
    }
}

impl Asked {
    pub(super) fn of(subject: &[(ObjectIdentifier, String)]) -> Self {
        Self { subject: subject.to_vec(), ..Self::default() }
    }

    pub(super) fn pem(&self) -> String {
        let key = rustls_pki_types::pem::PemObject::from_pem_slice(KEY.as_bytes()).unwrap();
        let key: rustls_pki_types::PrivatePkcs8KeyDer<'static> = key;
        let random = SystemRandom::new();
        let pair = EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_ASN1_SIGNING, key.secret_pkcs8_der(), &random).unwrap();
        let part = |(oid, value): &(ObjectIdentifier, String)| {
            let value = Any::from(Utf8StringRef::new(value).unwrap());
            RelativeDistinguishedName::try_from(vec![AttributeTypeAndValue { oid: *oid, value }]).unwrap()
        };
        let name = |name: &String| GeneralName::DnsName(Ia5String::new(name).unwrap());
        let names = SubjectAltName(self.dns.iter().map(name).collect()).to_der().unwrap();
        let extension =
            Extension { extn_id: SubjectAltName::OID, critical: false, extn_value: OctetString::new(names).unwrap() };
        let attribute = Attribute::try_from(ExtensionReq(vec![extension])).unwrap();
        let info = CertReqInfo {
            version: Version::V1,
            subject: RdnSequence(self.subject.iter().map(part).collect()),
            public_key: SubjectPublicKeyInfoOwned {
                algorithm: AlgorithmIdentifierOwned {
                    oid: ID_EC_PUBLIC_KEY,
                    parameters: Some(Any::from(SECP_256_R_1)),
                },
                subject_public_key: BitString::from_bytes(pair.public_key().as_ref()).unwrap(),
            },
            attributes: SetOfVec::try_from(vec![attribute]).unwrap(),
        };
        let signature = pair.sign(&random, &info.to_der().unwrap()).unwrap();
        let algorithm = AlgorithmIdentifierOwned { oid: ECDSA_WITH_SHA_256, parameters: None };
        let request = CertReq { info, algorithm, signature: BitString::from_bytes(signature.as_ref()).unwrap() };
        assert_eq!(CertReq::from_der(&request.to_der().unwrap()).unwrap(), request);
        request.to_pem(LineEnding::LF).unwrap()
    }
}

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
        let registrations = |reference: &ConfigReference| {
            assert_eq!(reference.name, "hello-1");
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
