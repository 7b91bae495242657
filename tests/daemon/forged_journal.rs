//! A journal that someone else has written to while no daemon ran: it lets nothing start, go back or be approved.

use std::sync::Arc;

use serde_json::{Value, json};
use tidegate_daemon::reconciler::{Config, Daemon, daemon, journal, metrics, source};
use tidegate_signature::SigningKey;

use super::world::{Running, World};

const ADDON: &str = "fleet/addons/hello-template/addon.yaml";
const JOURNAL: &str = "tidegate/journal";
const STATUS: &str = "addons/hello-template/status.yaml";
const KEY: &str = include_str!("../signature/fixtures/ssh_ed25519.key");

fn config(world: &World, mirror: &str) -> Config {
    Config { signer: Some(Arc::new(SigningKey::read(KEY).unwrap())), ..world.config(mirror) }
}

async fn signing(world: &World, mirror: &str) -> Running {
    world.daemon_with(world.client(), config(world, mirror)).await
}

/// Creates a fleet on 0.4.0 whose journal is signed, and a commit with 0.4.1 that was never merged. Returns the commit.
async fn settled() -> (World, String) {
    let world = World::new(20);
    let mut daemon = signing(&world, "first.git").await;
    daemon.until_settled("0.4.0").await;
    world.until_sealed(1).await;
    daemon.end().await;
    world.git(&["branch", "evil", "main"]);
    let text = world.read("main", ADDON).replace("hello-template-0.4.0 #", "hello-template-0.4.1 #");
    let evil = world.commit_to("evil", "backdoor", [(ADDON.to_owned(), Some(text.into_bytes()))].into());
    (world, evil.to_string())
}

/// Returns a document of the journal after a change, as a commit to a branch of the journal.
fn forge(world: &World, branch: &str, path: &str, message: &str, change: impl FnOnce(&mut Value)) {
    let mut document: Value = serde_saphyr::from_str(&world.read(branch, path)).unwrap();
    change(&mut document);
    let forged = serde_saphyr::to_string(&document).unwrap();
    world.commit_to(branch, message, [(path.to_owned(), Some(forged.into_bytes()))].into());
}

/// Rejects the digest that the fleet has, so that it would return to a commit that was never merged.
fn reject(evil: &str) -> impl FnOnce(&mut Value) {
    move |status| {
        let digest = status["digest"].clone();
        status["rejected"] = json!({
            "digest": digest,
            "at": "2026-11-23T10:00:00Z",
            "reason": "forged",
            "policy": "RolloutPolicy production",
            "good": { "digest": format!("{:064}", 1), "commit": evil },
        });
    }
}

async fn stays_on_0_4_0(mut daemon: Running) {
    let ticked = daemon.until("some ticks", |snapshot| snapshot.tick > 1).await;
    let clusters = ticked.report.addons["hello-template"].clusters.values();
    assert!(clusters.clone().count() == 20 && clusters.clone().all(|cluster| cluster.version == "0.4.0"));
    daemon.until_settled("0.4.0").await;
    daemon.end_unproven().await;
}

#[tokio::test(start_paused = true)]
async fn an_unsigned_commit_to_a_signed_journal_rolls_nothing_back_and_is_undone() {
    let (world, evil) = settled().await;
    let before = world.read(JOURNAL, STATUS);
    forge(&world, JOURNAL, STATUS, "forged", reject(&evil));
    world.commit_to(
        JOURNAL,
        "forged",
        [("addons/evil/status.yaml".to_owned(), Some(b"addon: evil\n".to_vec()))].into(),
    );
    let daemon = signing(&world, "second.git").await;
    world.edit(ADDON, "displayName: Hello", "displayName: Hello you");
    stays_on_0_4_0(daemon).await;
    let field = |text: &str| serde_saphyr::from_str::<Value>(text).unwrap()["rejected"].clone();
    assert_eq!(field(&world.read(JOURNAL, STATUS)), field(&before));
    assert!(!world.git(&["ls-tree", "-r", "--name-only", JOURNAL]).contains("addons/evil"));
}

#[tokio::test(start_paused = true)]
async fn a_journal_without_a_key_returns_to_no_commit_that_was_never_merged() {
    let world = World::settled(20).await;
    world.git(&["branch", "evil", "main"]);
    let text = world.read("main", ADDON).replace("hello-template-0.4.0 #", "hello-template-0.4.1 #");
    let evil = world.commit_to("evil", "backdoor", [(ADDON.to_owned(), Some(text.into_bytes()))].into());
    // Anyone can write what daemons write into their messages.
    let message = world.git(&["log", "-1", "--format=%B", JOURNAL]);
    forge(&world, JOURNAL, STATUS, &message, reject(evil.as_str()));
    let daemon = world.daemon("second.git").await;
    stays_on_0_4_0(daemon).await;
}

#[tokio::test(start_paused = true)]
async fn a_journal_that_was_edited_while_no_daemon_ran_is_restored() {
    let world = World::settled(20).await;
    let mut daemon = world.daemon("mirror.git").await;
    daemon.until_settled("0.4.0").await;
    daemon.end().await;
    let before = world.read(JOURNAL, "sync.yaml");
    forge(&world, JOURNAL, "sync.yaml", "correct the base", |sync| sync["seen"]["author"] = json!("someone else"));
    let mut daemon = world.daemon("mirror.git").await;
    daemon.until("a tick", |snapshot| snapshot.tick > 0).await;
    let author = |text: &str| serde_saphyr::from_str::<Value>(text).unwrap()["seen"]["author"].clone();
    world.until_journal("sync.yaml", author(&before).as_str().unwrap()).await;
    daemon.end_unproven().await;
}

/// Returns why a daemon does not start.
pub(super) async fn refused(world: &World, config: Config) -> daemon::Error {
    let registry = tidegate_daemon::telemetry::metrics::Metrics::default();
    let hub_metrics = registry.register(tidegate_daemon::hub::Metrics::register);
    let hub = tidegate_daemon::hub::Hub::connect(world.client(), tidegate_daemon::hub::Options::default(), hub_metrics)
        .await
        .unwrap();
    hub.synced(super::world::PATIENCE).await.unwrap();
    let clock = tidegate_daemon::reconciler::clock::Clock::new(super::world::now);
    match Daemon::start(config, hub, clock, registry.register(metrics::Metrics::register)).await {
        Ok(_) => panic!("the daemon started"),
        Err(error) => error,
    }
}

#[tokio::test(start_paused = true)]
async fn a_revision_cannot_move_a_signed_journal_to_a_forged_copy() {
    let (world, evil) = settled().await;
    world.git(&["branch", "tidegate/journal-v2", JOURNAL]);
    forge(&world, "tidegate/journal-v2", STATUS, "forged", reject(&evil));
    world.edit("tidegate.toml", "\"tidegate/journal\"", "\"tidegate/journal-v2\"");
    // A machine that knows the journal stays on it. Another one needs the decision of the operator.
    stays_on_0_4_0(signing(&world, "first.git").await).await;
    let error = refused(&world, config(&world, "second.git")).await;
    assert!(matches!(error, daemon::Error::Source(source::Error::JournalBranch { .. })), "{error:?}");
}

#[tokio::test(start_paused = true)]
async fn a_journal_that_nobody_signed_needs_the_word_of_the_operator() {
    let world = World::settled(20).await;
    let error = refused(&world, config(&world, "second.git")).await;
    assert!(matches!(error, daemon::Error::Journal(journal::Error::Unproven { .. })), "{error:?}");
    let tip = world.git(&["rev-parse", JOURNAL]).trim().parse().unwrap();
    let config = Config { trusted_journal: Some(tip), ..config(&world, "second.git") };
    let mut daemon = world.daemon_with(world.client(), config).await;
    daemon.until_settled("0.4.0").await;
    daemon.end().await;
}
