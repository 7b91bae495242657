//! CertificateSigningRequests: which are watched, and how they are approved.

use std::collections::BTreeSet;

use axum::http::Method;
use serde_json::{Value, json};
use tidegate_api::key::{ADDON_NAME, CERTIFICATES_GROUP, CLUSTER_NAME};
use tidegate_daemon::hub::{Error, Options, Verb};
use tidegate_model::action::{Lane, Stage, Subresource, Write};
use tidegate_model::object::GroupKind;

use super::server::{Kind, Server};
use super::support::{Setup, eventually, ocm_kinds, server};

const PLURAL: &str = "certificatesigningrequests";

fn kinds() -> BTreeSet<GroupKind> {
    [GroupKind::new(CERTIFICATES_GROUP, "CertificateSigningRequest")].into()
}

fn serving() -> Server {
    let kind = "CertificateSigningRequest";
    let versions = vec!["v1"];
    let requests = Kind { group: CERTIFICATES_GROUP, versions, stored: "v1", kind, plural: PLURAL, namespaced: false };
    Server::new(ocm_kinds("v1alpha1").into_iter().chain([requests]).collect())
}

async fn watching(server: Server) -> Setup {
    Setup::with(server, Options { kinds: kinds(), ..Options::default() }).await
}

fn request(name: &str, labels: &Value) -> Value {
    json!({
        "apiVersion": "certificates.k8s.io/v1", "kind": "CertificateSigningRequest",
        "metadata": { "name": name, "labels": labels },
        "spec": { "request": "aGVsbG8=", "signerName": "example.com/x", "usages": ["client auth"] },
    })
}

fn approval(object: &Value) -> Vec<Lane> {
    let mut object = object.clone();
    object["status"]["conditions"] = json!([{ "type": "Approved", "status": "True" }]);
    vec![Lane { stage: Stage::Deliver, writes: vec![Write::Replace { subresource: Subresource::Approval, object }] }]
}

#[tokio::test(start_paused = true)]
async fn only_requests_with_the_labels_of_agents_are_watched() {
    let server = serving();
    let labels = json!({ ADDON_NAME: "hello", CLUSTER_NAME: "east" });
    for (name, labels) in [("agent", labels), ("half", json!({ ADDON_NAME: "hello" })), ("node", json!({}))] {
        server.put(PLURAL, request(name, &labels));
    }
    let setup = watching(server).await;
    assert_eq!(setup.hub.fleet().requests.keys().collect::<Vec<_>>(), ["agent"]);
    let requests = setup.server.with(|inner| inner.requests.clone());
    let lists = || requests.iter().filter(|request| request.contains(PLURAL));
    assert!(lists().count() > 0 && lists().all(|request| request.contains("labelSelector=")), "{requests:?}");
}

#[tokio::test(start_paused = true)]
async fn an_approval_is_observed_at_once_and_must_be_based_on_the_stored_request() {
    let server = serving();
    let stored = server.put(PLURAL, request("agent", &json!({ ADDON_NAME: "hello", CLUSTER_NAME: "east" })));
    let setup = watching(server).await;
    setup.server.with(|inner| inner.silent = true);
    let outcome = setup.hub.act(approval(&stored)).await;
    assert_eq!((outcome.written, outcome.conflicts.len()), (1, 0));
    let requests = setup.server.with(|inner| inner.requests.clone());
    let sent = requests.iter().find(|request| request.starts_with("PUT")).unwrap();
    assert!(sent.contains(&format!("/{PLURAL}/agent/approval?")), "{sent}");
    let fleet = setup.hub.fleet();
    let conditions = fleet.requests["agent"].status.as_ref().and_then(|status| status.conditions.clone());
    assert_eq!(conditions.unwrap()[0].type_, "Approved");

    let outcome = setup.hub.act(approval(&stored)).await;
    let [conflict] = &outcome.conflicts[..] else { panic!("{outcome:?}") };
    assert_eq!((outcome.written, conflict.verb), (0, Verb::ReplaceApproval));
    let outcome = setup.hub.act(approval(&request("agent", &json!({})))).await;
    assert!(matches!(outcome.failures[0].error, Error::NoPrecondition { .. }), "{outcome:?}");
}

#[tokio::test(start_paused = true)]
async fn a_hub_without_requests_is_quiet_and_one_that_refuses_them_is_not() {
    let quiet = watching(server()).await;
    assert_eq!(quiet.hub.unserved(), std::collections::BTreeMap::new());
    let refusing = serving();
    refusing.fail(Method::GET, PLURAL, 403, usize::MAX);
    let setup = watching(refusing).await;
    eventually("the refusal is known", || setup.hub.unserved().len() == 1).await;
}
