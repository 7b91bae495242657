//! The API of GitLab.

use serde_json::{Value, json};
use tidegate_fake_forge::{Behavior, Method, Protection, Role, Scope, Verdict};
use tidegate_model::forge::ForgeKind;

use super::support::Stage;

const PROJECT: &str = "/projects/platform%2Ffleet";

async fn stage() -> Stage {
    Stage::new(ForgeKind::GitLab).await
}

#[tokio::test]
async fn a_merge_request_is_approved_by_a_person_and_not_for_a_commit() {
    let stage = stage().await;
    let (number, head) = stage.pull("up").await;
    let path = format!("{PROJECT}/merge_requests?state=opened&target_branch=main&order_by=updated_at&per_page=100");
    let listed = stage.get("bob", &path).await;
    let one = &listed.body[0];
    for (field, value) in [
        ("iid", json!(number)),
        ("state", json!("opened")),
        ("draft", json!(false)),
        ("source_branch", json!("up")),
        ("target_branch", json!("main")),
        ("sha", json!(head)),
        ("merge_commit_sha", json!(null)),
        ("updated_at", json!("2026-11-22T10:30:00.000Z")),
        ("web_url", json!(format!("{}/-/merge_requests/{number}", stage.forge.web_url()))),
    ] {
        assert_eq!(one[field], value, "{field}");
    }
    assert_eq!(one["source_project_id"], one["target_project_id"]);
    assert_eq!(stage.target(&format!("refs/merge-requests/{number}/head")).as_ref(), Some(&head));

    let path = format!("{PROJECT}/merge_requests/{number}");
    let moved = stage.post("bob", &format!("{path}/approve"), json!({ "sha": "0000" })).await;
    assert_eq!(moved.status, 409);
    assert_eq!(stage.post("eve", &format!("{path}/approve"), json!({})).await.status, 401);
    assert_eq!(stage.post("bob", &format!("{path}/approve"), json!({ "sha": head })).await.status, 201);
    let bob = stage.get("bob", "/user").await.body["id"].clone();
    let approvals = stage.get("ada", &format!("{path}/approvals")).await.body;
    assert_eq!(approvals["approved_by"][0]["user"]["id"], bob);
    assert_eq!(approvals["approved_by"][0]["approved_at"], "2026-11-22T10:30:00.000Z");
    let mut fields: Vec<&String> = approvals.as_object().unwrap().keys().collect();
    fields.sort();
    assert_eq!(fields, ["approved", "approved_by", "user_can_approve", "user_has_approved"]);
    stage.forge.set_behavior(Behavior { has_approval_times: false, ..Behavior::default() });
    let approvals = stage.get("ada", &format!("{path}/approvals")).await.body;
    assert!(approvals["approved_by"][0].get("approved_at").is_none());
    assert_eq!(stage.post("bob", &format!("{path}/unapprove"), json!({})).await.status, 201);
    assert_eq!(stage.get("ada", &format!("{path}/approvals")).await.body["approved"], json!(false));
    assert_eq!(stage.get("ada", &format!("{path}/approval_state")).await.status, 404);
}

#[tokio::test]
async fn approvals_are_reset_by_a_push_of_other_contents_but_not_by_a_rebase() {
    let reset = Protection { dismisses_stale: true, ..Protection::default() };
    let stage = Stage::with(ForgeKind::GitLab, |options| options.protection = reset).await;
    let (number, _) = stage.pull("up").await;
    stage.forge.review("bob", number, Verdict::Approve).unwrap();
    let path = format!("{PROJECT}/merge_requests/{number}");
    let base = stage.commit("main", "other.yaml", "version: 1\n");
    stage.commit_on(&[&base], "up", "up.yaml", "version: 2\n", "up.yaml");
    assert_eq!(stage.get("ada", &format!("{path}/approvals")).await.body["approved"], json!(true));
    stage.commit("up", "up.yaml", "version: 3\n");
    assert_eq!(stage.get("ada", &format!("{path}/approvals")).await.body["approved_by"], json!([]));
    let versions = stage.get("ada", &format!("{path}/versions")).await;
    assert_eq!(versions.body.as_array().unwrap().len(), 3);
    assert_eq!(versions.body[1]["patch_id_sha"], versions.body[2]["patch_id_sha"]);
    assert_ne!(versions.body[0]["patch_id_sha"], versions.body[1]["patch_id_sha"]);
}

#[tokio::test]
async fn a_status_that_does_not_change_its_state_is_refused() {
    let stage = stage().await;
    let (_, head) = stage.pull("up").await;
    let path = format!("{PROJECT}/statuses/{head}");
    let post = async |login: &str, state: &str| {
        let body = json!({ "state": state, "name": "tidegate/plan", "ref": "up", "description": state });
        stage.post(login, &path, body).await
    };
    let enqueue = |from: &str| {
        format!(
            "Cannot transition status via :enqueue from :{from} (Reason(s): Status cannot transition via \"enqueue\")"
        )
    };
    let first = post("tidegate", "pending").await;
    assert_eq!(
        (first.status, &first.body["status"], &first.body["name"]),
        (201, &json!("pending"), &json!("tidegate/plan"))
    );
    let refused = post("tidegate", "pending").await;
    assert_eq!((refused.status, &refused.body["message"]), (400, &json!(enqueue("pending"))));
    assert_eq!(post("tidegate", "running").await.body["id"], first.body["id"]);
    let refused = post("tidegate", "running").await;
    let message = "Cannot transition status via :run from :running (Reason(s): Status cannot transition via \"run\")";
    assert_eq!((refused.status, &refused.body["message"]), (400, &json!(message)));
    assert_eq!(post("tidegate", "pending").await.body["message"], json!(enqueue("running")));
    // Another account has its own row.
    let other = post("bob", "pending").await;
    assert_eq!((other.status, other.body["id"] == first.body["id"]), (201, false));
    assert_eq!(post("tidegate", "success").await.body["id"], first.body["id"]);
    // After the end, there is a new row.
    let again = post("tidegate", "running").await;
    assert_eq!((again.status, again.body["id"] == first.body["id"]), (201, false));
    let path = format!("{PROJECT}/repository/commits/{head}/statuses");
    let newest = stage.get("eve", &path).await;
    assert_eq!(newest.each("status"), ["running"]);
    let all = stage.get("eve", &format!("{path}?all=true")).await;
    assert_eq!(all.each("status"), ["success", "pending", "running"]);
}

#[tokio::test]
async fn statuses_are_checked() {
    let stage = stage().await;
    let (_, head) = stage.pull("up").await;
    let path = format!("{PROJECT}/statuses/{head}");
    let long = stage.post("tidegate", &path, json!({ "state": "pending", "description": "x".repeat(256) })).await;
    let message = json!({ "description": ["is too long (maximum is 255 characters)"] });
    assert_eq!((long.status, &long.body["message"]), (400, &message));
    let unknown = format!("{PROJECT}/statuses/{}", "1".repeat(40));
    let refused = stage.post("tidegate", &unknown, json!({ "state": "pending" })).await;
    assert_eq!((refused.status, &refused.body["message"]), (404, &json!("404 Commit Not Found")));
    assert_eq!(stage.post("eve", &path, json!({ "state": "pending" })).await.status, 403);
    assert_eq!(stage.post("", &path, json!({ "state": "pending" })).await.status, 401);
    let token = stage.forge.add_token("tidegate", Scope::Read, None).unwrap();
    let headers = [("PRIVATE-TOKEN", &*token)];
    let refused = stage.request("POST", &path, &headers, &json!({ "state": "pending" })).await.unwrap();
    assert_eq!((refused.status, &refused.body["error"]), (403, &json!("insufficient_scope")));
    let own = stage.request("GET", "/personal_access_tokens/self", &headers, &Value::Null).await.unwrap();
    assert_eq!(own.body["scopes"], json!(["read_api"]));
    // No branch contains the commit any more.
    stage.forge.remove_branch("up").unwrap();
    let refused = stage.post("tidegate", &path, json!({ "state": "pending" })).await;
    assert_eq!((refused.status, &refused.body["message"]), (404, &json!("404 References for commit Not Found")));
}

#[tokio::test]
async fn notes_have_pages_and_lines_with_a_slash_are_problems() {
    let stage = stage().await;
    let (number, _) = stage.pull("up").await;
    let path = format!("{PROJECT}/merge_requests/{number}/notes");
    for index in 0..21 {
        stage.forge.comment("tidegate", number, &format!("Note {index}")).unwrap();
    }
    let first = stage.get("eve", &format!("{path}?sort=asc&order_by=created_at")).await;
    assert_eq!((first.body.as_array().unwrap().len(), &first.body[0]["body"]), (20, &json!("Note 0")));
    assert_eq!((first.header("x-next-page"), first.header("x-total-pages")), ("2", "2"));
    assert!(first.header("link").contains("projects/platform%2Ffleet/merge_requests/1/notes?sort=asc"));
    let second = stage.get("eve", &format!("{path}?sort=asc&order_by=created_at&page=2")).await;
    assert_eq!((second.header("x-next-page"), second.header("x-prev-page")), ("", "1"));
    let refused = stage.post("tidegate", &path, json!({ "body": "x".repeat(1_000_001) })).await;
    assert_eq!(refused.status, 400);
    stage.forge.assert_clean();
    let note = stage.post("tidegate", &path, json!({ "body": "Plan\n/merge\n" })).await;
    assert_eq!((note.status, &note.body["system"]), (201, &json!(false)));
    assert_eq!(stage.forge.problems(), ["GitLab executes this line of a comment: \"/merge\""]);
    let path = format!("{path}/{}", note.body["id"]);
    assert_eq!(stage.send("PUT", "tidegate", &path, &json!({ "body": "Plan" })).await.body["body"], "Plan");
    assert_eq!(stage.send("DELETE", "tidegate", &path, &Value::Null).await.status, 204);
}

#[tokio::test]
async fn member_squash_and_merge_commits_lead_to_the_merge_request() {
    let stage = stage().await;
    for (branch, method) in [("a", Method::Merge), ("b", Method::Squash), ("c", Method::Rebase)] {
        let (number, head) = stage.pull(branch).await;
        let merged = stage.forge.merge("ada", number, method).unwrap();
        let one = stage.get("bob", &format!("{PROJECT}/merge_requests/{number}")).await.body;
        assert_eq!((&one["state"], &one["merge_user"]["username"]), (&json!("merged"), &json!("ada")));
        assert_eq!(one["merge_commit_sha"].is_null(), method == Method::Rebase);
        assert_eq!(one["squash_commit_sha"].is_null(), method != Method::Squash);
        let squashed = one["squash_commit_sha"].as_str().unwrap_or(&merged).to_owned();
        for commit in [head, merged, squashed] {
            let path = format!("{PROJECT}/repository/commits/{commit}/merge_requests");
            assert_eq!(stage.get("bob", &path).await.each("iid"), [&json!(number)], "{method:?}");
        }
    }
}

#[tokio::test]
async fn groups_contain_members_with_levels() {
    let stage = stage().await;
    stage.forge.add_team("sre", &["bob"]);
    let member = stage.get("eve", "/groups/platform%2Fsre/members/all").await;
    assert_eq!((member.each("username"), member.each("access_level")), (vec![&json!("bob")], vec![&json!(30)]));
    let eve = stage.get("eve", "/users?username=eve").await.body[0]["id"].clone();
    let of_project = stage.get("ada", &format!("{PROJECT}/members/all/{eve}")).await;
    assert_eq!(of_project.body["access_level"], json!(10));
    let filtered = stage.get("ada", &format!("/groups/platform/members/all?user_ids[]={eve}")).await;
    assert_eq!(filtered.each("username"), ["eve"]);
    stage.forge.set_role("eve", Role::None).unwrap();
    assert_eq!(stage.get("ada", &format!("{PROJECT}/members/all/{eve}")).await.status, 404);
}

#[tokio::test]
async fn deployments_have_one_state() {
    let stage = stage().await;
    let (_, head) = stage.pull("up").await;
    let path = format!("{PROJECT}/deployments");
    let body = json!({ "environment": "istio/rest", "sha": head, "ref": "up", "tag": false, "status": "running" });
    let created = stage.post("tidegate", &path, body).await;
    assert_eq!((created.status, &created.body["status"]), (201, &json!("running")));
    let one = format!("{path}/{}", created.body["id"]);
    let done = stage.send("PUT", "tidegate", &one, &json!({ "status": "success" })).await;
    assert_eq!((done.status, &done.body["status"]), (200, &json!("success")));
    assert_eq!(stage.send("PUT", "tidegate", &one, &json!({ "status": "success" })).await.status, 400);
    let found = stage.get("eve", &format!("{path}?environment=istio%2Frest&status=success")).await;
    assert_eq!(found.each("environment")[0]["name"], "istio/rest");
}
