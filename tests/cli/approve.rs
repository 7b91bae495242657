//! `tidegate approve`, with a bare repository and a clone.

use super::control::Team;
use super::{code, text, tidegate_in};
use crate::git_command::git;
use crate::redacted::{redacted, timeless};
use tidegate_signature::{SigningKey, Store, Verdict, verify};

const KEY: &str = include_str!("../signature/fixtures/ssh_ed25519.key");
const INSTANCE: [&str; 2] = ["--instance", "0000000000000007"];

/// A program that signs like ssh-keygen, but with a signature that is not good.
const SIGNER: &str = "#!/bin/sh
for last; do :; done
printf -- '-----BEGIN SSH SIGNATURE-----\\nAAAA\\n-----END SSH SIGNATURE-----\\n' > \"$last.sig\"
";

/// Returns a repository whose clone has people, and a program that signs.
fn team() -> Team {
    let team = Team::new();
    let settings = text(&std::fs::read(team.ada().join("tidegate.toml")).unwrap());
    team.write("tidegate.toml", &format!("{settings}\n[people]\nada = ['ada@example.com']\n"));
    team.push("people");
    let program = team.path("signer");
    std::fs::write(&program, SIGNER).unwrap();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    }
    sign_with(&team, program.to_str().unwrap(), program.to_str().unwrap());
    team
}

fn sign_with(team: &Team, program: &str, key: &str) {
    git(&team.ada(), &["config", "gpg.format", "ssh"]);
    git(&team.ada(), &["config", "gpg.ssh.program", program]);
    git(&team.ada(), &["config", "user.signingkey", key]);
}

fn approve<'a>(arguments: &[&'a str]) -> Vec<&'a str> {
    [&["approve", "hello-template"], arguments, &INSTANCE].concat()
}

/// Returns the path of the only file of approvals on the followed branch.
fn file(team: &Team) -> String {
    let files = git(&team.repository(), &["ls-tree", "-r", "--name-only", "main", "approvals/"]);
    files.lines().next().unwrap_or_default().to_owned()
}

#[test]
fn an_approval_is_signed_and_pushed() {
    let team = team();
    let before = git(&team.ada(), &["status", "--porcelain=v2", "--branch"]);
    let mut seen = team.run(&approve(&["--reason", "the canaries are fine"]));
    seen += &redacted(&team.file(&file(&team)));
    assert!(
        git(&team.repository(), &["cat-file", "commit", "main"]).contains("\ngpgsig -----BEGIN SSH SIGNATURE-----")
    );
    assert_eq!(team.log("%b"), "the canaries are fine");
    for arguments in [
        approve(&["--reason", "the canaries are fine"]),
        approve(&["--again"]),
        approve(&["--break-glass", "--reason", "an incident"]),
        vec!["approve", "hello-template", "--withdraw"],
        vec!["approve", "hello-template", "--withdraw"],
        approve(&["--branch", "approve-it"]),
        approve(&["--branch", "approve-it"]),
        approve(&["--no-push"]),
    ] {
        seen += "\n";
        seen += &team.run(&arguments);
    }
    insta::assert_snapshot!("approve", timeless(&seen));
    let after = git(&team.ada(), &["status", "--porcelain=v2", "--branch"]);
    assert_eq!(before.lines().next(), after.lines().next());
    assert!(!after.lines().any(|line| !line.starts_with('#')), "{after}");
}

#[test]
fn first_use_b3_an_approval_that_no_policy_asks_for_is_warned_about() {
    let team = team();
    let said = team.run(&approve(&["--group", "canary"]));
    assert!(said.contains("warning: no RolloutPolicy has an approval before group canary"), "{said}");
    let team = self::team();
    let policy = "apiVersion: tidegate.io/v1alpha1\nkind: RolloutPolicy\nmetadata: {name: leads}\nspec: {approvals: [{name: review, of: \
                  [ada@example.com], before: [canary]}]}\n";
    team.write("fleet/leads.yaml", policy);
    team.push("a policy");
    let said = team.run(&approve(&["--group", "canary"]));
    assert!(!said.contains("warning"), "{said}");
}

#[test]
fn incident_d13_an_alias_of_several_people_approves_nothing() {
    let team = team();
    let settings = team.file("tidegate.toml");
    team.write("tidegate.toml", &format!("{settings}\nbob = ['bob@example.com']\nsre = ['ada', 'bob']\n"));
    team.push("people");
    let said = team.run(&approve(&["--by", "sre"]));
    assert!(said.contains("--by \"sre\" is not one person") && said.contains("exit code 2"), "{said}");
    team.write("tidegate.toml", &format!("{settings}sre = ["));
    team.push("half a file");
    let said = team.run(&approve(&[]));
    assert!(said.contains("tidegate.toml of the newest revision cannot be read"), "{said}");
}

/// Someone else has written Ada's name into the file, so that the approval does not count.
#[test]
fn incident_d5_an_approval_that_does_not_count_is_given_again() {
    let team = team();
    team.run(&approve(&[]));
    let path = file(&team);
    let entry: serde_json::Value = serde_saphyr::from_str(&team.file(&path)).unwrap();
    let (at, digest) = (entry["approvals"][0]["at"].as_str().unwrap(), entry["digest"].as_str().unwrap());
    let journal = |verdict: &str| {
        let status = format!(
            "apiVersion: tidegate.io/v1alpha1\nkind: AddonStatus\naddon: hello-template\nversion: 0.4.0\ndigest: {digest}\nphase: Progressing\nsince: {at}\n\
             clusters: {{total: 0, succeeded: 0, progressing: 0, failed: 0, waiting: 0}}\napprovals:\n- policy: RolloutPolicy production\n  \
             rule: review\n  need: 1\n  {verdict}\n"
        );
        let files = [
            ("sync.yaml", "apiVersion: tidegate.io/v1alpha1\nkind: Sync\nseen: null\n".to_owned()),
            ("addons/hello-template/status.yaml", status),
        ];
        let commit = tidegate_git::NewCommit {
            branch: "tidegate/journal".to_owned(),
            parent: None,
            files: files.into_iter().map(|(path, text)| (path.to_owned(), Some(text.into_bytes()))).collect(),
            message: "journal".to_owned(),
            author: "tidegate".to_owned(),
            email: "tidegate@localhost".to_owned(),
            at: "2026-11-21T10:03:00Z".parse().unwrap(),
        };
        git(&team.repository(), &["update-ref", "-d", "refs/heads/tidegate/journal"]);
        tidegate_git::seed(team.repository(), &commit).unwrap();
        git(&team.ada(), &["fetch", "-q", "-f", "origin", "tidegate/journal:refs/remotes/origin/tidegate/journal"]);
    };
    let commit = git(&team.repository(), &["rev-parse", "main"]);
    journal(&format!(
        "state: open\n  void: [{{why: {{reason: otherSigner, by: ada, signer: mallory, commit: '{commit}'}}, file: {path}, by: ada, at: '{at}'}}]"
    ));
    let said = team.run(&approve(&[]));
    assert!(said.contains("does not count: ") && said.contains("it is given again"), "{said}");
    assert!(said.contains("approved by ada"), "{said}");
    journal("state: open");
    let said = team.run(&approve(&[]));
    assert!(said.contains("nothing to do: ada has approved this"), "{said}");
}

#[test]
fn an_approval_that_makes_no_sense_is_refused() {
    let team = team();
    let mut seen = String::new();
    for arguments in [
        vec!["approve", "hello-templat", "--instance", "0000000000000007"],
        approve(&["--break-glass"]),
        approve(&["--by", "adaa"]),
        approve(&["--by", "team:platform/leads"]),
        approve(&["--branch", "main"]),
        vec!["approve", "hello-template"],
        vec!["approve", "hello-template", "--instance", "7"],
    ] {
        seen += &team.run(&arguments);
        seen += "\n";
    }
    insta::assert_snapshot!("approve_refused", seen);
}

#[test]
fn an_approval_that_cannot_be_signed_is_not_pushed() {
    let team = team();
    let tip = git(&team.repository(), &["rev-parse", "main"]);
    sign_with(&team, "false", "key");
    let refused = tidegate_in(&team.ada(), &approve(&[]));
    let message = text(&refused.stderr);
    assert_eq!(code(&refused), 2);
    assert!(
        message.contains("cannot be signed") && message.contains("git config --global user.signingkey"),
        "{message}"
    );
    assert_eq!(git(&team.repository(), &["rev-parse", "main"]), tip);
}

#[test]
fn a_file_that_cannot_be_read_is_left_alone() {
    let team = team();
    team.run(&approve(&[]));
    let path = file(&team);
    git(&team.ada(), &["pull", "-q", "--ff-only"]);
    team.write(&path, "approvals: [\n");
    team.push("break");
    let tip = git(&team.repository(), &["rev-parse", "main"]);
    for arguments in [approve(&[]), vec!["approve", "hello-template", "--withdraw"]] {
        let refused = tidegate_in(&team.ada(), &arguments);
        assert_eq!(code(&refused), 2);
        assert!(text(&refused.stderr).contains("the file of approvals cannot be changed"), "{refused:?}");
    }
    assert_eq!(git(&team.repository(), &["rev-parse", "main"]), tip);
}

#[test]
fn something_else_in_the_place_of_the_directory_is_refused() {
    let as_file = team();
    as_file.write("approvals", "no directory\n");
    as_file.push("a file");
    let refused = tidegate_in(&as_file.ada(), &approve(&[]));
    assert!(text(&refused.stderr).contains("approvals is a file"), "{refused:?}");
    #[cfg(unix)]
    {
        let as_link = team();
        std::os::unix::fs::symlink("fleet", as_link.ada().join("approvals")).unwrap();
        as_link.push("a link");
        let refused = tidegate_in(&as_link.ada(), &approve(&[]));
        assert!(text(&refused.stderr).contains("because of approvals"), "{refused:?}");
    }
}

#[test]
#[ignore = "needs ssh-keygen"]
fn an_approval_is_signed_with_the_key_of_the_user() {
    let team = team();
    let key = team.path("key");
    std::fs::write(&key, KEY).unwrap();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        std::fs::set_permissions(&key, std::fs::Permissions::from_mode(0o600)).unwrap();
    }
    sign_with(&team, "ssh-keygen", key.to_str().unwrap());
    assert_eq!(code(&tidegate_in(&team.ada(), &approve(&[]))), 0);
    let repository = tidegate_git::LocalRepository::open(team.repository()).unwrap();
    let tip = repository.tip("main").unwrap().unwrap();
    let info = repository.commit_info(&tip).unwrap();
    let signed = info.signature.unwrap();
    let line = format!("ada@example.com {}", SigningKey::read(KEY).unwrap().public_key());
    let verdict =
        verify(&Store::read(line.as_bytes()).unwrap(), &signed.payload, &signed.signature, info.committer.time);
    assert!(matches!(verdict, Verdict::Good { .. }), "{verdict}");
}
