//! Which revisions are followed: signatures, rewritten history, tags, paths, and approvals.

use std::collections::BTreeMap;
use std::sync::Arc;

use tidegate_daemon::reconciler::Snapshot;
use tidegate_daemon::reconciler::source::{Commits, Policy, Rewrites};
use tidegate_git::{Mirror, NewCommit, Reference};
use tidegate_model::revision::CommitId;
use tidegate_signature::SigningKey;

use super::world::{Running, World, now};
use crate::redacted::redacted;

const ADDON: &str = "fleet/addons/hello-template/addon.yaml";
const JOURNAL: &str = "tidegate/journal";
const KEY: &str = include_str!("../signature/fixtures/ssh_ed25519.key");
const OTHER_KEY: &str = include_str!("../signature/fixtures/ssh_p256.key");

fn key(text: &str) -> SigningKey {
    SigningKey::read(text).unwrap()
}

/// Writes the list of people whose keys are trusted.
fn trust(world: &World, people: &[(&str, &str)]) {
    let line = |(who, text): &(&str, &str)| format!("{who} {}\n", key(text).public_key());
    std::fs::write(world.path("allowed_signers"), people.iter().map(line).collect::<String>()).unwrap();
    world.look();
}

fn policy(world: &World, commits: Option<Commits>, rewrites: Rewrites) -> Policy {
    Policy { commits, keys: vec![world.path("allowed_signers")], rewrites, ..Policy::default() }
}

/// Replaces a string in the declaration of the add-on, in a commit that is signed and pushed.
fn signed_edit(world: &World, text: &str, from: &str, to: &str) -> CommitId {
    let mirror = world.path(&format!("person-{to}-{}", now().as_nanosecond()));
    let key = key(text);
    let signer = move |payload: &[u8]| key.sign(payload).map_err(|error| error.to_string());
    let person = Mirror::open(mirror, world.config("x").remote).unwrap().with_signer(Box::new(signer));
    let parent = person.fetch(&["main"]).unwrap().remove("main");
    let content = world.read("main", ADDON).replace(from, to);
    person.reset_local("main", None, parent.as_ref().unwrap()).unwrap();
    let commit = NewCommit {
        branch: "main".to_owned(),
        parent: parent.clone(),
        files: [(ADDON.to_owned(), Some(content.into_bytes()))].into(),
        message: format!("hello-template: {to}"),
        author: "Ada".to_owned(),
        email: "ada@example.com".to_owned(),
        at: now(),
    };
    let commit = person.commit(&commit).unwrap();
    person.push("main", parent.as_ref(), &commit).unwrap();
    world.look();
    commit
}

async fn following(world: &World, mirror: &str, policy: Policy) -> Running {
    let config = tidegate_daemon::reconciler::Config { policy, ..world.config(mirror) };
    world.daemon_with(world.client(), config).await
}

fn is_refused(s: &Snapshot) -> bool {
    s.facts.revision.refused.is_some()
}

#[tokio::test(start_paused = true)]
async fn an_unsigned_revision_is_refused_until_its_key_is_trusted_and_the_last_good_one_stays() {
    let world = World::new(20);
    trust(&world, &[("ada@example.com", KEY)]);
    // The first revision is signed, too.
    signed_edit(&world, KEY, "0.4.0", "0.4.1");
    let mut daemon = following(&world, "mirror.git", policy(&world, Some(Commits::Tip), Rewrites::Accept)).await;
    let good = daemon.until_settled("0.4.1").await.facts.revision.seen.clone().unwrap();
    assert_eq!(good.signature.as_ref().unwrap().signer, "ada@example.com");

    let unsigned = world.edit(ADDON, "hello-template-0.4.1", "hello-template-0.4.0");
    let told = daemon.until("the refusal", is_refused).await;
    let refused = told.facts.revision.refused.as_ref().unwrap();
    assert_eq!(refused.revision.commit, unsigned);
    insta::assert_snapshot!("unsigned", redacted(&refused.reason));
    assert_eq!(
        (&told.facts.revision.seen, &told.facts.revision.verified),
        (&Some(good.clone()), &Some(good.commit.clone()))
    );
    assert_eq!(told.report.addons["hello-template"].version, "0.4.1");

    let strange = signed_edit(&world, OTHER_KEY, "spec:", "spec: # by another hand");
    let is_other =
        |s: &Snapshot| s.facts.revision.refused.as_ref().is_some_and(|refused| refused.revision.commit == strange);
    let told = daemon.until("the other refusal", is_other).await;
    insta::assert_snapshot!("unknown_key", redacted(&told.facts.revision.refused.as_ref().unwrap().reason));
    daemon.end().await;
    let sync = world.git(&["show", &format!("{JOURNAL}:sync.yaml")]);
    assert!(sync.contains("refused:") && sync.contains(strange.as_str()), "{sync}");
    assert!(world.git(&["show", &format!("{JOURNAL}:README.md")]).contains("is not followed"));
    assert!(world.git(&["log", "--format=%s", JOURNAL]).contains("is not trusted, "));

    // A restart forgets nothing; a key that is added later is enough.
    let mut daemon = following(&world, "another.git", policy(&world, Some(Commits::Tip), Rewrites::Accept)).await;
    let again = daemon.until("the refusal again", |s| s.tick > 0).await;
    assert!(is_refused(&again) && again.facts.revision.seen == Some(good));
    assert_eq!(again.report.addons["hello-template"].version, "0.4.1");
    trust(&world, &[("ada@example.com", KEY), ("grace@example.com", OTHER_KEY)]);
    let followed = daemon.until_settled("0.4.0").await;
    assert_eq!(followed.facts.revision.refused, None);
    assert_eq!(followed.facts.revision.seen.as_ref().unwrap().signature.as_ref().unwrap().signer, "grace@example.com");
    daemon.end().await;
}

#[tokio::test(start_paused = true)]
async fn a_signed_commit_on_top_does_not_hide_an_unsigned_one_if_every_commit_must_be_signed() {
    let world = World::new(20);
    trust(&world, &[("ada@example.com", KEY)]);
    signed_edit(&world, KEY, "spec:", "spec: # signed");
    let mut daemon = following(&world, "mirror.git", policy(&world, Some(Commits::Every), Rewrites::Accept)).await;
    daemon.until_settled("0.4.0").await;
    // Nothing below the path was changed, so the daemon need not load the revision; the commit must be signed all the same.
    let unsigned = world.commit("by a stranger", [("notes.md".to_owned(), Some(b"x".to_vec()))].into());
    signed_edit(&world, KEY, "hello-template-0.4.0", "hello-template-0.4.1");
    let told = daemon.until("the refusal", |s| {
        s.facts.revision.refused.as_ref().is_some_and(|refused| refused.revision.subject.contains("hello-template"))
    });
    let told = told.await;
    let reason = &told.facts.revision.refused.as_ref().unwrap().reason;
    assert!(reason.contains(unsigned.short()), "{reason}");
    insta::assert_snapshot!("unsigned_below_the_tip", redacted(reason));
    assert_eq!(told.report.addons["hello-template"].version, "0.4.0");
    daemon.end().await;
}

/// Forges the journal, so that it names another commit as the followed one.
fn forge(world: &World, from: &CommitId, to: &CommitId) {
    let sync = world.git(&["show", &format!("{JOURNAL}:sync.yaml")]);
    let forged = sync.replace(from.as_str(), to.as_str());
    assert_ne!(forged, sync);
    world.commit_to(JOURNAL, "by hand", [("sync.yaml".to_owned(), Some(forged.into_bytes()))].into());
}

#[tokio::test(start_paused = true)]
async fn a_commit_that_someone_forged_in_the_journal_is_not_followed() {
    let (good_key, journal_key) = (KEY, OTHER_KEY);
    for signer in [None, Some(Arc::new(key(journal_key)))] {
        let world = World::new(20);
        trust(&world, &[("ada@example.com", good_key)]);
        let good = signed_edit(&world, good_key, "spec:", "spec: # signed");
        let policy = policy(&world, Some(Commits::Every), Rewrites::Refuse);
        let config = |mirror: &str| tidegate_daemon::reconciler::Config {
            policy: policy.clone(),
            signer: signer.clone(),
            ..world.config(mirror)
        };
        let mut daemon = world.daemon_with(world.client(), config("mirror.git")).await;
        daemon.until_settled("0.4.0").await;
        daemon.end().await;
        // An unsigned commit on another branch, which the forged journal names as the followed one.
        world.git(&["branch", "side", "main"]);
        let text = world.read("main", ADDON).replace("hello-template-0.4.0", "hello-template-0.4.1");
        let evil = world.commit_to("side", "evil", [(ADDON.to_owned(), Some(text.into_bytes()))].into());
        forge(&world, &good, &evil);
        let mut daemon = world.daemon_with(world.client(), config("fresh.git")).await;
        let told = daemon.until("a tick", |s| s.tick > 0).await;
        assert_ne!(told.report.addons.get("hello-template").map(|addon| addon.version.as_str()), Some("0.4.1"));
        daemon.end_unproven().await;
        let work = world.work("aws-001", "hello-template").await.unwrap();
        assert!(!work.to_string().contains("v0.4.1"), "the hub is unchanged");
        assert_eq!(work["metadata"]["generation"], 1);
    }
}

#[tokio::test(start_paused = true)]
async fn a_rewrite_is_refused_without_the_journal_if_the_state_directory_is_kept() {
    let world = World::new(20);
    let first: CommitId = world.git(&["rev-parse", "main"]).trim().parse().unwrap();
    world.edit(ADDON, "hello-template-0.4.0", "hello-template-0.4.1");
    let refusing = Policy { rewrites: Rewrites::Refuse, ..Policy::default() };
    let mut daemon = following(&world, "mirror.git", refusing.clone()).await;
    daemon.until_settled("0.4.1").await;
    daemon.end().await;
    world.git(&["update-ref", "-d", &format!("refs/heads/{JOURNAL}")]);
    world.git(&["update-ref", "refs/heads/main", first.as_str()]);
    let mut daemon = following(&world, "mirror.git", refusing).await;
    let told = daemon.until("the refusal", is_refused).await;
    assert!(told.facts.revision.refused.as_ref().unwrap().reason.contains("rewritten"));
    daemon.end_unproven().await;
    assert!(world.work("aws-001", "hello-template").await.unwrap().to_string().contains("v0.4.1"));
}

#[tokio::test(start_paused = true)]
async fn nothing_is_applied_until_a_revision_is_trusted() {
    let world = World::new(20);
    trust(&world, &[("ada@example.com", KEY)]);
    let mut daemon = following(&world, "mirror.git", policy(&world, Some(Commits::Tip), Rewrites::Accept)).await;
    let told = daemon.until("the refusal", is_refused).await;
    assert_eq!((told.report.addons.len(), told.writes), (0, 0), "{:?}", told.report.addons.keys());
    daemon.end().await;
    assert!(world.work("aws-001", "hello-template").await.is_none());
}

#[tokio::test(start_paused = true)]
async fn rewritten_history_is_recorded_and_refused_if_the_policy_says_so() {
    let world = World::new(20);
    trust(&world, &[]);
    let first: CommitId = world.git(&["rev-parse", "main"]).trim().parse().unwrap();
    let second = world.edit(ADDON, "spec:", "spec: # second");
    let refusing = Policy { rewrites: Rewrites::Refuse, ..Policy::default() };
    let mut daemon = following(&world, "mirror.git", refusing.clone()).await;
    daemon.until_settled("0.4.0").await;
    world.git(&["update-ref", "refs/heads/main", first.as_str()]);
    let third = world.edit(ADDON, "hello-template-0.4.0", "hello-template-0.4.1");
    let is_third =
        |s: &Snapshot| s.facts.revision.refused.as_ref().is_some_and(|refused| refused.revision.commit == third);
    let told = daemon.until("the refusal", is_third).await;
    insta::assert_snapshot!("rewritten_history", redacted(&told.facts.revision.refused.as_ref().unwrap().reason));
    let rewrite = told.facts.revision.rewritten.clone().unwrap();
    assert_eq!((&rewrite.from, &rewrite.to, rewrite.accepted), (&second, &third, false));
    daemon.end().await;
    // The same after a restart, since this machine has recorded what it followed.
    let mut daemon = following(&world, "mirror.git", refusing).await;
    let again = daemon.until("a tick", |s| s.tick > 0).await;
    assert!(is_refused(&again), "{:?}", again.facts);
    assert_eq!(again.report.addons["hello-template"].version, "0.4.0");
    // The branch continues the followed revision again.
    world.git(&["update-ref", "refs/heads/main", second.as_str()]);
    daemon.until("the end of the refusal", |s| s.facts.revision.refused.is_none()).await;
    daemon.end().await;
    // A daemon that accepts rewrites follows the branch, and records that.
    world.git(&["update-ref", "refs/heads/main", third.as_str()]);
    let mut daemon = following(&world, "third.git", Policy::default()).await;
    let followed = daemon.until_settled("0.4.1").await;
    assert!(followed.facts.revision.rewritten.as_ref().unwrap().accepted);
    daemon.end().await;
    let sync = world.git(&["show", &format!("{JOURNAL}:sync.yaml")]);
    assert!(sync.contains("rewritten:") && sync.contains("accepted: true"), "{sync}");
}

#[tokio::test(start_paused = true)]
async fn a_rewrite_may_be_accepted_only_if_it_is_signed() {
    let world = World::new(20);
    trust(&world, &[("ada@example.com", KEY)]);
    let first: CommitId = world.git(&["rev-parse", "main"]).trim().parse().unwrap();
    world.edit(ADDON, "spec:", "spec: # second");
    let mut daemon = following(&world, "mirror.git", policy(&world, None, Rewrites::Signed)).await;
    daemon.until_settled("0.4.0").await;
    world.git(&["update-ref", "refs/heads/main", first.as_str()]);
    daemon.until("the refusal", is_refused).await;
    signed_edit(&world, KEY, "hello-template-0.4.0", "hello-template-0.4.1");
    let followed = daemon.until_settled("0.4.1").await;
    assert!(followed.facts.revision.refused.is_none() && followed.facts.revision.rewritten.as_ref().unwrap().accepted);
    daemon.end().await;
}

#[tokio::test(start_paused = true)]
async fn the_highest_version_of_a_range_is_followed() {
    let world = World::new(20);
    world.git(&["tag", "v1.0.0", "main"]);
    let config = tidegate_daemon::reconciler::Config {
        reference: ">=1.0 <2".parse::<Reference>().unwrap(),
        ..world.config("mirror.git")
    };
    let mut daemon = world.daemon_with(world.client(), config).await;
    let seen = daemon.until_settled("0.4.0").await.facts.revision.seen.clone().unwrap();
    assert_eq!(seen.tag.as_deref(), Some("v1.0.0"));
    world.edit(ADDON, "hello-template-0.4.0", "hello-template-0.4.1");
    world.git(&["tag", "v2.0.0", "main"]);
    world.git(&["tag", "v1.1.0", "main"]);
    let seen = daemon.until_settled("0.4.1").await.facts.revision.seen.clone().unwrap();
    assert_eq!(seen.tag.as_deref(), Some("v1.1.0"));
    // Deleting the tag is the way back.
    world.git(&["tag", "-d", "v1.1.0"]);
    let back = daemon.until_settled("0.4.0").await;
    assert_eq!((back.facts.revision.rewritten.as_ref(), back.facts.revision.refused.as_ref()), (None, None));
    daemon.end().await;
}

/// Adds an annotated tag of the branch that is signed, and returns its object.
fn signed_tag(world: &World, name: &str) -> String {
    let commit = world.git(&["rev-parse", "main"]);
    let tagger = format!("Ada <ada@example.com> {} +0000", now().as_second());
    let tag = format!("object {}\ntype commit\ntag {name}\ntagger {tagger}\n\nrelease\n", commit.trim());
    let signature = key(KEY).sign(tag.as_bytes()).unwrap();
    let file = world.path(name);
    std::fs::write(&file, format!("{tag}{signature}")).unwrap();
    let id = world.git(&["hash-object", "-t", "tag", "-w", file.to_str().unwrap()]).trim().to_owned();
    world.git(&["update-ref", &format!("refs/tags/{name}"), &id]);
    world.look();
    id
}

#[tokio::test(start_paused = true)]
async fn a_signed_tag_is_trusted_but_not_under_another_name() {
    let world = World::new(20);
    trust(&world, &[("ada@example.com", KEY)]);
    let old = signed_tag(&world, "v1.0.0");
    let config = tidegate_daemon::reconciler::Config {
        reference: ">=1.0 <2".parse::<Reference>().unwrap(),
        policy: policy(&world, Some(Commits::Tip), Rewrites::Accept),
        ..world.config("mirror.git")
    };
    let mut daemon = world.daemon_with(world.client(), config).await;
    let seen = daemon.until_settled("0.4.0").await.facts.revision.seen.clone().unwrap();
    assert_eq!(seen.signature.as_ref().unwrap().signer, "ada@example.com");
    world.edit(ADDON, "hello-template-0.4.0", "hello-template-0.4.1");
    signed_tag(&world, "v1.1.0");
    daemon.until_settled("0.4.1").await;
    // Anyone who may move references could take everyone back to a signed release.
    world.git(&["update-ref", "refs/tags/v1.2.0", &old]);
    world.look();
    let told = daemon.until("the refusal", is_refused).await;
    let reason = &told.facts.revision.refused.as_ref().unwrap().reason;
    assert!(reason.contains("v1.2.0") && reason.contains("v1.0.0"), "{reason}");
    assert_eq!(told.report.addons["hello-template"].version, "0.4.1");
    daemon.end().await;
}

#[tokio::test(start_paused = true)]
async fn a_commit_that_does_not_touch_the_path_changes_nothing() {
    let world = World::new(20);
    let tree: BTreeMap<_, _> = crate::example_tree::tree().files;
    let plain = tree.into_iter().filter(|(path, _)| path.starts_with("fleet/"));
    let moved = plain.map(|(path, bytes)| (format!("prod/{path}"), Some(bytes)));
    world.commit("a path of its own", moved.collect());
    let config = tidegate_daemon::reconciler::Config { path: "prod".to_owned(), ..world.config("mirror.git") };
    let mut daemon = world.daemon_with(world.client(), config).await;
    let settled = daemon.until_settled("0.4.0").await;
    let seen = settled.facts.revision.seen.clone();
    world.until_sealed(1).await;
    let before = world.git(&["rev-parse", JOURNAL]);
    world.edit(ADDON, "hello-template-0.4.0", "hello-template-0.4.1");
    world.commit("a file beside it", [("prod.md".to_owned(), Some(b"x".to_vec()))].into());
    let touching = world.commit("a file in it", [("prod/notes.md".to_owned(), Some(b"x".to_vec()))].into());
    let is_next = |s: &Snapshot| s.facts.revision.seen != seen;
    let next = daemon.until("the revision that touches the path", is_next).await;
    assert_eq!(next.facts.revision.seen.as_ref().map(|seen| &seen.commit), Some(&touching));
    daemon.end().await;
    let range = format!("{}..{JOURNAL}", before.trim());
    let told = world.git(&["log", "--format=%(trailers:key=Revision,valueonly)", &range]);
    let told: Vec<&str> = told.lines().filter(|line| !line.is_empty()).collect();
    assert!(told.iter().all(|commit| *commit == touching.as_str()), "{told:?}");
}

#[tokio::test(start_paused = true)]
async fn the_record_names_who_merged_and_approved_and_the_journal_is_signed() {
    let world = World::new(20);
    let signer = Arc::new(key(KEY));
    let config = tidegate_daemon::reconciler::Config { signer: Some(signer), ..world.config("mirror.git") };
    let mut daemon = world.daemon_with(world.client(), config).await;
    daemon.until_settled("0.4.0").await;
    world.until_sealed(1).await;
    let content = world.read("main", ADDON).replace("hello-template-0.4.0", "hello-template-0.4.1");
    let message =
        "Merge pull request #12 from ada/upgrade\n\nhello-template: 0.4.1\n\nReviewed-by: Grace <grace@example.com>\n";
    world.commit(message, [(ADDON.to_owned(), Some(content.into_bytes()))].into());
    daemon.until_settled("0.4.1").await;
    daemon.end().await;
    let sealed = world.git(&["show", &format!("{JOURNAL}:addons/hello-template/rollouts/2.yaml")]);
    assert!(sealed.contains("#12") && sealed.contains("Grace <grace@example.com>"), "{sealed}");
    for commit in world.git(&["rev-list", JOURNAL]).lines() {
        let object = world.git(&["cat-file", "commit", commit]);
        assert!(object.contains("\ngpgsig -----BEGIN SSH SIGNATURE-----\n"), "{object}");
    }
    let log = world.git(&["log", "-1", "--format=%b", "--grep", "completed", JOURNAL]);
    assert!(log.contains("Approved-by: Grace <grace@example.com>"), "{log}");
}
