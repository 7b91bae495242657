//! The one comment on a pull request.

use serde_json::{Value, json};
use tidegate_forge::Error;
use tidegate_model::forge::ForgeKind;

use crate::support::{Answer, Server, pull, setup};

const MARKER: &str = "<!-- tidegate:plan -->";
const KINDS: [ForgeKind; 3] = [ForgeKind::GitHub, ForgeKind::GitLab, ForgeKind::Gitea];

/// Returns a comment in the form of all forges at once.
fn comment(id: u64, author: Option<u64>, body: &str) -> Value {
    let author = author.map(|id| json!({ "id": id, "login": "x", "username": "x" }));
    json!({
        "id": id, "user": author, "author": author, "body": body, "system": null,
        "issue_url": "https://h/api/issues/4", "pull_request_url": "https://h/platform/fleet/pulls/4",
        "created_at": "2026-11-22T10:30:00Z", "updated_at": "2026-11-22T10:31:00Z", "html_url": format!("https://h/4#{id}"),
    })
}

/// A forge with comments on pull request 4, one on each page. The account of the client has the ID 9.
async fn forge(comments: Vec<Value>) -> Server {
    Server::start(move |seen| {
        let path = seen.line.split_once(' ').unwrap().1;
        let last = path.rsplit('/').next().unwrap();
        if last == "api" {
            return Answer::ok(json!({ "max_response_items": 1 }));
        }
        if last == "user" {
            return Answer::ok(json!({ "id": 9, "login": "tidegate", "username": "tidegate" }));
        }
        if !seen.line.starts_with("GET") {
            let id = last.parse().unwrap_or(100_u64);
            let status = if id == 100 { 201 } else { 200 };
            return Answer::json(status, comment(id, Some(9), seen.body["body"].as_str().unwrap()));
        }
        if let Ok(id) = last.parse::<u64>() {
            let found = comments.iter().find(|comment| comment["id"] == id);
            return found.map_or_else(Answer::not_found, |comment| Answer::ok(comment.clone()));
        }
        assert!(last == "comments" || last == "notes", "{}", seen.line);
        let page = seen.page();
        let shown: Vec<_> = comments.iter().skip(page - 1).take(1).collect();
        let answer = Answer::counted(comments.len(), json!(shown));
        if page < comments.len() {
            answer.with("link", format!("<{path}?page={}>; rel=\"next\"", page + 1))
        } else {
            answer
        }
    })
    .await
}

#[tokio::test]
async fn a_comment_is_created_if_there_is_none_of_its_own() {
    for kind in KINDS {
        let others = vec![
            comment(1, Some(7), &format!("{MARKER} an impostor")),
            comment(2, None, &format!("{MARKER} an account that is gone")),
            comment(3, Some(9), "its own, but about something else"),
        ];
        let server = forge(others).await;
        let body = format!("{MARKER}\nplan");
        assert_eq!(setup(kind, &server).forge().comment(&pull(4), MARKER, None, &body).await, Ok(100));
        let writes = server.writes();
        assert_eq!((writes.len(), &writes[0].body), (1, &json!({ "body": body })));
        assert!(writes[0].line.starts_with("POST "), "{}", writes[0].line);
    }
}

#[tokio::test]
async fn the_own_comment_is_found_on_every_page_and_changed() {
    for kind in KINDS {
        let own = comment(5, Some(9), &format!("{MARKER} old"));
        let server = forge(vec![comment(1, Some(7), "hello"), comment(2, Some(7), MARKER), own]).await;
        let forge = setup(kind, &server).forge();
        let body = format!("{MARKER} new");
        assert_eq!(forge.comment(&pull(4), MARKER, None, &body).await, Ok(5));
        let writes = server.writes();
        let method = if kind == ForgeKind::GitLab { "PUT " } else { "PATCH " };
        assert!(writes.len() == 1 && writes[0].line.starts_with(method), "{writes:?}");
        // Nothing is written if nothing changes.
        assert_eq!(forge.comment(&pull(4), MARKER, None, &format!("{MARKER} old")).await, Ok(5));
        assert_eq!(server.writes().len(), 1);
    }
}

#[tokio::test]
async fn a_hint_spares_the_list_only_if_it_is_right() {
    for kind in KINDS {
        let own = comment(5, Some(9), &format!("{MARKER} old"));
        let others = [comment(1, Some(7), MARKER), comment(2, Some(9), "something else")];
        let server = forge(others.into_iter().chain([own]).collect()).await;
        let forge = setup(kind, &server).forge();
        let body = format!("{MARKER} old");
        forge.me().await.unwrap();
        let before = server.lines().len();
        assert_eq!(forge.comment(&pull(4), MARKER, Some(5), &body).await, Ok(5));
        assert_eq!(server.lines().len(), before + 1, "{kind}");
        // A comment of another account, one without the marker, and one that was deleted.
        for hint in [1, 2, 99] {
            assert_eq!(forge.comment(&pull(4), MARKER, Some(hint), &format!("{MARKER} new")).await, Ok(5));
            assert!(server.writes().last().unwrap().line.ends_with("/5"));
        }
    }
}

#[tokio::test]
async fn a_hint_to_another_pull_request_is_ignored() {
    // GitLab's addresses contain the merge request.
    for kind in [ForgeKind::GitHub, ForgeKind::Gitea] {
        let elsewhere = json!({ "issue_url": "https://h/api/issues/14", "pull_request_url": "https://h/x/pulls/14" });
        let elsewhere = crate::objects::with(comment(3, Some(9), MARKER), elsewhere);
        let server = Server::start(move |seen| match seen.line.rsplit('/').next().unwrap() {
            "api" => Answer::ok(json!({ "max_response_items": 50 })),
            "user" => Answer::ok(json!({ "id": 9, "login": "tidegate" })),
            "3" => Answer::ok(elsewhere.clone()),
            _ if seen.line.starts_with("POST") => Answer::json(201, comment(100, Some(9), MARKER)),
            _ => Answer::counted(0, json!([])),
        })
        .await;
        assert_eq!(setup(kind, &server).forge().comment(&pull(4), MARKER, Some(3), MARKER).await, Ok(100));
    }
}

#[tokio::test]
async fn an_entry_of_giteas_history_is_not_a_comment() {
    let server = Server::start(|seen| match seen.line.rsplit('/').next().unwrap() {
        "api" => Answer::ok(json!({ "max_response_items": 50 })),
        "user" => Answer::ok(json!({ "id": 9, "login": "tidegate" })),
        "3" => Answer::new(204, ""),
        _ if seen.line.starts_with("POST") => Answer::json(201, comment(100, Some(9), MARKER)),
        _ => Answer::counted(0, json!([])),
    })
    .await;
    assert_eq!(setup(ForgeKind::Gitea, &server).forge().comment(&pull(4), MARKER, Some(3), MARKER).await, Ok(100));
}

#[tokio::test]
async fn a_text_that_must_not_be_a_comment_is_refused_without_a_request() {
    let server = forge(Vec::new()).await;
    let long = |characters: usize| format!("{MARKER}{}", "ä".repeat(characters - MARKER.len()));
    let rows = [
        (ForgeKind::GitLab, format!("{MARKER}\n/merge")),
        (ForgeKind::GitLab, format!("{MARKER}\n- a\n\t/approve now\n")),
        (ForgeKind::GitHub, "without a marker".to_owned()),
        (ForgeKind::GitHub, long(65_537)),
        (ForgeKind::Gitea, long(65_537)),
        (ForgeKind::GitLab, long(1_000_001)),
    ];
    for (kind, body) in rows {
        let error = setup(kind, &server).forge().comment(&pull(4), MARKER, None, &body).await.unwrap_err();
        assert!(matches!(error, Error::Invalid { .. }), "{error}");
    }
    assert_eq!(server.lines(), Vec::<String>::new());
    for (kind, body) in [(ForgeKind::GitHub, long(65_536)), (ForgeKind::GitLab, long(1_000_000))] {
        assert_eq!(setup(kind, &server).forge().comment(&pull(4), MARKER, None, &body).await, Ok(100));
    }
}

#[tokio::test]
async fn a_deleted_discussion_is_not_found() {
    let server = Server::start(|seen| match seen.line.as_str() {
        "GET /user" => Answer::ok(json!({ "id": 9, "login": "tidegate" })),
        line if line.starts_with("GET") => Answer::ok(json!([])),
        _ => Answer::json(410, json!({ "message": "This issue was deleted" })),
    })
    .await;
    let error = setup(ForgeKind::GitHub, &server).forge().comment(&pull(4), MARKER, None, MARKER).await.unwrap_err();
    assert!(matches!(&error, Error::NotFound(why) if why.contains("was deleted")), "{error}");
}

#[tokio::test]
async fn all_comments_are_listed_with_their_authors_and_times() {
    for kind in KINDS {
        let gone = comment(2, None, "an account that is gone");
        let server = forge(vec![comment(1, Some(7), "/tidegate approve istio 9c1e0d2f6ab4"), gone]).await;
        let comments = setup(kind, &server).forge().comments(&pull(4)).await.unwrap();
        let bodies: Vec<&str> = comments.iter().map(|comment| comment.body.as_str()).collect();
        assert_eq!(bodies, ["/tidegate approve istio 9c1e0d2f6ab4", "an account that is gone"], "{kind}");
        assert_eq!(comments[0].by.as_ref().map(|by| by.id), Some(7));
        assert_eq!(comments[1].by, None);
        assert!(comments[0].updated > comments[0].created);
        assert_ne!(comments[0].url, comments[1].url);
        let mut broken = comment(3, Some(7), "without a time");
        broken.as_object_mut().unwrap().remove("updated_at");
        let server = forge(vec![broken]).await;
        assert!(setup(kind, &server).forge().comments(&pull(4)).await.is_err(), "{kind}");
    }
}
