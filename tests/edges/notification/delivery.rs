//! Delivery: retries, limits, and receivers that misbehave.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::Value;
use tokio::sync::mpsc;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::{at, instance, notice, receiver};
use tidegate_daemon::reconciler::clock::Clock;
use tidegate_daemon::reconciler::http::{NoAnswer, Reply};
use tidegate_daemon::reconciler::news::Kind;
use tidegate_daemon::reconciler::notification::{
    Metrics, Notice, Protocol, Receiver, Sender, Transport, Verdict, dispatch, judge,
};

fn reply(status: u16, retry_after: Option<&str>, body: &str) -> Reply {
    Reply { status, retry_after: retry_after.map(str::to_owned), body: body.as_bytes().to_vec() }
}

/// A message that arrived: the host, the seconds since the start, and the body.
type Arrived = (String, u64, Value);

/// Receivers that answer as a test wants, and what arrived at them.
struct Room {
    arrived: Arc<Mutex<Vec<Arrived>>>,
    notices: mpsc::Sender<Notice>,
    task: tokio::task::JoinHandle<()>,
    _files: Vec<tempfile::NamedTempFile>,
}

impl Room {
    /// Starts the task for one webhook on each host. `answer` gets the host and the number of requests before; without an answer,
    /// the receiver hangs.
    fn new(hosts: &[&str], answer: impl Fn(&str, usize) -> Option<Reply> + Send + Sync + 'static) -> Self {
        let mut files = Vec::new();
        let receivers: Vec<Receiver> = hosts
            .iter()
            .map(|host| {
                let file = tempfile::NamedTempFile::new().unwrap();
                std::fs::write(&file, format!("https://{host}/hook\n")).unwrap();
                let receiver = receiver(Protocol::Webhook, file.path());
                files.push(file);
                receiver
            })
            .collect();
        let (arrived, start) = (Arc::new(Mutex::new(Vec::<Arrived>::new())), Instant::now());
        let (log, answer) = (arrived.clone(), Arc::new(answer));
        let transport = Transport::new(move |request| {
            let host = request.url.host_str().unwrap().to_owned();
            let body = serde_json::from_slice(&request.body).unwrap();
            let mut log = log.lock().unwrap();
            let before = log.iter().filter(|(known, ..)| *known == host).count();
            let answer = answer(&host, before);
            log.push((host, start.elapsed().as_secs(), body));
            async move {
                match answer {
                    Some(reply) => Ok(reply),
                    None => std::future::pending().await,
                }
            }
        });
        let (notices, waiting) = mpsc::channel(1_000);
        let clock = Clock::new(move || at(i64::try_from(start.elapsed().as_secs()).unwrap()));
        let sender = Sender { transport, clock, instance: instance(), metrics: Metrics::default() };
        let task = tokio::spawn(dispatch(receivers, waiting, sender, CancellationToken::new()));
        Self { arrived, notices, task, _files: files }
    }

    async fn send(&self, kind: Kind, addon: &str) {
        self.notices.send(notice(kind, addon)).await.unwrap();
    }

    /// Waits until everything is delivered or given up.
    async fn end(self) -> Vec<Arrived> {
        drop(self.notices);
        self.task.await.unwrap();
        self.arrived.lock().unwrap().clone()
    }
}

fn ok(_: &str, _: usize) -> Option<Reply> {
    Some(reply(200, None, "ok"))
}

#[tokio::test(start_paused = true)]
async fn a_receiver_gets_ten_notifications_at_once_and_then_one_with_the_number_of_the_others() {
    let room = Room::new(&["a"], ok);
    for n in 0..20 {
        room.send(Kind::RolloutCompleted, &format!("addon-{n:02}")).await;
    }
    room.send(Kind::RolloutStopped, "istio").await;
    let arrived = room.end().await;
    assert_eq!(arrived.len(), 11);
    assert!(arrived[..10].iter().all(|(_, at, _)| *at == 0));
    let (_, at, last) = &arrived[10];
    assert_eq!((*at, &last["addon"], &last["omitted"]), (10, &"istio".into(), &10.into()), "the most important one");
}

#[tokio::test(start_paused = true)]
async fn a_failed_delivery_is_retried_with_growing_pauses_and_the_same_identity() {
    let room = Room::new(&["a"], |_, before| match before {
        0 | 1 => Some(reply(503, None, "")),
        2 => Some(reply(429, Some("100"), "")),
        3 => Some(reply(429, None, "{\"retry_after_ms\": 50000}")),
        _ => Some(reply(200, None, "")),
    });
    room.send(Kind::RolloutStopped, "istio").await;
    let arrived = room.end().await;
    assert_eq!(arrived.iter().map(|(_, at, _)| *at).collect::<Vec<_>>(), [0, 1, 3, 103, 153]);
    assert!(arrived.iter().all(|(_, _, body)| body["id"] == arrived[0].2["id"]));
    assert_eq!(arrived[4].2["time"], "2026-11-23T12:02:33Z", "the time is that of the attempt");
}

#[tokio::test(start_paused = true)]
async fn a_notification_is_given_up_after_an_hour_or_at_once_if_it_is_refused() {
    let room =
        Room::new(&["a", "b"], |host, _| Some(if host == "a" { reply(500, None, "") } else { reply(404, None, "") }));
    room.send(Kind::RolloutStopped, "istio").await;
    room.send(Kind::AddonHeld, "otel").await;
    let arrived = room.end().await;
    let count = |host: &str| arrived.iter().filter(|(at, ..)| at == host).count();
    assert_eq!(count("b"), 2);
    let last = |addon: &str| arrived.iter().filter(|(_, _, body)| body["addon"] == addon).map(|(_, at, _)| *at).max();
    assert!((3_500..=3_600).contains(&last("istio").unwrap()));
    assert!(last("otel").unwrap() > 3_600, "the next one is delivered after it");
}

#[tokio::test(start_paused = true)]
async fn a_receiver_that_hangs_delays_no_other() {
    let room = Room::new(&["a", "b"], |host, _| if host == "a" { None } else { Some(reply(200, None, "garbage\0")) });
    for addon in ["istio", "otel", "cert"] {
        room.send(Kind::AddonHeld, addon).await;
    }
    let arrived = room.end().await;
    let times: Vec<u64> = arrived.iter().filter(|(host, ..)| host == "b").map(|(_, at, _)| *at).collect();
    assert_eq!(times, [0, 0, 0]);
    let of_first: Vec<u64> = arrived.iter().filter(|(host, ..)| host == "a").map(|(_, at, _)| *at).take(3).collect();
    assert_eq!(of_first, [0, 11, 23], "each attempt ends after ten seconds");
}

#[tokio::test(start_paused = true)]
async fn a_stop_signal_ends_the_task_after_a_grace_period() {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(&file, "https://a/hook").unwrap();
    let transport = Transport::new(|_| std::future::pending());
    let sender = Sender { transport, clock: Clock::new(|| at(0)), instance: instance(), metrics: Metrics::default() };
    let (notices, waiting) = mpsc::channel(1);
    let stop = CancellationToken::new();
    let task = tokio::spawn(dispatch(vec![receiver(Protocol::Webhook, file.path())], waiting, sender, stop.clone()));
    notices.send(notice(Kind::AddonHeld, "istio")).await.unwrap();
    let start = Instant::now();
    stop.cancel();
    task.await.unwrap();
    assert_eq!(start.elapsed().as_secs(), Duration::from_secs(2).as_secs());
}

#[test]
fn an_answer_is_judged_by_its_status() {
    let verdict = |status, after, body| judge(Ok(&reply(status, after, body)));
    assert_eq!(verdict(202, None, "garbage"), Verdict::Delivered);
    let Verdict::Refused(why) = verdict(302, None, "") else { panic!() };
    assert!(why.contains("redirects are not followed"), "{why}");
    assert_eq!(verdict(403, None, "invalid\ntoken"), Verdict::Refused("HTTP 403: invalid token".to_owned()));
    for (after, seconds) in [(Some("7"), 7), (Some("Mon, 23 Nov 2026 12:00:00 GMT"), 0), (Some("-1"), 0), (None, 0)] {
        let after = verdict(429, after, "");
        assert!(matches!(after, Verdict::Retry { after, .. } if after == Duration::from_secs(seconds)), "{after:?}");
    }
    assert!(matches!(judge(Err(&NoAnswer::Late(Duration::from_secs(10)))), Verdict::Retry { .. }));
}
