//! `tidegate doctor` with a forge.

use std::collections::BTreeMap;
use std::path::Path;

use axum::http::StatusCode;
use tidegate_fake_forge::{Fault, ForgeSandbox, Options, Protection, Role, Scope};
use tidegate_git::{NewCommit, install_tls_provider};
use tidegate_model::forge::ForgeKind;
use tidegate_model::time::Timestamp;

use super::{code, text, tidegate};

use crate::scratch::tempdir;

/// Creates the followed branch and that of the journal.
fn seed(repository: &Path) {
    let policy = r#"{"apiVersion": "tidegate.io/v1alpha1", "kind": "RolloutPolicy", "metadata": {"name": "production"},
        "spec": {"approvals": [{"name": "leads", "count": 1, "of": ["team:platform/leads", "role:write", "forge:ada"]}]}}"#;
    let mut files: BTreeMap<_, _> =
        crate::example_tree::tree().files.into_iter().map(|(path, bytes)| (path, Some(bytes))).collect();
    files.insert("fleet/policy.yaml".to_owned(), Some(policy.as_bytes().to_vec()));
    for branch in ["main", "tidegate/journal"] {
        let commit = NewCommit {
            branch: branch.to_owned(),
            parent: None,
            files: files.clone(),
            message: "add-ons".to_owned(),
            author: "Ada".to_owned(),
            email: "ada@example.com".to_owned(),
            at: "2026-11-22T12:00:00Z".parse().unwrap(),
        };
        tidegate_git::seed(repository, &commit).unwrap();
    }
}

/// Runs the command with a forge, and returns what is said about it.
async fn said(kind: ForgeKind, publish: &str, change: impl FnOnce(&ForgeSandbox) -> Option<String>) -> (String, i32) {
    install_tls_provider();
    let directory = tempdir();
    let forge = ForgeSandbox::start(kind, Options::new(directory.path().join("forge"), Timestamp::now)).await.unwrap();
    forge.add_account("ada", Role::Write);
    forge.add_account("tidegate", Role::Admin);
    seed(&directory.path().join("forge/platform/fleet.git"));
    let token = change(&forge).unwrap_or_else(|| forge.token_of("tidegate"));
    std::fs::write(directory.path().join("token"), &token).unwrap();
    let config = format!(
        "[source]\nurl = {:?}\n[forge]\nkind = \"{kind}\"\nurl = \"{}\"\nproject = \"platform/fleet\"\ntoken_file = \"token\"\n\
         [forge.publish]\n{publish}\n",
        directory.path().join("forge/platform/fleet.git"),
        forge.url(),
    );
    std::fs::write(directory.path().join("daemon.toml"), config).unwrap();
    forge.clear_requests();
    let path = |name: &str| directory.path().join(name).to_str().unwrap().to_owned();
    let arguments =
        ["doctor".to_owned(), "--kubeconfig".to_owned(), path("none"), "--config".to_owned(), path("daemon.toml")];
    let run = move || (tidegate(&arguments.iter().map(String::as_str).collect::<Vec<_>>()), directory);
    let (output, _directory) = tokio::task::spawn_blocking(run).await.unwrap();
    assert!(
        forge.requests().iter().all(|request| request.method == "GET"),
        "nothing is written: {:?}",
        forge.requests()
    );
    let (printed, errors) = (text(&output.stdout), text(&output.stderr));
    assert!(!printed.contains(&token) && !errors.contains("panic"), "{printed}{errors}");
    let rest = printed.split("  notifications ").nth(1).unwrap_or_else(|| panic!("{printed}{errors}"));
    let lines = rest.lines().skip(1).take_while(|line| !line.is_empty());
    let lines = lines.map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "));
    let said = lines.collect::<Vec<_>>().join("\n").replace(&forge.url(), "[FORGE]");
    (said.replace(forge.web_url().trim_end_matches("/platform/fleet"), "[HOST]"), code(&output))
}

const KINDS: [ForgeKind; 3] = [ForgeKind::GitHub, ForgeKind::GitLab, ForgeKind::Gitea];

#[tokio::test]
async fn a_forge_that_is_set_up_is_shown() {
    let mut all = Vec::new();
    for kind in KINDS {
        let well = |forge: &ForgeSandbox| {
            forge.add_team("leads", &["ada"]);
            forge.set_protection(Protection {
                dismisses_stale: true,
                required_contexts: vec!["tidegate/plan".to_owned()],
                ..Protection::default()
            });
            None
        };
        all.push(format!("{kind}\n{}", said(kind, "", well).await.0));
    }
    insta::assert_snapshot!(all.join("\n\n"));
}

#[tokio::test]
async fn what_is_wrong_on_a_forge_is_shown_with_its_fix() {
    let mut all = Vec::new();
    for kind in KINDS {
        let wrong = |forge: &ForgeSandbox| {
            forge.set_role("tidegate", Role::Read).unwrap();
            let required_contexts = vec!["tidegate/istio".to_owned(), "tidegate/plan".to_owned()];
            forge.set_protection(Protection { required_contexts, ..Protection::default() });
            Some(forge.add_token("tidegate", Scope::Read, None).unwrap())
        };
        all.push(format!("{kind}\n{}", said(kind, "check = \"off\"", wrong).await.0));
    }
    insta::assert_snapshot!(all.join("\n\n"));
}

#[tokio::test]
async fn a_token_that_is_not_accepted_is_a_finding() {
    for kind in KINDS {
        let (said, code) = said(kind, "", |_| Some("wrong-token".to_owned())).await;
        assert!(said.starts_with("FAIL forge the token is not accepted: "), "{kind}: {said}");
        assert_eq!((said.lines().count(), code), (3, 1), "{kind}: {said}");
    }
}

#[tokio::test]
async fn a_forge_that_fails_in_any_way_is_a_finding() {
    type Break = fn(&ForgeSandbox);
    let answer = |status: StatusCode| Fault::Status(status.as_u16(), Vec::new(), "{}".to_owned());
    let faults: [(&str, Break); 2] =
        [("down", |forge| forge.down(true)), ("limited", |forge| forge.fail_next("/", Fault::secondary_limit(60)))];
    for (kind, (name, fault)) in KINDS.into_iter().zip(faults.iter().cycle()) {
        let broken = |forge: &ForgeSandbox| {
            fault(forge);
            None
        };
        let (said, code) = said(kind, "", broken).await;
        assert!(said.starts_with("FAIL forge ") && said.contains("fix: "), "{kind} {name}: {said}");
        assert_eq!(code, 1);
    }
    let faults =
        [Fault::Garbage, Fault::Truncate(3), answer(StatusCode::INTERNAL_SERVER_ERROR), answer(StatusCode::FORBIDDEN)];
    for (kind, (fault, part)) in
        KINDS.into_iter().cycle().zip(faults.iter().zip(["/user", "platform", "main", "platform"]))
    {
        let broken = |forge: &ForgeSandbox| {
            forge.fail_next(part, fault.clone());
            None
        };
        let (said, _) = said(kind, "", broken).await;
        assert!(said.contains("fix: "), "{kind} {fault:?} {part}: {said}");
    }
}
