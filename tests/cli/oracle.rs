//! `tidegate oracle`: one output line for each input line, valid or not.

use std::io::{Read as _, Write as _};
use std::process::{Child, Command, Output, Stdio};
use std::thread;

use serde_json::{Value, json};
use tidegate_oracle::Area;

fn oracle(area: &str) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tidegate"));
    let command = command.args(["oracle", area]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().unwrap()
}

fn asked(area: &str, lines: Vec<u8>) -> Output {
    let mut child = oracle(area);
    let mut input = child.stdin.take().unwrap();
    let writer = thread::spawn(move || input.write_all(&lines));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap().unwrap();
    output
}

fn answers(output: &Output) -> Vec<Value> {
    let text = String::from_utf8(output.stdout.clone()).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn decision(name: &str) -> String {
    let input = json!({
        "now": "2026-04-09T00:00:00Z",
        "decisionGroups": [{ "groupName": "", "groupIndex": 0, "clusters": ["a"] }],
        "rolloutStrategy": { "type": "All" },
        "existingClusterStatus": [],
    });
    json!({ "name": name, "class": "any", "input": input }).to_string()
}

#[test]
fn cases_are_answered_in_their_order() {
    let lines = (0..100).map(|n| decision(&format!("case/{n}")) + "\n").collect::<String>();
    let output = asked("rollout", lines.into_bytes());
    assert_eq!(output.status.code(), Some(0));
    let answers = answers(&output);
    assert_eq!(answers.len(), 100);
    for (n, answer) in answers.iter().enumerate() {
        assert_eq!(answer["name"], format!("case/{n}"));
        assert_eq!(answer["expected"]["clustersToRollout"][0]["clusterName"], "a");
        assert_eq!(answer.as_object().unwrap().len(), 2);
    }
}

#[test]
fn a_line_that_is_not_a_case_gets_an_error_and_does_not_stop_the_others() {
    let deep = format!(r#"{{"name": "deep", "input": {}{}}}"#, "[".repeat(200_000), "]".repeat(200_000));
    let other = r#"{"name": "other", "input": {"now": "yesterday"}}"#.to_owned();
    let mut lines = Vec::new();
    for line in [decision("first"), String::new(), "{".to_owned(), deep, other, "[]".to_owned()] {
        lines.extend_from_slice(line.as_bytes());
        lines.push(b'\n');
    }
    lines.extend_from_slice(b"\"\xff\"\n");
    lines.extend_from_slice(decision("last").as_bytes());
    let output = asked("rollout", lines);
    assert_eq!(output.status.code(), Some(1));
    let answers = answers(&output);
    assert_eq!(answers.len(), 8);
    assert_eq!((&answers[0]["name"], &answers[7]["name"]), (&json!("first"), &json!("last")));
    assert!(answers[0]["error"].is_null() && answers[7]["error"].is_null());
    for (line, answer) in answers.iter().enumerate().take(7).skip(1) {
        assert!(answer["error"].as_str().unwrap().starts_with(&format!("line {}: ", line + 1)), "{answer}");
        assert!(answer["expected"].is_null());
    }
    assert_eq!(answers[4]["name"], "other");
}

#[test]
fn every_area_refuses_an_invalid_case() {
    for area in Area::ALL {
        let output = asked(area.name(), b"{\"name\": \"n\", \"input\": [1, null, \"x\"]}\n".to_vec());
        let answer = &answers(&output)[0];
        assert_eq!(answer["name"], "n", "{area}: {answer}");
        assert_eq!(output.status.code(), Some(1), "{area}: {answer}");
    }
}

#[test]
fn an_unknown_area_is_wrong_usage_and_the_known_ones_are_listed() {
    let output = asked("rollouts", Vec::new());
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(Area::ALL.iter().all(|area| said.contains(area.name())), "{said}");
}

#[test]
fn a_closed_pipe_ends_it_quietly() {
    let mut child = oracle("rollout");
    let mut input = child.stdin.take().unwrap();
    let line = decision("again") + "\n";
    // More than fits into the pipes; writing ends when the program does.
    let writer = thread::spawn(move || (0..100_000).try_for_each(|_| input.write_all(line.as_bytes())));
    let mut out = child.stdout.take().unwrap();
    out.read_exact(&mut [0; 10]).unwrap();
    drop(out);
    let output = child.wait_with_output().unwrap();
    assert!(writer.join().unwrap().is_err());
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
}
