//! The API of Gitea and Forgejo.

use serde_json::json;
use tidegate_fake_forge::{Method, Scope, Verdict};
use tidegate_model::forge::ForgeKind;

use super::support::Stage;

const PROJECT: &str = "/repos/platform/fleet";

async fn stage() -> Stage {
    Stage::new(ForgeKind::Gitea).await
}

#[tokio::test]
async fn a_pull_request_is_opened_reviewed_and_merged() {
    let stage = stage().await;
    let (number, head) = stage.pull("up").await;
    let listed = stage.get("tidegate", &format!("{PROJECT}/pulls?state=open&base_branch=main&limit=50")).await;
    let pull = &listed.body[0];
    assert_eq!(
        (&pull["number"], &pull["head"]["sha"], &pull["base"]["ref"]),
        (&json!(number), &json!(head), &json!("main"))
    );
    assert_eq!(stage.target(&format!("refs/pull/{number}/head")).as_ref(), Some(&head));

    let path = format!("{PROJECT}/pulls/{number}/reviews");
    let own = stage.post("ada", &path, json!({ "event": "APPROVED" })).await;
    assert_eq!(own.status, 422);
    assert_eq!(
        own.body,
        json!({
            "message": "approve your own pull is not allowed",
            "url": format!("{}/api/swagger", stage.forge.url().trim_end_matches("/api/v1")),
        })
    );
    let review = stage.post("bob", &path, json!({ "event": "APPROVED", "commit_id": head })).await;
    assert_eq!(review.status, 200, "{:?}", review.body);
    let reviews = stage.get("tidegate", &path).await;
    assert_eq!(reviews.header("x-total-count"), "1");
    assert_eq!(reviews.header("link"), "");
    let review = &reviews.body[0];
    for (field, value) in [
        ("team", json!(null)),
        ("state", json!("APPROVED")),
        ("commit_id", json!(head)),
        ("stale", json!(false)),
        ("official", json!(true)),
        ("dismissed", json!(false)),
        ("comments_count", json!(0)),
        ("submitted_at", json!("2026-11-22T10:30:00Z")),
    ] {
        assert_eq!(review[field], value, "{field}");
    }

    let merged = stage.post("ada", &format!("{PROJECT}/pulls/{number}/merge"), json!({ "Do": "merge" })).await;
    assert_eq!(merged.status, 200, "{:?}", merged.body);
    let pull = stage.get("tidegate", &format!("{PROJECT}/pulls/{number}")).await.body;
    assert_eq!((&pull["merged"], &pull["state"]), (&json!(true), &json!("closed")));
    let commit = pull["merge_commit_sha"].as_str().unwrap();
    assert_eq!(stage.target("refs/heads/main").as_deref(), Some(commit));
    let of_commit = stage.get("tidegate", &format!("{PROJECT}/commits/{commit}/pull")).await;
    assert_eq!(of_commit.body["number"], json!(number));
    let of_member = stage.get("tidegate", &format!("{PROJECT}/commits/{head}/pull")).await;
    assert_eq!(of_member.status, 404);
}

#[tokio::test]
async fn a_dismissed_review_stays_approved_and_cannot_be_dismissed_after_the_merge() {
    let stage = stage().await;
    let (number, _) = stage.pull("up").await;
    let first = stage.forge.review("bob", number, Verdict::Approve).unwrap();
    let path = format!("{PROJECT}/pulls/{number}/reviews/{first}/dismissals");
    let dismissed = stage.post("ada", &path, json!({ "message": "no" })).await;
    assert_eq!((&dismissed.body["state"], &dismissed.body["dismissed"]), (&json!("APPROVED"), &json!(true)));
    let second = stage.forge.review("bob", number, Verdict::Approve).unwrap();
    let reviews = stage.get("ada", &format!("{PROJECT}/pulls/{number}/reviews")).await;
    assert_eq!(reviews.each("official"), [&json!(false), &json!(true)]);
    stage.forge.merge("ada", number, Method::Squash).unwrap();
    let path = format!("{PROJECT}/pulls/{number}/reviews/{second}/dismissals");
    let refused = stage.post("ada", &path, json!({ "message": "no" })).await;
    assert_eq!(refused.status, 403);
    assert_eq!(refused.body["message"], "not need to dismiss this review because pr is closed");
}

#[tokio::test]
async fn a_push_of_other_contents_makes_reviews_stale_until_the_branch_returns() {
    let stage = stage().await;
    let (number, head) = stage.pull("up").await;
    stage.forge.review("bob", number, Verdict::Approve).unwrap();
    let path = format!("{PROJECT}/pulls/{number}/reviews");
    stage.commit("up", "up.yaml", "version: 3\n");
    assert_eq!(stage.get("ada", &path).await.each("stale"), [&json!(true)]);
    stage.forge.set_branch("up", &head).unwrap();
    assert_eq!(stage.get("ada", &path).await.each("stale"), [&json!(false)]);
    // The same change on a newer base has other commits, but the same contents.
    stage.commit_on(&[&stage.first], "up", "up.yaml", "version: 2\n", "Another message");
    assert_eq!(stage.get("ada", &path).await.each("stale"), [&json!(false)]);
}

#[tokio::test]
async fn statuses_are_rows_whose_state_is_called_status() {
    let stage = stage().await;
    let (_, head) = stage.pull("up").await;
    let path = format!("{PROJECT}/statuses/{head}");
    let status = |state: &str| json!({ "state": state, "context": "tidegate/plan", "description": "planning" });
    let posted = stage.post("tidegate", &path, status("pending")).await;
    assert_eq!(posted.status, 201);
    assert_eq!(posted.body["status"], "pending");
    assert!(posted.body.get("state").is_none());
    assert_eq!(stage.post("tidegate", &path, status("pending")).await.status, 201);
    stage.post("tidegate", &path, status("success")).await;
    stage.post("tidegate", &path, json!({ "state": "warning", "context": "other" })).await;
    let combined = stage.get("eve", &format!("{PROJECT}/commits/up/status")).await.body;
    assert_eq!((&combined["state"], &combined["total_count"]), (&json!("warning"), &json!(2)));
    let all = stage.get("eve", &format!("{PROJECT}/commits/{head}/statuses")).await;
    assert_eq!(all.each("status"), ["warning", "success", "pending", "pending"]);

    assert_eq!(stage.post("eve", &path, status("success")).await.status, 403);
    assert_eq!(stage.post("", &path, status("success")).await.status, 401);
    let token = stage.forge.add_token("tidegate", Scope::Read, None).unwrap();
    let token = format!("token {token}");
    let refused = stage.request("POST", &path, &[("Authorization", &token)], &status("success")).await.unwrap();
    assert_eq!(refused.status, 403);
    let missing = format!("{PROJECT}/statuses/{}", "0".repeat(40));
    assert_eq!(stage.post("tidegate", &missing, status("success")).await.status, 404);
}

#[tokio::test]
async fn comments_are_listed_in_pages_of_thirty_by_default_and_fifty_at_most() {
    let stage = stage().await;
    let (number, _) = stage.pull("up").await;
    for index in 0..61 {
        stage.forge.comment("tidegate", number, &format!("Comment {index}")).unwrap();
    }
    let path = format!("{PROJECT}/issues/{number}/comments");
    let first = stage.get("eve", &path).await;
    assert_eq!((first.body.as_array().unwrap().len(), first.header("x-total-count")), (30, "61"));
    assert!(first.header("link").contains("rel=\"next\"") && first.header("link").contains("page=3>; rel=\"last\""));
    let largest = stage.get("eve", &format!("{path}?limit=1000")).await;
    assert_eq!(largest.body.as_array().unwrap().len(), 50);
    let id = largest.body[0]["id"].as_u64().unwrap();
    let path = format!("{PROJECT}/issues/comments/{id}");
    stage.advance(60);
    let edited = stage.send("PATCH", "tidegate", &path, &json!({ "body": "Changed" })).await;
    assert_eq!((edited.status, &edited.body["updated_at"]), (200, &json!("2026-11-22T10:31:00Z")));
    assert_eq!(stage.send("DELETE", "eve", &path, &json!(null)).await.status, 403);
    assert_eq!(stage.send("DELETE", "tidegate", &path, &json!(null)).await.status, 204);
    assert_eq!(stage.get("eve", &path).await.status, 404);
}

#[tokio::test]
async fn teams_are_visible_to_their_members() {
    let stage = stage().await;
    let team = stage.forge.add_team("sre", &["bob", "tidegate"]);
    let found = stage.get("tidegate", "/orgs/platform/teams/search?q=sre").await;
    assert_eq!(found.body["data"][0]["id"], json!(team));
    assert_eq!(stage.get("tidegate", &format!("/teams/{team}/members/bob")).await.status, 200);
    assert_eq!(stage.get("tidegate", &format!("/teams/{team}/members/ada")).await.status, 404);
    assert_eq!(stage.get("eve", &format!("/teams/{team}/members/bob")).await.status, 403);
    let permission = stage.get("ada", &format!("{PROJECT}/collaborators/eve/permission")).await;
    assert_eq!(permission.body["permission"], "read");
}
