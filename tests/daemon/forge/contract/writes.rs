//! What the daemon writes: requests, comments, statuses and deployments, also if answers are lost.

use serde_json::json;
use tidegate_fake_forge::{Fault, Method, Verdict};
use tidegate_forge::{Deployment, Error, NewPull, State};
use tidegate_model::forge::ForgeKind;

use super::place::{KINDS, Place, outcome, same_facts};
use crate::daemon::world::now;

/// A request of the daemon.
fn request() -> NewPull {
    NewPull {
        title: "Approve the rest".to_owned(),
        body: "Approve this request, or merge it".to_owned(),
        head_branch: "tidegate/gate/1".to_owned(),
        base_branch: "main".to_owned(),
    }
}

#[tokio::test(start_paused = true)]
async fn a_request_is_opened_once_found_merged_or_closed() {
    let facts = [
        "change 1: \"Approve the rest\" by tidegate, the request of tidegate/gate/1 into main, open, updated in minute 0",
        "refused",
        "change 1: \"Approve the rest\" by tidegate, the request of tidegate/gate/1 into main, closed, updated in minute 1",
        "change 2: \"Approve the rest\" by tidegate, the request of tidegate/gate/1 into main, open, updated in minute 1",
        "change 2: \"Approve the rest\" by tidegate, the request of tidegate/gate/1 into main, merged by bob in minute 2, updated in minute 2",
        "ada Approved the request in minute 2",
    ];
    same_facts(
        async |place| {
            assert_eq!(place.client.find_pull("tidegate/gate/1", "main").await, Ok(None));
            place.commit("tidegate/gate/1", "the request");
            let opened = place.client.open_pull(&request()).await.unwrap();
            place.note(place.pull(&opened));
            assert_eq!(place.client.find_pull("tidegate/gate/1", "main").await, Ok(Some(opened.clone())));
            let again = place.client.open_pull(&request()).await.unwrap_err();
            assert!(matches!(again, Error::Invalid { .. } | Error::Conflict(_)), "{again}");
            place.note("refused");
            place.later().await;
            place.client.close_pull(opened.number).await.unwrap();
            place.note_pull(opened.number).await;
            let second = place.client.open_pull(&request()).await.unwrap();
            let found = place.client.find_pull("tidegate/gate/1", "main").await.unwrap().unwrap();
            assert_eq!(found, second);
            place.note(place.pull(&found));
            place.later().await;
            // The author of the change that the request is about is not the author of the request.
            place.forge.review("ada", second.number, Verdict::Approve).unwrap();
            place.forge.merge("bob", second.number, Method::Merge).unwrap();
            place.note_pull(second.number).await;
            place.note_opinions(second.number).await;
        },
        &facts,
        &[],
    )
    .await;
}

/// Notes the latest statuses of a commit as the client reads them, and how many were written.
async fn note_statuses(place: &mut Place, commit: &tidegate_model::revision::CommitId) {
    for status in place.client.statuses(commit).await.unwrap() {
        let by = if status.creator == Some(place.account("tidegate").id) { "own" } else { "other" };
        place.note(format!("{by} {} is {:?}: {}", status.context, status.state, status.text));
    }
}

#[tokio::test(start_paused = true)]
async fn the_latest_status_of_each_context_is_found() {
    let facts = ["own tidegate/plan is Success: done", "own tidegate/approvals is Pending: 0 of 1"];
    same_facts(
        async |place| {
            place.open("up", "the upgrade");
            let head = place.commit("up", "a correction");
            let write = async |context: &str, state, text: &str| {
                place
                    .client
                    .status(&head, context, state, text, Some("https://example.com"), Some("up"))
                    .await
                    .unwrap();
            };
            write("tidegate/approvals", State::Pending, "0 of 1").await;
            write("tidegate/plan", State::Running, "planning").await;
            write("tidegate/plan", State::Success, "done").await;
            // GitLab refuses what does not change, and this is not an error.
            write("tidegate/plan", State::Success, "done").await;
            note_statuses(place, &head).await;
        },
        &facts,
        &[],
    )
    .await;
}

/// The routes of a forge: the list of pull requests, reviews, comments and statuses.
fn routes(kind: ForgeKind) -> [&'static str; 4] {
    match kind {
        ForgeKind::GitHub | ForgeKind::Gitea => ["/pulls?", "/reviews", "/comments", "/statuses"],
        ForgeKind::GitLab => ["/merge_requests?", "/approvals", "/notes", "/statuses"],
    }
}

#[tokio::test(start_paused = true)]
async fn an_answer_that_is_lost_cut_or_garbage_is_an_error_and_never_an_empty_list() {
    for kind in KINDS {
        let mut place = Place::new(kind).await;
        let number = place.open("up", "the upgrade");
        let pull = place.client.pull(number).await.unwrap();
        let ask = async |index: usize| match index {
            0 => place.client.open_pulls("main").await.map(drop),
            1 => place.client.opinions(&pull).await.map(drop),
            2 => place.client.comments(&pull).await.map(drop),
            _ => place.client.statuses(&pull.head).await.map(drop),
        };
        for (index, route) in routes(kind).into_iter().enumerate() {
            for fault in [
                Fault::Truncate(1),
                Fault::Garbage,
                Fault::HangUp,
                Fault::Status(500, Vec::new(), "oops".to_owned()),
                Fault::Status(403, Vec::new(), "{\"message\":\"Forbidden\"}".to_owned()),
                Fault::secondary_limit(60),
                Fault::retry_later(60, now().as_second() + 60),
            ] {
                place.forge.fail_next(format!("GET {route}").as_str(), fault.clone());
                let error = ask(index).await.unwrap_err();
                let is_expected = match &fault {
                    Fault::Truncate(_) | Fault::HangUp => matches!(error, Error::Unreachable(_)),
                    Fault::Garbage => matches!(error, Error::Garbage(_)),
                    Fault::Status(500, ..) => matches!(error, Error::Unreachable(_)),
                    Fault::Status(_, headers, _) if headers.is_empty() => matches!(error, Error::Denied(_)),
                    _ => matches!(error, Error::Limited { .. }),
                };
                assert!(is_expected, "{kind} {route} {fault:?}: {error}");
                place.later().await;
                place.later().await;
                assert_eq!(ask(index).await, Ok(()), "{kind} {route} after {fault:?}");
            }
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_write_whose_answer_is_lost_is_done_once_although_it_is_repeated() {
    let facts = [
        "failed for now",
        "failed for now",
        "done",
        "done",
        "1 comments",
        "failed for now",
        "failed for now",
        "failed for now",
        "done",
        "own tidegate/plan is Success: done",
    ];
    same_facts(
        async |place| {
            let number = place.open("up", "the upgrade");
            let pull = place.client.pull(number).await.unwrap();
            let [_, _, comments, statuses] = routes(place.kind);
            let faults = [Some(Fault::HangUp), Some(Fault::HangUpAfterWrite), Some(Fault::Truncate(5)), None];
            for fault in faults.clone() {
                if let Some(fault) = fault {
                    place.forge.fail_next(format!("POST {comments}").as_str(), fault);
                }
                let written = place.client.comment(&pull, "<!-- plan -->", None, "<!-- plan -->\none").await;
                place.note(outcome(written));
            }
            place.note(format!("{} comments", place.forge.comments(number).len()));
            for fault in faults {
                if let Some(fault) = fault {
                    place.forge.fail_next(format!("POST {statuses}").as_str(), fault);
                }
                let written =
                    place.client.status(&pull.head, "tidegate/plan", State::Success, "done", None, Some("up"));
                let written = written.await;
                place.note(outcome(written));
            }
            note_statuses(place, &pull.head).await;
        },
        &facts,
        &[],
    )
    .await;
}

/// The differences in states are GitHub's and GitLab's own words. Gitea has no deployments.
#[tokio::test(start_paused = true)]
async fn a_deployment_is_found_again_and_replaced() {
    for (kind, replaced) in [(ForgeKind::GitHub, "inactive"), (ForgeKind::GitLab, "canceled")] {
        let mut place = Place::new(kind).await;
        let commit = place.commit("main", "the upgrade");
        let forge = place.client.clone();
        assert_eq!(forge.latest_deployment("istio/rest", "tidegate").await, Ok(None), "{kind}");
        let deployment = Deployment {
            commit,
            branch: "main".to_owned(),
            environment: "istio/rest".to_owned(),
            task: "tidegate".to_owned(),
            payload: json!({ "digest": "1" }),
            description: "rollout 1".to_owned(),
        };
        for state in [State::Running, State::Success] {
            let id = forge.deployment(&deployment).await.unwrap();
            forge.deployment_state(id, "istio/rest", state, "1 of 2 clusters", None).await.unwrap();
            let found = forge.latest_deployment("istio/rest", "tidegate").await.unwrap().unwrap();
            assert_eq!((found.id, found.state, found.is_replaced), (id, Some(state), false), "{kind}");
            forge.replace_deployment(id, "istio/rest").await.unwrap();
            let found = forge.latest_deployment("istio/rest", "tidegate").await.unwrap().unwrap();
            assert_eq!((found.id, found.is_replaced), (id, true), "{kind}");
        }
        assert!(place.forge.deployments().iter().all(|one| one.state() == replaced));
        assert_eq!(forge.latest_deployment("istio/canary", "tidegate").await, Ok(None), "{kind}");
    }
    let place = Place::new(ForgeKind::Gitea).await;
    assert!(matches!(place.client.latest_deployment("istio/rest", "tidegate").await, Err(Error::Unsupported(_))));
}
