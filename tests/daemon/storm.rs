//! A remote that fails in every way while clusters are upgraded: the journal loses nothing, and no secret leaks.

use std::io::Write;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::time::Instant;
use tracing_subscriber::fmt::MakeWriter;

use super::world::{World, eventually};
use crate::http_backend::{Answer, HttpBackend};
use tidegate_daemon::reconciler::Config;
use tidegate_git::{Credentials, Remote, Timeouts};

const ADDON: &str = "fleet/addons/hello-template/addon.yaml";
const JOURNAL: &str = "tidegate/journal";
/// The planted token, and the header in which it is sent for the user `x-access-token`.
const TOKEN: &str = "planted-3f9c1d77e0";
const HEADER: &str = "Basic eC1hY2Nlc3MtdG9rZW46cGxhbnRlZC0zZjljMWQ3N2Uw";
const SENT: &str = "eC1hY2Nlc3MtdG9rZW46cGxhbnRlZC0zZjljMWQ3N2Uw";

/// Returns the ways in which the remote fails, in order. Some answers repeat the credentials that they received.
fn weather() -> Vec<Answer> {
    let echo = "no: planted-3f9c1d77e0 (Basic eC1hY2Nlc3MtdG9rZW46cGxhbnRlZC0zZjljMWQ3N2Uw) may not";
    vec![
        Answer::Authorized(HEADER),
        Answer::Refused("403 Forbidden", echo),
        Answer::Cut(40),
        Answer::Authorized(HEADER),
        Answer::Always("500 Internal Server Error".to_owned()),
        Answer::Stalled(20),
        Answer::Authorized(HEADER),
        Answer::Refused("401 Unauthorized", echo),
        Answer::Refused("404 Not Found", echo),
        Answer::ListsOnly,
        Answer::Always("429 Too Many Requests".to_owned()),
    ]
}

/// Receives the log. Keeps the number of lines, and the lines that contain the token.
#[derive(Clone, Default)]
struct Leaks(Arc<Mutex<(usize, Vec<String>)>>);

impl Write for Leaks {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let text = String::from_utf8_lossy(bytes);
        let mut found = self.0.lock().unwrap();
        found.0 += 1;
        if text.contains(TOKEN) || text.contains(SENT) {
            found.1.push(text.into_owned());
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl<'a> MakeWriter<'a> for Leaks {
    type Writer = Self;
    fn make_writer(&'a self) -> Self {
        self.clone()
    }
}

/// Runs a future on threads whose log goes to one place.
fn logged<T>(leaks: &Leaks, work: impl Future<Output = T>) -> T {
    let subscriber: tracing::Dispatch =
        tracing_subscriber::fmt().with_max_level(tracing::Level::DEBUG).with_writer(leaks.clone()).finish().into();
    let of_threads = subscriber.clone();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .start_paused(true)
        .on_thread_start(move || {
            // It is in effect for as long as the thread lives.
            std::mem::forget(tracing::dispatcher::set_default(&of_threads));
        })
        .build()
        .unwrap();
    let _here = tracing::dispatcher::set_default(&subscriber);
    runtime.block_on(work)
}

/// Changes the failure forever, and sometimes lets the hook of the remote refuse.
async fn blow(server: Arc<HttpBackend>, hook: std::path::PathBuf) {
    for (at, answer) in weather().into_iter().cycle().enumerate() {
        server.answer(answer);
        match at % 4 {
            0 => std::fs::write(&hook, "").unwrap(),
            _ => drop(std::fs::remove_file(&hook)),
        }
        tokio::time::sleep(Duration::from_millis(300)).await;
    }
}

#[test]
fn a_failing_remote_loses_no_journal_entry_and_leaks_no_secret() {
    // Seconds on the clock of the runtime. Longer runs are started by hand; five minutes have been tested.
    let seconds = std::env::var("TIDEGATE_STORM_SECONDS").ok().and_then(|text| text.parse().ok()).unwrap_or(6);
    let leaks = Leaks::default();
    logged(&leaks, storm(Duration::from_secs(seconds)));
    let (lines, leaks) = std::mem::take(&mut *leaks.0.lock().unwrap());
    assert!(lines > 20, "the log was captured: {lines} lines");
    assert_eq!(leaks, [""; 0]);
}

async fn storm(length: Duration) {
    let world = World::new(20);
    let repository = world.repository();
    let hook = world.path("refuse");
    let script = format!(
        "#!/bin/sh\nif [ -e '{}' ]; then echo 'policy: the branch is protected ({TOKEN})' >&2; exit 1; fi\n",
        hook.display()
    );
    std::fs::create_dir_all(repository.join("hooks")).unwrap();
    std::fs::write(repository.join("hooks/pre-receive"), script).unwrap();
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(repository.join("hooks/pre-receive"), PermissionsExt::from_mode(0o755)).unwrap();

    let server = Arc::new(HttpBackend::serve(repository.parent().unwrap(), Answer::Authorized(HEADER)));
    std::fs::write(world.path("token"), format!("{TOKEN}\n")).unwrap();
    let timeouts = Timeouts {
        connect: Duration::from_secs(2),
        request: Duration::from_millis(800),
        operation: Duration::from_secs(2),
    };
    let remote = Remote::new(&server.url("repo.git"), Credentials::TokenFile(world.path("token"))).unwrap();
    let config = Config { remote: remote.with_timeouts(timeouts), ..world.config("mirror.git") };
    let mut daemon = world.daemon_with(world.client(), config).await;
    daemon.until_settled("0.4.0").await;

    let wind = tokio::spawn(blow(server.clone(), hook.clone()));
    let (until, mut rollouts, mut version) = (Instant::now() + length, 1, "0.4.0");
    while Instant::now() < until {
        let next = if version == "0.4.0" { "0.4.1" } else { "0.4.0" };
        world.edit(ADDON, &format!("hello-template-{version}"), &format!("hello-template-{next}"));
        // A failed poll is retried, and the rollout continues no matter what happens to the journal.
        daemon.until_settled(next).await;
        (version, rollouts) = (next, rollouts + 1);
    }
    wind.abort();
    let _aborted = wind.await;
    drop(std::fs::remove_file(&hook));
    server.answer(Answer::Authorized(HEADER));
    let sealed = |n: u32| world.git(&["show", &format!("{JOURNAL}:addons/hello-template/rollouts/{n}.yaml")]);
    let is_told = || daemon.metric("tidegate_journal_behind") == 0.0 && !sealed(rollouts).is_empty();
    eventually("the journal is on the remote when the failures are over", async || is_told()).await;
    daemon.end().await;

    for n in 1..=rollouts {
        assert!(sealed(n).contains("outcome: Completed"), "rollout {n} of {rollouts}: {}", sealed(n));
    }
    assert!(sealed(rollouts + 1).is_empty());
    let found = world.git(&["fsck", "--strict", "--no-dangling", "--no-progress"]);
    assert_eq!(found.lines().filter(|line| !line.starts_with("notice: ")).collect::<Vec<_>>(), [""; 0]);
    for text in [world.git(&["log", "-p", JOURNAL]), daemon_files(&world)] {
        assert!(!text.contains(TOKEN) && !text.contains(SENT), "the journal and the mirror contain no secret");
    }
}

/// Returns everything in the mirror except Git's packed objects.
fn daemon_files(world: &World) -> String {
    let (mut text, mut waiting) = (String::new(), vec![world.path("mirror.git")]);
    while let Some(directory) = waiting.pop() {
        for entry in std::fs::read_dir(directory).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                waiting.push(path);
            } else {
                text.push_str(&String::from_utf8_lossy(&std::fs::read(path).unwrap()));
            }
        }
    }
    text
}

#[tokio::test(start_paused = true)]
async fn a_webhook_makes_the_daemon_poll_at_once() {
    let world = World::new(20);
    let server = HttpBackend::serve(world.repository().parent().unwrap(), Answer::Open);
    let remote = Remote::new(&server.url("repo.git"), Credentials::None).unwrap();
    // Without the webhook, it would poll in an hour.
    let config = Config { remote, poll: Duration::from_secs(3600), ..world.config("mirror.git") };
    let mut daemon = world.daemon_with(world.client(), config).await;
    daemon.until_settled("0.4.0").await;
    world.edit(ADDON, "hello-template-0.4.0", "hello-template-0.4.1");
    daemon.look().send_replace(());
    daemon.until("the plan", |s| s.report.addons["hello-template"].version == "0.4.1").await;
    daemon.end().await;
}
