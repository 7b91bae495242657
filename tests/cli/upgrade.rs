//! `tidegate upgrade`: the commit, its branch and its plan.

use super::control::{ADDON, Team, run_in};
use crate::git_command::git;

#[test]
fn an_upgrade_goes_to_a_branch_for_a_pull_request() {
    let team = Team::new();
    let seen = team.run(&["upgrade", "hello-template", "0.4.1", "--reason", "fixes the leak"]);
    insta::assert_snapshot!(seen);
    let branch = "tidegate/upgrade-hello-template-0.4.1";
    assert_eq!(git(&team.repository(), &["diff", "--name-only", "main", branch]), ADDON);
    let lines = git(&team.repository(), &["diff", "--numstat", "main", branch]);
    assert!(lines.starts_with("1\t1\t"), "{lines}");
    let message = git(&team.repository(), &["log", "-1", "--format=%B", branch]);
    assert_eq!(message.trim(), "hello-template: 0.4.0 to 0.4.1\n\nfixes the leak");
    assert!(team.file(ADDON).contains("hello-template-0.4.0"), "main stays");
}

#[test]
fn other_overlays_that_an_upgrade_changes_are_named() {
    let team = Team::new();
    let settings = team.file("tidegate.toml").replace("path = \"fleet\"", "path = \"overlays/aws\"");
    team.write("tidegate.toml", &settings);
    team.push("the hub of AWS");
    let seen = team.run(&["upgrade", "managed-serviceaccount", "0.4.1"]);
    let expected = "overlays/gcp uses base/managed-serviceaccount/addon.yaml as well; `tidegate plan --head \
                    tidegate/upgrade-managed-serviceaccount-0.4.1 --overlay overlays/gcp` shows what changes there\n";
    assert!(seen.contains(expected) && !seen.contains("overlays/aws uses"), "{seen}");
}

#[test]
fn an_upgrade_that_no_policy_can_judge_is_not_pushed_without_a_review() {
    let team = Team::new();
    let before = git(&team.repository(), &["for-each-ref"]);
    let seen = team.run(&["upgrade", "hello-template", "0.4.1", "--push"]);
    assert!(seen.contains("nothing was pushed, because there is no plan that policies could judge"), "{seen}");
    assert_eq!(git(&team.repository(), &["for-each-ref"]), before);
}

#[test]
fn an_upgrade_can_be_pushed_at_once() {
    let team = Team::new();
    let cluster = "apiVersion: cluster.open-cluster-management.io/v1\nkind: ManagedCluster\nmetadata: {name: aws-001, labels: {fleet: demo, \
                   cloud: aws}}\nspec: {hubAcceptsClient: true}\n";
    team.write("fleet/hosts.yaml", cluster);
    team.push("clusters");
    let seen = team.run(&["upgrade", "hello-template", "0.4.1", "--push"]);
    assert!(seen.contains("pushed to main"), "{seen}");
    assert!(team.file(ADDON).contains("hello-template-0.4.1 # To upgrade, change this line. Nothing else."));
    assert_eq!(team.log("%s"), "hello-template: 0.4.0 to 0.4.1");
    let again = run_in(&team.ada(), &["upgrade", "hello-template", "0.4.1", "--push"]);
    assert!(again.contains("nothing to do: hello-template has version 0.4.1 already"), "{again}");
}

#[test]
fn what_cannot_be_upgraded_is_refused_and_nothing_is_pushed() {
    let team = Team::new();
    let before = git(&team.repository(), &["for-each-ref"]);
    let seen = [
        team.run(&["upgrade", "helo-template", "0.4.1"]),
        team.run(&["upgrade", "hello-template", "0.5.0"]),
        team.run(&["upgrade", "hello-template"]),
        team.run(&["upgrade", "hello-template", "0.4.1", "--push", "--no-push"]),
    ];
    insta::assert_snapshot!(seen.join("\n"));
    assert_eq!(git(&team.repository(), &["for-each-ref"]), before);
}
