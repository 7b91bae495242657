//! Lists of many pages, and pages that the forge need not send again.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use tidegate_forge::{Answer as Fresh, Error};
use tidegate_model::forge::ForgeKind;

use crate::objects::{gitea_pull, github_pull, gitlab_pull};
use crate::support::{Answer, Server, commit, pull, setup};

#[tokio::test]
async fn all_pages_are_read_by_the_links_of_the_forge() {
    // GitHub's links lead to another path of the same origin.
    let server = Server::listen(|seen| {
        let host = seen.header("host").unwrap();
        let link = |page| format!("<http://{host}/repositories/1000/pulls?per_page=100&page={page}>");
        match (seen.line.as_str(), seen.page()) {
            ("GET /repos/platform/fleet/pulls", 1) => Answer::ok(json!([github_pull(1)]))
                .with("link", format!("{}; rel=\"next\", {}; rel=\"last\"", link(2), link(3))),
            ("GET /repositories/1000/pulls", 2) => Answer::ok(json!([github_pull(2)]))
                .with("link", format!("{}; rel=\"prev\", {}; rel=\"next\"", link(1), link(3))),
            ("GET /repositories/1000/pulls", 3) => {
                Answer::ok(json!([github_pull(3)])).with("link", format!("{}; rel=\"first\"", link(1)))
            }
            other => panic!("{other:?}"),
        }
    })
    .await;
    let Fresh::New(pulls) = setup(ForgeKind::GitHub, &server).forge().open_pulls("main").await.unwrap() else {
        panic!("the first answer is new")
    };
    assert_eq!(pulls.iter().map(|pull| pull.number).collect::<Vec<_>>(), [1, 2, 3]);
    let first = &server.seen()[0];
    assert_eq!(
        (first.get("base"), first.get("state"), first.get("per_page")),
        (Some("main"), Some("open"), Some("100"))
    );
}

#[tokio::test]
async fn gitlab_pages_are_read_by_links_too() {
    let server = Server::start(|seen| {
        let page = Answer::ok(json!([gitlab_pull(seen.page().try_into().unwrap())]));
        match seen.page() {
            1 => page.with("link", "</api/v4/projects/6/merge_requests?page=2>; rel=\"next\"").with("x-next-page", 2),
            _ => page.with("x-next-page", ""),
        }
    })
    .await;
    let Fresh::New(pulls) = setup(ForgeKind::GitLab, &server).forge().open_pulls("main").await.unwrap() else {
        panic!("the first answer is new")
    };
    assert_eq!(pulls.len(), 2);
    assert_eq!(server.lines()[0], "GET /api/v4/projects/platform%2Ffleet/merge_requests");
}

#[tokio::test]
async fn a_list_with_too_many_pages_is_an_error_and_not_cut() {
    let server = Server::start(|seen| match seen.line.as_str() {
        "GET /api/v1/settings/api" => Answer::ok(json!({ "max_response_items": 1 })),
        _ => Answer::counted(1000, json!([])).with("link", format!("</x?page={}>; rel=\"next\"", seen.page() + 1)),
    })
    .await;
    for kind in [ForgeKind::GitHub, ForgeKind::GitLab, ForgeKind::Gitea] {
        let error = setup(kind, &server).forge().statuses(&commit('a')).await.unwrap_err();
        assert!(matches!(&error, Error::Garbage(why) if why.contains("100 pages")), "{error}");
    }
}

/// A list of Gitea with hidden entries: those that are null here.
async fn paged(items: Vec<Value>, most: usize, settings: Answer) -> Server {
    Server::start(move |seen| {
        if seen.line.ends_with("/settings/api") {
            return settings.clone();
        }
        let size = seen.get("limit").unwrap().parse::<usize>().unwrap().min(most);
        let page = items.chunks(size).nth(seen.page() - 1).unwrap_or_default();
        let shown: Vec<_> = page.iter().filter(|item| !item.is_null()).collect();
        Answer::counted(items.len(), json!(shown))
    })
    .await
}

fn review(id: u64) -> Value {
    json!({
        "id": id, "user": { "id": id, "login": format!("user-{id}") }, "team": null, "state": "APPROVED",
        "commit_id": "a".repeat(40), "stale": false, "official": true, "dismissed": false,
        "submitted_at": "2026-11-22T10:31:00Z", "updated_at": "2026-11-22T10:31:00Z", "html_url": "https://h",
    })
}

#[tokio::test]
async fn gitea_pages_are_counted_because_reviews_have_no_links() {
    let reviews: Vec<_> = (1..=120).map(review).collect();
    for most in [50, 20, 7] {
        let server = paged(reviews.clone(), most, Answer::ok(json!({ "max_response_items": most }))).await;
        let opinions = setup(ForgeKind::Gitea, &server).forge().opinions(&pull(1)).await.unwrap();
        assert_eq!((opinions.len(), server.lines().len()), (120, 1 + 120_usize.div_ceil(most)));
    }
}

#[tokio::test]
async fn a_page_whose_reviews_are_all_hidden_does_not_end_the_list() {
    // Pending reviews of other accounts are counted, and not shown.
    let hidden = std::iter::repeat_n(Value::Null, 50);
    let reviews: Vec<_> = (1..=50).map(review).chain(hidden).chain([review(51)]).collect();
    let server = paged(reviews, 50, Answer::ok(json!({ "max_response_items": 100 }))).await;
    let opinions = setup(ForgeKind::Gitea, &server).forge().opinions(&pull(1)).await.unwrap();
    assert_eq!((opinions.len(), server.lines().len()), (51, 4));
}

#[tokio::test]
async fn without_a_known_page_size_pages_are_read_until_one_is_empty() {
    for settings in [Answer::not_found(), Answer::json(403, json!({ "message": "token does not have a scope" }))] {
        let reviews: Vec<_> = (1..=30).map(review).chain([Value::Null]).collect();
        let server = paged(reviews, 20, settings).await;
        let forge = setup(ForgeKind::Gitea, &server).forge();
        assert_eq!(forge.opinions(&pull(1)).await.unwrap().len(), 30);
        assert_eq!(server.lines().len(), 4);
    }
}

#[tokio::test]
async fn a_list_of_gitea_without_its_total_is_an_error() {
    let server = Server::start(|seen| match seen.line.as_str() {
        "GET /api/v1/settings/api" => Answer::ok(json!({ "max_response_items": 50 })),
        _ => Answer::ok(json!([])),
    })
    .await;
    let error = setup(ForgeKind::Gitea, &server).forge().opinions(&pull(1)).await.unwrap_err();
    assert!(matches!(&error, Error::Garbage(why) if why.contains("X-Total-Count")), "{error}");
}

#[tokio::test]
async fn forgejo_ignores_the_base_so_it_is_compared_here() {
    let other = crate::objects::with(
        gitea_pull(2),
        json!({ "base": { "label": "dev", "ref": "dev", "sha": "b".repeat(40), "repo_id": 1 } }),
    );
    let server = paged(vec![gitea_pull(1), other], 50, Answer::ok(json!({ "max_response_items": 50 }))).await;
    let Fresh::New(pulls) = setup(ForgeKind::Gitea, &server).forge().open_pulls("main").await.unwrap() else {
        panic!("the first answer is new")
    };
    assert_eq!(pulls.iter().map(|pull| pull.number).collect::<Vec<_>>(), [1]);
    assert_eq!(server.seen()[1].get("base_branch"), Some("main"));
}

/// A forge with two pages, whose second one changes as the test says.
async fn tagged(second: Arc<Mutex<(String, Value)>>, notes: Arc<AtomicUsize>) -> Server {
    Server::start(move |seen| {
        let (tag, body) = match seen.page() {
            1 => ("\"one\"".to_owned(), json!([github_pull(1)])),
            _ => second.lock().unwrap().clone(),
        };
        if seen.header("if-none-match") == Some(tag.as_str()) {
            notes.fetch_add(1, Ordering::SeqCst);
            return Answer::new(304, "").with("etag", tag);
        }
        let page = Answer::ok(body).with("etag", tag);
        if seen.page() == 1 { page.with("link", "</repositories/1/pulls?page=2>; rel=\"next\"") } else { page }
    })
    .await
}

#[tokio::test]
async fn unchanged_pages_cost_nothing_and_are_not_lost() {
    let second = Arc::new(Mutex::new(("W/\"two\"".to_owned(), json!([github_pull(2)]))));
    let not_modified = Arc::new(AtomicUsize::new(0));
    let server = tagged(Arc::clone(&second), Arc::clone(&not_modified)).await;
    let mut setup = setup(ForgeKind::GitHub, &server);
    setup.settings.budget = 100;
    let forge = setup.forge();
    let numbers = |answer: Fresh<Vec<tidegate_model::forge::Pull>>| match answer {
        Fresh::New(pulls) => Some(pulls.iter().map(|pull| pull.number).collect::<Vec<_>>()),
        Fresh::Unchanged => None,
    };
    assert_eq!(numbers(forge.open_pulls("main").await.unwrap()), Some(vec![1, 2]));
    assert_eq!(numbers(forge.open_pulls("main").await.unwrap()), None);
    assert_eq!((forge.usage().remaining, not_modified.load(Ordering::SeqCst)), (98, 2));
    *second.lock().unwrap() = ("W/\"three\"".to_owned(), json!([github_pull(3)]));
    // The first page comes from the cache.
    assert_eq!(numbers(forge.open_pulls("main").await.unwrap()), Some(vec![1, 3]));
    assert_eq!((forge.usage().remaining, not_modified.load(Ordering::SeqCst)), (97, 3));
}

#[tokio::test]
async fn a_list_that_could_not_be_used_is_not_unchanged_later() {
    let second = Arc::new(Mutex::new(("\"two\"".to_owned(), json!([github_pull(2)]))));
    let server = tagged(Arc::clone(&second), Arc::default()).await;
    let forge = setup(ForgeKind::GitHub, &server).forge();
    assert!(matches!(forge.open_pulls("main").await, Ok(Fresh::New(_))));
    let broken = crate::objects::with(github_pull(2), json!({ "state": "strange" }));
    *second.lock().unwrap() = ("\"three\"".to_owned(), json!([broken]));
    for _ in 0..2 {
        assert!(matches!(forge.open_pulls("main").await, Err(Error::Garbage(_))));
    }
    *second.lock().unwrap() = ("\"two\"".to_owned(), json!([github_pull(2)]));
    assert!(matches!(forge.open_pulls("main").await, Ok(Fresh::New(_))));
    assert!(matches!(forge.open_pulls("main").await, Ok(Fresh::Unchanged)));
}

#[tokio::test]
async fn unchanged_reviews_cost_nothing_and_are_returned_again() {
    let server = Server::start(|seen| match seen.header("if-none-match") {
        Some("\"one\"") => Answer::new(304, ""),
        _ => {
            let mut review = review(1);
            review["user"]["type"] = json!("User");
            Answer::ok(json!([review])).with("etag", "\"one\"")
        }
    })
    .await;
    let forge = setup(ForgeKind::GitHub, &server).forge();
    for _ in 0..3 {
        assert_eq!(forge.opinions(&pull(1)).await.unwrap().len(), 1);
    }
    assert_eq!((server.lines().len(), forge.usage().remaining), (3, 999));
    // A tag of another forge does not make an answer free.
    let forge = setup(ForgeKind::GitLab, &server).forge();
    let error = forge.pulls_of(&commit('a')).await.unwrap_err();
    assert!(matches!(error, Error::Garbage(_)) && server.seen()[3].header("if-none-match").is_none(), "{error}");
}
