//! Schemas: validation messages, pruning and defaulting.

use serde_json::{Value, json};

use super::support::*;

const ADDONS: &str = "/apis/addon.open-cluster-management.io/v1beta1/clustermanagementaddons";
const PLACEMENTS: &str = "/apis/cluster.open-cluster-management.io/v1beta1/namespaces/default/placements";

fn addon(strategy: Value) -> Value {
    let placement = json!({ "name": "p", "namespace": "default", "rolloutStrategy": strategy });
    json!({
        "metadata": { "name": "a" },
        "spec": { "installStrategy": { "type": "Placements", "placements": [placement] } },
    })
}

fn placement(spec: Value) -> Value {
    json!({ "metadata": { "name": "p" }, "spec": spec })
}

#[tokio::test]
async fn errors_have_the_messages_of_an_api_server() {
    let hub = hub();
    let groups = |count: &str| {
        placement(json!({ "decisionStrategy": { "groupStrategy": { "clustersPerDecisionGroup": count } } }))
    };
    let weight = |weight: i64| {
        let score = json!({ "type": "BuiltIn", "builtIn": "Steady" });
        placement(
            json!({ "prioritizerPolicy": { "configurations": [{ "scoreCoordinate": score, "weight": weight }] } }),
        )
    };
    let cases = [
        (
            CLUSTERS,
            json!({ "metadata": { "name": "a" }, "spec": { "hubAcceptsClient": "yes" } }),
            r#"spec.hubAcceptsClient: Invalid value: "string": spec.hubAcceptsClient in body must be of type boolean: "string""#,
        ),
        (
            ADDONS,
            addon(json!({ "type": "Bogus" })),
            r#"spec.installStrategy.placements[0].rolloutStrategy.type: Unsupported value: "Bogus": supported values: "All", "Progressive", "ProgressivePerGroup""#,
        ),
        (
            ADDONS,
            addon(json!({ "type": "All", "all": { "progressDeadline": "soon" } })),
            r#"spec.installStrategy.placements[0].rolloutStrategy.all.progressDeadline: Invalid value: "soon": spec.installStrategy.placements[0].rolloutStrategy.all.progressDeadline in body should match '^(([0-9])+[h|m|s])|None$'"#,
        ),
        (
            PLACEMENTS,
            groups("0%"),
            r"spec.decisionStrategy.groupStrategy.clustersPerDecisionGroup in body should match '^((100|[1-9][0-9]{0,1})%|[1-9][0-9]*)$'",
        ),
        (PLACEMENTS, weight(11), "weight in body should be less than or equal to 10"),
        (PLACEMENTS, weight(-11), "weight in body should be greater than or equal to -10"),
    ];
    for (path, body, message) in cases {
        let refused = ask(&hub, "POST", path, body).await;
        assert_eq!(refused.refusal(), (422, "Invalid"), "{:?}", refused.body);
        assert!(refused.text("/message").ends_with(message), "{}", refused.text("/message"));
    }
}

#[tokio::test]
async fn all_errors_are_reported_at_once() {
    let hub = hub();
    let placements = json!([{ "name": "p", "namespace": "d" }, { "name": "p", "namespace": "d" }, { "name": "q" }]);
    let body = json!({ "metadata": { "name": "a" }, "spec": { "installStrategy": { "type": "Placements", "placements": placements } } });
    let refused = ask(&hub, "POST", ADDONS, body).await;
    let causes: Vec<(&str, &str)> = refused.body["details"]["causes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|cause| (cause["reason"].as_str().unwrap(), cause["field"].as_str().unwrap()))
        .collect();
    assert_eq!(
        causes,
        [
            ("FieldValueRequired", "spec.installStrategy.placements[2].namespace"),
            ("FieldValueDuplicate", "spec.installStrategy.placements[1]"),
        ]
    );
    assert!(refused.text("/message").contains(" is invalid: [spec."));
}

#[tokio::test]
async fn unknown_fields_are_pruned_or_refused() {
    let hub = hub();
    let mut body = cluster("a");
    body["spec"]["nosuch"] = json!(1);
    body["extra"] = json!(2);
    body["metadata"]["odd"] = json!(3);
    let refused = ask(&hub, "POST", &format!("{CLUSTERS}?fieldValidation=Strict"), body.clone()).await;
    assert_eq!(refused.refusal(), (400, "BadRequest"));
    for path in ["spec.nosuch", "extra", "metadata.odd"] {
        assert!(refused.text("/message").contains(&format!("unknown field \"{path}\"")), "{:?}", refused.body);
    }
    let created = ask(&hub, "POST", CLUSTERS, body).await;
    assert_eq!(created.code, 201);
    assert_eq!(created.body["spec"], json!({ "hubAcceptsClient": true, "leaseDurationSeconds": 60 }));
    assert_eq!((created.body.get("extra"), created.body["metadata"].get("odd")), (None, None));
}

#[tokio::test]
async fn defaults_are_filled_in() {
    let hub = hub();
    let created = ask(&hub, "POST", ADDONS, json!({ "metadata": { "name": "a" }, "spec": {} })).await;
    assert_eq!(created.body["spec"]["installStrategy"], json!({ "type": "Manual" }));
    let placements = json!([{ "name": "p", "namespace": "default" }]);
    let body = json!({ "metadata": { "name": "b" }, "spec": { "installStrategy": { "type": "Placements", "placements": placements } } });
    let created = ask(&hub, "POST", ADDONS, body).await;
    let strategy = &created.body["spec"]["installStrategy"]["placements"][0]["rolloutStrategy"];
    assert_eq!(strategy, &json!({ "type": "All" }));
}

#[tokio::test]
async fn a_removed_default_is_filled_in_again() {
    let hub = hub();
    ask(&hub, "POST", CLUSTERS, cluster("a")).await;
    let patched =
        ask(&hub, "PATCH merge", &format!("{CLUSTERS}/a"), json!({ "spec": { "leaseDurationSeconds": null } })).await;
    assert_eq!(patched.body["spec"]["leaseDurationSeconds"], json!(60));
    assert_eq!(patched.body["metadata"]["generation"], json!(1));
}

#[tokio::test]
async fn names_and_labels_are_validated() {
    let hub = hub();
    let long = "x".repeat(64);
    let named = |name: &str| json!({ "metadata": { "name": name } });
    let labelled = |value: &str| json!({ "metadata": { "name": "a", "labels": { "l": value } } });
    let bad = [
        (CONFIG_MAPS, named("Bad_Name")),
        (CONFIG_MAPS, named("-a")),
        (CONFIG_MAPS, named("a..b")),
        (CONFIG_MAPS, named(&"x".repeat(254))),
        ("/api/v1/namespaces", named("a.b")),
        ("/api/v1/namespaces", named(&long)),
        ("/apis/rbac.authorization.k8s.io/v1/clusterroles", named("a/b")),
        (CONFIG_MAPS, labelled("two words")),
        (CONFIG_MAPS, labelled(&long)),
        (CONFIG_MAPS, json!({ "metadata": {} })),
        (CONFIG_MAPS, json!({ "metadata": { "name": "a", "ownerReferences": [{ "name": "o" }] } })),
    ];
    for (path, body) in bad {
        assert_eq!(ask(&hub, "POST", path, body.clone()).await.refusal(), (422, "Invalid"), "{body}");
    }
    let path = "/apis/rbac.authorization.k8s.io/v1/clusterroles";
    assert_eq!(ask(&hub, "POST", path, named("ocm:work:A")).await.code, 201);
    assert_eq!(get(&hub, &format!("{path}/ocm%3Awork%3AA")).await.code, 200);
    assert_eq!(ask(&hub, "POST", CONFIG_MAPS, named("a.b-c.9")).await.code, 201);
}

#[tokio::test]
async fn unknown_fields_of_core_kinds_are_pruned_or_refused() {
    let hub = hub();
    let body = json!({ "metadata": { "name": "a" }, "whatever": { "deep": [1, { "x": null }] }, "data": {} });
    let created = ask(&hub, "POST", CONFIG_MAPS, body.clone()).await;
    assert_eq!((created.code, created.body.get("whatever"), created.body.get("data")), (201, None, None));
    let strict = format!("{CONFIG_MAPS}?fieldValidation=Strict");
    let refused = ask(&hub, "POST", &strict, body).await;
    let why = "ConfigMap in version \"v1\" cannot be handled as a ConfigMap: strict decoding error: unknown field \"whatever\"";
    assert_eq!(refused.text("/message"), why);
    let refused = ask(&hub, "POST", CONFIG_MAPS, json!({ "metadata": { "name": "a" }, "data": { "k": 1 } })).await;
    let why = "ConfigMap in version \"v1\" cannot be handled as a ConfigMap: json: cannot unmarshal number into Go struct \
               field ConfigMap.data of type string";
    assert_eq!((refused.code, refused.text("/message")), (400, why));
}
