//! `tidegate doctor --notify`.

use super::{code, shown, tidegate};
use crate::checks::counterpart::{Conduct, Counterpart, answer};
use crate::scratch::tempdir;

/// Runs the command with a file.
async fn notify(file: String) -> std::process::Output {
    let run = move || {
        let directory = tempdir();
        std::fs::write(directory.path().join("url"), "https://user@host\n").unwrap();
        let path = directory.path().join("daemon.toml");
        std::fs::write(&path, file).unwrap();
        let nowhere = directory.path().join("nowhere");
        let nowhere = nowhere.to_str().unwrap();
        tidegate(&[
            "doctor",
            "--notify",
            "--config",
            path.to_str().unwrap(),
            "--source",
            nowhere,
            "--kubeconfig",
            nowhere,
        ])
    };
    tokio::task::spawn_blocking(run).await.unwrap()
}

/// Returns the lines of some checks.
fn lines(output: &std::process::Output, checks: &[&str]) -> String {
    let shown = shown(output);
    let lines = shown.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "));
    let is_wanted =
        |line: &String| checks.iter().any(|check| line.split_once(' ').is_some_and(|l| l.1.starts_with(check)));
    lines.filter(is_wanted).collect::<Vec<_>>().join("\n")
}

/// Returns the lines about test messages.
fn answers(output: &std::process::Output) -> String {
    lines(output, &["test message"])
}

#[tokio::test]
async fn each_receiver_gets_a_message_and_its_answer_is_shown() {
    let good = Counterpart::start(|request| {
        assert!(request.starts_with("POST /hook HTTP/1.1\r\n") && request.contains("This is a test"), "{request}");
        Conduct::Sends(answer("200 OK", "thanks"))
    });
    let good = good.await;
    let bad = Counterpart::always(Conduct::Sends(answer("403 Forbidden", "no\nsuch hook"))).await;
    let moved = Counterpart::always(Conduct::Sends(answer("302 Found", ""))).await;
    let receiver =
        |server: &Counterpart| format!("[[notify]]\nkind = \"webhook\"\nurl = \"{}/hook\"\n", server.origin());
    let accepted = notify(receiver(&good)).await;
    assert_eq!(answers(&accepted), "OK test message [[notify]] 1 (webhook) accepted the message");
    let output = notify([receiver(&good), receiver(&bad), receiver(&moved)].concat()).await;
    insta::assert_snapshot!(answers(&output));
    assert_eq!((code(&output), good.requests()), (1, 2));
}

#[tokio::test]
async fn a_mistake_in_a_receiver_is_reported_without_its_secrets() {
    let cases = [
        "",
        "kind = \"irc\"",
        "kind = \"slack\"\nurl = \"https://hooks.slack.com/services/secret\"",
        "kind = \"slack\"",
        "kind = \"teams\"\nurl_file = \"url\"",
        "kind = \"teams\"\nurl_file = \"nowhere\"",
        "kind = \"webhook\"",
        "kind = \"webhook\"\nurl = \"chat.example.com\"",
        "kind = \"webhook\"\nurl = \"https://a\"\nurl_file = \"url\"",
        "kind = \"webhook\"\nurl = \"https://a\"\nevents = [\"halt\"]",
        "kind = \"webhook\"\nurl = \"https://a\"\nevents = []",
        "kind = \"webhook\"\nurl = \"https://a\"\nroom = \"!a:b\"",
        "kind = \"webhook\"\nurl = \"https://a\"\nlink = \"git.example.com\"",
        "kind = \"matrix\"\nurl = \"https://a\"\nroom = \"!a:b\"",
        "kind = \"matrix\"\nurl = \"https://a\"\ntoken_file = \"url\"\nroom = \"#fleet:a\"",
    ];
    let mut all = String::new();
    for case in cases {
        let file = if case.is_empty() { String::new() } else { format!("[[notify]]\n{case}\n") };
        let output = notify(file).await;
        assert_eq!(code(&output), 1, "{case}");
        all += &format!("{case}\n{}\n\n", lines(&output, &["configuration", "notifications", "test message"]));
    }
    assert!(!all.contains("user@host"), "{all}");
    insta::assert_snapshot!(all);
}
