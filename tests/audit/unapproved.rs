//! Journals in which something was rolled out that no one approved, forged so that they agree with themselves.

use std::sync::Arc;

use serde_json::json;
use tidegate::audit::Rule;
use tidegate_api::fleet::Fleet;
use tidegate_model::revision::CommitId;

use super::clone::{JOURNAL, run};
use super::stage::{ADA, ADDON, BOB, MALLORY, POLICY, RULES, SETTINGS, Stage, Who, policy};
use crate::git_command::git;

/// Returns a repository in which Ada's upgrade waits for an approval by one of these people.
fn upgraded(of: &str) -> (Stage, CommitId) {
    let mut stage = Stage::new(of);
    let base = stage.tip.clone().unwrap();
    let upgrade = stage.upgrade(ADA);
    stage.change(ADDON, &base, &upgrade);
    stage.waits(&upgrade);
    (stage, upgrade)
}

/// Starts the upgrade with an approval by someone, in a commit of someone.
fn approved(of: &str, by: &str, who: Who) -> Stage {
    let (mut stage, upgrade) = upgraded(of);
    let digest = stage.digest(&upgrade);
    let commit = stage.approve(who, by, ADDON, &digest);
    stage.starts(&upgrade, &[(by, who, &commit)]);
    stage
}

#[test]
fn an_approved_rollout_verifies() {
    let stage = approved("bob", "bob", BOB);
    let (code, said) = stage.verified();
    assert_eq!(code, 0, "{said}");
    assert!(!said.contains("not checked"), "{said}");
}

#[test]
fn a_start_without_any_verdict_is_found() {
    let (mut stage, upgrade) = upgraded("bob");
    stage.starts(&upgrade, &[]);
    stage.is_refused(
        Rule::Gate,
        &["cluster a started, but approval \"production\" of RolloutPolicy production was missing"],
    );
}

#[test]
fn starts_before_a_journal_that_begins_again_cannot_be_checked() {
    let mut stage = Stage::new("bob");
    let tip = stage.tip.clone().unwrap();
    stage.begins_again(&tip);
    let (code, said) = stage.verified();
    assert_eq!(code, 0, "{said}");
    assert!(said.contains("which combines earlier entries that are lost"), "{said}");
}

/// The policy is about clusters with a label.
#[test]
fn incident_d6_only_the_clusters_that_a_policy_selects_need_its_approval() {
    let about_aws = policy("bob").replace("spec:\n", "spec:\n  selector: {clusters: {matchLabels: {cloud: aws}}}\n");
    let started = |cloud: &str| {
        let mut stage = Stage::with(&about_aws);
        let cluster =
            json!({ "metadata": { "name": "a", "labels": { "cloud": cloud } }, "spec": { "hubAcceptsClient": true } });
        let clusters =
            [("a".parse().unwrap(), Arc::new(serde_json::from_value(cluster).unwrap()))].into_iter().collect();
        stage.fleet = Some(Arc::new(Fleet { clusters, ..Fleet::default() }));
        let base = stage.tip.clone().unwrap();
        let upgrade = stage.upgrade(ADA);
        stage.change(ADDON, &base, &upgrade);
        stage.waits(&upgrade);
        stage.starts(&upgrade, &[]);
        stage
    };
    let (code, said) = started("gcp").verified();
    assert_eq!(code, 0, "{said}");
    assert!(!said.contains("not checked"), "{said}");
    started("aws").is_refused(
        Rule::Gate,
        &["cluster a started, but approval \"production\" of RolloutPolicy production was missing"],
    );
}

#[test]
fn a_verdict_that_names_a_commit_without_an_approval_is_found() {
    let (mut stage, upgrade) = upgraded("bob");
    stage.starts(&upgrade, &[("bob", BOB, &upgrade)]);
    stage.is_refused(Rule::Gate, &["adds no such approval", "cluster a started"]);
}

#[test]
fn an_approval_that_was_signed_with_another_key_is_found() {
    let stage = approved("bob", "bob", MALLORY);
    stage.is_refused(Rule::Gate, &["or it is not trusted", "cluster a started"]);
}

#[test]
fn an_approval_by_the_author_is_found() {
    let stage = approved("ada, bob", "ada", ADA);
    stage.is_refused(Rule::Gate, &["the approval by ada does not count: ada took part in the change"]);
}

#[test]
fn an_approval_of_another_digest_is_found() {
    let (mut stage, upgrade) = upgraded("bob");
    let other = stage.digest(&stage.tip.clone().unwrap()).to_string().replace(['a', 'b'], "0").parse().unwrap();
    let commit = stage.approve(BOB, "bob", ADDON, &other);
    stage.starts(&upgrade, &[("bob", BOB, &commit)]);
    stage.is_refused(Rule::Gate, &["adds no such approval", "cluster a started"]);
}

#[test]
fn an_approval_after_the_start_is_found() {
    let (mut stage, upgrade) = upgraded("bob");
    stage.starts(&upgrade, &[]);
    (0..6).for_each(|number| drop(stage.edit(ADA, &[("README.md", Some(&number.to_string()))])));
    let digest = stage.digest(&upgrade);
    stage.approve(BOB, "bob", ADDON, &digest);
    stage.is_refused(Rule::Gate, &["the approval by bob does not count"]);
}

/// Loosens the policy with a commit by Ada, and upgrades. The journal says that the new rules were in force.
fn loosened(policy: Option<&str>) -> (Stage, CommitId) {
    let mut stage = Stage::new("bob");
    let before = stage.tip.clone().unwrap();
    let rules = stage.edit(ADA, &[(POLICY, policy)]);
    stage.change(RULES, &before, &rules);
    stage.rules = Some(rules.clone());
    let upgrade = stage.upgrade(ADA);
    stage.change(ADDON, &rules, &upgrade);
    stage.waits(&upgrade);
    (stage, upgrade)
}

#[test]
fn rules_that_were_loosened_without_an_approval_are_found() {
    let other = policy("ada");
    for file in [None, Some(other.as_str())] {
        let (mut stage, upgrade) = loosened(file);
        stage.starts(&upgrade, &[]);
        stage.is_refused(Rule::Rules, &["took effect, but RolloutPolicy production is"]);
    }
}

#[test]
fn people_who_were_changed_without_an_approval_are_found() {
    let mut stage = Stage::new("leads");
    let before = stage.tip.clone().unwrap();
    let settings = stage.read(SETTINGS).replace("leads = ['bob']", "leads = ['bob', 'ada']");
    let rules = stage.edit(ADA, &[(SETTINGS, Some(&settings))]);
    stage.change(RULES, &before, &rules);
    stage.rules = Some(rules.clone());
    let upgrade = stage.upgrade(BOB);
    stage.change(ADDON, &rules, &upgrade);
    stage.waits(&upgrade);
    let digest = stage.digest(&upgrade);
    let commit = stage.approve(ADA, "ada", ADDON, &digest);
    stage.starts(&upgrade, &[("ada", ADA, &commit)]);
    stage.is_refused(Rule::Rules, &["took effect, but [people] of tidegate.toml is changed"]);
}

#[test]
fn rules_that_were_loosened_with_an_approval_verify() {
    let mut stage = Stage::new("bob");
    let before = stage.tip.clone().unwrap();
    let rules = stage.edit(ADA, &[(POLICY, None)]);
    let digest = stage.rules_of(&rules);
    stage.approve(BOB, "bob", RULES, &digest);
    stage.change(RULES, &before, &rules);
    stage.rules = Some(rules.clone());
    let upgrade = stage.upgrade(ADA);
    stage.change(ADDON, &rules, &upgrade);
    stage.waits(&upgrade);
    stage.starts(&upgrade, &[]);
    let (code, said) = stage.verified();
    assert_eq!(code, 0, "{said}");
}

#[test]
fn a_change_that_names_an_old_revision_as_the_one_before_it_is_found() {
    let mut stage = Stage::new("bob");
    // The first revision has no policy, and the same version.
    let first = git(&stage.repository(), &["rev-list", "--max-parents=0", "main"]).trim().parse().unwrap();
    let upgrade = stage.upgrade(ADA);
    stage.change(ADDON, &first, &upgrade);
    stage.waits(&upgrade);
    stage.starts(&upgrade, &[]);
    stage.is_refused(Rule::Rules, &["which were not in force"]);
}

#[test]
fn a_recorded_change_that_is_altered_later_is_found() {
    let (mut stage, upgrade) = upgraded("bob");
    let first = git(&stage.repository(), &["rev-list", "--max-parents=0", "main"]).trim().parse().unwrap();
    stage.changes.remove(ADDON);
    stage.change(ADDON, &first, &upgrade);
    stage.starts(&upgrade, &[]);
    stage.is_refused(Rule::Rules, &["which were not in force"]);
}

#[test]
fn a_change_whose_base_has_the_new_digest_already_is_found() {
    let (mut stage, upgrade) = upgraded("bob");
    let changes = stage.changes.get_mut(ADDON).unwrap();
    changes[0].base = Some(upgrade.clone());
    stage.starts(&upgrade, &[]);
    stage.is_refused(Rule::Rules, &["says that revision", "has digest"]);
}

#[test]
fn a_revision_that_was_never_merged_is_found() {
    let (mut stage, upgrade) = upgraded("bob");
    let base = git(&stage.repository(), &["rev-parse", "main~1"]).trim().to_owned();
    git(&stage.repository(), &["update-ref", "refs/heads/main", &base]);
    git(&stage.repository(), &["update-ref", "refs/heads/evil", upgrade.as_str()]);
    stage.starts(&upgrade, &[]);
    stage.is_refused(Rule::Rules, &["is not in the history of the followed branch"]);
}

#[test]
fn an_unsigned_commit_between_signed_ones_is_found() {
    let mut stage = approved("bob", "bob", BOB);
    stage.unsigned = vec![2];
    stage.is_refused(Rule::Signature, &["it is not signed, and an earlier commit is"]);
}

#[test]
fn a_start_of_another_digest_than_the_one_that_was_completed_is_found() {
    let (mut stage, upgrade) = upgraded("bob");
    // The upgrade counts as completed, so no policy before it would judge it.
    stage.complete(&upgrade);
    stage.starts(&upgrade, &[]);
    stage.is_refused(Rule::Gate, &["cluster a started"]);
}

#[test]
fn a_clone_without_the_followed_branch_says_what_it_cannot_check() {
    let stage = approved("bob", "bob", BOB);
    stage.write();
    let parent = stage.repository().parent().unwrap().to_owned();
    let arguments =
        ["clone", "--quiet", "--bare", "--single-branch", "--branch", JOURNAL, "file://repo.git", "journal.git"];
    let url = format!("file://{}", stage.repository().display());
    let arguments = arguments.map(|argument| if argument == "file://repo.git" { &*url } else { argument });
    git(&parent, &arguments);
    let (code, said) = run(&parent.join("journal.git"), &["verify-history"]);
    assert_eq!(code, 0, "{said}");
    assert!(
        said.contains("not checked: which approvals rollouts needed and had: this clone has no followed branch"),
        "{said}"
    );
}
