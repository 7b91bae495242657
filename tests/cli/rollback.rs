//! `tidegate rollback`, with a journal that a daemon would have written.

use std::collections::BTreeMap;

use tidegate_model::tree::Tree;
use tidegate_repository::load;

use super::control::{ADDON, Team, run_in};
use crate::git_command::git;

const JOURNAL: &str = "tidegate/journal";

/// A team whose clusters have 0.4.1 of hello-template since rollout 2, and 0.4.0 before that.
struct Story {
    team: Team,
    first: String,
    second: String,
}

impl Story {
    fn new() -> Self {
        let team = Team::new();
        let cluster = |n: usize| {
            format!(
                "---\napiVersion: cluster.open-cluster-management.io/v1\nkind: ManagedCluster\nmetadata: {{name: aws-{n:03}, labels: {{fleet: \
                 demo, cloud: aws}}}}\nspec: {{hubAcceptsClient: true}}\n"
            )
        };
        team.write("fleet/hosts.yaml", &(1..=3).map(cluster).collect::<String>());
        team.push("clusters");
        let first = git(&team.repository(), &["rev-parse", "main"]);
        let old = digest(&tree(&team));
        team.write(ADDON, &team.file(ADDON).replace("hello-template-0.4.0", "hello-template-0.4.1"));
        team.write("notes.md", "unrelated\n");
        team.push("hello-template: 0.4.1");
        let second = git(&team.repository(), &["rev-parse", "main"]);
        let new = digest(&tree(&team));
        let rollout = |number: u32, from: &str, to: &str, revision: &str, digest: &str| {
            format!(
                "number: {number}\nfrom: '{from}'\nto: {to}\ntarget: t{number}\ndigest: {digest}\nstarted: 2026-11-21T10:0{number}:00Z\n\
                 outcome: Completed\nended: 2026-11-21T10:0{number}:30Z\n\
                 revision: {{commit: {revision}, subject: s, author: Ada, time: 2026-11-21T10:00:00Z}}\n"
            )
        };
        let sealed = |text: &str| {
            format!("apiVersion: tidegate.io/v1alpha1\nkind: Rollout\naddon: hello-template\n{text}clusters: []\n")
        };
        let (one, two) = (rollout(1, "", "0.4.0", &first, &old), rollout(2, "0.4.0", "0.4.1", &second, &new));
        let status = format!(
            "apiVersion: tidegate.io/v1alpha1\nkind: AddonStatus\naddon: hello-template\nversion: 0.4.1\ndigest: {new}\nphase: Completed\n\
             since: 2026-11-21T10:02:30Z\nclusters: {{total: 0, succeeded: 0, progressing: 0, failed: 0, waiting: 0}}\nrollout:\n{}",
            two.lines().map(|line| format!("  {line}\n")).collect::<String>()
        );
        let files = BTreeMap::from([
            ("sync.yaml", "apiVersion: tidegate.io/v1alpha1\nkind: Sync\nseen: null\n".to_owned()),
            ("addons/hello-template/status.yaml", status),
            ("addons/hello-template/rollouts/1.yaml", sealed(&one)),
            ("addons/hello-template/rollouts/2.yaml", sealed(&two)),
        ]);
        let files = files.into_iter().map(|(path, text)| (path.to_owned(), Some(text.into_bytes()))).collect();
        let commit = tidegate_git::NewCommit {
            branch: JOURNAL.to_owned(),
            parent: None,
            files,
            message: "journal".to_owned(),
            author: "tidegate".to_owned(),
            email: "tidegate@localhost".to_owned(),
            at: "2026-11-21T10:03:00Z".parse().unwrap(),
        };
        tidegate_git::seed(team.repository(), &commit).unwrap();
        Self { team, first, second }
    }
}

fn tree(team: &Team) -> Tree {
    let repository = tidegate_git::LocalRepository::open(team.repository()).unwrap();
    repository.tree(&repository.tip("main").unwrap().unwrap(), "").unwrap()
}

fn digest(tree: &Tree) -> String {
    load(tree, "").repository.digest(&"hello-template".parse().unwrap()).unwrap().to_string()
}

#[test]
fn the_files_of_the_addon_are_committed_to_a_branch_with_the_plan() {
    let Story { team, first, .. } = Story::new();
    let seen = team.run(&["rollback", "hello-template", "--reason", "crash loops"]);
    insta::assert_snapshot!("rollback", seen);
    let branch = "tidegate/rollback-hello-template-1";
    assert_eq!(git(&team.repository(), &["diff", "--name-only", "main", branch]), ADDON);
    assert_eq!(git(&team.repository(), &["diff", &first, branch, "--", ADDON]), "");
    let message = git(&team.repository(), &["log", "-1", "--format=%B", branch]);
    assert!(message.contains("\n\ncrash loops\n\n") && message.contains(&first), "{message}");
    assert!(team.file(ADDON).contains("hello-template-0.4.1"), "main stays");
}

#[test]
fn a_rollback_can_be_pushed_at_once_also_from_outside_of_a_clone() {
    let Story { team, .. } = Story::new();
    let url = format!("file://{}", team.repository().display());
    let arguments = ["rollback", "hello-template", "--to", "1", "--reason", "x", "--push", "--source", &url];
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_tidegate"));
    command.env_clear().env("PATH", std::env::var_os("PATH").unwrap()).current_dir(team.path(""));
    for who in ["AUTHOR", "COMMITTER"] {
        command.env(format!("GIT_{who}_NAME"), "Grace").env(format!("GIT_{who}_EMAIL"), "grace@example.com");
    }
    let output = command.args(arguments).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(team.file(ADDON).contains("hello-template-0.4.0"));
    assert_eq!(team.log("%an: %s"), "Grace: hello-template: back to 0.4.0 of rollout 1");
    let again = run_in(&team.ada(), &["rollback", "hello-template", "--to", "1", "--reason", "x"]);
    assert!(again.contains("nothing to do: hello-template has digest"), "{again}");
}

#[test]
fn what_cannot_be_taken_back_is_refused_with_the_way_out() {
    let Story { team, .. } = Story::new();
    let mut seen = vec![
        team.run(&["rollback", "helo-template", "--reason", "x"]),
        team.run(&["rollback", "hello-template", "--reason", "x", "--to", "2"]),
        team.run(&["rollback", "hello-template", "--reason", "x", "--to", "7"]),
        team.run(&["rollback", "hello-template", "--reason", "x", "--push", "--branch", "y"]),
    ];
    let settings = team.file("tidegate.toml");
    team.write("tidegate.toml", &settings.replace("max_percent = 20", "max_percent = 10"));
    team.push("settings");
    seen.push(team.run(&["rollback", "hello-template", "--reason", "x"]));
    team.write("tidegate.toml", &settings);
    let sets = "fleet/clusters/fleet.yaml";
    team.write(sets, &team.file(sets).replace("        fleet: demo\n", "        fleet: production\n"));
    team.push("a cluster set that two add-ons have");
    seen.push(team.run(&["rollback", "hello-template", "--reason", "x"]));
    git(&team.repository(), &["branch", "-D", JOURNAL]);
    git(&team.ada(), &["fetch", "-q", "--prune"]);
    seen.push(team.run(&["rollback", "hello-template", "--reason", "x"]));
    insta::assert_snapshot!("rollback_refused", seen.join("\n"));
}

/// The library policy lets the version go down only with a revert.
#[test]
fn first_use_a5_a_rollback_names_what_it_reverts_so_that_a_policy_lets_it_pass() {
    let Story { team, second, .. } = Story::new();
    team.write("policies/no-downgrade.yaml", include_str!("../../policies/library/no-downgrade.yaml"));
    team.push("a policy");
    let said = team.run(&["rollback", "hello-template", "--to", "1", "--reason", "an incident", "--push"]);
    assert!(!said.contains("no-downgrade"), "{said}");
    assert!(team.log("%b").contains(&format!("This reverts commit {second}.")), "{}", team.log("%b"));
}

#[test]
fn a_rollback_that_a_policy_holds_back_is_not_pushed() {
    let Story { team, .. } = Story::new();
    let policy = "apiVersion: tidegate.io/v1alpha1\nkind: PlanPolicy\nmetadata: {name: none}\nspec: {rule: 'false', message: no change, \
                  tests: [{name: any, expect: fail}]}\n";
    team.write("policies/none.yaml", policy);
    team.push("a policy");
    let before = git(&team.repository(), &["rev-parse", "main"]);
    let said = team.run(&["rollback", "hello-template", "--to", "1", "--reason", "an incident", "--push"]);
    assert!(said.contains("blocked: policy none"), "{said}");
    assert!(said.contains("nothing was pushed, because policy none would hold hello-template back"), "{said}");
    assert_eq!(git(&team.repository(), &["rev-parse", "main"]), before);
    let said = team.run(&["rollback", "hello-template", "--to", "1", "--reason", "an incident"]);
    assert!(said.contains("pushed"), "{said}");
}
