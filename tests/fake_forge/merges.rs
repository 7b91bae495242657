//! Merges, which all forges do with git.

use serde_json::{Value, json};
use tidegate_fake_forge::{Method, Protection, PullStatus, Verdict};
use tidegate_model::forge::ForgeKind;

use super::support::Stage;
use crate::git_command::git;

#[tokio::test]
async fn a_merge_has_the_parents_and_the_contents_of_its_method() {
    let stage = Stage::new(ForgeKind::Gitea).await;
    for (branch, method, parents) in [("a", Method::Merge, 2), ("b", Method::Squash, 1), ("c", Method::Rebase, 1)] {
        let (number, _) = stage.pull(branch).await;
        let merged = stage.forge.merge("ada", number, method).unwrap();
        assert_eq!(stage.target("refs/heads/main").as_ref(), Some(&merged));
        let repository = stage.repository();
        let listed = git(&repository, &["log", "-1", "--format=%P", "main"]);
        assert_eq!(listed.split(' ').count(), parents, "{method:?}");
        assert_eq!(git(&repository, &["show", &format!("main:{branch}.yaml")]), "version: 2");
    }
    let (clone, _) = stage.cloned("later").await;
    let names = git(&clone, &["ls-tree", "--name-only", "origin/main"]);
    assert_eq!(names.lines().collect::<Vec<_>>(), ["a.yaml", "b.yaml", "c.yaml", "fleet.yaml"]);
}

#[tokio::test]
async fn a_pull_request_with_conflicts_is_not_merged() {
    for (kind, path, status) in [
        (ForgeKind::GitHub, "/repos/platform/fleet/pulls/1/merge", 405),
        (ForgeKind::GitLab, "/projects/platform%2Ffleet/merge_requests/1/merge", 422),
        (ForgeKind::Gitea, "/repos/platform/fleet/pulls/1/merge", 409),
    ] {
        let stage = Stage::new(kind).await;
        stage.pull("up").await;
        stage.commit("main", "up.yaml", "version: 9\n");
        let method = if kind == ForgeKind::Gitea { "POST" } else { "PUT" };
        let refused = stage.send(method, "ada", path, &json!({ "Do": "merge" })).await;
        assert_eq!(refused.status, status, "{kind}: {:?}", refused.body);
    }
}

#[tokio::test]
async fn the_protection_of_the_branch_decides_what_is_merged() {
    let stage = Stage::new(ForgeKind::GitHub).await;
    let protection = Protection {
        required_approvals: 1,
        required_contexts: vec!["tidegate/plan".to_owned()],
        ..Protection::default()
    };
    stage.forge.set_protection(protection);
    let (number, head) = stage.pull("up").await;
    // Anyone who can read may approve, but it does not count.
    stage.forge.review("eve", number, Verdict::Approve).unwrap();
    stage.forge.merge("ada", number, Method::Merge).unwrap_err();
    stage.forge.review("bob", number, Verdict::Approve).unwrap();
    stage.forge.merge("ada", number, Method::Merge).unwrap_err();
    let status = json!({ "state": "success", "context": "tidegate/plan" });
    stage.post("tidegate", &format!("/repos/platform/fleet/statuses/{head}"), status).await;
    stage.forge.merge("eve", number, Method::Merge).unwrap_err();
    stage.forge.merge("ada", number, Method::Merge).unwrap();
}

#[tokio::test]
async fn pushing_the_commits_to_the_base_merges_the_pull_request() {
    let stage = Stage::new(ForgeKind::GitHub).await;
    let (number, head) = stage.pull("up").await;
    stage.forge.set_branch("main", &head).unwrap();
    let pull = stage.get("bob", &format!("/repos/platform/fleet/pulls/{number}")).await.body;
    assert_eq!((&pull["merged"], &pull["merge_commit_sha"]), (&json!(true), &json!(head)));
}

#[tokio::test]
async fn a_pull_request_is_closed_when_its_branch_is_removed() {
    for kind in [ForgeKind::GitHub, ForgeKind::GitLab, ForgeKind::Gitea] {
        let stage = Stage::new(kind).await;
        let (number, _) = stage.pull("up").await;
        if kind == ForgeKind::Gitea {
            let url = stage.with_token(&stage.forge.git_url(), "ada");
            stage.git_in(&stage.repository(), &["push", "--quiet", &url, ":up"]).await;
        } else {
            stage.forge.remove_branch("up").unwrap();
        }
        let is_open = stage.forge.pulls()[0].state == PullStatus::Open;
        assert_eq!(is_open, kind == ForgeKind::GitLab, "{kind}");
        stage.forge.reopen("ada", number).unwrap();
    }
}

#[tokio::test]
async fn only_members_push_and_see_a_private_project() {
    let stage = Stage::with(ForgeKind::GitHub, |options| options.is_private = true).await;
    assert_eq!(stage.get("eve", "/repos/platform/fleet").await.status, 200);
    assert_eq!(stage.get("", "/repos/platform/fleet").await.status, 404);
    let refs = format!("{}/info/refs?service=git-upload-pack", stage.forge.git_url());
    assert_eq!(stage.request("GET", &refs, &[], &Value::Null).await.unwrap().status, 401);
    let refs = format!("{}/info/refs?service=git-receive-pack", stage.forge.git_url());
    assert_eq!(stage.send("GET", "eve", &refs, &Value::Null).await.status, 403);
    assert_eq!(stage.send("GET", "bob", &refs, &Value::Null).await.status, 200);
}
