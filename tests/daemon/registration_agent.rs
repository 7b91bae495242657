//! A registration agent of a cluster: asks for the certificates of an add-on, as that of OCM does.

use axum::http::Request;
use axum::http::request::Builder;
use ring::rand::SystemRandom;
use rustls_pki_types::pem::PemObject as _;
use rustls_pki_types::{CertificateDer, UnixTime};
use serde_json::{Value, json};
use webpki::{EndEntityCert, KeyUsage, anchor_from_trusted_cert, ring as algorithms};

use super::world::{World, eventually, now};
use crate::certificate_request::Asked;
use tidegate_delivery::registration::{Authority, Request as Asking, Serial, certificate};
use tidegate_go::base64;

pub(super) const KUBE: &str = "kubernetes.io/kube-apiserver-client";
pub(super) const CA: &str = include_str!("../core/delivery/registration/data/p256.crt");
pub(super) const CA_KEY: &str = include_str!("../core/delivery/registration/data/p256.pkcs8.key");
pub(super) const REQUESTS: &str = "/apis/certificates.k8s.io/v1/certificatesigningrequests";

/// The registration agent of a cluster, for one add-on.
#[derive(Clone, Copy)]
pub(super) struct RegistrationAgent<'a> {
    pub(super) world: &'a World,
    pub(super) cluster: &'a str,
    pub(super) addon: &'a str,
}

impl RegistrationAgent<'_> {
    /// Waits until the hub describes the registration, and sets the driver.
    pub(super) async fn choose_driver(&self) {
        let registrations =
            async || self.world.addon(self.cluster, self.addon).await["status"]["registrations"].clone();
        eventually("the registrations", async || registrations().await.is_array()).await;
        let mut chosen = registrations().await;
        chosen[0]["kubeClient"]["driver"] = json!("csr");
        self.world.patch_addon_status(self.cluster, self.addon, json!({ "registrations": chosen })).await;
    }

    /// Creates a request with the identity of the cluster, and returns its name.
    pub(super) async fn ask(&self, signer: &str, asked: &Asked) -> String {
        self.ask_as(self.cluster, &format!("addon-{}-{}-", self.cluster, self.addon), signer, &asked.pem()).await
    }

    /// Creates a request with the identity of any cluster, with this prefix of its name, and returns its name.
    pub(super) async fn ask_as(&self, cluster: &str, prefix: &str, signer: &str, pem: &str) -> String {
        let labels = json!({
            "open-cluster-management.io/cluster-name": self.cluster,
            "open-cluster-management.io/addon-name": self.addon,
        });
        let body = json!({
            "metadata": { "generateName": prefix, "labels": labels },
            "spec": {
                "signerName": signer, "request": base64::encode(pem.as_bytes()),
                "usages": ["digital signature", "key encipherment", "client auth"],
            },
        });
        let request = Request::post(REQUESTS)
            .header("impersonate-user", format!("system:open-cluster-management:{cluster}:agent-1"))
            .header("impersonate-group", format!("system:open-cluster-management:{cluster}"))
            .header("impersonate-group", "system:open-cluster-management:managed-clusters");
        let created = sent(self.world, request, &body).await;
        created["metadata"]["name"].as_str().unwrap().to_owned()
    }

    /// Waits until a request has a condition.
    pub(super) async fn until_approved(&self, name: &str) -> Value {
        eventually(&format!("{name} is approved"), async || conditions(&read(self.world, name).await) == ["Approved"])
            .await;
        read(self.world, name).await
    }

    /// Waits until a request has its certificate, and checks that the authority has signed it.
    pub(super) async fn until_issued(&self, name: &str) {
        let issued = async || read(self.world, name).await["status"]["certificate"].as_str().map(str::to_owned);
        eventually(&format!("{name} has its certificate"), async || issued().await.is_some()).await;
        let pem = base64::decode(&issued().await.unwrap()).unwrap();
        let der = CertificateDer::from_pem_slice(&pem).unwrap();
        let root = CertificateDer::from_pem_slice(CA.as_bytes()).unwrap();
        let anchors = [anchor_from_trusted_cert(&root).unwrap()];
        let seconds = u64::try_from(now().as_second()).unwrap();
        let time = UnixTime::since_unix_epoch(std::time::Duration::from_secs(seconds));
        let certificate = EndEntityCert::try_from(&der).unwrap();
        let supported = &[algorithms::ECDSA_P256_SHA256];
        certificate.verify_for_usage(supported, &anchors, &[], time, KeyUsage::client_auth(), None, None).unwrap();
    }

    /// Reports that the agent has stored its certificate.
    pub(super) async fn report_rotated(&self) {
        let mut conditions = self.world.addon(self.cluster, self.addon).await["status"]["conditions"].clone();
        conditions.as_array_mut().unwrap().push(json!({
            "type": "ClusterCertificateRotated", "status": "True", "reason": "ClientCertificateUpdated",
            "message": "client certificate rotated", "lastTransitionTime": now(),
        }));
        self.world.patch_addon_status(self.cluster, self.addon, json!({ "conditions": conditions })).await;
    }
}

/// Signs an approved request for the API server's signer, as kube-controller-manager does.
pub(super) async fn sign_as_controller_manager(world: &World, name: &str) {
    let mut object = read(world, name).await;
    assert_eq!(
        (conditions(&object).as_slice(), &object["spec"]["signerName"]),
        (&["Approved".to_owned()][..], &json!(KUBE))
    );
    let random = SystemRandom::new();
    let authority = Authority::from_pem(CA.as_bytes(), CA_KEY.as_bytes(), &random).unwrap();
    let asked = base64::decode(object["spec"]["request"].as_str().unwrap()).unwrap();
    let asked = Asking::parse(&asked).unwrap();
    let pem = certificate(&asked, &authority, now(), Serial::new([1; 16]).unwrap(), &random).unwrap();
    object["status"]["certificate"] = json!(base64::encode(pem.as_bytes()));
    sent(world, Request::put(format!("{REQUESTS}/{name}/status")), &object).await;
}

/// Denies a request, as a person does with `kubectl certificate deny`.
pub(super) async fn deny(world: &World, name: &str) {
    let mut object = read(world, name).await;
    let denied = json!({ "type": "Denied", "status": "True", "reason": "KubectlDeny", "message": "no" });
    object["status"]["conditions"] = json!([denied]);
    sent(world, Request::put(format!("{REQUESTS}/{name}/approval")), &object).await;
}

/// Sends an object to the hub.
pub(super) async fn sent(world: &World, request: Builder, object: &Value) -> Value {
    let request = request.header("content-type", "application/json").body(object.to_string().into_bytes()).unwrap();
    world.client().request(request).await.unwrap()
}

/// Reads a request.
pub(super) async fn read(world: &World, name: &str) -> Value {
    world.object("certificates.k8s.io/v1", "certificatesigningrequests", "", name).await.unwrap()
}

/// Returns the types of the conditions of a request.
pub(super) fn conditions(request: &Value) -> Vec<String> {
    let conditions = request["status"]["conditions"].as_array().cloned().unwrap_or_default();
    conditions.iter().map(|condition| condition["type"].as_str().unwrap().to_owned()).collect()
}
