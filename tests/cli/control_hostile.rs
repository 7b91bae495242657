//! The control commands with what goes wrong: mistakes of the user, refusals of the remote, and hostile input.

use super::control::{ADDON, Team, install_hook, run_in};
use crate::git_command::git;

#[test]
fn mistakes_of_users_change_nothing() {
    let team = Team::new();
    let before = git(&team.repository(), &["rev-parse", "main"]);
    let commands: [&[&str]; 12] = [
        &["pause", "helo-template", "--reason", "x"],
        &["resume", "helo-template", "--reason", "x"],
        &["retry", "unrelated", "--reason", "x"],
        &["pause", "Hello", "--reason", "x"],
        &["pause", "hello-template"],
        &["pause", "hello-template", "--reason", "  "],
        &["pause", "--reason", "x"],
        &["pause", "hello-template", "--all", "--reason", "x"],
        &["quarantine", "hello-template", "--reason", "x"],
        &["quarantine", "hello-template", "--clusters", "A_1", "--reason", "x"],
        &["abort", "hello-template", "--digest", "12", "--reason", "x"],
        &["pause", "hello-template", "--reason", "x", "--ref", "trunk"],
    ];
    insta::assert_snapshot!("control_mistakes", commands.map(|arguments| team.run(arguments)).join("\n"));
    assert_eq!(git(&team.repository(), &["rev-parse", "main"]), before);
}

#[test]
fn a_refused_push_shows_the_reason_of_the_remote() {
    let team = Team::new();
    install_hook(&team, "#!/bin/sh\necho 'main is protected: two reviews' >&2\nexit 1\n");
    insta::assert_snapshot!("control_refused", team.run(&["pause", "hello-template", "--reason", "x"]));
}

#[test]
fn without_a_name_or_a_repository_the_user_gets_a_hint() {
    let team = Team::new();
    git(&team.ada(), &["config", "--unset", "user.name"]);
    let nameless = team.run(&["pause", "hello-template", "--reason", "x"]);
    let nowhere = run_in(&team.path(""), &["pause", "hello-template", "--reason", "x"]);
    let away = team.run(&["pause", "hello-template", "--reason", "x", "--source", "http://127.0.0.1:1/x.git"]);
    assert!(away.contains("error: branch main cannot be fetched from http://127.0.0.1:1/x.git: "), "{away}");
    assert!(away.contains("hint: check the network") && away.contains("exit code 3"), "{away}");
    git(&team.ada(), &["remote", "set-url", "origin", "/does/not/exist"]);
    let gone = team.run(&["pause", "hello-template", "--reason", "x"]);
    insta::assert_snapshot!("control_unusable", [nameless, nowhere, gone].join("\n"));
}

#[test]
fn a_clone_without_a_remote_does_not_change_under_its_user() {
    let team = Team::new();
    git(&team.ada(), &["remote", "remove", "origin"]);
    let seen = team.run(&["pause", "hello-template", "--reason", "x"]);
    assert!(seen.contains("exit code 1") && seen.contains("refusing to update checked out branch"), "{seen}");
    let seen = team.run(&["pause", "hello-template", "--reason", "x", "--no-push"]);
    assert!(seen.contains("git push . tidegate/pause-hello-template:main"), "{seen}");
}

#[test]
fn any_reason_is_kept_in_the_file_and_in_the_commit() {
    let long = "long ".repeat(2_000);
    for reason in [
        "first\n\n---\nsecond\n...\n",
        "it's \"quoted\" \\ `$(touch pwned)` %s",
        "# not a comment\n- item: x",
        "-m --exec=evil",
        "Approved-by: Eve <eve@example.com>",
        "\u{1b}[31mred\u{202e}",
        &long,
    ] {
        let team = Team::new();
        let reason = format!("--reason={reason}");
        let seen = team.run(&["pause", "hello-template", &reason]);
        assert!(seen.contains("pushed to main of origin"), "{seen}");
        let file = team.file("control/hello-template.yaml");
        let document: serde_json::Value = serde_saphyr::from_str(&file).unwrap();
        let expected = tidegate_model::line::visible(reason.strip_prefix("--reason=").unwrap().trim());
        assert_eq!(document["pause"]["reason"], expected.as_str(), "{file}");
        let message = team.log("%B");
        assert!(message.starts_with("control: pause hello-template\n\n"), "{message}");
        let words = |text: &str| text.replace("> ", "").split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(words(&message)[3..], words(&expected), "{message}");
        assert_eq!(tidegate_consent::approval::read(&message), tidegate_consent::approval::Approvals::default());
        assert!(!team.ada().join("pwned").exists());
    }
}

#[test]
fn files_that_cannot_be_used_are_left_alone() {
    let broken = |make: &dyn Fn(&Team)| {
        let team = Team::new();
        make(&team);
        team.push("broken");
        let seen = [
            team.run(&["pause", "hello-template", "--reason", "x"]),
            team.run(&["resume", "hello-template", "--reason", "x"]),
        ];
        assert_eq!(team.log("%s"), "broken");
        seen.join("\n")
    };
    let link = broken(&|team: &Team| {
        std::os::unix::fs::symlink("fleet", team.ada().join("control")).unwrap();
    });
    let file = broken(&|team: &Team| team.write("control", "pause"));
    let yaml = broken(&|team: &Team| team.write("control/hello-template.yaml", "pause: [\n"));
    let kind = broken(&|team: &Team| team.write("control/hello-template.yaml", "apiVersion: v1\nkind: ConfigMap\n"));
    insta::assert_snapshot!("control_unusable_files", [link, file, yaml, kind].join("\n"));
}

#[test]
fn broken_declarations_do_not_keep_anyone_from_pausing() {
    let team = Team::new();
    team.write("tidegate.toml", "[");
    team.push("broken settings");
    let settings = team.run(&["pause", "hello-template", "--reason", "x"]);
    let team = Team::new();
    team.write(ADDON, &team.file(ADDON).replace("hello-template-0.4.0", "nothing"));
    team.push("broken add-on");
    let addon = team.run(&["pause", "hello-template", "--reason", "x"]);
    let abort = team.run(&["abort", "hello-template", "--reason", "x"]);
    let named = team.run(&["abort", "hello-template", "--reason", "x", "--digest", "9c1e0d2f6ab4"]);
    insta::assert_snapshot!("control_broken_declarations", [settings, addon, abort, named].join("\n"));
}
