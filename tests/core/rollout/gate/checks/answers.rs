//! What the answers of servers mean, most of which do not behave.

use serde_json::json;

use super::bench::{Bench, at};

/// A status with a body, or why there is no answer.
type Given<'a> = Result<(u16, &'a str), &'a str>;

const NONE: &str = "no result: ";

fn prometheus(answer: Result<(u16, &str), &str>) -> (bool, String) {
    let url = "https://prometheus.example.com/";
    let mut bench = Bench::new(json!({ "prometheus": { "url": url, "query": "rate(a[5m])", "threshold": "< 0.01" } }));
    let judged = bench.answer(at(200), answer);
    Bench::told(&judged)
}

fn http(check: serde_json::Value, answer: Result<(u16, &str), &str>) -> (bool, String) {
    let mut check = check;
    check["url"] = "https://shop.example.com/healthz".into();
    let mut bench = Bench::new(json!({ "http": check, "failures": 1 }));
    let judged = bench.answer(at(200), answer);
    Bench::told(&judged)
}

/// Returns the answer of Prometheus with a result of this type.
fn result(type_: &str, result: &str) -> String {
    format!(r#"{{"status":"success","data":{{"resultType":"{type_}","result":{result}}}}}"#)
}

#[test]
fn one_number_is_compared() {
    let number = |number: &str| {
        prometheus(Ok((200, &result("vector", &format!(r#"[{{"metric":{{}},"value":[1,"{number}"]}}]"#)))))
    };
    assert_eq!(
        number("0.009"),
        (true, "0.009, must be < 0.01; it is measured again once the group is done".to_owned())
    );
    assert_eq!(number("0.034"), (false, "0.034, must be < 0.01 (failed 1 of 3 times)".to_owned()));
    assert!(number("1e-9").0);
    assert!(prometheus(Ok((200, &result("scalar", r#"[1,"0"]"#)))).0);
}

#[test]
fn an_answer_without_one_number_is_no_result_and_has_a_reason() {
    let deep = "[".repeat(100_000);
    let cases: [(Given<'_>, &str); 16] = [
        (Err("no answer within 10s"), "no answer within 10s"),
        (Ok((500, "oops")), "status 500, without a result"),
        (Ok((422, r#"{"status":"error","error":"parse error: \u001b[31m"}"#)), "status 422: parse error: \u{fffd}[31m"),
        (Ok((302, "")), "status 302, without a result"),
        (Ok((200, "")), "the answer is not JSON: EOF while parsing a value at line 1 column 0"),
        (Ok((200, "<html>")), "the answer is not JSON: expected value at line 1 column 1"),
        (Ok((200, &deep)), "the answer is not JSON: recursion limit exceeded at line 1 column 128"),
        (Ok((200, "{}")), "status 200, without a result"),
        (Ok((200, r#"{"status":"success"}"#)), "the query gives a result of type \"\" instead of one number"),
        (Ok((200, &result("vector", "[]"))), "the query has no result"),
        (Ok((200, &result("vector", "[{},{}]"))), "the query has 2 results instead of one number; aggregate them"),
        (Ok((200, &result("vector", "[7]"))), "the result of the query has no value"),
        (Ok((200, &result("matrix", "[]"))), "the query gives a result of type \"matrix\" instead of one number"),
        (Ok((200, &result("scalar", r#"[1,"NaN"]"#))), "the result of the query is NaN"),
        (Ok((200, &result("scalar", r#"[1,"+Inf"]"#))), "the result of the query is inf"),
        (Ok((200, &result("scalar", "[1,2,3]"))), "the result of the query is not a pair of time and value"),
    ];
    for (answer, why) in cases {
        assert_eq!(prometheus(answer), (false, format!("{NONE}{why}")));
    }
    let text = prometheus(Ok((200, &result("scalar", r#"[1,"many"]"#))));
    assert_eq!(text, (false, format!("{NONE}the value in the result of the query is not a number")));
}

#[test]
fn a_query_is_part_of_the_address() {
    let mut bench = Bench::new(json!({ "prometheus": {
        "url": "http://p:9090/sub/", "query": "sum(rate(a{b=\"c d\"}[5m])) / 2 & é", "threshold": ">= -1.5",
    } }));
    let judged = bench.judge(at(200));
    assert_eq!(
        judged.requests[0].ask.address(),
        "http://p:9090/sub/api/v1/query?query=sum%28rate%28a%7Bb%3D%22c%20d%22%7D%5B5m%5D%29%29%20%2F%202%20%26%20%C3%A9"
    );
}

#[test]
fn an_http_server_must_answer_as_declared() {
    let expression = json!({ "expression": "body.healthy && body.queue < 10" });
    let cases: [(serde_json::Value, Given<'_>, &str); 9] = [
        (json!({}), Ok((503, "")), "status 503, must be 200 (failed 1 times in a row)"),
        (json!({}), Ok((302, "")), "status 302, must be 200; redirects are not followed (failed 1 times in a row)"),
        (json!({}), Err("the connection was refused"), "no result: the connection was refused"),
        (
            expression.clone(),
            Ok((200, "{")),
            "no result: the body is not JSON: EOF while parsing an object at line 1 column 1",
        ),
        (
            expression.clone(),
            Ok((200, "\u{0}\u{1}")),
            "no result: the body is not JSON: expected value at line 1 column 1",
        ),
        (
            expression.clone(),
            Ok((200, "[]")),
            "no result: the expression fails, for example because it uses a value of the wrong type or divides by zero",
        ),
        (expression.clone(), Ok((200, "{}")), "no result: the expression reads \"healthy\", which does not exist"),
        (
            expression.clone(),
            Ok((200, r#"{"healthy":"yes","queue":1}"#)),
            "no result: the expression fails, for example because it uses a value of the wrong type or divides by zero",
        ),
        (
            expression.clone(),
            Ok((200, r#"{"healthy":true,"queue":10}"#)),
            "status 200, but the expression is false (failed 1 times in a row)",
        ),
    ];
    for (check, answer, why) in cases {
        assert_eq!(http(check, answer), (false, why.to_owned()));
    }
    assert!(http(expression, Ok((200, r#"{"healthy":true,"queue":9}"#))).0);
    assert!(http(json!({ "status": 204 }), Ok((204, ""))).0);
}

#[test]
fn a_value_from_a_server_stays_one_short_line() {
    let long = format!(r#"{{"status":"error","error":"{}\n::warning::"}}"#, "long ".repeat(100_000));
    let (_, told) = prometheus(Ok((400, &long)));
    assert!(told.chars().count() < 300 && !told.contains('\n'), "{told}");
}
