//! The answers that every hub must give. The embedded hub is always tested, a real one if `TIDEGATE_TEST_KUBECONFIG` names it.
//!
//! The real hub must be as empty as the recorded one: with the CRDs, but without controllers.

use std::env;

use kube::config::{KubeConfigOptions, Kubeconfig};
use kube::{Client, Config};
use tidegate_api::ocm::crds;
use tidegate_model::time::Timestamp;
use tidegate_sandbox::Sandbox;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use super::recording::{Outcome, replay};

/// Prints the result of a replay, and fails if an answer differs.
pub(crate) fn judge(what: &str, outcome: &Outcome) {
    let agreed = outcome.total - outcome.differences.len();
    println!("{what}: {agreed} of {} recorded answers agree", outcome.total);
    assert!(outcome.total > 0, "nothing is recorded");
    let found = &outcome.differences;
    assert!(found.is_empty(), "{what}: these answers differ: {found:#?}");
}

/// Returns a client for the server of a kubeconfig.
pub(crate) async fn client_of(path: &std::path::Path) -> Client {
    let kubeconfig = Kubeconfig::read_from(path).unwrap();
    let config = Config::from_custom_kubeconfig(kubeconfig, &KubeConfigOptions::default()).await.unwrap();
    Client::try_from(config).unwrap()
}

#[tokio::test]
async fn the_embedded_hub_answers_as_a_real_one_did() {
    let hub = Sandbox::without_controllers(&crds::all().unwrap(), Timestamp::now);
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let (address, closing) = (listener.local_addr().unwrap(), CancellationToken::new());
    let serving = tokio::spawn({
        let closing = closing.clone();
        async move { hub.serve(listener, closing).await }
    });
    let client = Client::try_from(Config::new(format!("http://{address}").parse().unwrap())).unwrap();
    judge("sandbox", &replay(&client).await);
    closing.cancel();
    serving.await.unwrap().unwrap();
}

#[tokio::test]
#[ignore = "needs a hub, whose kubeconfig TIDEGATE_TEST_KUBECONFIG names"]
async fn a_real_hub_answers_as_it_did() {
    let path = env::var_os("TIDEGATE_TEST_KUBECONFIG").expect("TIDEGATE_TEST_KUBECONFIG names the kubeconfig of a hub");
    judge("hub", &replay(&client_of(path.as_ref()).await).await);
}
