//! The API of GitHub.

use serde_json::{Value, json};
use tidegate_fake_forge::{Behavior, Method, Protection, RateLimit, Scope, Verdict};
use tidegate_model::forge::ForgeKind;

use super::support::{Answer, Stage};
use crate::git_command::git;

const PROJECT: &str = "/repos/platform/fleet";

async fn stage() -> Stage {
    Stage::new(ForgeKind::GitHub).await
}

fn errors(answer: &Answer) -> (u16, &Value) {
    (answer.status, &answer.body["errors"])
}

#[tokio::test]
async fn a_pull_request_has_the_documented_fields() {
    let stage = stage().await;
    let (number, head) = stage.pull("up").await;
    let path = format!("{PROJECT}/pulls?state=open&base=main&sort=updated&direction=desc&per_page=100");
    let pull = &stage.get("bob", &path).await.body[0];
    let ada = stage.get("ada", "/user").await.body["id"].clone();
    assert_eq!(pull["user"]["id"], ada);
    for (pointer, value) in [
        ("/number", json!(number)),
        ("/state", json!("open")),
        ("/draft", json!(false)),
        ("/title", json!("Change up")),
        ("/user/login", json!("ada")),
        ("/user/type", json!("User")),
        ("/head/ref", json!("up")),
        ("/head/sha", json!(head)),
        ("/head/repo/full_name", json!("platform/fleet")),
        ("/head/repo/fork", json!(false)),
        ("/base/ref", json!("main")),
        ("/merged_at", json!(null)),
        ("/updated_at", json!("2026-11-22T10:30:00Z")),
        ("/html_url", json!(format!("{}/pull/{number}", stage.forge.web_url()))),
        ("/author_association", json!("MEMBER")),
    ] {
        assert_eq!(pull.pointer(pointer), Some(&value), "{pointer}");
    }
}

#[tokio::test]
async fn whether_there_are_conflicts_is_known_only_at_the_second_look() {
    let stage = stage().await;
    let (number, _) = stage.pull("up").await;
    let path = format!("{PROJECT}/pulls/{number}");
    let first = stage.get("bob", &path).await.body;
    assert_eq!((&first["mergeable"], &first["mergeable_state"]), (&json!(null), &json!("unknown")));
    let second = stage.get("bob", &path).await.body;
    assert_eq!((&second["mergeable"], &second["mergeable_state"]), (&json!(true), &json!("clean")));
    assert_eq!(stage.target(&format!("refs/pull/{number}/merge")).as_deref(), second["merge_commit_sha"].as_str());
    let headers = [("User-Agent", "test"), ("X-GitHub-Api-Version", "2026-03-10")];
    let newest = stage.request("GET", &path, &headers, &Value::Null).await.unwrap();
    assert!(newest.body.get("merge_commit_sha").is_none() && newest.body.get("assignee").is_none());
    let headers = [("User-Agent", "test"), ("X-GitHub-Api-Version", "2020-01-01")];
    assert_eq!(stage.request("GET", &path, &headers, &Value::Null).await.unwrap().status, 400);
}

#[tokio::test]
async fn reviews_are_listed_in_order_and_dismissed_ones_have_another_state() {
    let stage = stage().await;
    let (number, head) = stage.pull("up").await;
    let path = format!("{PROJECT}/pulls/{number}/reviews");
    let own = stage.post("ada", &path, json!({ "event": "APPROVE" })).await;
    assert_eq!(errors(&own), (422, &json!(["Can not approve your own pull request"])));
    let review = stage.post("bob", &path, json!({ "event": "APPROVE", "commit_id": head })).await;
    assert_eq!((review.status, &review.body["state"]), (200, &json!("APPROVED")));
    stage.advance(60);
    stage.forge.review("eve", number, Verdict::RequestChanges).unwrap();
    let id = review.body["id"].as_u64().unwrap();
    let dismissed = stage.send("PUT", "ada", &format!("{path}/{id}/dismissals"), &json!({ "message": "old" })).await;
    assert_eq!(dismissed.status, 200, "{:?}", dismissed.body);
    let reviews = stage.get("bob", &path).await;
    assert_eq!(reviews.each("state"), ["DISMISSED", "CHANGES_REQUESTED"]);
    assert_eq!(reviews.each("submitted_at"), ["2026-11-22T10:30:00Z", "2026-11-22T10:31:00Z"]);
    stage.forge.remove_account("eve").unwrap();
    stage.forge.set_behavior(Behavior { loses_commits: true, ..Behavior::default() });
    let reviews = stage.get("bob", &path).await;
    assert_eq!(reviews.each("commit_id"), [&json!(null), &json!(null)]);
    assert_eq!(reviews.body[1]["user"], json!(null));
}

#[tokio::test]
async fn a_push_dismisses_approvals_only_if_the_protection_says_so() {
    let stage = stage().await;
    let (number, _) = stage.pull("up").await;
    stage.forge.review("bob", number, Verdict::Approve).unwrap();
    let path = format!("{PROJECT}/pulls/{number}/reviews");
    stage.commit("up", "up.yaml", "version: 3\n");
    assert_eq!(stage.get("bob", &path).await.each("state"), ["APPROVED"]);
    stage.forge.set_protection(Protection { dismisses_stale: true, ..Protection::default() });
    stage.commit("up", "up.yaml", "version: 4\n");
    assert_eq!(stage.get("bob", &path).await.each("state"), ["DISMISSED"]);
}

#[tokio::test]
async fn every_commit_of_a_pull_request_leads_to_it() {
    let stage = stage().await;
    for (branch, method) in [("a", Method::Merge), ("b", Method::Squash), ("c", Method::Rebase)] {
        let (number, head) = stage.pull(branch).await;
        let merged = stage.forge.merge("ada", number, method).unwrap();
        for commit in [&head, &merged] {
            let found = stage.get("bob", &format!("{PROJECT}/commits/{commit}/pulls")).await;
            assert_eq!(found.each("number"), [&json!(number)], "{method:?}");
        }
    }
    let unknown = stage.get("bob", &format!("{PROJECT}/commits/{}/pulls", "1".repeat(40))).await;
    assert_eq!(unknown.status, 422);
}

#[tokio::test]
async fn a_pull_request_from_a_fork_keeps_its_head_when_the_fork_is_removed() {
    let stage = stage().await;
    let fork = stage.forge.add_fork("eve").unwrap();
    let (clone, head) = stage.cloned("theirs").await;
    stage.git_in(&clone, &["push", "--quiet", &stage.with_token(&fork, "eve"), "theirs"]).await;
    let number = stage.forge.open_pull("eve", "eve:theirs", "main", "Theirs").unwrap();
    let path = format!("{PROJECT}/pulls/{number}");
    let pull = stage.get("bob", &path).await.body;
    assert_eq!(pull.pointer("/head/repo/fork"), Some(&json!(true)));
    assert_eq!(stage.target(&format!("refs/pull/{number}/head")).as_ref(), Some(&head));
    stage.forge.remove_fork("eve");
    let pull = stage.get("bob", &path).await.body;
    assert_eq!((&pull["head"]["repo"], &pull["head"]["sha"]), (&json!(null), &json!(head)));
}

#[tokio::test]
async fn statuses_and_comments_have_limits() {
    let stage = stage().await;
    let (number, head) = stage.pull("up").await;
    let path = format!("{PROJECT}/statuses/{head}");
    let status = |context: &str, description: &str| json!({ "state": "pending", "context": context, "description": description });
    let refused = stage.post("tidegate", &path, status("tidegate/plan", &"x".repeat(141))).await;
    let message = "description is too long (maximum is 140 characters)";
    let error = json!([{ "resource": "Status", "code": "custom", "field": "description", "message": message }]);
    assert_eq!(errors(&refused), (422, &error));
    let posted = stage.post("tidegate", &path, status("tidegate/plan", "planning")).await;
    assert_eq!((posted.status, &posted.body["creator"]["login"]), (201, &json!("tidegate")));
    stage.forge.set_behavior(Behavior { max_statuses: 3, ..Behavior::default() });
    for index in 0..2 {
        let context = if index % 2 == 0 { "tidegate/plan" } else { "Tidegate/Plan" };
        assert_eq!(stage.post("tidegate", &path, status(context, "planning")).await.status, 201);
    }
    let refused = stage.post("tidegate", &path, status("tidegate/plan", "")).await;
    let message = "Validation failed: This SHA and context has reached the maximum number of statuses.";
    assert_eq!(errors(&refused), (422, &json!(message)));
    assert_eq!(stage.post("tidegate", &path, status("other", "")).await.status, 201);
    let token = format!("Bearer {}", stage.forge.add_token("tidegate", Scope::Read, None).unwrap());
    let headers = [("User-Agent", "test"), ("Authorization", &*token)];
    assert_eq!(stage.request("POST", &path, &headers, &status("other", "")).await.unwrap().status, 403);

    let path = format!("{PROJECT}/issues/{number}/comments");
    assert_eq!(stage.post("tidegate", &path, json!({ "body": "ä".repeat(65_536) })).await.status, 201);
    let refused = stage.post("tidegate", &path, json!({ "body": "x".repeat(65_537) })).await;
    let message = "body is too long (maximum is 65536 characters)";
    let error = json!([{ "resource": "IssueComment", "code": "custom", "field": "body", "message": message }]);
    assert_eq!(errors(&refused), (422, &error));
    stage.forge.assert_clean();
}

#[tokio::test]
async fn links_name_the_project_by_its_number_and_unchanged_pages_are_free() {
    let stage = stage().await;
    let (number, _) = stage.pull("up").await;
    for index in 0..5 {
        stage.forge.comment("tidegate", number, &format!("Comment {index}")).unwrap();
    }
    stage.forge.rate_limit(Some(RateLimit { requests: 3, window: 3600, status: 403 }));
    let first = stage.get("bob", &format!("{PROJECT}/issues/{number}/comments?per_page=2")).await;
    let base = format!("{}/repositories/1296269/issues/{number}/comments?per_page=2&page=", stage.forge.url());
    assert_eq!(first.header("link"), format!("<{base}2>; rel=\"next\", <{base}3>; rel=\"last\""));
    assert_eq!(first.header("x-ratelimit-remaining"), "2");
    let second = stage.get("bob", &format!("{base}2")).await;
    assert_eq!(second.each("body"), ["Comment 2", "Comment 3"]);
    let token = format!("Bearer {}", stage.forge.token_of("bob"));
    let known = [("User-Agent", "test"), ("Authorization", &*token), ("If-None-Match", second.header("etag"))];
    for _ in 0..3 {
        let unchanged = stage.request("GET", &format!("{base}2"), &known, &Value::Null).await.unwrap();
        assert_eq!((unchanged.status, unchanged.header("x-ratelimit-remaining")), (304, "1"));
    }
    assert!(stage.forge.requests().last().unwrap().is_not_modified);
    stage.get("bob", PROJECT).await;
    let refused = stage.get("bob", PROJECT).await;
    assert_eq!((refused.status, refused.header("x-ratelimit-remaining")), (403, "0"));
    assert_eq!(refused.header("x-ratelimit-reset"), (stage.now().as_second() + 3600).to_string());
    stage.advance(3600);
    assert_eq!(stage.get("bob", PROJECT).await.status, 200);
}

#[tokio::test]
async fn a_deployment_is_refused_or_merges_unless_the_client_turns_that_off() {
    let stage = stage().await;
    let (_, head) = stage.pull("up").await;
    let path = format!("{PROJECT}/deployments");
    stage.post("tidegate", &format!("{PROJECT}/statuses/{head}"), json!({ "state": "pending", "context": "ci" })).await;
    assert_eq!(stage.post("tidegate", &path, json!({ "ref": head })).await.status, 409);
    let plain = |reference: &str| {
        json!({
            "ref": reference, "auto_merge": false, "required_contexts": [], "environment": "istio/rest",
            "task": "tidegate", "payload": { "rollout": 7 }, "production_environment": false,
        })
    };
    let first = stage.post("tidegate", &path, plain(&head)).await;
    assert_eq!((first.status, &first.body["payload"]["rollout"]), (201, &json!(7)));
    let second = stage.post("tidegate", &path, plain(&head)).await;
    for deployment in [&first, &second] {
        let path = format!("{path}/{}/statuses", deployment.body["id"]);
        assert_eq!(stage.post("tidegate", &path, json!({ "state": "success" })).await.status, 201);
    }
    let states: Vec<String> = stage.forge.deployments().iter().map(|one| one.state().to_owned()).collect();
    assert_eq!(states, ["inactive", "success"]);
    let found = stage.get("tidegate", &format!("{path}?environment=istio%2Frest&task=tidegate")).await;
    assert_eq!(found.each("id"), [&second.body["id"], &first.body["id"]]);
    stage.commit("main", "other.yaml", "version: 1\n");
    assert_eq!(stage.post("tidegate", &path, json!({ "ref": "up", "required_contexts": [] })).await.status, 202);
}

#[tokio::test]
async fn the_merge_queue_has_a_branch_with_the_merge() {
    let stage = stage().await;
    let (number, _) = stage.pull("up").await;
    let branch = stage.forge.enqueue("ada", number).unwrap();
    assert!(branch.starts_with(&format!("gh-readonly-queue/main/pr-{number}-")), "{branch}");
    let queued = stage.target(&format!("refs/heads/{branch}")).unwrap();
    let merged = stage.forge.merge_queued("ada", number).unwrap();
    assert_eq!(queued, merged);
    assert_eq!(git(&stage.repository(), &["for-each-ref", "refs/heads/gh-readonly-queue/"]), "");
}
