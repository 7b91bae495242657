//! Notifications of a running daemon: each once, and after a restart only what is new.

use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use tidegate_consent::Operator;
use tidegate_daemon::reconciler::Config;
use tidegate_daemon::reconciler::http::Reply;
use tidegate_daemon::reconciler::notification::{Address, Event, Protocol, Receiver, Transport, parse_address};
use tidegate_daemon::reconciler::source::Floor;
use tidegate_model::time::SignedDuration;

use super::world::{World, eventually};

const ADDON: &str = "fleet/addons/hello-template/addon.yaml";

/// The messages until the rollout waits: the installation is completed, and the next version is not approved.
const FIRST: [&str; 2] = ["RolloutCompleted", "ApprovalAwaited"];
/// All messages.
const ALL: [&str; 3] = ["RolloutCompleted", "ApprovalAwaited", "RolloutCompleted"];

/// The bodies that a receiver got.
#[derive(Clone, Default)]
struct Inbox(Arc<Mutex<Vec<Value>>>);

impl Inbox {
    fn transport(&self) -> Transport {
        let inbox = self.0.clone();
        Transport::new(move |request| {
            inbox.lock().unwrap().push(serde_json::from_slice(&request.body).unwrap());
            std::future::ready(Ok(Reply { status: 200, retry_after: None, body: Vec::new() }))
        })
    }

    /// Returns the kinds of the messages about the add-on, in order.
    fn reasons(&self) -> Vec<String> {
        let inbox = self.0.lock().unwrap();
        let about = inbox.iter().filter(|body| body["addon"] == "hello-template");
        about.map(|body| body["reason"].as_str().unwrap().to_owned()).collect()
    }

    fn last(&self) -> Value {
        self.0.lock().unwrap().last().cloned().unwrap()
    }
}

fn config(world: &World, inbox: &Inbox) -> Config {
    let receiver = Receiver {
        number: 1,
        protocol: Protocol::Webhook,
        address: Address::Plain(parse_address("https://alerts.example.com/").unwrap()),
        secret_file: None,
        token_file: None,
        room: String::new(),
        events: Event::ALL.to_vec(),
        addons: vec!["hello-*".to_owned()],
        link: None,
    };
    let operator = Operator { delay: Some(SignedDuration::ZERO), ..Operator::default() };
    let floor = Floor { operator: Arc::new(operator), ..Floor::default() };
    Config { notify: vec![receiver], transport: inbox.transport(), floor, ..world.config("mirror.git") }
}

fn policy() -> Vec<u8> {
    json!({
        "apiVersion": "tidegate.io/v1alpha1", "kind": "RolloutPolicy", "metadata": { "name": "production" },
        "spec": {
            "selector": { "addOns": ["hello-template"] },
            "approvals": [{ "name": "prod", "of": ["bob@example.com"] }],
        },
    })
    .to_string()
    .into_bytes()
}

#[tokio::test(start_paused = true)]
async fn a_receiver_learns_once_that_a_rollout_waits_for_approval_even_if_the_daemon_restarts() {
    let (world, inbox) = (World::new(20), Inbox::default());
    let mut daemon = world.daemon_with(world.client(), config(&world, &inbox)).await;
    daemon.until_settled("0.4.0").await;
    world.commit("policy", [("fleet/policy.yaml".to_owned(), Some(policy()))].into());
    world.edit(ADDON, "hello-template-0.4.0", "hello-template-0.4.1");
    eventually("the approval is requested", async || inbox.reasons() == FIRST).await;
    let message = inbox.last();
    assert_eq!((&message["event"], &message["version"]), (&json!("gate"), &json!("0.4.1")));
    let remedy = message["remedy"].as_str().unwrap();
    assert!(remedy.contains("bob@example.com") && remedy.contains("tidegate approve hello-template"), "{remedy}");
    daemon.end().await;

    let mut daemon = world.daemon_with(world.client(), config(&world, &inbox)).await;
    daemon.until("a tick", |snapshot| snapshot.tick > 0).await;
    // The operator lets changes of the rules take effect at once.
    world.commit("no policy", [("fleet/policy.yaml".to_owned(), None)].into());
    daemon.until_settled("0.4.1").await;
    eventually("the end is reported", async || inbox.reasons() == ALL).await;
    daemon.end().await;

    let mut daemon = world.daemon_with(world.client(), config(&world, &inbox)).await;
    daemon.until_settled("0.4.1").await;
    daemon.end().await;
    assert_eq!(inbox.reasons(), ALL, "nothing is new after a restart");
}
