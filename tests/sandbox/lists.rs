//! Lists: selectors and pages.

use proptest::prelude::*;
use serde_json::{Value, json};
use tidegate_sandbox::Sandbox;

use super::support::*;

async fn five() -> Sandbox {
    let hub = hub();
    for number in 0..5 {
        let mut map = config_map(&format!("p{number}"), json!({}));
        map["metadata"]["labels"] =
            json!({ "set": "c", "odd": (number % 2).to_string(), "number": number.to_string() });
        assert_eq!(ask(&hub, "POST", CONFIG_MAPS, map).await.code, 201);
    }
    hub
}

#[tokio::test]
async fn selectors_filter_by_label_and_field() {
    let hub = five().await;
    let cases = [
        ("labelSelector=set%3Dc", "p0 p1 p2 p3 p4"),
        ("labelSelector=set%3D%3Dc%2Codd%3D1", "p1 p3"),
        ("labelSelector=odd%21%3D1", "p0 p2 p4"),
        ("labelSelector=number%20in%20(1%2C%204)", "p1 p4"),
        ("labelSelector=number%20notin%20(1%2C4)%2Codd", "p0 p2 p3"),
        ("labelSelector=%21set", ""),
        ("labelSelector=%21absent", "p0 p1 p2 p3 p4"),
        ("labelSelector=absent%21%3Dx", "p0 p1 p2 p3 p4"),
        ("labelSelector=number%3E2", "p3 p4"),
        ("labelSelector=number%3C2", "p0 p1"),
        ("fieldSelector=metadata.name%3Dp3", "p3"),
        ("fieldSelector=metadata.name%21%3Dp3%2Cmetadata.namespace%3Ddefault", "p0 p1 p2 p4"),
    ];
    for (query, names) in cases {
        let list = get(&hub, &format!("{CONFIG_MAPS}?{query}")).await;
        assert_eq!(list.names().join(" "), names, "{query}");
    }
}

#[tokio::test]
async fn malformed_selectors_and_tokens_are_refused() {
    let hub = hub();
    for query in [
        "labelSelector=a%20b",
        "labelSelector=a%20in%20b",
        "labelSelector=%3D",
        "labelSelector=a%20in%20(b",
        "fieldSelector=spec.nosuch%3D1",
        "fieldSelector=nonsense",
        "continue=garbage",
        "continue=00",
    ] {
        assert_eq!(get(&hub, &format!("{CONFIG_MAPS}?{query}")).await.refusal(), (400, "BadRequest"), "{query}");
    }
    let message = get(&hub, &format!("{CONFIG_MAPS}?labelSelector=a%20b")).await;
    let expected = "unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt";
    assert_eq!(message.text("/message"), expected);
}

#[tokio::test]
async fn all_pages_show_the_state_of_the_first_page() {
    let hub = five().await;
    let first = get(&hub, &format!("{CONFIG_MAPS}?limit=2")).await;
    assert_eq!(first.names(), ["p0", "p1"]);
    assert_eq!(first.body["metadata"]["remainingItemCount"], json!(3));
    ask(&hub, "DELETE", &format!("{CONFIG_MAPS}/p2"), Value::Null).await;
    ask(&hub, "PATCH merge", &format!("{CONFIG_MAPS}/p3"), json!({ "data": { "late": "1" } })).await;
    ask(&hub, "POST", CONFIG_MAPS, config_map("p5", json!({}))).await;
    let token = first.text("/metadata/continue");
    let second = get(&hub, &format!("{CONFIG_MAPS}?limit=5&continue={token}")).await;
    assert_eq!(second.names(), ["p2", "p3", "p4"]);
    assert_eq!(second.body["items"][1].get("data"), None);
    assert_eq!(second.text("/metadata/resourceVersion"), first.text("/metadata/resourceVersion"));
    assert_eq!(second.text("/metadata/continue"), "");
}

#[tokio::test]
async fn a_list_across_namespaces_is_sorted_by_namespace() {
    let hub = five().await;
    ask(&hub, "POST", "/api/v1/namespaces/kube-system/configmaps", config_map("a", json!({}))).await;
    let all = get(&hub, "/api/v1/configmaps").await;
    assert_eq!(all.names(), ["p0", "p1", "p2", "p3", "p4", "a"]);
    assert_eq!(all.text("/kind"), "ConfigMapList");
    assert_eq!(get(&hub, "/api/v1/namespaces/nosuch/configmaps").await.names(), Vec::<&str>::new());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn no_query_crashes_the_hub(labels in ".{0,20}", fields in ".{0,20}", token in ".{0,10}") {
        let query: String = url(&[("labelSelector", &labels), ("fieldSelector", &fields), ("continue", &token)]);
        tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
            let answer = get(&hub(), &format!("{CONFIG_MAPS}?{query}")).await;
            assert!(matches!(answer.code, 200 | 400 | 410), "{}", answer.code);
        });
    }
}

fn url(parameters: &[(&str, &str)]) -> String {
    let encoded = |text: &str| text.bytes().map(|byte| format!("%{byte:02x}")).collect::<String>();
    parameters.iter().map(|(name, value)| format!("{name}={}&", encoded(value))).collect()
}
