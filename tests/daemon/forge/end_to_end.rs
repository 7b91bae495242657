//! A change from the pull request to the last cluster.

use serde_json::json;
use tidegate_model::forge::ForgeKind;
use tidegate_sandbox::forge::{Method, PullStatus, Verdict};

use super::stage::Stage;
use crate::daemon::world::eventually;

#[tokio::test(start_paused = true)]
async fn a_change_goes_from_a_pull_request_on_gitea_to_all_clusters() {
    end_to_end(ForgeKind::Gitea, Method::Merge).await;
}

#[tokio::test(start_paused = true)]
async fn a_change_goes_from_a_pull_request_on_github_to_all_clusters() {
    end_to_end(ForgeKind::GitHub, Method::Squash).await;
}

#[tokio::test(start_paused = true)]
async fn a_change_goes_from_a_merge_request_on_gitlab_to_all_clusters() {
    end_to_end(ForgeKind::GitLab, Method::Rebase).await;
}

/// Pull request, plan, review, merge, canaries, request for the others, review, completion. The journal names reviewer, review and digest.
async fn end_to_end(kind: ForgeKind, method: Method) {
    let stage = Stage::new(kind).await;
    let mut daemon = stage.daemon().await;
    daemon.until_settled("0.4.0").await;
    stage.policy(&json!([
        { "name": "review", "count": 1, "of": ["forge:bob"] },
        { "name": "promotion", "count": 1, "of": ["forge:bob"], "before": ["1"], "after": "Reached" },
    ]));
    let (pull, head) = stage.open("upgrade");

    let plan = stage.until_comment(pull, "Tidegate plan for `pull request 1` onto `main`").await;
    assert!(plan.contains("hello-template"), "{plan}");
    stage.until_status(head.as_str(), "tidegate/plan", "1 add-on, 20 clusters").await;
    stage.until_status(head.as_str(), "tidegate/approvals", "0 of 1 for hello-template").await;

    stage.forge.review("bob", pull, Verdict::Approve).unwrap();
    stage.until_status(head.as_str(), "tidegate/approvals", "approved; 1 approval during the rollout").await;
    stage.forge.merge("bob", pull, method).unwrap();

    let request = stage.until_request().await;
    let snapshot =
        daemon.until("the canaries are done", |s| s.report.addons["hello-template"].counts().succeeded == 10).await;
    let digest = snapshot.report.addons["hello-template"].digest.clone().unwrap();
    assert!(request.title.contains(digest.short()), "{}", request.title);
    assert!(request.body.contains("Approve this pull request, or merge it"), "{}", request.body);
    stage.until_status(&request.head, "tidegate/plan", "nothing changes").await;
    stage.until_status(&request.head, "tidegate/approvals", "no rule asks for an approval").await;
    let merged = stage.world.git(&["rev-parse", "main"]);
    stage.until_status(merged.trim(), "tidegate/hello-template", "waits for").await;

    stage.forge.review("bob", request.number, Verdict::Approve).unwrap();
    daemon.until_settled("0.4.1").await;
    stage.world.until_sealed_of("hello-template", 2).await;
    stage.until_status(merged.trim(), "tidegate/hello-template", "completed; 20 of 20 clusters").await;
    stage.until_comment(pull, "Tidegate rollout").await;
    let is_closed = || stage.forge.pulls().iter().any(|p| p.number == request.number && p.state != PullStatus::Open);
    eventually("the request is closed after the rollout", async || is_closed()).await;

    let (record, status) =
        (stage.journaled(&format!("pulls/{pull}.yaml")), stage.journaled("addons/hello-template/status.yaml"));
    for (text, file) in
        [("login: bob", &record), ("says: approved", &record), (digest.as_str(), &record), ("account:", &status)]
    {
        assert!(file.contains(text), "{text}: {file}");
    }
    assert_eq!(stage.forge.comments(pull).len(), 1);
    stage.forge.assert_clean();
    daemon.end().await;
}

#[tokio::test(start_paused = true)]
async fn a_comment_on_the_merged_pull_request_lets_the_next_group_start() {
    let stage = Stage::new(ForgeKind::Gitea).await;
    let mut daemon = stage.daemon().await;
    daemon.until_settled("0.4.0").await;
    stage.policy(&json!([
        { "name": "promotion", "count": 1, "of": ["forge:bob"], "before": ["1"], "after": "Reached" },
    ]));
    let (pull, _) = stage.open("upgrade");
    stage.until_comment(pull, "hello-template").await;
    stage.forge.merge("cy", pull, Method::Merge).unwrap();
    let request = stage.until_request().await;
    let snapshot = daemon.until("a digest", |s| s.report.addons["hello-template"].counts().succeeded == 10).await;
    let digest = snapshot.report.addons["hello-template"].digest.clone().unwrap();
    let approve = |login: &str, digest: &str| {
        stage.forge.comment(login, pull, &format!("/tidegate approve hello-template 1 {digest}")).unwrap();
    };
    approve("cy", digest.short());
    approve("bob", "0123456789ab");
    stage.until_journaled(&format!("pulls/{pull}.yaml"), "digest: 0123456789ab").await;
    assert_eq!(daemon.until("a tick", |_| true).await.report.addons["hello-template"].counts().succeeded, 10);
    approve("bob", digest.short());
    daemon.until_settled("0.4.1").await;
    let is_closed = || stage.forge.pulls().iter().any(|p| p.number == request.number && p.state != PullStatus::Open);
    eventually("the request is closed after the rollout", async || is_closed()).await;
    daemon.end().await;
}
