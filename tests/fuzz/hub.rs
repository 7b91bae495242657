//! What the hub sends, and what clients send to the sandbox.

use axum::body::Body;
use axum::http::{Method, Request};
use serde_json::Value;
use tidegate_daemon::hub::Observed;
use tidegate_model::object::GroupKind;
use tidegate_model::time::Timestamp;
use tidegate_sandbox::Sandbox;
use tower::ServiceExt as _;

use super::fuzz;

/// The message of an apply whose configuration does not have the type of the kind.
const TYPED: &[u8] = b"failed to create typed patch object";

const KINDS: [(&str, &str); 8] = [
    ("addon.open-cluster-management.io", "ClusterManagementAddOn"),
    ("addon.open-cluster-management.io", "ManagedClusterAddOn"),
    ("addon.open-cluster-management.io", "AddOnTemplate"),
    ("cluster.open-cluster-management.io", "ManagedCluster"),
    ("cluster.open-cluster-management.io", "Placement"),
    ("cluster.open-cluster-management.io", "PlacementDecision"),
    ("work.open-cluster-management.io", "ManifestWork"),
    ("certificates.k8s.io", "CertificateSigningRequest"),
];

const OBJECTS: [&str; 4] = [
    r#"{"metadata": {"name": "a", "namespace": "b", "uid": "u", "resourceVersion": "7", "generation": 2, "labels": {"open-cluster-management.io/addon-name": "a"}, "managedFields": [{"manager": "m", "time": "2026-01-01T00:00:00Z", "fieldsV1": {"f:spec": {}}}]}, "spec": {"configs": [{"group": "g", "resource": "r", "name": "n"}]}, "status": {"conditions": [{"type": "Available", "status": "True", "lastTransitionTime": "2026-01-01T00:00:00Z", "reason": "r", "message": "m"}]}}"#,
    r#"{"metadata": {"name": "a", "namespace": "b", "creationTimestamp": "2026-01-01T00:00:00Z"}, "spec": {"workload": {"manifests": [{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "c"}}]}, "manifestConfigs": [{"resourceIdentifier": {"group": "", "resource": "configmaps", "name": "c"}, "feedbackRules": [{"type": "WellKnownStatus"}]}]}, "status": {"resourceStatus": {"manifests": [{"resourceMeta": {"ordinal": 0, "kind": "ConfigMap"}, "statusFeedback": {"values": [{"name": "n", "fieldValue": {"type": "Integer", "integer": 3}}]}}]}}}"#,
    r#"{"metadata": {"name": "a", "labels": {"x": "y"}}, "spec": {"hubAcceptsClient": true, "taints": [{"key": "k", "effect": "NoSelect"}], "numberOfClusters": 3, "decisionStrategy": {"groupStrategy": {"clustersPerDecisionGroup": "25%"}}}, "status": {"clusterClaims": [{"name": "n", "value": "v"}], "allocatable": {"cpu": "4"}}}"#,
    r#"{"metadata": {"name": "a"}, "spec": {"request": "AAAA", "signerName": "kubernetes.io/kube-apiserver-client", "usages": ["client auth"], "expirationSeconds": 3600}, "status": {"certificate": "AAAA", "conditions": []}}"#,
];

#[test]
fn objects() {
    let samples = OBJECTS.map(|object| object.as_bytes().to_vec());
    fuzz(&samples, |bytes| {
        let Ok(object) = serde_json::from_slice::<Value>(bytes) else { return };
        for (group, kind) in KINDS {
            let _observed = Observed::read(&GroupKind::new(group, kind), object.clone());
        }
    });
}

/// Reads a request: the method, the path, the type of the body, and the body, each but the last on its line.
fn request(bytes: &[u8]) -> Option<Request<Body>> {
    let mut parts = bytes.splitn(4, |byte| *byte == b'\n');
    let mut line = || parts.next().map(|line| String::from_utf8_lossy(line).into_owned());
    let (method, path, content_type) = (line()?, line()?, line()?);
    let body = Body::from(parts.next().unwrap_or_default().to_vec());
    let method: Method = method.parse().ok()?;
    Request::builder().method(method).uri(path).header("content-type", content_type).body(body).ok()
}

#[test]
fn requests_to_the_sandbox() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let sandbox = Sandbox::new(&tidegate_api::ocm::crds::all().unwrap(), Timestamp::now);
    let clusters = "/apis/cluster.open-cluster-management.io/v1/managedclusters";
    let of = |method: &str, path: &str, content_type: &str, body: &str| {
        format!("{method}\n{path}\n{content_type}\n{body}").into_bytes()
    };
    let cluster = r#"{"apiVersion": "cluster.open-cluster-management.io/v1", "kind": "ManagedCluster", "metadata": {"name": "east"}, "spec": {"hubAcceptsClient": true}}"#;
    let samples = [
        of("POST", &format!("{clusters}?fieldManager=a&dryRun=All"), "application/json", cluster),
        of("PATCH", &format!("{clusters}/east?fieldManager=a&force=true"), "application/apply-patch+yaml", cluster),
        of(
            "PATCH",
            &format!("{clusters}/east"),
            "application/merge-patch+json",
            r#"{"metadata": {"labels": {"a": null}}}"#,
        ),
        of(
            "PATCH",
            &format!("{clusters}/east"),
            "application/json-patch+json",
            r#"[{"op": "add", "path": "/metadata/labels", "value": {}}]"#,
        ),
        of(
            "GET",
            &format!("{clusters}?labelSelector=a%20in%20(b)&fieldSelector=metadata.name%3Deast&limit=1&continue=x"),
            "application/json",
            "",
        ),
        of(
            "DELETE",
            &format!("{clusters}/east"),
            "application/json",
            r#"{"preconditions": {"uid": "u"}, "propagationPolicy": "Background"}"#,
        ),
        of("PUT", &format!("{clusters}/east/status"), "application/json", cluster),
        of("GET", "/openapi/v3/apis/work.open-cluster-management.io/v1", "application/json", ""),
    ];
    fuzz(&samples, |bytes| {
        let Some(request) = request(bytes) else { return };
        // A watch does not end.
        if request.uri().query().is_some_and(|query| query.contains("watch")) {
            return;
        }
        let (status, body) = runtime.block_on(async {
            let answer = sandbox.router().oneshot(request).await.unwrap();
            (answer.status().as_u16(), axum::body::to_bytes(answer.into_body(), usize::MAX).await.unwrap())
        });
        // As a real API server answers to an unknown field in a configuration.
        let is_typed = body.windows(TYPED.len()).any(|window| window == TYPED);
        assert!(status < 500 || is_typed, "{status}: {}", String::from_utf8_lossy(&body));
    });
}
