//! The registration of an add-on whose agent may do something on the hub.

use std::time::Duration;

use serde_json::{Value, json};

use super::setup::*;
use crate::upstream::{Controller, Delays};

const BINDING: &str = "/apis/rbac.authorization.k8s.io/v1/namespaces/cluster1/rolebindings/\
    open-cluster-management:hello-template:clusterrole:agent";

fn registered() -> Value {
    let mut template = template("a", "agent:1", &[]);
    let permission = json!({ "type": "CurrentCluster", "currentCluster": { "clusterRoleName": "reader" } });
    template["spec"]["registration"] =
        json!([{ "type": "KubeClient", "kubeClient": { "hubPermissions": [permission] } }]);
    template
}

/// Returns status and reason of condition `RegistrationApplied`.
async fn applied(setup: &Setup) -> (String, String) {
    let status = setup.addon("cluster1").await.unwrap()["status"].clone();
    let conditions = status["conditions"].as_array().cloned().unwrap_or_default();
    let applied = conditions.into_iter().find(|condition| condition["type"] == "RegistrationApplied");
    let text = |field: &str| applied.as_ref().and_then(|c| c[field].as_str()).unwrap_or_default().to_owned();
    (text("status"), text("reason"))
}

#[tokio::test(start_paused = true)]
async fn an_agent_gets_its_binding_once_its_identity_is_in_the_status() {
    let setup = Setup::new();
    let second = Duration::from_secs(1);
    let of = [(Controller::Registration, second)].into();
    setup.manager.control(|controls| controls.delays = Delays { of, ..Delays::default() });
    setup.sandbox.seed([registered(), declared("a")]).unwrap();
    setup.install("cluster1", json!([]));
    // The supported configurations come first, then the identity of the agent.
    let reported = async {
        while applied(&setup).await.0.is_empty() {
            tokio::time::sleep(second / 10).await;
        }
    };
    tokio::time::timeout(second * 60, reported).await.unwrap();
    assert_eq!(applied(&setup).await, ("False".to_owned(), "PermissionConfigPending".to_owned()));
    assert_eq!(setup.read(BINDING).await, None);
    setup.manager.control(|controls| controls.delays = Delays::default());
    setup.settle().await;
    assert_eq!(applied(&setup).await, ("True".to_owned(), "SetPermissionApplied".to_owned()));
    let binding = setup.read(BINDING).await.unwrap();
    let user = "system:open-cluster-management:cluster:cluster1:addon:hello-template:agent:hello-template-agent";
    assert_eq!(binding["subjects"][0]["name"], user);
    assert_eq!(binding["metadata"]["ownerReferences"][0]["kind"], "ManagedClusterAddOn");
    let registrations = setup.addon("cluster1").await.unwrap()["status"]["registrations"].clone();
    assert_eq!(registrations[0]["kubeClient"]["subject"]["user"], user);
}
