//! What GitHub reports.

use serde_json::{Value, json};
use tidegate_forge::{CommitAuthor, ListedCommit, Role};
use tidegate_model::forge::{Account, Membership, Pull, PullState, Says};

use super::{account, github};
use crate::objects::{github_pull, with};
use crate::support::{Answer, commit, pull};

#[tokio::test]
async fn a_pull_request_is_read_without_fields_that_newer_versions_lack() {
    let merged = json!({
        "state": "closed", "merged": true, "merged_at": "2026-11-22T11:00:00Z", "mergeable": null,
        "merged_by": { "id": 3, "login": "tidegate[bot]", "type": "Bot" }, "user": null,
        "head": { "ref": "up", "sha": "a".repeat(40), "repo": null },
    });
    let (_, forge) = github(move |_| Answer::ok(with(github_pull(4), merged.clone()))).await;
    let pull = forge.pull(4).await.unwrap();
    let by = Account { id: 3, login: "tidegate[bot]".to_owned(), is_bot: true };
    let expected = PullState::Merged { by: Some(by), at: Some("2026-11-22T11:00:00Z".parse().unwrap()) };
    assert_eq!((pull.state, pull.author, pull.is_fork), (expected, None, true));
}

#[tokio::test]
async fn a_renamed_project_is_not_a_fork_of_itself() {
    let repo = |name: &str| json!({ "ref": "up", "sha": "a".repeat(40), "repo": { "full_name": name } });
    let rows =
        [("new/name", "new/name", false), ("eve/name", "new/name", true), ("Platform/Fleet", "platform/fleet", false)];
    for (head, base, is_fork) in rows {
        let found = with(github_pull(4), json!({ "head": repo(head), "base": repo(base) }));
        let (_, forge) = github(move |_| Answer::ok(found.clone())).await;
        assert_eq!(forge.pull(4).await.unwrap().is_fork, is_fork, "{head} {base}");
    }
}

#[tokio::test]
async fn reviews_are_opinions_with_their_commits() {
    let review = |id: u64, state: &str, more: Value| {
        let review = json!({
            "id": id, "user": { "login": "bob", "id": 1, "type": "User" }, "state": state, "commit_id": "a".repeat(40),
            "submitted_at": "2026-11-22T10:31:00Z", "html_url": format!("https://h/{id}"), "author_association": "MEMBER",
        });
        with(review, more)
    };
    let (_, forge) = github(move |_| {
        let mut pending = review(6, "PENDING", json!({}));
        pending.as_object_mut().unwrap().remove("submitted_at");
        Answer::ok(json!([
            review(1, "APPROVED", json!({})),
            review(2, "COMMENTED", json!({})),
            review(3, "CHANGES_REQUESTED", json!({ "commit_id": null })),
            review(4, "DISMISSED", json!({})),
            review(5, "APPROVED", json!({ "user": null })),
            pending,
            review(7, "APPROVED", json!({ "user": { "login": "ghost", "id": 10137, "type": "User" } })),
        ]))
    })
    .await;
    let opinions = forge.opinions(&pull(4)).await.unwrap();
    let shown: Vec<_> =
        opinions.iter().map(|opinion| (opinion.url.as_str(), opinion.says, opinion.is_dismissed)).collect();
    let expected = [
        ("https://h/1", Says::Approved, false),
        ("https://h/3", Says::Refused, false),
        ("https://h/4", Says::Approved, true),
        ("https://h/5", Says::Approved, false),
        ("https://h/7", Says::Approved, false),
    ];
    assert_eq!(shown, expected);
    assert_eq!((&opinions[0].by, &opinions[0].commit), (&Some(account(1, "bob")), &Some(commit('a'))));
    assert_eq!((&opinions[1].commit, &opinions[3].by, &opinions[4].by), (&None, &None, &None));
}

#[tokio::test]
async fn a_commit_without_pull_requests_is_an_answer_but_a_conflict_is_not() {
    let message = format!("No commit found for SHA: {}", "a".repeat(40));
    let rows = [
        (Answer::not_found(), true),
        (Answer::json(422, json!({ "message": message })), true),
        (Answer::json(422, json!({ "message": "Validation Failed", "errors": "something else" })), false),
        (Answer::json(409, json!({ "message": "Git Repository is empty." })), false),
    ];
    for (answer, is_empty) in rows {
        let (_, forge) = github(move |_| answer.clone()).await;
        let found = forge.pulls_of(&commit('a')).await;
        assert_eq!(found.is_ok_and(|found| found.is_empty()), is_empty);
    }
}

#[tokio::test]
async fn a_list_of_250_commits_may_be_cut() {
    for (count, is_complete) in [(249, true), (250, false)] {
        let (_, forge) = github(move |_| {
            let one = json!({
                "sha": "a".repeat(40), "author": { "login": "ada", "id": 1, "type": "User" }, "committer": {},
                "commit": { "author": { "email": "ada@h" }, "committer": { "email": "noreply@h" } },
            });
            Answer::ok(json!(vec![one; count]))
        })
        .await;
        let found = forge.commits(&pull(4)).await.unwrap();
        let ada = CommitAuthor { account: Some(account(1, "ada")), email: "ada@h".to_owned() };
        let unknown = CommitAuthor { account: None, email: "noreply@h".to_owned() };
        assert_eq!((found.commits.len(), found.is_complete), (count, is_complete));
        let one = ListedCommit { id: commit('a'), authors: vec![ada, unknown] };
        assert!(found.commits.iter().all(|commit| *commit == one), "{found:?}");
    }
}

#[tokio::test]
async fn those_who_pushed_to_the_branch_since_it_was_created_are_found() {
    let (_, forge) = github(|seen| {
        assert_eq!(seen.get("ref"), Some("refs/heads/up"));
        let did =
            |kind: &str, id: u64| json!({ "activity_type": kind, "actor": { "login": "x", "id": id, "type": "User" } });
        let gone = json!({ "activity_type": "push", "actor": null });
        let (deleted, created) = (did("branch_deletion", 1), did("branch_creation", 3));
        Answer::ok(json!([deleted, did("force_push", 2), gone, created, did("push", 4)]))
    })
    .await;
    let branch = |is_fork| Pull { head_branch: "up".to_owned(), is_fork, ..pull(4) };
    assert_eq!(forge.pushers(&branch(false)).await, Ok(vec![account(2, "x"), account(3, "x")]));
    assert_eq!(forge.pushers(&branch(true)).await, Ok(Vec::new()), "the branch is in another project");
}

#[tokio::test]
async fn only_active_members_of_a_team_count() {
    let (_, forge) = github(|seen| match seen.line.as_str() {
        "GET /orgs/platform/teams/leads/memberships/bob" => Answer::ok(json!({ "role": "member", "state": "active" })),
        "GET /orgs/platform/teams/leads/memberships/eve" => Answer::ok(json!({ "role": "member", "state": "pending" })),
        "GET /orgs/closed/teams/leads/memberships/bob" => {
            Answer::json(403, json!({ "message": "Resource not accessible by personal access token" }))
        }
        "GET /users/bob" => Answer::ok(json!({ "id": 5, "login": "bob", "type": "User" })),
        _ => Answer::not_found(),
    })
    .await;
    assert_eq!(forge.membership(&account(5, "bob"), "platform/leads").await, Ok(Membership::Yes));
    // The login belongs to another account by now.
    assert_eq!(forge.membership(&account(6, "bob"), "platform/leads").await, Ok(Membership::No));
    assert_eq!(forge.membership(&account(7, "eve"), "platform/leads").await, Ok(Membership::No));
    assert_eq!(forge.membership(&account(8, "ada"), "platform/leads").await, Ok(Membership::No));
    for team in ["closed/leads", "leads", "a/b/c"] {
        let answer = forge.membership(&account(5, "bob"), team).await.unwrap();
        assert!(matches!(answer, Membership::Unknown(_)), "{team}: {answer:?}");
    }
}

#[tokio::test]
async fn roles_are_the_highest_of_all_grants() {
    let rows = [
        ("admin", "admin", Some(Role::Admin)),
        ("write", "maintain", Some(Role::Maintain)),
        ("write", "write", Some(Role::Write)),
        ("write", "a-custom-role", Some(Role::Write)),
        ("read", "triage", Some(Role::Read)),
        ("none", "none", None),
        ("none", "maintain", None),
    ];
    for (permission, role, expected) in rows {
        let body = json!({ "permission": permission, "role_name": role, "user": { "id": 5, "login": "bob" } });
        let (_, forge) = github(move |_| Answer::ok(body.clone())).await;
        assert_eq!(forge.role(&account(5, "bob")).await, Ok(expected), "{permission} {role}");
        assert_eq!(forge.role(&account(6, "bob")).await, Ok(None));
    }
    let (_, forge) = github(|_| Answer::ok(json!({ "permission": "admin", "user": null }))).await;
    assert_eq!(forge.role(&account(5, "bob")).await, Ok(None));
}

#[tokio::test]
async fn the_protection_of_a_branch_is_that_of_all_its_rules() {
    let (_, forge) = github(|seen| match seen.line.as_str() {
        "GET /repos/platform/fleet/branches/main" => {
            Answer::ok(json!({ "protected": true, "protection": { "required_status_checks": { "contexts": ["ci"] } } }))
        }
        "GET /repos/platform/fleet/rules/branches/main" => Answer::ok(json!([
            { "type": "pull_request", "parameters": { "dismiss_stale_reviews_on_push": true } },
            { "type": "required_status_checks", "parameters": { "required_status_checks": [{ "context": "tidegate/plan" }] } },
            { "type": "deletion" },
        ])),
        "GET /repos/platform/fleet/branches/main/protection" => {
            Answer::json(403, json!({ "message": "Resource not accessible by personal access token" }))
        }
        "GET /repos/platform/fleet/branches/dev" => Answer::ok(json!({ "protected": false })),
        "GET /repos/platform/fleet/rules/branches/dev" => Answer::ok(json!([])),
        _ => Answer::not_found(),
    })
    .await;
    let main = forge.protection("main").await.unwrap();
    assert_eq!((main.is_protected, main.dismisses_stale), (Ok(true), Ok(true)));
    assert_eq!(main.required_contexts, Ok(vec!["ci".to_owned(), "tidegate/plan".to_owned()]));
    assert!(main.pushers.is_err());
    assert_eq!(forge.protection("dev").await.unwrap().is_protected, Ok(false));
    assert!(forge.protection("nowhere").await.unwrap().is_protected.is_err());
}

#[tokio::test]
async fn the_scopes_of_a_classic_token_are_shown() {
    let (_, forge) = github(|seen| match seen.line.as_str() {
        "GET /user" => Answer::ok(json!({ "id": 9, "login": "tidegate", "type": "User" })),
        _ => Answer::ok(json!({ "permissions": { "push": false } })).with("x-oauth-scopes", "repo, read:org"),
    })
    .await;
    let access = forge.access().await.unwrap();
    assert_eq!(access.scopes, Ok(vec!["repo".to_owned(), "read:org".to_owned()]));
    assert_eq!((access.project, access.may_push), (Ok(true), Ok(false)));
    let (_, forge) = github(|_| Answer::json(401, json!({ "message": "Bad credentials" }))).await;
    let access = forge.access().await.unwrap();
    assert!(access.account.is_err_and(|why| why.contains("Bad credentials")) && access.project.is_err());
}

#[tokio::test]
async fn pull_requests_are_found_by_their_branch() {
    let (server, forge) = github(|seen| match seen.line.as_str() {
        "GET /user" => Answer::ok(json!({ "id": 583_231, "login": "ada", "type": "User" })),
        _ => Answer::ok(json!([github_pull(4), github_pull(7), with(github_pull(8), json!({ "user": null }))])),
    })
    .await;
    assert_eq!(forge.find_pull("up", "main").await.unwrap().unwrap().number, 7);
    let seen = server.seen().pop().unwrap();
    assert_eq!((seen.get("head"), seen.get("state")), (Some("platform:up"), Some("all")));
    assert_eq!(forge.find_pull("other", "main").await.unwrap(), None);
}
