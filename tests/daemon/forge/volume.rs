//! Many pull requests, many comments and many webhooks: requests stay few, and the own comment is found.

use std::time::Duration;

use serde_json::json;
use tidegate_fake_forge::{CommentRecord, RequestRecord};
use tidegate_model::forge::ForgeKind;

use super::stage::{CONFIG, Stage};
use super::trial::{Trial, quiet};
use crate::daemon::world::eventually;

/// The number of open pull requests: more than the daemon reads at a time, and more than one page.
const PULLS: u64 = 70;
/// The largest page of the forge. That of GitHub is larger.
const PAGE: usize = 50;
/// The most requests of a look while pull requests are read for the first time: two pages, and four requests for each of 50 of them and
/// three for each of ten others.
const FIRST: usize = 235;
/// The most requests of a look at pull requests that did not change: two pages, and the reviews of ten of them in turn.
const LATER: usize = 12;

#[tokio::test(start_paused = true)]
async fn many_open_pull_requests_are_read_a_few_at_a_time_and_then_cost_nothing_on_github() {
    let stage = Stage::with(ForgeKind::GitHub, |options| options.behavior.page_limit = Some(PAGE)).await;
    let mut trial = Trial::on(stage, &json!([])).await;
    for number in 1..=PULLS {
        let branch = format!("notes-{number}");
        trial.stage.forge.add_branch(&branch).unwrap();
        trial.stage.write_on(&branch, &format!("docs/{number}.md"), "a note\n");
        trial.stage.forge.open_pull("ada", &branch, "main", &branch).unwrap();
    }
    trial.stage.forge.clear_requests();
    let all = usize::try_from(PULLS).unwrap();
    trial.until("all pull requests are read", |s| s.facts.pulls.records.len() == all).await;
    let looks = looks(&trial.stage);
    assert!(looks.iter().all(|look| look.len() <= FIRST), "{:?}", looks.iter().map(Vec::len).collect::<Vec<_>>());

    trial.stage.forge.clear_requests();
    // The fourth look starts after the third one has ended.
    trial.looking(eventually("the daemon looks four times", async || self::looks(&trial.stage).len() >= 4)).await;
    let looks = self::looks(&trial.stage);
    assert!(looks.iter().all(|look| look.len() <= LATER), "{looks:#?}");
    let last = &looks[2];
    assert!(last.iter().all(|request| request.is_not_modified), "{last:#?}");
    trial.ends().await;
}

#[tokio::test(start_paused = true)]
async fn a_flood_of_webhooks_causes_one_look_per_second() {
    let trial = Trial::start(ForgeKind::Gitea, &json!([])).await;
    trial.stage.forge.clear_requests();
    for _ in 0..300 {
        trial.look();
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    let looks = looks(&trial.stage).len();
    assert!((2..=5).contains(&looks), "{looks} looks in three seconds");
    trial.ends().await;
}

/// Returns the requests to the API by look. A look starts with the list of open pull requests.
fn looks(stage: &Stage) -> Vec<Vec<RequestRecord>> {
    let mut looks: Vec<Vec<RequestRecord>> = Vec::new();
    let of_api = |request: &RequestRecord| request.target.starts_with("/api/") || request.target.starts_with("/repo");
    for request in stage.forge.requests().into_iter().filter(of_api) {
        let is_first = request.target.contains("/pulls?") && !request.target.contains("&page=2");
        if is_first {
            looks.push(Vec::new());
        }
        if let Some(look) = looks.last_mut() {
            look.push(request);
        }
    }
    looks
}

#[tokio::test(start_paused = true)]
async fn the_daemon_edits_only_its_own_comment() {
    let stage = Stage::with(ForgeKind::GitHub, |options| options.behavior.page_limit = Some(4)).await;
    let mut config = quiet(&stage);
    config.forge.as_mut().unwrap().publish.comments = true;
    let mut trial = Trial::with(stage, config, &json!([])).await;
    let forge = trial.stage.forge.clone();
    let (pull, head) = trial.stage.open("up");
    trial.until_record(pull, |record| record.comment.is_some()).await;
    let first = forge.comments(pull).remove(0);
    let marker = first.body.lines().next().unwrap().to_owned();
    assert!(marker.starts_with("<!-- tidegate"), "{marker}");

    // Someone removes it, and someone else writes one that looks like it.
    forge.remove_comment(first.id);
    for number in 0..10 {
        let text = if number % 3 == 0 { format!("{marker}\nnothing changes") } else { "looks good".to_owned() };
        forge.comment("eve", pull, &text).unwrap();
    }
    let own = || forge.comments(pull).into_iter().filter(|c| c.by == first.by).collect::<Vec<CommentRecord>>();
    trial.moment().await;
    let next = trial.stage.edit_on("up", CONFIG, "\"2\"", "\"3\"");
    trial.until_record(pull, |record| record.head == next && record.comment != Some(first.id)).await;
    assert_eq!(own().len(), 1);
    assert_ne!(head, next);

    // After a restart without a trusted journal, it is found by its marker, behind the others.
    let mut trial = trial.restarted().await;
    let before = own().remove(0);
    let id = before.id;
    let last = trial.stage.edit_on("up", CONFIG, "\"3\"", "\"4\"");
    trial.until_record(pull, |record| record.head == last && record.comment == Some(id)).await;
    trial.looking(eventually("the comment is changed", async || own()[0].body != before.body)).await;
    assert_eq!((own().len(), forge.comments(pull).len()), (1, 11));
    assert!(forge.comments(pull).iter().filter(|c| c.by != first.by).all(|c| c.updated == c.created));
    trial.ends().await;
}
