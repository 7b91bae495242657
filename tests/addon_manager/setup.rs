//! A hub with simulated clusters and the stand-in, for one test.

use std::sync::LazyLock;
use std::time::Duration;

use axum::http::Request;
use serde_json::{Value, json};
use tidegate_api::ocm::crds;
use tidegate_model::time::Timestamp;
use tidegate_sandbox::Sandbox;
use tidegate_sandbox::agents::{Agents, Delay, Script};
use tokio_util::sync::CancellationToken;

use crate::upstream::{AddonManager, Running};

const ADDONS: &str = "/apis/addon.open-cluster-management.io/v1beta1";
const WORKS: &str = "/apis/work.open-cluster-management.io/v1";

/// Returns the time of day on the clock of the runtime, which is paused in these tests.
pub(super) fn now() -> Timestamp {
    static ORIGIN: LazyLock<std::time::Instant> = LazyLock::new(std::time::Instant::now);
    let (origin, now) = (*ORIGIN, tokio::time::Instant::now().into_std());
    let noon: Timestamp = "2027-01-01T12:00:00Z".parse().unwrap();
    noon + now.saturating_duration_since(origin) - origin.saturating_duration_since(now)
}

/// A hub with simulated clusters, and the stand-in.
pub(super) struct Setup {
    pub(super) sandbox: Sandbox,
    pub(super) manager: AddonManager,
    pub(super) running: Running,
}

impl Setup {
    /// Creates a hub with the clusters `cluster1` to `cluster3`, and starts the stand-in.
    pub(super) fn new() -> Self {
        Self::on(Sandbox::new(&crds::all().unwrap(), now), AddonManager::new(now))
    }

    /// Starts a stand-in and the agents of three clusters on a hub.
    pub(super) fn on(sandbox: Sandbox, manager: AddonManager) -> Self {
        let cluster = |name: &str| {
            json!({
                "apiVersion": "cluster.open-cluster-management.io/v1", "kind": "ManagedCluster",
                "metadata": { "name": name }, "spec": { "hubAcceptsClient": true },
            })
        };
        sandbox.seed(["cluster1", "cluster2", "cluster3"].map(cluster)).unwrap();
        let delay = Duration::from_millis(20);
        let agents = Agents::new(Script { delay: Delay::Uniform(delay, delay), ..Script::default() });
        let hub = sandbox.clone();
        tokio::spawn(async move { agents.run(hub, CancellationToken::new()).await });
        let running = manager.start(sandbox.client());
        Self { sandbox, manager, running }
    }

    /// Waits until everything that follows from the previous writes has happened.
    pub(super) async fn settle(&self) {
        tokio::time::sleep(Duration::from_secs(2)).await;
    }

    /// Sends a request; `None` if the hub refuses it.
    pub(super) async fn ask(&self, verb: &str, path: &str, body: &Value) -> Option<Value> {
        let media_type = if verb == "PATCH" { "application/merge-patch+json" } else { "application/json" };
        let body = if body.is_null() { Vec::new() } else { body.to_string().into_bytes() };
        let request = Request::builder().method(verb).uri(path).header("content-type", media_type).body(body).unwrap();
        self.sandbox.client().request(request).await.ok()
    }

    /// Changes an object by a merge patch.
    pub(super) async fn patch(&self, path: &str, patch: Value) {
        self.ask("PATCH", path, &patch).await.unwrap_or_else(|| panic!("the hub refuses {patch} for {path}"));
    }

    /// Deletes an object.
    pub(super) async fn delete(&self, path: &str) {
        self.ask("DELETE", path, &Value::Null).await.unwrap_or_else(|| panic!("the hub refuses to delete {path}"));
    }

    /// Reads an object.
    pub(super) async fn read(&self, path: &str) -> Option<Value> {
        self.ask("GET", path, &Value::Null).await
    }

    /// Creates the ManagedClusterAddOn of a cluster, in the version that people still use.
    pub(super) fn install(&self, cluster: &str, configs: Value) {
        self.sandbox
            .seed([json!({
                "apiVersion": "addon.open-cluster-management.io/v1alpha1", "kind": "ManagedClusterAddOn",
                "metadata": { "namespace": cluster, "name": ADDON }, "spec": { "configs": configs },
            })])
            .unwrap();
    }

    /// Sets the configurations of a cluster.
    pub(super) async fn pin(&self, cluster: &str, configs: Value) {
        self.patch(&cluster_addon(cluster), json!({ "spec": { "configs": configs } })).await;
    }

    /// Reads the ManagedClusterAddOn of a cluster.
    pub(super) async fn addon(&self, cluster: &str) -> Option<Value> {
        self.read(&cluster_addon(cluster)).await
    }

    /// Reads the work of a cluster.
    pub(super) async fn work(&self, cluster: &str) -> Option<Value> {
        self.read(&work(cluster)).await
    }
}

/// The add-on of these tests.
pub(super) const ADDON: &str = "hello-template";

pub(super) fn addon() -> String {
    format!("{ADDONS}/clustermanagementaddons/{ADDON}")
}

pub(super) fn cluster_addon(cluster: &str) -> String {
    format!("{ADDONS}/namespaces/{cluster}/managedclusteraddons/{ADDON}")
}

pub(super) fn work(cluster: &str) -> String {
    format!("{WORKS}/namespaces/{cluster}/manifestworks/addon-{ADDON}-deploy-0")
}

pub(super) fn template_path(name: &str) -> String {
    format!("{ADDONS}/addontemplates/{name}")
}

/// Returns a reference to an AddOnTemplate.
pub(super) fn of_template(name: &str) -> Value {
    json!({ "group": "addon.open-cluster-management.io", "resource": "addontemplates", "name": name })
}

/// Returns a reference to an AddOnDeploymentConfig.
pub(super) fn of_config(name: &str) -> Value {
    json!({
        "group": "addon.open-cluster-management.io", "resource": "addondeploymentconfigs",
        "namespace": "fleet-addons", "name": name,
    })
}

/// Returns an add-on whose default is this template.
pub(super) fn declared(template: &str) -> Value {
    let configs = json!({
        "group": "addon.open-cluster-management.io", "resource": "addondeploymentconfigs", "name": "__reserved_no_default__",
    });
    json!({
        "apiVersion": "addon.open-cluster-management.io/v1beta1", "kind": "ClusterManagementAddOn",
        "metadata": { "name": ADDON },
        "spec": {
            "addOnMeta": { "displayName": "Hello" }, "installStrategy": { "type": "Manual" },
            "defaultConfigs": [of_template(template), configs],
        },
    })
}

/// Returns an AddOnDeploymentConfig with one variable.
pub(super) fn config(name: &str, log_level: &str) -> Value {
    json!({
        "apiVersion": "addon.open-cluster-management.io/v1beta1", "kind": "AddOnDeploymentConfig",
        "metadata": { "namespace": "fleet-addons", "name": name },
        "spec": { "customizedVariables": [{ "name": "LOG_LEVEL", "value": log_level }] },
    })
}

/// Returns a template with a Deployment of an image and what it needs, and with further manifests.
pub(super) fn template(name: &str, image: &str, more: &[Value]) -> Value {
    let metadata = json!({ "namespace": "open-cluster-management-agent-addon", "name": "hello-agent" });
    let rbac = "rbac.authorization.k8s.io/v1";
    let account = json!({ "apiVersion": "v1", "kind": "ServiceAccount", "metadata": metadata });
    let rule = json!({ "apiGroups": [""], "resources": ["configmaps"], "verbs": ["get", "list", "watch"] });
    let role = json!({ "apiVersion": rbac, "kind": "Role", "metadata": metadata, "rules": [rule] });
    let binding = json!({
        "apiVersion": rbac, "kind": "RoleBinding", "metadata": metadata,
        "roleRef": { "apiGroup": "rbac.authorization.k8s.io", "kind": "Role", "name": "hello-agent" },
        "subjects": [{ "kind": "ServiceAccount", "name": "hello-agent", "namespace": metadata["namespace"] }],
    });
    let container = json!({ "name": "agent", "image": image, "args": ["--v={{LOG_LEVEL}}"] });
    let pod = json!({
        "metadata": { "labels": { "app": "hello-agent" } },
        "spec": { "serviceAccountName": "hello-agent", "containers": [container] },
    });
    let deployment = json!({
        "apiVersion": "apps/v1", "kind": "Deployment", "metadata": metadata,
        "spec": { "replicas": 1, "selector": { "matchLabels": { "app": "hello-agent" } }, "template": pod },
    });
    let manifests: Vec<Value> = [account, role, binding, deployment].into_iter().chain(more.iter().cloned()).collect();
    json!({
        "apiVersion": "addon.open-cluster-management.io/v1beta1", "kind": "AddOnTemplate", "metadata": { "name": name },
        "spec": { "addonName": ADDON, "agentSpec": { "workload": { "manifests": manifests } } },
    })
}
