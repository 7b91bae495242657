//! When a check is measured, and which measurements count.

use serde_json::{Value, json};
use tidegate_model::digest::Digest;
use tidegate_rollout::gate::checks::{Outcome, Standing, State, failed};

use super::bench::{Bench, at};

const PASSES: Result<(u16, &str), &str> = Ok((200, ""));
const FAILS: Result<(u16, &str), &str> = Ok((500, ""));
const SILENT: Result<(u16, &str), &str> = Err("no answer within 10s");

fn bench(fields: Value) -> Bench {
    let mut check = json!({ "http": { "url": "https://shop.example.com/" }, "interval": "30s", "failures": 2 });
    check.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    Bench::new(check)
}

fn state(judged: &tidegate_rollout::gate::checks::Judged) -> State {
    judged.judgements[0].state
}

#[test]
fn it_is_measured_once_the_group_is_done_and_a_pass_stays_a_pass() {
    let mut bench = bench(json!({}));
    bench.canary = Standing::Underway;
    let judged = bench.judge(at(90));
    assert_eq!((judged.requests.len(), judged.judgements[0].is_open), (0, false));
    bench.canary = Standing::Done { since: at(100) };
    assert_eq!(bench.judge(at(105)).requests[0].due, at(100));
    let judged = bench.answer(at(105), PASSES);
    assert_eq!((judged.requests.len(), judged.judgements[0].is_open), (0, true));
    // A restart knows only the evidence.
    bench.observations.0.clear();
    assert!(bench.judge(at(10_000)).judgements[0].is_open);
}

#[test]
fn a_pass_from_before_the_group_was_done_does_not_count() {
    let mut bench = bench(json!({}));
    assert!(bench.answer(at(105), PASSES).judgements[0].is_open);
    bench.canary = Standing::Done { since: at(110) };
    let judged = bench.judge(at(120));
    assert_eq!((state(&judged), judged.judgements[0].is_open), (State::Unmeasured, false));
    assert_eq!(judged.requests[0].due, at(110));
}

#[test]
fn a_pass_of_another_digest_or_declaration_does_not_count() {
    let mut bench = bench(json!({}));
    assert!(bench.answer(at(105), PASSES).judgements[0].is_open);
    bench.digest = Digest::of(b"3");
    assert!(!bench.judge(at(106)).judgements[0].is_open);
    let mut other = self::bench(json!({ "timeout": "5s" }));
    other.evidence =
        self::bench(json!({})).answer(at(105), PASSES).judgements[0].evidence.clone().into_iter().collect();
    assert!(!other.judge(at(106)).judgements[0].is_open);
}

#[test]
fn it_counts_as_failed_after_enough_failures_in_a_row_and_recovers() {
    let mut bench = bench(json!({}));
    let judged = bench.answer(at(100), FAILS);
    assert_eq!((state(&judged), judged.requests[0].due), (State::Failing { times: 1 }, at(130)));
    assert!(failed(&judged.judgements).is_none());
    let judged = bench.answer(at(130), FAILS);
    assert_eq!(failed(&judged.judgements).unwrap().state, State::Failed { times: 2 });
    bench.observations.0.clear();
    let judged = bench.answer(at(160), SILENT);
    assert_eq!(state(&judged), State::Failed { times: 2 }, "a missing result takes back no failure");
    let judged = bench.answer(at(190), PASSES);
    assert_eq!((state(&judged), judged.judgements[0].is_open), (State::Passing, true));
}

#[test]
fn a_missing_result_means_what_the_check_declares() {
    let after = |unreachable: &str| {
        let mut bench = bench(json!({ "unreachable": unreachable }));
        [100, 130, 160].map(|second| {
            let judged = bench.answer(at(second), SILENT);
            (state(&judged), judged.judgements[0].is_open)
        })
    };
    assert_eq!(after("Hold"), [(State::NoResult, false); 3]);
    let failed = (State::Failed { times: 2 }, false);
    assert_eq!(after("Fail"), [(State::Failing { times: 1 }, false), failed, failed]);
    assert_eq!(after("Pass"), [(State::Passing, true); 3]);
}

#[test]
fn a_server_that_goes_down_after_a_failure_does_not_pass() {
    let mut bench = bench(json!({ "unreachable": "Pass" }));
    assert_eq!(state(&bench.answer(at(100), FAILS)), State::Failing { times: 1 });
    assert_eq!(state(&bench.answer(at(130), SILENT)), State::NoResult);
}

#[test]
fn a_check_of_the_soak_time_is_measured_from_the_start_and_must_pass_once_more_at_the_end() {
    let mut bench = bench(json!({ "when": "Soak" }));
    bench.canary = Standing::Waiting;
    assert!(bench.judge(at(10)).requests.is_empty());
    bench.canary = Standing::Underway;
    let judged = bench.answer(at(20), PASSES);
    assert_eq!((judged.judgements[0].is_open, judged.requests[0].due), (false, at(50)));
    bench.canary = Standing::Done { since: at(40) };
    let judged = bench.judge(at(40));
    assert_eq!((judged.judgements[0].is_open, judged.requests[0].due), (false, at(40)));
    let judged = bench.answer(at(41), PASSES);
    assert_eq!((judged.judgements[0].is_open, judged.requests[0].due), (true, at(71)));
    let judged = bench.answer(at(71), FAILS);
    assert!(!judged.judgements[0].is_open, "it must pass as long as clusters wait");
    bench.others = Standing::Underway;
    let judged = bench.judge(at(72));
    assert!(judged.requests.iter().all(|request| request.key.group.index == 1), "no cluster waits for the canary");
}

#[test]
fn nothing_is_measured_if_no_cluster_waits() {
    let mut bench = bench(json!({}));
    bench.others = Standing::Done { since: at(50) };
    assert!(bench.judge(at(200)).requests.is_empty());
}

#[test]
fn measurements_that_confirm_each_other_are_journaled_once() {
    let mut bench = bench(json!({ "failures": 1 }));
    let journaled = |bench: &Bench| serde_json::to_string(&bench.evidence).unwrap();
    bench.answer(at(100), Ok((500, "")));
    let first = journaled(&bench);
    for second in (130..400).step_by(30) {
        assert_eq!(bench.answer(at(second), Ok((502, ""))).requests[0].due, at(second + 30));
    }
    assert_eq!(journaled(&bench), first);
    assert_eq!(bench.evidence[0].outcome, Outcome::Failed);
}
