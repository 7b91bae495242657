//! A forge that is down, refuses requests, or loses answers: nothing opens, nothing is told twice, and nothing turns red.

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use tidegate_daemon::reconciler::{Config, Snapshot};
use tidegate_fake_forge::{Fault, Method, RateLimit, StatusRecord, Verdict};
use tidegate_model::backoff::Backoff;
use tidegate_model::forge::ForgeKind;
use tidegate_model::progress::Counts;
use tidegate_plan::report::AddonReport;
use tidegate_signature::SigningKey;

use super::stage::Stage;
use super::trial::{Trial, quiet};
use crate::daemon::world::{eventually, now};

const KEY: &str = include_str!("../../signature/fixtures/ssh_ed25519.key");

/// Returns the configuration of a daemon that reports everything, and retries rarely.
fn telling(stage: &Stage) -> Config {
    let backoff = Backoff { first: Duration::from_secs(1), longest: Duration::from_secs(300) };
    Config { backoff, ..stage.config() }
}

/// Returns how many clusters of the add-on are in which state.
fn counts(snapshot: &Snapshot) -> Counts {
    snapshot.report.addon("hello-template").map(AddonReport::counts).unwrap_or_default()
}

/// Returns the statuses of a commit in the context of the rollout.
fn told(stage: &Stage, commit: &str) -> Vec<StatusRecord> {
    let statuses = stage.forge.statuses(commit);
    statuses.into_iter().filter(|status| status.context == "tidegate/hello-template").collect()
}

#[tokio::test(start_paused = true)]
async fn a_rollout_continues_while_the_forge_is_down_and_the_rest_waits_and_is_told_once() {
    let stage = Stage::new(ForgeKind::GitHub).await;
    let config = stage.over_http(telling(&stage));
    let rules = json!([{ "name": "promotion", "of": ["forge:bob"], "before": ["1"], "after": "Reached" }]);
    let mut trial = Trial::with(stage, config, &rules).await;
    let (pull, _) = trial.stage.open("up");
    trial.until_record(pull, |record| record.comment.is_some()).await;
    trial.stage.world.break_works_with("v0.4.1");
    trial.stage.forge.merge("bob", pull, Method::Merge).unwrap();
    trial.until("canaries have started", |s| counts(s).progressing > 0).await;
    let merged = trial.stage.tip("main").to_string();
    eventually("the rollout is told", async || !told(&trial.stage, &merged).is_empty()).await;

    trial.stage.forge.down(true);
    trial.stage.world.heal_works();
    trial.daemon.until("the canaries are done", |s| counts(s).succeeded == 10).await;
    tokio::time::advance(Duration::from_secs(3600)).await;
    let tried = || trial.stage.forge.requests().iter().filter(|request| request.status.is_none()).count();
    let first = tried();
    trial.looking(eventually("the daemon asks again and again", async || tried() >= first + 20)).await;
    let snapshot = trial.daemon.until("a tick", |s| counts(s).succeeded == 10).await;
    assert_eq!((counts(&snapshot).progressing, counts(&snapshot).waiting), (0, 10));
    let before = told(&trial.stage, &merged).len();

    trial.stage.forge.down(false);
    let request = trial.until_request().await;
    trial.until_status(&merged, "tidegate/hello-template", "waits for").await;
    trial.stage.forge.review("bob", request.number, Verdict::Approve).unwrap();
    trial.until_settled().await;
    trial.until_status(&merged, "tidegate/hello-template", "completed").await;
    assert_eq!((trial.requests().len(), trial.stage.forge.comments(pull).len()), (1, 1));
    let statuses = told(&trial.stage, &merged);
    let texts: std::collections::BTreeSet<_> =
        statuses.iter().map(|s| (s.state.clone(), s.description.clone())).collect();
    assert_eq!(texts.len(), statuses.len(), "nothing is told twice: {statuses:#?}");
    assert!(statuses.len() <= before + 3, "{statuses:#?}");
    trial.ends().await;
}

#[tokio::test(start_paused = true)]
async fn what_was_approved_stays_approved_after_a_restart_if_the_journal_is_signed() {
    let mut trial = restarted_without_forge(Some(Arc::new(SigningKey::read(KEY).unwrap())), false).await;
    trial.daemon.until_settled("0.4.1").await;
    trial.daemon.end().await;
}

#[tokio::test(start_paused = true)]
async fn real_forge_d1_what_was_approved_stays_approved_after_a_restart_if_the_state_directory_is_kept() {
    let mut trial = restarted_without_forge(None, true).await;
    trial.daemon.until_settled("0.4.1").await;
    assert!(!trial.stage.journaled("pulls/1.yaml").is_empty());
    trial.daemon.end().await;
}

#[tokio::test(start_paused = true)]
async fn what_an_unsigned_journal_contains_counts_for_nothing_until_the_forge_answers() {
    let mut trial = restarted_without_forge(None, false).await;
    let snapshot = trial.daemon.until("the canaries are done", |s| counts(s).succeeded == 10).await;
    assert_eq!(counts(&snapshot).progressing, 0);
    trial.stage.forge.rate_limit(None);
    // The client sends nothing before the moment that the forge has given.
    trial.completes().await;
}

/// Bob approved, the canaries have started, and the daemon is killed. Then the forge refuses all requests, and the canaries become healthy.
async fn restarted_without_forge(signer: Option<Arc<SigningKey>>, keeps_state: bool) -> Trial {
    let stage = Stage::new(ForgeKind::GitHub).await;
    let config = Config { signer, ..quiet(&stage) };
    let rules = json!([{ "name": "promotion", "of": ["forge:bob"], "before": ["1"] }]);
    let mut trial = Trial::with(stage, config, &rules).await;
    let (pull, _) = trial.stage.open("up");
    trial.stage.forge.review("bob", pull, Verdict::Approve).unwrap();
    trial.stage.world.break_works_with("v0.4.1");
    trial.stage.forge.merge("bob", pull, Method::Merge).unwrap();
    trial.until_seats(1).await;
    trial.until_journaled(&format!("pulls/{pull}.yaml"), "state: merged").await;
    trial.stage.forge.rate_limit(Some(RateLimit { requests: 0, window: 30, status: 403 }));
    let trial = if keeps_state { trial.restarted().await } else { trial.restarted_elsewhere().await };
    trial.stage.world.heal_works();
    trial
}

/// Each route fails in several ways, one after another. GitLab also refuses a status that does not change.
#[tokio::test(start_paused = true)]
async fn answers_that_are_lost_cut_or_garbage_cause_neither_a_second_comment_nor_a_red_status_on_gitlab() {
    let [list, reviews, comments, statuses] = ["/merge_requests?", "/approvals", "/notes", "/statuses"];
    let stage = Stage::new(ForgeKind::GitLab).await;
    let mut config = telling(&stage);
    config.backoff = Backoff { first: Duration::from_millis(50), longest: Duration::from_millis(500) };
    let mut trial = Trial::with(stage, config, &json!([{ "name": "review", "of": ["forge:bob"] }])).await;
    let forge = trial.stage.forge.clone();
    for route in [list, reviews, comments, statuses] {
        for fault in [
            Fault::Truncate(20),
            Fault::Garbage,
            Fault::HangUp,
            Fault::Status(500, Vec::new(), "oops".to_owned()),
            Fault::Status(403, Vec::new(), "{\"message\":\"Forbidden\"}".to_owned()),
            Fault::secondary_limit(2),
            Fault::retry_later(2, now().as_second() + 2),
        ] {
            forge.fail_next(format!("GET {route}").as_str(), fault);
        }
    }
    for route in [comments, statuses] {
        forge.fail_next(format!("POST {route}").as_str(), Fault::HangUpAfterWrite);
        forge.fail_next(format!("POST {route}").as_str(), Fault::Truncate(5));
    }
    let (pull, head) = trial.stage.open("up");
    forge.review("bob", pull, Verdict::Approve).unwrap();
    trial.until_record(pull, |record| record.comment.is_some() && record.opinions.len() == 1).await;
    trial.until_status(head.as_str(), "tidegate/approvals", "approved").await;
    assert_eq!(forge.comments(pull).len(), 1);
    let reds = |commit: &str| {
        let is_red = |status: &StatusRecord| ["failure", "failed", "error"].contains(&status.state.as_str());
        forge.statuses(commit).into_iter().filter(is_red).collect::<Vec<_>>()
    };
    assert!(reds(head.as_str()).is_empty(), "{:#?}", reds(head.as_str()));
    forge.merge("ada", pull, Method::Merge).unwrap();
    trial.until_settled().await;
    assert_eq!(forge.comments(pull).len(), 1);
    assert!(reds(trial.stage.tip("main").as_str()).is_empty());
    trial.ends().await;
}

#[tokio::test(start_paused = true)]
async fn a_slow_forge_delays_neither_the_rollout_nor_the_end_of_the_daemon() {
    let mut trial =
        Trial::start(ForgeKind::Gitea, &json!([{ "name": "review", "of": ["forge:bob"], "before": ["1"] }])).await;
    let gate = tidegate_fake_forge::Gate::new();
    trial.stage.forge.fail_next("GET /pulls", Fault::Slow(gate.clone()));
    trial.stage.upgrade("main");
    trial.look();
    gate.arrived().await;
    let snapshot = trial.daemon.until("the canaries are done", |s| counts(s).succeeded == 10).await;
    assert_eq!(counts(&snapshot).progressing, 0);
    trial.daemon.end().await;
    gate.release();
}

#[tokio::test(start_paused = true)]
async fn a_commit_that_the_forge_cannot_show_does_not_hide_the_pull_request_of_the_others() {
    let trial = Trial::start(ForgeKind::GitHub, &json!([{ "name": "review", "of": ["forge:bob"] }])).await;
    let (pull, head) = trial.stage.open("up");
    trial.stage.forge.review("bob", pull, Verdict::Approve).unwrap();
    let merge = trial.stage.forge.merge("ada", pull, Method::Merge).unwrap();
    let first = head.as_str().min(&merge);
    for _ in 0..100 {
        let conflict = Fault::Status(409, Vec::new(), "{\"message\":\"Conflict\"}".to_owned());
        trial.stage.forge.fail_next(format!("/commits/{first}/pulls").as_str(), conflict);
    }
    trial.completes().await;
}

/// Refuses the next four requests that write to a path, and asserts that it is written to after 1, 2, 4 and 8 minutes.
async fn is_tried_less_and_less(stage: Stage, path: &str, rules: &Value, change: impl FnOnce(&Stage)) -> Trial {
    let (refused, config) = (format!("POST {path}"), stage.config());
    for _ in 0..4 {
        let body = json!({ "message": "invalid character" }).to_string();
        stage.forge.fail_next(refused.as_str(), Fault::Status(422, Vec::new(), body));
    }
    stage.forge.clear_requests();
    let trial = Trial::with(stage, config, rules).await;
    change(&trial.stage);
    let tried = || {
        let requests = trial.stage.forge.requests();
        requests.iter().filter(|seen| seen.method == "POST" && seen.target.ends_with(path)).count()
    };
    trial.looking(eventually("the first try", async || tried() == 1)).await;
    trial.looking(tokio::time::sleep(Duration::from_secs(50))).await;
    assert_eq!(tried(), 1, "it is not tried again within a minute");
    trial.looking(tokio::time::sleep(Duration::from_secs(16 * 60))).await;
    assert_eq!(tried(), 5);
    trial
}

#[tokio::test(start_paused = true)]
async fn real_forge_d10_a_comment_that_the_forge_refuses_is_tried_less_and_less() {
    let stage = Stage::new(ForgeKind::Gitea).await;
    let open = |stage: &Stage| drop(stage.open("up"));
    let trial = is_tried_less_and_less(stage, "/comments", &json!([]), open).await;
    trial.until_comment(trial.stage.forge.pulls()[0].number, "hello-template").await;
    trial.ends().await;
}

#[tokio::test(start_paused = true)]
async fn real_forge_d10_a_request_that_the_forge_refuses_is_tried_less_and_less() {
    let stage = Stage::new(ForgeKind::Gitea).await;
    let rules = json!([{ "name": "review", "of": ["forge:bob"] }]);
    let trial = is_tried_less_and_less(stage, "/pulls", &rules, |stage| drop(stage.upgrade("main"))).await;
    trial.stage.until_request().await;
    trial.ends().await;
}

/// Each of the environments is tried once.
#[tokio::test(start_paused = true)]
async fn real_forge_d10_a_deployment_that_the_forge_refuses_is_tried_less_and_less() {
    let stage = Stage::new(ForgeKind::GitHub).await;
    let mut config = stage.config();
    config.forge.as_mut().unwrap().publish.deployments = true;
    for _ in 0..100 {
        let body = json!({ "message": "Validation Failed" }).to_string();
        stage.forge.fail_next("POST /deployments", Fault::Status(422, Vec::new(), body));
    }
    let trial = Trial::with(stage, config, &json!([])).await;
    let tried = || {
        trial
            .stage
            .forge
            .requests()
            .iter()
            .filter(|seen| seen.method == "POST" && seen.target.ends_with("/deployments"))
            .count()
    };
    trial.looking(eventually("the first try", async || tried() > 0)).await;
    trial.looking(tokio::time::sleep(Duration::from_secs(20))).await;
    let first = tried();
    trial.looking(tokio::time::sleep(Duration::from_secs(30))).await;
    assert_eq!(tried(), first, "none is tried again within a minute");
    trial.ends().await;
}
