//! `tidegate mcp`, as an assistant uses it.

use std::io::Write as _;
use std::process::Stdio;

use serde_json::{Value, json};

use super::program;
use super::ui::journal;

/// Returns the answers to lines.
fn answers(lines: &[String]) -> Vec<Value> {
    let clone = journal();
    let mut command = program();
    command.args(["mcp", "--source", clone.root()]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut process = command.spawn().unwrap();
    let mut input = process.stdin.take().unwrap();
    for line in lines {
        writeln!(input, "{line}").unwrap();
    }
    drop(input);
    let output = process.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    String::from_utf8(output.stdout).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn request(id: u32, method: &str, parameters: &Value) -> String {
    json!({"jsonrpc": "2.0", "id": id, "method": method, "params": parameters}).to_string()
}

fn call(id: u32, name: &str, arguments: &Value) -> String {
    request(id, "tools/call", &json!({"name": name, "arguments": arguments}))
}

#[test]
fn an_assistant_gets_the_answers_of_the_page() {
    let answers = answers(&[
        request(1, "initialize", &json!({"protocolVersion": "2025-03-26", "capabilities": {}})),
        json!({"jsonrpc": "2.0", "method": "notifications/initialized"}).to_string(),
        request(2, "tools/list", &json!({})),
        call(3, "needs_people", &json!({})),
        call(4, "cluster", &json!({"name": "aws-1"})),
        call(5, "clusters", &json!({"filter": "state=Succeeded", "page": 1})),
        request(6, "ping", &json!({})),
    ]);
    assert_eq!(answers.len(), 6, "a notification has no answer");
    assert_eq!(answers[0]["result"]["protocolVersion"], "2025-03-26");
    let tools = answers[1]["result"]["tools"].as_array().unwrap();
    assert!(
        tools.iter().all(|tool| tool["annotations"]["readOnlyHint"] == true && tool["inputSchema"]["type"] == "object")
    );
    let start = &answers[2]["result"];
    assert_eq!((&start["isError"], &start["structuredContent"]["kind"]), (&json!(false), &json!("Start")));
    let text: Value = serde_json::from_str(start["content"][0]["text"].as_str().unwrap()).unwrap();
    assert_eq!(text, start["structuredContent"]);
    assert_eq!(answers[3]["result"]["structuredContent"]["name"], "aws-1");
    assert_eq!(answers[4]["result"]["structuredContent"]["total"], 1);
    assert_eq!(answers[5], json!({"jsonrpc": "2.0", "id": 6, "result": {}}));
}

#[test]
fn a_mistake_of_an_assistant_says_what_to_do() {
    let wrong = [
        ("cluster", json!({}), "cluster needs \"name\""),
        ("cluster", json!({"name": "nope"}), "the journal has no cluster \"nope\""),
        ("cluster", json!({"name": "../about"}), "name \"../about\" is not a name"),
        ("cluster", json!({"nam": "x"}), "cluster has no argument \"nam\"; did you mean \"name\"?"),
        ("about", json!({"at": "never"}), "the journal has no entry \"never\": give at least seven digits"),
    ];
    let calls: Vec<String> = wrong.iter().map(|(name, arguments, _)| call(1, name, arguments)).collect();
    for (answer, (name, _, reason)) in answers(&calls).iter().zip(&wrong) {
        let text = answer["result"]["content"][0]["text"].as_str().unwrap();
        assert!(answer["result"]["isError"] == true && text.contains(reason), "{name}: {answer}");
    }
}

#[test]
fn a_message_that_is_wrong_has_an_answer_and_ends_nothing() {
    let answers = answers(&[
        "{".to_owned(),
        "[]".to_owned(),
        "[".repeat(2_000_000),
        json!({"jsonrpc": "2.0", "id": 1}).to_string(),
        json!({"jsonrpc": "2.0", "id": {}, "method": "ping"}).to_string(),
        json!({"jsonrpc": "2.0", "id": 9, "result": {}}).to_string(),
        String::new(),
        request(2, "resources/list", &json!({})),
        call(3, "abuot", &json!({})),
        request(4, "ping", &Value::Null),
    ]);
    let codes: Vec<&Value> = answers.iter().map(|answer| &answer["error"]["code"]).collect();
    let null = Value::Null;
    let [parse, invalid, method, parameters] = [-32_700, -32_600, -32_601, -32_602].map(Value::from);
    assert_eq!(codes, [&parse, &invalid, &parse, &invalid, &invalid, &method, &parameters, &null]);
    let reason = answers[6]["error"]["message"].as_str().unwrap();
    assert_eq!(reason, "there is no tool \"abuot\"; did you mean \"about\"?");
}
