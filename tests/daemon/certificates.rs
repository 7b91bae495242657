//! The certificates of add-on agents, from the registration in the status of an add-on to the certificate.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use axum::extract::Request;
use axum::http::Request as ToHub;
use axum::middleware::{self, Next};
use serde_json::{Value, json};
use tidegate_go::base64;

use super::registration_agent::{
    CA, CA_KEY, KUBE, REQUESTS, RegistrationAgent, conditions, deny, read, sent, sign_as_controller_manager,
};
use super::world::{World, eventually};
use crate::certificate_request::{Asked, cn, o};

const ADDON: &str = "managed-serviceaccount";
const CLUSTER: &str = "aws-001";
const SIGNER: &str = "example.com/vault";
const TEMPLATE: &str = "fleet/addons/managed-serviceaccount/template-0.4.0.yaml";
const CUSTOM: &str = "registration:
    - type: CustomSigner
      customSigner: {signerName: example.com/vault, signingCA: {name: vault-ca, namespace: fleet-addons}}
";

fn agent(world: &World) -> RegistrationAgent<'_> {
    RegistrationAgent { world, cluster: CLUSTER, addon: ADDON }
}

/// Returns the usual request of the agent.
fn usual() -> Asked {
    Asked::by(CLUSTER, ADDON)
}

#[tokio::test(start_paused = true)]
async fn an_agent_gets_its_certificate_and_rotates_it() {
    let world = World::settled(11).await;
    let mut daemon = world.daemon("mirror.git").await;
    daemon.until_settled("0.4.0").await;
    let agent = agent(&world);
    agent.choose_driver().await;
    for _ in 0..2 {
        let name = agent.ask(KUBE, &usual()).await;
        let approved = agent.until_approved(&name).await;
        let condition = &approved["status"]["conditions"][0];
        assert_eq!(condition["reason"], "AutoApprovedByHubCSRApprovingController");
        assert_eq!(condition["message"], "Auto approving addon agent certificate.");
        assert_eq!(approved["status"]["certificate"], Value::Null, "kube-controller-manager signs it");
        sign_as_controller_manager(&world, &name).await;
        agent.until_issued(&name).await;
    }
    agent.report_rotated().await;
    let settled = daemon.until("the rest", |s| s.writes == 0).await;
    assert_eq!(settled.failures, [""; 0]);
    let addon = world.addon(CLUSTER, ADDON).await;
    assert_eq!(addon["status"]["registrations"][0]["kubeClient"]["driver"], "csr");
    let types: Vec<&Value> = addon["status"]["conditions"].as_array().unwrap().iter().map(|c| &c["type"]).collect();
    assert!(types.contains(&&json!("ClusterCertificateRotated")), "{types:?}");
    daemon.end().await;
}

#[tokio::test(start_paused = true)]
async fn requests_of_others_are_left_alone_and_reported_once() {
    let world = World::settled(12).await;
    let mut daemon = world.daemon("mirror.git").await;
    daemon.until_settled("0.4.0").await;
    let agent = agent(&world);
    let prefix = "addon-a-";
    let one = format!("system:open-cluster-management:cluster:{CLUSTER}:addon:{ADDON}");
    let all = format!("system:open-cluster-management:addon:{ADDON}");
    let user = format!("{one}:agent:{ADDON}-agent");
    let mut left = Vec::new();
    for (cluster, asked) in [
        ("aws-0011", usual()),
        ("aws-002", usual()),
        (CLUSTER, Asked::by("aws-002", ADDON)),
        (CLUSTER, Asked::of(&[o(&all), cn(&user)])),
        (CLUSTER, Asked::of(&[o(&one), o(&all), o("system:masters"), cn(&user)])),
    ] {
        left.push(agent.ask_as(cluster, prefix, KUBE, &asked.pem()).await);
    }
    left.push(agent.ask_as(CLUSTER, prefix, KUBE, "no request at all").await);
    let reported = daemon.until("six lines", |s| s.facts.notices.len() == 6).await;
    for (name, line) in left.iter().zip(&reported.facts.notices) {
        assert!(reported.facts.notices.iter().any(|line| line.contains(name)), "{name}: {line}");
    }
    assert_eq!(reported.failures, [""; 0], "an agent cannot keep a revision from being applied");
    // They keep no one busy, and no other request waits for them.
    let before = daemon.metric("tidegate_hub_writes_total");
    let good = agent.ask(KUBE, &usual()).await;
    agent.until_approved(&good).await;
    daemon.until("the rest", |s| s.writes == 0).await;
    assert_eq!(daemon.metric("tidegate_hub_writes_total"), before + 1.0);
    for name in left {
        assert_eq!(conditions(&read(&world, &name).await), [""; 0], "{name}");
    }
    world.until_journal("sync.yaml", "is left alone: its requester").await;
    daemon.end().await;
}

#[tokio::test(start_paused = true)]
async fn real_hub_h3_a_cluster_that_had_the_add_on_before_gets_its_certificate() {
    let world = World::settled(12).await;
    let unmarked = serde_json::json!({ "metadata": { "labels": { "tidegate.io/instance": null } } });
    super::world::requests::patch(&world.client(), &super::world::addon_path(CLUSTER, ADDON), &unmarked).await;
    let mut daemon = world.daemon("mirror.git").await;
    daemon.until_settled("0.4.0").await;
    let agent = agent(&world);
    let request = agent.ask(KUBE, &usual()).await;
    agent.until_approved(&request).await;
    assert_eq!(world.addon(CLUSTER, ADDON).await["metadata"]["labels"].get("tidegate.io/instance"), None);
    daemon.end().await;
}

/// Its first tick sees the request, and marks the add-on.
#[tokio::test(start_paused = true)]
async fn real_hub_h3_a_request_from_before_the_adoption_is_approved() {
    let world = World::settled_by("first.git", 12).await;
    super::adopt::unmark(&world).await;
    let agent = agent(&world);
    let request = agent.ask(KUBE, &usual()).await;
    let mut daemon = world.daemon("mirror.git").await;
    daemon.until_settled("0.4.0").await;
    agent.until_approved(&request).await;
    daemon.end().await;
}

#[tokio::test(start_paused = true)]
async fn a_request_that_a_person_denied_stays_denied() {
    let world = World::new(11);
    let agent = agent(&world);
    let denied = agent.ask(KUBE, &usual()).await;
    deny(&world, &denied).await;
    let mut daemon = world.daemon("mirror.git").await;
    daemon.until_settled("0.4.0").await;
    let good = agent.ask(KUBE, &usual()).await;
    agent.until_approved(&good).await;
    daemon.until("the rest", |s| s.writes == 0 && s.failures.is_empty() && s.facts.notices.is_empty()).await;
    assert_eq!(conditions(&read(&world, &denied).await), ["Denied"]);
    daemon.end().await;
}

#[tokio::test(start_paused = true)]
async fn a_request_that_changes_in_the_meantime_is_approved_by_the_next_tick() {
    let world = World::new(11);
    let (sandbox, has_changed) = (world.sandbox.clone(), Arc::new(AtomicBool::new(false)));
    let interfere = {
        let has_changed = Arc::clone(&has_changed);
        move |request: Request, next: Next| {
            let (client, has_changed) = (sandbox.client(), Arc::clone(&has_changed));
            async move {
                let object = request.uri().path().strip_suffix("/approval").map(str::to_owned);
                if let Some(object) = object.filter(|_| !has_changed.swap(true, Ordering::SeqCst)) {
                    let patch = br#"{"metadata": {"annotations": {"note": "changed"}}}"#.to_vec();
                    let patch = ToHub::patch(object).header("content-type", "application/merge-patch+json").body(patch);
                    client.request::<Value>(patch.unwrap()).await.unwrap();
                }
                next.run(request).await
            }
        }
    };
    let router = world.sandbox.router().layer(middleware::from_fn(interfere));
    let mut daemon = world.daemon_on("mirror.git", kube::Client::new(router, "default")).await;
    daemon.until_settled("0.4.0").await;
    let agent = agent(&world);
    let name = agent.ask(KUBE, &usual()).await;
    let approved = agent.until_approved(&name).await;
    assert_eq!(
        (&approved["metadata"]["annotations"]["note"], has_changed.load(Ordering::SeqCst)),
        (&json!("changed"), true)
    );
    assert_eq!(daemon.metric("tidegate_hub_conflicts_total"), 1.0);
    daemon.until("the rest", |s| s.writes == 0 && s.failures.is_empty() && s.facts.notices.is_empty()).await;
    daemon.end().await;
}

#[tokio::test(start_paused = true)]
async fn the_requests_of_a_whole_fleet_are_approved_over_several_ticks() {
    let world = World::settled(11).await;
    let mut daemon = world.daemon("mirror.git").await;
    let ticks = daemon.until_settled("0.4.0").await.tick;
    let (agent, pem) = (agent(&world), usual().pem());
    for _ in 0..300 {
        agent.ask_as(CLUSTER, "addon-", KUBE, &pem).await;
    }
    eventually("all requests are approved", async || {
        let requests = world.list("certificates.k8s.io/v1", "certificatesigningrequests").await;
        requests.iter().all(|request| conditions(request) == ["Approved"])
    })
    .await;
    let settled = daemon.until("the rest", |s| s.writes == 0).await;
    assert!(settled.tick >= ticks + 2, "a tick judges 250 requests");
    assert_eq!(settled.failures, [""; 0]);
    daemon.end().await;
}

#[tokio::test(start_paused = true)]
async fn a_custom_signer_issues_certificates_once_its_secret_exists() {
    let world = World::new(11);
    let path = "examples-repo/fleet/addons/managed-serviceaccount/template-0.4.0.yaml";
    let text = std::fs::read_to_string(path).unwrap();
    let registration = text.split_once("registration:\n").unwrap().1;
    world.edit(TEMPLATE, &format!("registration:\n{registration}"), CUSTOM);
    let mut daemon = world.daemon("mirror.git").await;
    daemon.until_settled("0.4.0").await;
    let agent = agent(&world);
    let name = agent.ask(SIGNER, &usual()).await;
    agent.until_approved(&name).await;
    let missing = daemon.until("the missing Secret", |s| !s.facts.notices.is_empty()).await;
    let [line] = &missing.facts.notices[..] else { panic!("{:?}", missing.facts) };
    assert!(line.starts_with("Secret fleet-addons/vault-ca cannot sign the certificates of add-on agents: "), "{line}");
    assert!(line.contains("create it, or let Tidegate get it") && line.contains("404"), "{line}");
    assert_eq!(missing.writes, 0);

    let secret = |key: &str| {
        json!({
            "metadata": { "name": "vault-ca" }, "type": "kubernetes.io/tls",
            "data": { "tls.crt": base64::encode(CA.as_bytes()), "tls.key": base64::encode(key.as_bytes()) },
        })
    };
    let secrets = "/api/v1/namespaces/fleet-addons/secrets";
    sent(&world, ToHub::post(secrets), &secret("no key")).await;
    daemon.until("a bad key", |s| s.facts.notices.iter().any(|line| line.ends_with("failed to decode ca key"))).await;
    sent(&world, ToHub::put(format!("{secrets}/vault-ca")), &secret(CA_KEY)).await;
    agent.until_issued(&name).await;
    daemon.until("the rest", |s| s.writes == 0 && s.facts.notices.is_empty()).await;
    let issued = read(&world, &name).await;

    // A request that someone approved by mistake gets no certificate, and an issued one is never issued again.
    let bad = agent.ask(SIGNER, &Asked::of(&[o("system:masters"), cn("admin")])).await;
    let mut approved = read(&world, &bad).await;
    approved["status"]["conditions"] = issued["status"]["conditions"].clone();
    sent(&world, ToHub::put(format!("{REQUESTS}/{bad}/approval")), &approved).await;
    daemon.until("the line", |s| s.facts.notices.iter().any(|line| line.contains(&bad))).await;
    assert_eq!(read(&world, &bad).await["status"]["certificate"], Value::Null);
    assert_eq!(read(&world, &name).await, issued);
    daemon.end().await;
}
