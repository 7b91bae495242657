//! Mistakes in the declarations of checks.

use serde_json::{Value, json};
use tidegate_rollout::gate::problems;

fn mistakes(checks: Value) -> Vec<String> {
    let spec = serde_json::from_value(json!({ "checks": checks })).unwrap();
    problems(&spec).into_iter().map(|(_, message)| message).collect()
}

fn mistake(check: Value) -> String {
    let mut named = json!({ "name": "errors" });
    named.as_object_mut().unwrap().extend(check.as_object().unwrap().clone());
    mistakes(json!([named])).join("; ")
}

#[test]
fn expressions_are_compiled() {
    let cel = |expression: &str| mistake(json!({ "cel": { "expression": expression } }));
    assert_eq!(cel("clusters.all(c, c.state == 'Succeeded')"), "");
    assert_eq!(
        cel("cluster.version = '2'"),
        "spec.checks[0].cel.expression is not a valid expression: Syntax error: token recognition error at: '= ', at 1:17 of the \
         expression; fix it"
    );
    assert_eq!(
        cel("size(clusters)"),
        "spec.checks[0].cel.expression is not a boolean expression, so it is never true; write a comparison"
    );
    let http = mistake(json!({ "http": { "url": "https://a", "expression": "cluster.name == 'a'" } }));
    assert!(
        http.starts_with("spec.checks[0].http.expression is not a valid expression: undeclared reference to 'cluster'")
    );
    let compare = mistake(json!({ "compare": { "value": "clusters[0].a", "difference": "below 5" } }));
    assert!(
        compare
            .starts_with("spec.checks[0].compare.value is not a valid expression: undeclared reference to 'clusters'")
    );
    assert!(
        compare.ends_with("spec.checks[0].compare.difference is \"below 5\"; write a comparison such as \"< 0.01\"")
    );
}

#[test]
fn an_address_is_complete_and_has_no_password() {
    let http = |url: &str| mistake(json!({ "http": { "url": url } }));
    assert_eq!(http("https://shop.example.com:8443/healthz?a=b@c"), "");
    for url in ["", "shop.example.com", "ftp://shop", "https:///path", "https://a b/", "https://a\\b/"] {
        assert!(http(url).contains("is not the address of an HTTP server"), "{url}: {}", http(url));
    }
    assert_eq!(
        http("https://ada:secret@shop.example.com/"),
        "spec.checks[0].http.url has a user name or password, which everyone who reads the repository can see; remove them"
    );
    let prometheus =
        mistake(json!({ "prometheus": { "url": "https://p/?query=up", "query": "up", "threshold": "== 1" } }));
    assert!(prometheus.contains("spec.checks[0].prometheus.url has a query"), "{prometheus}");
}

#[test]
fn checks_have_names_of_their_own_one_kind_and_sensible_times() {
    let http = json!({ "url": "https://a" });
    assert_eq!(
        mistakes(json!([{ "name": "a", "http": http }, { "name": "a", "http": http }])),
        ["spec.checks[1].name is \"a\", as that of an earlier check; choose another one"]
    );
    assert!(mistake(json!({})).contains("checks nothing"));
    assert!(mistake(json!({ "http": http, "cel": { "expression": "true" } })).contains("several kinds of checks"));
    let times = mistake(json!({ "http": { "url": "https://a", "status": 99 }, "timeout": "2m", "interval": "1ms" }));
    assert_eq!(
        times,
        "spec.checks[0].http.status is not the status of an HTTP answer; write a number such as 200; spec.checks[0].timeout is \
         longer than a minute; write at most \"1m\"; spec.checks[0].interval is shorter than a second; write at least \"1s\""
    );
}
