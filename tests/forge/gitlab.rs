//! What is special about GitLab.

use serde_json::{Value, json};
use tidegate_forge::{Answer as Fresh, Deployment, Error, Forge, NewPull, Role, State};
use tidegate_model::forge::{Account, ForgeKind, Membership, PullState};

use crate::objects::{gitlab_pull, with};
use crate::support::{Answer, Seen, Server, commit, pull, setup};

async fn gitlab(answer: impl Fn(&Seen) -> Answer + Send + Sync + 'static) -> (Server, Forge) {
    let server = Server::start(answer).await;
    let mut setup = setup(ForgeKind::GitLab, &server);
    setup.settings.project = "group/sub/fleet".to_owned();
    (server, setup.forge())
}

const PROJECT: &str = "/api/v4/projects/group%2Fsub%2Ffleet";

fn account(id: u64, login: &str) -> Account {
    Account { id, login: login.to_owned(), is_bot: false }
}

#[tokio::test]
async fn merge_requests_are_pull_requests() {
    let found = json!([
        gitlab_pull(1),
        with(gitlab_pull(2), json!({ "state": "locked", "source_project_id": 7, "draft": true })),
        // The fork is gone.
        with(gitlab_pull(3), json!({ "source_project_id": null, "author": null })),
        // The branch has no commit: there is nothing to plan.
        with(gitlab_pull(4), json!({ "sha": null })),
    ]);
    let (server, forge) = gitlab(move |_| Answer::ok(found.clone())).await;
    let Fresh::New(pulls) = forge.open_pulls("main").await.unwrap() else { panic!("GitLab has no tags") };
    let shown: Vec<_> = pulls.iter().map(|pull| (pull.number, pull.is_fork, pull.is_draft, &pull.author)).collect();
    let ada = Some(account(2, "ada"));
    assert_eq!(shown, [(1, false, false, &ada), (2, true, true, &ada), (3, true, false, &None)]);
    assert_eq!(server.lines(), [format!("GET {PROJECT}/merge_requests")]);
    let seen = &server.seen()[0];
    assert_eq!((seen.get("state"), seen.get("target_branch")), (Some("opened"), Some("main")));
}

#[tokio::test]
async fn who_merged_is_in_one_of_two_fields() {
    for field in ["merge_user", "merged_by"] {
        let merged = json!({ "state": "merged", "merged_at": "2026-11-22T11:00:00.000Z", field: { "id": 3, "username": "project_6_bot" } });
        let (_, forge) = gitlab(move |_| Answer::ok(json!([with(gitlab_pull(4), merged.clone())]))).await;
        let found = forge.pulls_of(&commit('a')).await.unwrap();
        let by = Account { id: 3, login: "project_6_bot".to_owned(), is_bot: true };
        let expected = PullState::Merged { by: Some(by), at: Some("2026-11-22T11:00:00Z".parse().unwrap()) };
        assert_eq!(found[0].state, expected);
    }
    let (_, forge) = gitlab(|_| Answer::json(404, json!({ "message": "404 Commit Not Found" }))).await;
    assert_eq!(forge.pulls_of(&commit('a')).await.unwrap(), []);
}

#[tokio::test]
async fn an_approval_is_of_the_version_that_was_the_head_at_its_time() {
    let (_, forge) = gitlab(|seen| match seen.line.rsplit('/').next().unwrap() {
        "approvals" => Answer::ok(json!({
            "user_has_approved": false, "approved": true, "approved_by": [
                { "user": { "id": 4, "username": "late", "state": "active" }, "approved_at": "2026-11-22T10:40:00.000Z" },
                { "user": { "id": 1, "username": "early", "state": "active" }, "approved_at": "2026-11-22T10:00:00.000Z" },
                { "user": { "id": 2, "username": "old" } },
                { "user": { "id": 3, "username": "first", "state": "active" }, "approved_at": "2026-11-22T10:29:59.999Z" },
                { "user": { "id": 5, "username": "gone", "state": "blocked" }, "approved_at": "2026-11-22T10:41:00.000Z" },
                { "user": null, "approved_at": "2026-11-22T10:42:00.000Z" },
            ],
        })),
        "versions" => Answer::ok(json!([
            { "id": 111, "head_commit_sha": "b".repeat(40), "created_at": "2026-11-22T10:30:00.000Z", "patch_id_sha": null },
            { "id": 110, "head_commit_sha": "a".repeat(40), "created_at": "2026-11-22T10:20:00.000Z", "patch_id_sha": null },
        ])),
        line => panic!("{line}"),
    })
    .await;
    let opinions = forge.opinions(&pull(4)).await.unwrap();
    let login = |opinion: &tidegate_model::forge::Opinion| opinion.by.clone().map(|by| by.login);
    let shown: Vec<_> = opinions.iter().map(|opinion| (login(opinion), opinion.commit.clone())).collect();
    let name = |name: &str| Some(name.to_owned());
    let expected = [
        (name("old"), None),
        (name("early"), None),
        (name("first"), Some(commit('a'))),
        (name("late"), Some(commit('b'))),
        (None, Some(commit('b'))),
        (None, Some(commit('b'))),
    ];
    assert_eq!(shown, expected);
}

#[tokio::test]
async fn approved_without_names_is_not_an_approval() {
    let (server, forge) =
        gitlab(|_| Answer::ok(json!({ "approved": true, "approvals_left": 0, "approved_by": [] }))).await;
    assert_eq!(forge.opinions(&pull(4)).await.unwrap(), []);
    assert_eq!(server.lines().len(), 1);
    let (_, forge) = gitlab(|_| Answer::ok(json!({ "approved": true }))).await;
    assert!(matches!(forge.opinions(&pull(4)).await, Err(Error::Garbage(_))));
}

#[tokio::test]
async fn a_state_that_is_reached_already_is_a_success() {
    let messages = [
        (
            "Cannot transition status via :enqueue from :pending (Reason(s): Status cannot transition via \"enqueue\")",
            true,
        ),
        ("Cannot transition status via :run from :running (Reason(s): Status cannot transition via \"run\")", true),
        ("state does not have a valid value", false),
    ];
    for (message, is_success) in messages {
        let (_, forge) = gitlab(move |_| Answer::json(400, json!({ "message": message }))).await;
        let written = forge.status(&commit('a'), "tidegate/istio", State::Running, "x", None, None).await;
        assert_eq!(written.is_ok(), is_success, "{written:?}");
    }
    let (_, forge) =
        gitlab(|_| Answer::json(409, json!({ "message": "Another update to this commit status is in progress" })))
            .await;
    let error = forge.status(&commit('a'), "x", State::Running, "x", None, None).await.unwrap_err();
    assert!(matches!(error, Error::Conflict(_)) && error.is_transient(), "{error}");
}

#[tokio::test]
async fn a_status_has_the_words_of_gitlab() {
    let (server, forge) = gitlab(|_| Answer::json(201, json!({ "id": 93, "status": "failed" }))).await;
    let text = "ä".repeat(300);
    forge.status(&commit('a'), "tidegate/istio", State::Error, &text, Some("https://h/x"), Some("main")).await.unwrap();
    let seen = &server.seen()[0];
    assert_eq!(seen.line, format!("POST {PROJECT}/statuses/{}", "a".repeat(40)));
    let description = format!("{}…", "ä".repeat(254));
    let expected = json!({ "state": "failed", "name": "tidegate/istio", "description": description, "target_url": "https://h/x", "ref": "main" });
    assert_eq!(seen.body, expected);
}

#[tokio::test]
async fn the_latest_status_of_a_name_has_the_highest_number() {
    let status = |id: u64, status: &str| json!({ "id": id, "status": status, "name": "tidegate/istio", "ref": "main", "description": null, "author": { "id": 28, "username": "project_6_bot" } });
    let (_, forge) =
        gitlab(move |_| Answer::ok(json!([status(1, "failed"), status(3, "running"), status(2, "success")]))).await;
    let found = forge.statuses(&commit('a')).await.unwrap();
    assert_eq!((found.len(), found[0].state, found[0].creator), (1, State::Running, Some(28)));
}

#[tokio::test]
async fn members_are_found_by_their_number_and_must_be_active() {
    let (server, forge) = gitlab(|seen| match seen.line.as_str() {
        "GET /api/v4/groups/group%2Fleads/members/all" => Answer::ok(json!([
            { "id": 5, "username": "bob", "state": "active", "access_level": 30, "membership_state": "active" },
            { "id": 6, "username": "eve", "state": "blocked", "access_level": 50 },
            { "id": 7, "username": "mal", "state": "active", "access_level": 30, "membership_state": "awaiting" },
        ])),
        "GET /api/v4/groups/closed/members/all" => Answer::json(403, json!({ "message": "403 Forbidden" })),
        _ => Answer::json(404, json!({ "message": "404 Group Not Found" })),
    })
    .await;
    assert_eq!(forge.membership(&account(5, "renamed"), "group/leads").await, Ok(Membership::Yes));
    assert_eq!(server.seen()[0].get("user_ids[]"), Some("5"));
    for id in [6, 7, 8] {
        assert_eq!(forge.membership(&account(id, "bob"), "group/leads").await, Ok(Membership::No));
    }
    for team in ["closed", "nowhere"] {
        assert!(matches!(forge.membership(&account(5, "bob"), team).await, Ok(Membership::Unknown(_))));
    }
}

#[tokio::test]
async fn roles_are_access_levels() {
    let rows = [
        (5, None),
        (10, Some(Role::Read)),
        (20, Some(Role::Read)),
        (30, Some(Role::Write)),
        (40, Some(Role::Maintain)),
        (50, Some(Role::Admin)),
    ];
    for (level, expected) in rows {
        let (server, forge) = gitlab(move |_| {
            Answer::ok(json!({ "id": 5, "username": "bob", "state": "active", "access_level": level }))
        })
        .await;
        assert_eq!(forge.role(&account(5, "bob")).await, Ok(expected));
        assert_eq!(server.lines(), [format!("GET {PROJECT}/members/all/5")]);
    }
    let (_, forge) = gitlab(|_| Answer::json(404, json!({ "message": "404 Not found" }))).await;
    assert_eq!(forge.role(&account(5, "bob")).await, Ok(None));
}

#[tokio::test]
async fn a_deployment_runs_and_then_ends() {
    let (server, forge) = gitlab(|seen| match (seen.line.split(' ').next().unwrap(), seen.body["status"].as_str()) {
        ("PUT", Some("success")) => Answer::ok(json!({ "id": 12, "status": "success" })),
        // GitLab answers so if the state is reached already, and if it cannot be reached.
        ("PUT", _) => Answer::json(400, json!({ "message": { "status": ["cannot transition via \"drop\""] } })),
        ("GET", _) if seen.line.ends_with("/13") => Answer::ok(json!({ "id": 13, "status": "failed" })),
        ("GET", _) => Answer::ok(json!({ "id": 12, "status": "success" })),
        _ => Answer::json(201, json!({ "id": 12, "iid": 2, "status": "running" })),
    })
    .await;
    let deployment = Deployment {
        commit: commit('a'),
        branch: "main".to_owned(),
        environment: "istio/rest".to_owned(),
        task: "tidegate".to_owned(),
        payload: Value::Null,
        description: String::new(),
    };
    assert_eq!(forge.deployment(&deployment).await, Ok(12));
    forge.deployment_state(12, "istio/rest", State::Success, "done", None).await.unwrap();
    let writes = server.writes();
    let expected =
        json!({ "environment": "istio/rest", "sha": "a".repeat(40), "ref": "main", "tag": false, "status": "running" });
    assert_eq!(writes[0].body, expected);
    assert_eq!(
        (&writes[1].line, &writes[1].body),
        (&format!("PUT {PROJECT}/deployments/12"), &json!({ "status": "success" }))
    );
    assert!(matches!(forge.deployment_state(12, "x", State::Failure, "", None).await, Err(Error::Invalid { .. })));
    assert_eq!(forge.deployment_state(13, "x", State::Failure, "", None).await, Ok(()));
}

#[tokio::test]
async fn a_merge_request_is_opened_found_and_closed() {
    let (server, forge) = gitlab(|seen| match seen.line.split_once(' ').unwrap().0 {
        "POST" => Answer::json(201, gitlab_pull(8)),
        "PUT" => Answer::ok(gitlab_pull(8)),
        _ if seen.line.ends_with("/user") => Answer::ok(json!({ "id": 2, "username": "ada" })),
        _ => Answer::ok(json!([
            gitlab_pull(4),
            with(gitlab_pull(9), json!({ "author": { "id": 3, "username": "eve" } })),
            gitlab_pull(8)
        ])),
    })
    .await;
    let mut new = NewPull {
        title: "Gate".to_owned(),
        body: "text".to_owned(),
        head_branch: "up".to_owned(),
        base_branch: "main".to_owned(),
    };
    assert_eq!(forge.open_pull(&new).await.unwrap().number, 8);
    forge.close_pull(8).await.unwrap();
    assert_eq!(forge.find_pull("up", "main").await.unwrap().unwrap().number, 8);
    let bodies: Vec<_> = server.writes().into_iter().map(|seen| seen.body).collect();
    let opened = json!({ "title": "Gate", "description": "text", "source_branch": "up", "target_branch": "main" });
    assert_eq!(bodies, [opened, json!({ "state_event": "close" })]);
    // GitLab would carry out the second line.
    new.body = "text\n/merge".to_owned();
    assert!(matches!(forge.open_pull(&new).await, Err(Error::Invalid { .. })));
}

#[tokio::test]
async fn the_protection_of_a_branch_is_shown_as_far_as_it_is_visible() {
    let (_, forge) = gitlab(|seen| match seen.line.strip_prefix(&format!("GET {PROJECT}")).unwrap() {
        "/repository/branches/main" => Answer::ok(json!({ "name": "main", "protected": true })),
        "" => Answer::ok(json!({ "id": 6, "only_allow_merge_if_pipeline_succeeds": null })),
        "/approvals" => Answer::ok(json!({ "reset_approvals_on_push": true })),
        "/protected_branches" => Answer::ok(json!([
            { "name": "m*", "push_access_levels": [{ "access_level_description": "Maintainers" }] },
            { "name": "main", "push_access_levels": [{ "access_level_description": "No one" }] },
            { "name": "release-*", "push_access_levels": [{ "access_level_description": "Developers + Maintainers" }] },
        ])),
        _ => Answer::not_found(),
    })
    .await;
    let main = forge.protection("main").await.unwrap();
    assert_eq!((main.is_protected, main.dismisses_stale), (Ok(true), Ok(true)));
    assert_eq!((main.pushers, main.required_contexts), (Ok(vec!["Maintainers".to_owned()]), Ok(Vec::new())));
    assert!(forge.protection("nowhere").await.unwrap().is_protected.is_err());
}

#[tokio::test]
async fn access_shows_scopes_and_levels() {
    for (project, group, may_push) in [(Some(20), Some(40), true), (Some(20), None, false), (None, None, false)] {
        let level = |level: Option<u32>| level.map(|level| json!({ "access_level": level }));
        let permissions = json!({ "project_access": level(project), "group_access": level(group) });
        let (_, forge) = gitlab(move |seen| match seen.line.as_str() {
            "GET /api/v4/user" => Answer::ok(json!({ "id": 2, "username": "project_6_bot", "bot": true })),
            "GET /api/v4/personal_access_tokens/self" => Answer::ok(json!({ "id": 1, "scopes": ["api"] })),
            _ => Answer::ok(json!({ "id": 6, "permissions": permissions })),
        })
        .await;
        let access = forge.access().await.unwrap();
        assert_eq!(
            (access.scopes, access.project, access.may_push),
            (Ok(vec!["api".to_owned()]), Ok(true), Ok(may_push))
        );
        assert!(access.account.unwrap().is_bot);
    }
}
