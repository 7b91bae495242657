//! What Gitea and Forgejo report.

use serde_json::{Value, json};
use tidegate_forge::{Answer as Fresh, CommitAuthor, Error, Role};
use tidegate_model::forge::{ForgeKind, Membership, Opinion, PullState, Says};

use super::{account, gitea};
use crate::objects::{gitea_pull, with};
use crate::support::{Answer, Server, commit, pull, setup};

async fn pulls(found: Vec<Value>) -> Vec<tidegate_model::forge::Pull> {
    let (_, forge) = gitea(move |_| Answer::counted(found.len(), json!(found))).await;
    match forge.open_pulls("main").await.unwrap() {
        Fresh::New(pulls) => pulls,
        Fresh::Unchanged => unreachable!("the first answer is new"),
    }
}

#[tokio::test]
async fn branches_that_are_gone_keep_their_names() {
    let found = vec![
        gitea_pull(1),
        // The branch was deleted.
        with(
            gitea_pull(2),
            json!({ "head": { "label": "old", "ref": "refs/pull/2/head", "sha": "c".repeat(40), "repo_id": 1 } }),
        ),
        // The fork was deleted.
        with(
            gitea_pull(3),
            json!({ "head": { "label": "fix", "ref": "refs/pull/3/head", "sha": "d".repeat(40), "repo_id": -1, "repo": null } }),
        ),
        // Pushed to refs/for/main.
        with(
            gitea_pull(4),
            json!({ "head": { "label": "", "ref": "refs/pull/4/head", "sha": "e".repeat(40), "repo_id": 1 } }),
        ),
        // The forge lost the commit: there is nothing to plan.
        with(gitea_pull(5), json!({ "head": { "label": "x", "ref": "refs/pull/5/head", "sha": "", "repo_id": 1 } })),
    ];
    let shown: Vec<_> =
        pulls(found).await.into_iter().map(|pull| (pull.number, pull.head_branch, pull.is_fork)).collect();
    let expected = [(1, "up", false), (2, "old", false), (3, "fix", true), (4, "refs/pull/4/head", false)];
    assert_eq!(shown, expected.map(|(number, branch, is_fork)| (number, branch.to_owned(), is_fork)));
}

#[tokio::test]
async fn deleted_accounts_are_gone() {
    // Times have the time zone of the forge.
    let ghost = json!({ "user": { "id": -1, "login": "Ghost" }, "updated_at": "2026-11-22T11:30:00+01:00" });
    let found = pulls(vec![with(gitea_pull(1), ghost), gitea_pull(2)]).await;
    assert_eq!(found[0].updated, found[1].updated);
    let authors: Vec<_> = found.into_iter().map(|pull| pull.author).collect();
    assert_eq!(authors, [None, Some(account(2, "ada"))]);
}

#[tokio::test]
async fn drafts_of_old_versions_have_a_title() {
    let mut old = crate::objects::without(gitea_pull(1), "draft");
    old["title"] = json!("WIP: Upgrade");
    let found = pulls(vec![old, with(gitea_pull(2), json!({ "draft": true })), gitea_pull(3)]).await;
    assert_eq!(found.iter().map(|pull| pull.is_draft).collect::<Vec<_>>(), [true, true, false]);
}

#[tokio::test]
async fn reviews_are_opinions_with_their_flags() {
    let review = |id: u64, state: &str, more: Value| {
        let review = json!({
            "id": id, "user": { "id": 2, "login": "bob" }, "team": null, "state": state, "commit_id": "a".repeat(40),
            "stale": true, "official": false, "dismissed": false, "comments_count": 0,
            "submitted_at": format!("2026-11-22T10:3{id}:00Z"), "html_url": format!("https://h/{id}"),
        });
        with(review, more)
    };
    let (server, forge) = gitea(move |seen| {
        assert_eq!(seen.line, "GET /api/v1/repos/platform/fleet/pulls/4/reviews");
        let reviews = [
            review(5, "APPROVED", json!({ "dismissed": true })),
            review(1, "APPROVED", json!({})),
            review(2, "COMMENT", json!({})),
            review(3, "REQUEST_CHANGES", json!({ "commit_id": "" })),
            review(4, "REQUEST_REVIEW", json!({ "user": null, "team": { "id": 3 } })),
            review(6, "PENDING", json!({})),
            review(7, "APPROVED", json!({ "user": { "id": -1, "login": "Ghost" } })),
        ];
        Answer::counted(7, json!(reviews))
    })
    .await;
    let opinions = forge.opinions(&pull(4)).await.unwrap();
    let shown: Vec<_> =
        opinions.iter().map(|opinion| (opinion.url.as_str(), opinion.says, opinion.is_dismissed)).collect();
    let expected = [
        ("https://h/1", Says::Approved, false),
        ("https://h/3", Says::Refused, false),
        ("https://h/5", Says::Approved, true),
        ("https://h/7", Says::Approved, false),
    ];
    assert_eq!(shown, expected);
    let first = Opinion {
        by: Some(account(2, "bob")),
        says: Says::Approved,
        commit: Some(commit('a')),
        at: Some("2026-11-22T10:31:00Z".parse().unwrap()),
        is_dismissed: false,
        url: "https://h/1".to_owned(),
    };
    assert_eq!((&opinions[0], &opinions[1].commit, &opinions[3].by), (&first, &None, &None));
    assert_eq!(server.lines().len(), 2);
}

#[tokio::test]
async fn a_commit_has_the_pull_request_that_it_merged_or_none() {
    let merged = json!({
        "state": "closed", "merged": true, "merged_at": "2026-11-22T11:00:00Z", "merged_by": { "id": 3, "login": "eve" },
    });
    let (_, forge) = gitea(move |seen| match seen.line.as_str() {
        line if line.ends_with(&format!("/commits/{}/pull", "a".repeat(40))) => {
            Answer::ok(with(gitea_pull(4), merged.clone()))
        }
        _ => Answer::not_found(),
    })
    .await;
    let found = forge.pulls_of(&commit('a')).await.unwrap();
    let expected = PullState::Merged { by: Some(account(3, "eve")), at: Some("2026-11-22T11:00:00Z".parse().unwrap()) };
    assert_eq!((found.len(), &found[0].state), (1, &expected));
    assert_eq!(forge.pulls_of(&commit('b')).await.unwrap(), []);
}

#[tokio::test]
async fn real_forge_d2_a_version_that_cannot_look_a_commit_up_is_asked_for_closed_pull_requests() {
    let merged =
        |sha: char| json!({ "state": "closed", "merged": true, "merge_commit_sha": sha.to_string().repeat(40) });
    let (server, forge) = gitea(move |seen| match seen.line.as_str() {
        line if line.contains("/commits/") => Answer::new(404, "404 page not found\n"),
        line if line.contains("/pulls") => {
            assert_eq!((seen.get("state"), seen.get("sort")), (Some("closed"), Some("recentupdate")));
            Answer::counted(2, json!([with(gitea_pull(5), merged('c')), with(gitea_pull(4), merged('a'))]))
        }
        _ => Answer::not_found(),
    })
    .await;
    let found = forge.pulls_of(&commit('a')).await.unwrap();
    assert_eq!(found.iter().map(|pull| pull.number).collect::<Vec<_>>(), [4]);
    assert_eq!(forge.pulls_of(&commit('b')).await.unwrap(), []);
    assert!(server.lines().iter().any(|line| line.contains("/pulls")));
}

#[tokio::test]
async fn authors_and_committers_are_found_once() {
    let person = |id: Option<u64>| id.map(|id| json!({ "id": id, "login": format!("user-{id}") }));
    let (_, forge) = gitea(move |seen| {
        assert_eq!((seen.get("files"), seen.get("verification")), (Some("false"), Some("false")));
        let one = |author: Option<u64>, committer: Option<u64>| {
            let email = |id: Option<u64>| json!({ "name": "x", "email": format!("{}@h", id.unwrap_or_default()) });
            let inner = json!({ "message": "", "author": email(author), "committer": email(committer) });
            json!({ "sha": "a".repeat(40), "author": person(author), "committer": person(committer), "commit": inner })
        };
        Answer::counted(3, json!([one(Some(1), Some(1)), one(Some(2), Some(1)), one(None, Some(2))]))
    })
    .await;
    let found = forge.commits(&pull(4)).await.unwrap();
    let known = |id: u64| CommitAuthor { account: Some(account(id, &format!("user-{id}"))), email: format!("{id}@h") };
    let unknown = CommitAuthor { account: None, email: "0@h".to_owned() };
    let authors: Vec<_> = found.commits.iter().map(|commit| commit.authors.clone()).collect();
    assert_eq!(authors, [vec![known(1)], vec![known(2), known(1)], vec![unknown, known(2)]]);
    assert!(found.is_complete && found.commits.iter().all(|listed| listed.id == commit('a')));
}

#[tokio::test]
async fn a_team_is_found_by_its_exact_name_and_a_member_by_the_number() {
    let (_, forge) = gitea(|seen| match seen.line.as_str() {
        "GET /api/v1/orgs/platform/teams/search" if seen.page() == 1 => {
            Answer::ok(json!({ "ok": true, "data": [{ "id": 1, "name": "leads-emea" }, { "id": 2, "name": "Leads" }] }))
        }
        "GET /api/v1/orgs/platform/teams/search" => Answer::ok(json!({ "ok": true, "data": [] })),
        "GET /api/v1/orgs/closed/teams/search" => {
            Answer::json(403, json!({ "message": "Must be an organization member" }))
        }
        "GET /api/v1/teams/2/members/bob" => Answer::ok(json!({ "id": 5, "login": "bob" })),
        _ => Answer::not_found(),
    })
    .await;
    assert_eq!(forge.membership(&account(5, "bob"), "platform/leads").await, Ok(Membership::Yes));
    // The login belongs to another account by now.
    assert_eq!(forge.membership(&account(6, "bob"), "platform/leads").await, Ok(Membership::No));
    assert_eq!(forge.membership(&account(7, "eve"), "platform/leads").await, Ok(Membership::No));
    for team in ["closed/leads", "nowhere/leads", "platform/lead", "leads", ""] {
        let answer = forge.membership(&account(5, "bob"), team).await.unwrap();
        assert!(matches!(answer, Membership::Unknown(_)), "{team}: {answer:?}");
    }
}

#[tokio::test]
async fn roles_are_those_of_the_account_and_not_of_the_login() {
    for (permission, expected) in [
        ("owner", Some(Role::Admin)),
        ("admin", Some(Role::Admin)),
        ("write", Some(Role::Write)),
        ("read", Some(Role::Read)),
        ("none", None),
    ] {
        let (_, forge) = gitea(move |seen| {
            assert_eq!(seen.line, "GET /api/v1/repos/platform/fleet/collaborators/bob/permission");
            Answer::ok(
                json!({ "permission": permission, "role_name": permission, "user": { "id": 5, "login": "bob" } }),
            )
        })
        .await;
        assert_eq!(forge.role(&account(5, "bob")).await, Ok(expected));
        assert_eq!(forge.role(&account(6, "bob")).await, Ok(None));
    }
    let (_, forge) = gitea(|_| Answer::json(403, json!({ "message": "Only admins can query all permissions" }))).await;
    assert!(matches!(forge.role(&account(5, "bob")).await, Err(Error::Denied(_))));
}

#[tokio::test]
async fn the_protection_of_a_branch_is_shown_as_far_as_it_is_visible() {
    let (_, forge) = gitea(|seen| match seen.line.as_str() {
        "GET /api/v1/repos/platform/fleet/branches/main" => Answer::ok(json!({
            "protected": true, "enable_status_check": true, "status_check_contexts": ["ci"], "user_can_push": false,
            "effective_branch_protection_name": "m*",
        })),
        "GET /api/v1/repos/platform/fleet/branch_protections/m*" => Answer::ok(json!({
            "rule_name": "m*", "enable_push": true, "enable_push_whitelist": true, "push_whitelist_usernames": ["ada"],
            "push_whitelist_teams": ["leads"], "dismiss_stale_approvals": true,
        })),
        "GET /api/v1/repos/platform/fleet/branches/dev" => Answer::ok(json!({ "protected": false })),
        "GET /api/v1/repos/platform/fleet/branches/hidden" => {
            Answer::ok(json!({ "protected": true, "status_check_contexts": null }))
        }
        _ => Answer::json(403, json!({ "message": "user should be an owner or a collaborator with admin write" })),
    })
    .await;
    let main = forge.protection("main").await.unwrap();
    assert_eq!((main.is_protected, main.dismisses_stale), (Ok(true), Ok(true)));
    assert_eq!(main.pushers, Ok(vec!["ada".to_owned(), "team leads".to_owned()]));
    assert_eq!(main.required_contexts, Ok(vec!["ci".to_owned()]));
    assert_eq!(forge.protection("dev").await.unwrap().is_protected, Ok(false));
    let hidden = forge.protection("hidden").await.unwrap();
    assert!(hidden.is_protected == Ok(true) && hidden.pushers.is_err() && hidden.dismisses_stale.is_err());
    assert!(forge.protection("nowhere").await.unwrap().is_protected.is_err());
}

#[tokio::test]
async fn access_shows_what_is_wrong_with_a_token() {
    let (_, forge) =
        gitea(|_| Answer::ok(json!({ "permissions": { "admin": false, "push": true, "pull": true } }))).await;
    let access = forge.access().await.unwrap();
    assert_eq!((access.account, access.project, access.may_push), (Ok(account(9, "tidegate")), Ok(true), Ok(true)));
    let server = Server::start(|seen| match seen.line.as_str() {
        "GET /api/v1/user" => Answer::json(
            403,
            json!({ "message": "token does not have at least one of required scope(s): [read:user]" }),
        ),
        _ => Answer::not_found(),
    })
    .await;
    let access = setup(ForgeKind::Gitea, &server).forge().access().await.unwrap();
    assert!(access.account.unwrap_err().contains("read:user"));
    assert_eq!(access.project, Ok(false));
}
