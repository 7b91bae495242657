//! Random requests: every one of them is answered with a well-formed object, list, watch or `Status`.

use axum::http::Request;
use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::support::*;

const CORE: &str = "/api/v1/namespaces/default";
const COORDINATION: &str = "/apis/coordination.k8s.io/v1/namespaces/default";
const RBAC: &str = "/apis/rbac.authorization.k8s.io/v1/namespaces/default";
const ADDON: &str = "/apis/addon.open-cluster-management.io/v1alpha1";
const WORK: &str = "/apis/work.open-cluster-management.io/v1/namespaces/default/manifestworks";

fn one_of(texts: &[&str]) -> impl Strategy<Value = String> + use<> {
    prop::sample::select(texts.iter().map(|text| (*text).to_owned()).collect::<Vec<String>>())
}

fn path() -> impl Strategy<Value = String> {
    let collections = [
        CLUSTERS.to_owned(),
        CONFIG_MAPS.to_owned(),
        TEMPLATES.to_owned(),
        WORK.to_owned(),
        "/api/v1/namespaces".to_owned(),
        format!("{CORE}/secrets"),
        format!("{CORE}/events"),
        format!("{CORE}/serviceaccounts"),
        format!("{COORDINATION}/leases"),
        format!("{RBAC}/roles"),
        format!("{RBAC}/rolebindings"),
        format!("{ADDON}/clustermanagementaddons"),
        "/apis/certificates.k8s.io/v1/certificatesigningrequests".to_owned(),
        "/apis/nosuch.io/v1/things".to_owned(),
        "/api/v1/configmaps".to_owned(),
    ];
    let names = ["", "/a", "/a", "/a", "/b", "/a%2Fb", "/..", "//"];
    let parts = ["", "", "", "/status", "/finalize", "/approval", "/scale", "/x/y"];
    (prop::sample::select(collections.to_vec()), one_of(&names), one_of(&parts))
        .prop_map(|(collection, name, part)| collection + &name + &part)
}

fn query() -> impl Strategy<Value = String> {
    let parameters = [
        "fieldManager=m",
        "fieldManager=%00",
        "force=true",
        "dryRun=All",
        "dryRun=x",
        "fieldValidation=Strict",
        "fieldValidation=Ignore",
        "limit=1",
        "limit=-1",
        "limit=x",
        "continue=00",
        "continue=%C3%A9",
        "labelSelector=a%3Db",
        "labelSelector=a+in+(",
        "labelSelector=!a,b!%3Dc,d+notin+(,)",
        "fieldSelector=metadata.name%3Da",
        "fieldSelector=%5C",
        "resourceVersion=0",
        "resourceVersion=99999999999999999999",
        "resourceVersion=5",
        "resourceVersionMatch=Exact",
        "propagationPolicy=Orphan",
        "orphanDependents=true",
        "%",
        "",
    ];
    prop::collection::vec(one_of(&parameters), 0..4).prop_map(|parameters| parameters.join("&"))
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        "[ -~é]{0,6}".prop_map(Value::from),
        one_of(&["a", "Opaque", "delete", "replace", "2026-01-01T00:00:00Z", "1Gi"]).prop_map(Value::from),
    ];
    let names = [
        "metadata",
        "name",
        "namespace",
        "labels",
        "annotations",
        "finalizers",
        "ownerReferences",
        "managedFields",
        "uid",
        "resourceVersion",
        "generateName",
        "spec",
        "status",
        "data",
        "stringData",
        "rules",
        "roleRef",
        "subjects",
        "kind",
        "apiVersion",
        "$patch",
        "$retainKeys",
        "$setElementOrder/finalizers",
        "$deleteFromPrimitiveList/finalizers",
        "conditions",
        "type",
        "op",
        "path",
        "value",
        "from",
        "preconditions",
        "propagationPolicy",
        "hubAcceptsClient",
        "workload",
        "manifests",
        "fieldsV1",
        "manager",
        "operation",
        "deletionTimestamp",
        "x",
    ];
    leaf.prop_recursive(4, 24, 4, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((one_of(&names), inner), 0..5)
                .prop_map(|members| Value::Object(members.into_iter().collect::<Map<_, _>>())),
        ]
    })
}

/// A body that may be an almost valid object.
fn body() -> impl Strategy<Value = Vec<u8>> {
    let kinds = ["ManagedCluster", "ConfigMap", "Namespace", "AddOnTemplate", "ManifestWork", "Secret", "RoleBinding"];
    let versions = [
        "v1",
        "cluster.open-cluster-management.io/v1",
        "addon.open-cluster-management.io/v1alpha1",
        "work.open-cluster-management.io/v1",
    ];
    let object = (one_of(&kinds), one_of(&versions), value(), value(), value()).prop_map(|(kind, version, a, b, c)| {
        let mut metadata = json!({ "name": "a" });
        if let Value::Object(members) = a {
            metadata.as_object_mut().unwrap().extend(members);
        }
        json!({ "kind": kind, "apiVersion": version, "metadata": metadata, "spec": b, "data": c }).to_string()
    });
    let operation =
        (one_of(&["add", "remove", "replace", "move", "copy", "test", "x"]), value()).prop_flat_map(|(op, value)| {
            let paths = [
                "",
                "/",
                "/metadata/labels",
                "/metadata/name",
                "/spec",
                "/spec/x/-",
                "/metadata/finalizers/-1",
                "/~2",
                "x",
            ];
            (Just(op), one_of(&paths), one_of(&paths), Just(value))
                .prop_map(|(op, path, from, value)| json!({ "op": op, "path": path, "from": from, "value": value }))
        });
    prop_oneof![
        4 => object.prop_map(String::into_bytes),
        2 => value().prop_map(|value| value.to_string().into_bytes()),
        2 => prop::collection::vec(operation, 0..4).prop_map(|patch| Value::from(patch).to_string().into_bytes()),
        1 => prop::collection::vec(any::<u8>(), 0..40),
        1 => Just(Vec::new()),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn every_request_gets_a_well_formed_response(
        requests in prop::collection::vec(
            (one_of(&["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]), path(), query(), body(), 0_usize..7),
            1..40,
        )
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let hub = hub();
            ask(&hub, "POST", CLUSTERS, cluster("a")).await;
            ask(&hub, "POST", CONFIG_MAPS, config_map("a", json!({ "k": "1" }))).await;
            for (method, path, query, body, media_type) in requests {
                let media_types = [
                    "application/json",
                    "application/yaml",
                    "application/merge-patch+json",
                    "application/json-patch+json",
                    "application/strategic-merge-patch+json",
                    "application/apply-patch+yaml",
                    "text/plain",
                ];
                let uri = format!("{path}?{query}");
                let request = Request::builder().method(method.as_str()).uri(&uri);
                let request = request.header("content-type", media_types[media_type]).body(body.clone()).unwrap();
                let answer = send(&hub, request).await;
                let shown = || format!("{method} {uri} {} gave {} {}", String::from_utf8_lossy(&body), answer.code, answer.body);
                if method == "HEAD" || answer.body == "404 page not found\n" {
                    continue;
                }
                assert!(answer.body["kind"].is_string() && answer.body["apiVersion"].is_string(), "{}", shown());
                let is_failure = answer.body["status"] == "Failure" && answer.body["kind"] == "Status";
                assert_eq!(is_failure, answer.code >= 400, "{}", shown());
                if is_failure {
                    assert_eq!(answer.body["code"], json!(answer.code), "{}", shown());
                    assert!(!answer.text("/message").is_empty(), "{}", shown());
                }
            }
            // The hub still works.
            assert_eq!(ask(&hub, "POST", CONFIG_MAPS, config_map("last", json!({}))).await.code, 201);
        });
    }
}
