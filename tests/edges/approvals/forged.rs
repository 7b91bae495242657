//! Approvals that someone else made, or whose signature is not good.

use tidegate_consent::file::Entry;
use tidegate_daemon::reconciler::clock::Clock;
use tidegate_daemon::reconciler::source::Source;
use tidegate_model::instance::InstanceId;
use tidegate_signature::SigningKey;

use super::world::{ADA, BOB, CY, Files, MALLORY, PEOPLE, Person, World, digest};

/// Commits a file of approvals that names Bob, and returns why it does not count.
fn refused(who: Person) -> Vec<String> {
    let (mut world, mut source) = World::new();
    let now = digest(&world.polled(&mut source));
    let (path, text) = world.approved(&now, "bob");
    world.commit(who, "approve", &[(&path, Some(("100644", &text)))]);
    world.reasons(&mut source)
}

#[test]
fn an_approval_that_its_person_signed_counts() {
    let (mut world, mut source) = World::new();
    assert!(world.reasons(&mut source).is_empty());
    let commit = world.approve(&mut source, BOB);
    let verdict = world.judged(&mut source);
    assert!(verdict.is_met(), "{verdict:?}");
    assert_eq!((verdict.have[0].person.as_str(), verdict.have[0].commit.as_str()), ("bob", commit.as_str()));
    world.approve(&mut source, CY);
    assert!(world.judged_with(&mut source, |rule| rule.count = 2).is_met());
    assert!(!world.judged_with(&mut source, |rule| rule.count = 3).is_met());
}

#[test]
fn only_the_named_person_can_sign() {
    assert_eq!(refused(BOB.unsigned()), ["unsigned"]);
    assert_eq!(refused(MALLORY), ["untrustedKey"]);
    assert_eq!(refused(ADA), ["otherSigner"]);
    // The commit says that Bob made it, but Ada's key signed.
    assert_eq!(refused(Person("bob", ADA.1)), ["otherSigner"]);
    assert_eq!(refused(Person("bob", MALLORY.1)), ["untrustedKey"]);
}

#[test]
fn an_author_cannot_approve() {
    let (mut world, mut source) = World::new();
    world.approve(&mut source, ADA);
    assert_eq!(world.reasons(&mut source), ["author"]);
    assert!(world.judged_with(&mut source, |rule| rule.by_author = true).is_met());
}

#[test]
fn the_signature_of_another_commit_does_not_count() {
    let (mut world, mut source) = World::new();
    let now = digest(&world.polled(&mut source));
    let (path, text) = world.approved(&now, "bob");
    let tree = world.tree(&world.tip, &[(&path, Some(("100644", &text)))]);
    let other = world.tree(&world.tip, &[("README.md", Some(("100644", "bob's\n")))]);
    let key = SigningKey::read(BOB.1.unwrap()).unwrap();
    let signed = world.payload(BOB, BOB, &other, &[&world.tip], "harmless");
    let signature = key.sign(signed.as_bytes()).unwrap();
    let forged = world.payload(BOB, BOB, &tree, &[&world.tip], "approve");
    let commit = world.write(&forged, Some(&signature));
    world.move_to(&commit);
    assert_eq!(world.reasons(&mut source), ["badSignature"]);
}

#[test]
fn a_commit_that_is_changed_after_signing_does_not_count() {
    type Change = fn(&World, &str) -> String;
    let cases: [(&str, Change); 5] = [
        ("another message", |_, payload| payload.replace("approve", "approve all")),
        ("another time", |_, payload| payload.replace("committer bob", "committer  bob")),
        ("another author", |_, payload| payload.replace("author bob <bob@", "author ada <ada@")),
        ("another parent", |world, payload| {
            let parent = world.made(MALLORY.unsigned(), "other", &[&world.tip], &[("x", Some(("100644", "x")))]);
            payload.replace(&format!("parent {}", world.tip), &format!("parent {parent}"))
        }),
        ("another tree", |world, payload| {
            let tree = payload.lines().next().unwrap().strip_prefix("tree ").unwrap();
            let other = world.tree(tree, &[("README.md", Some(("100644", "changed")))]);
            payload.replace(tree, &other)
        }),
    ];
    for (name, change) in cases {
        let (mut world, mut source) = World::new();
        let now = digest(&world.polled(&mut source));
        let (path, text) = world.approved(&now, "bob");
        let tree = world.tree(&world.tip, &[(&path, Some(("100644", &text)))]);
        let payload = world.payload(BOB, BOB, &tree, &[&world.tip], "approve");
        let signature = SigningKey::read(BOB.1.unwrap()).unwrap().sign(payload.as_bytes()).unwrap();
        let commit = world.write(&change(&world, &payload), Some(&signature));
        world.move_to(&commit);
        assert_eq!(world.reasons(&mut source), ["badSignature"], "{name}");
    }
}

#[test]
fn a_malformed_signature_does_not_count() {
    let of_a_file = include_str!("../../signature/fixtures/ssh_ed25519_file.sig");
    for signature in ["nonsense", "-----BEGIN SSH SIGNATURE-----\nAAAA\n-----END SSH SIGNATURE-----", of_a_file] {
        let (mut world, mut source) = World::new();
        let now = digest(&world.polled(&mut source));
        let (path, text) = world.approved(&now, "bob");
        let tree = world.tree(&world.tip, &[(&path, Some(("100644", &text)))]);
        let payload = world.payload(BOB, BOB, &tree, &[&world.tip], "approve");
        let commit = world.write(&payload, Some(signature));
        world.move_to(&commit);
        assert_eq!(world.reasons(&mut source), ["badSignature"], "{signature}");
    }
}

#[test]
fn a_key_counts_only_while_it_is_trusted_for_commits() {
    for (options, reason) in [
        ("valid-before=\"20260101\" ", "expiredKey"),
        ("valid-after=\"20300101\" ", "expiredKey"),
        ("namespaces=\"file\" ", "badSignature"),
    ] {
        let (mut world, mut source) = World::new();
        world.trust(&BOB.line(options));
        world.approve(&mut source, BOB);
        assert_eq!(world.reasons(&mut source), [reason], "{options}");
    }
}

#[test]
fn a_key_that_is_removed_from_the_trusted_keys_stops_to_count_without_a_new_commit() {
    let (mut world, mut source) = World::new();
    world.approve(&mut source, BOB);
    assert!(world.judged(&mut source).is_met());
    assert!(source.poll().unwrap().is_none());
    world.trust(&ADA.line(""));
    assert!(source.poll().unwrap().is_some());
    assert_eq!(world.reasons(&mut source), ["untrustedKey"]);
    // A file that cannot be read trusts no one.
    world.trust("");
    assert_eq!(world.reasons(&mut source), ["untrustedKey"]);
    world.trust(&[ADA.line(""), BOB.line("")].concat());
    assert!(world.judged(&mut source).is_met());
}

#[test]
fn two_keys_of_one_person_fill_one_seat() {
    let (mut world, mut source) = World::new();
    let other = CY.line("").replace("cy@example.com", "bob@home.example");
    world.trust(&[ADA.line(""), BOB.line(""), other].concat());
    world.approve(&mut source, BOB);
    let now = digest(&world.polled(&mut source));
    let (path, text) = world.approved(&now, "bob@home.example");
    world.commit(Person("bob", CY.1), "approve", &[(&path, Some(("100644", &text)))]);
    let verdict = world.judged_with(&mut source, |rule| rule.count = 2);
    assert!(!verdict.is_met());
    assert_eq!((verdict.have.len(), verdict.void.len()), (1, 1));
}

#[test]
fn an_approval_for_something_else_does_not_count() {
    let (mut world, mut source) = World::new();
    let now = digest(&world.polled(&mut source));
    // Of the digest before the upgrade.
    world.approve(&mut source, BOB);
    world.upgrade(ADA, "0.4.0");
    assert_eq!(world.reasons(&mut source), ["otherDigest"]);
    world.upgrade(ADA, "0.4.1");
    assert_eq!(digest(&world.polled(&mut source)), now);
    // Of an earlier rollout of the same digest.
    assert_eq!(world.reasons(&mut source), ["replaced"]);
    // Of another instance: the same repository, followed by two daemons.
    let entry = |instance| Entry {
        by: "cy".to_owned(),
        at: world.now,
        instance: InstanceId::of(instance),
        reason: String::new(),
        break_glass: false,
    };
    let (path, text) = world.with_entry(&now, entry(8));
    world.commit(CY, "approve", &[(&path, Some(("100644", &text)))]);
    assert!(!world.judged_with(&mut source, |rule| rule.of = vec!["cy".to_owned()]).is_met());
}

#[test]
fn people_are_those_of_the_revision_before_the_change() {
    let (mut world, mut source) = World::new();
    world.trust(&[ADA, BOB, CY, MALLORY].map(|person| person.line("")).concat());
    let more = PEOPLE.replace("'cy']", "'cy', 'mallory']") + "mallory = ['mallory@example.com']\n";
    let upgraded = world.upgraded("0.4.0");
    let settings = world.show("tidegate.toml").replace(PEOPLE, &more);
    assert!(settings.contains("mallory"));
    let files = [
        ("tidegate.toml", Some(("100644", settings.as_str()))),
        ("fleet/addons/hello-template/addon.yaml", Some(("100644", upgraded.as_str()))),
    ];
    world.commit(ADA, "upgrade, and a new colleague", &files);
    world.approve(&mut source, MALLORY);
    assert_eq!(world.reasons(&mut source)[..1], ["otherSigner"]);
    // The change of the people is not in force before a tick has decided so, not even for the next change.
    world.upgrade(ADA, "0.4.1");
    world.approve(&mut source, MALLORY);
    assert_eq!(world.reasons(&mut source)[..1], ["otherSigner"]);
    world.accept_rules(&mut source);
    world.upgrade(ADA, "0.4.0");
    world.approve(&mut source, MALLORY);
    assert!(world.judged(&mut source).is_met());
}

/// Commits an approval by Bob that he signs, with these lines of author and committer, and other files besides.
fn signed_by_bob(world: &mut World, source: &mut Source, change: impl Fn(&str) -> String, others: Files<'_>) {
    let now = digest(&world.polled(source));
    let (path, text) = world.approved(&now, "bob");
    let files: Vec<_> = [(path.as_str(), Some(("100644", text.as_str())))].into_iter().chain(others.to_vec()).collect();
    let tree = world.tree(&world.tip, &files);
    let payload = change(&world.payload(BOB, BOB, &tree, &[&world.tip], "approve"));
    let signature = SigningKey::read(BOB.1.unwrap()).unwrap().sign(payload.as_bytes()).unwrap();
    let commit = world.write(&payload, Some(&signature));
    world.move_to(&commit);
}

#[test]
fn an_approver_who_rebases_or_squashes_commits_of_others_does_not_sign_their_entries() {
    let author =
        |payload: &str| payload.replace("author bob <bob@example.com>", "author mallory <mallory@example.com>");
    let earlier =
        |payload: &str| payload.replace("author bob <bob@example.com> 179", "author bob <bob@example.com> 178");
    let own = |payload: &str| payload.to_owned();
    let address = |payload: &str| payload.replace("author bob <bob@example.com>", "author Bob <bob@home.example>");
    let none: Files<'_> = &[];
    let more: Files<'_> = &[("README.md", Some(("100644", "squashed")))];
    type Change = dyn Fn(&str) -> String;
    let cases: [(&Change, Files<'_>, &[&str]); 5] = [
        (&author, none, &["otherAuthor"]),
        (&earlier, none, &["madeAgain"]),
        (&own, more, &["otherFiles"]),
        (&own, none, &[]),
        (&address, none, &[]),
    ];
    for (change, others, reasons) in cases {
        let (mut world, mut source) = World::new();
        signed_by_bob(&mut world, &mut source, change, others);
        assert_eq!(world.judged(&mut source).is_met(), reasons.is_empty());
        if !reasons.is_empty() {
            assert_eq!(world.reasons(&mut source), reasons);
        }
    }
}

#[test]
fn the_owner_of_an_expired_key_does_not_approve_with_a_commit_that_is_dated_back() {
    let clock = |time: &str| {
        let now = time.parse().unwrap();
        Clock::new(move || now)
    };
    for (time, is_valid) in [("2026-11-23T10:03:00Z", true), ("2026-11-23T12:00:00Z", false)] {
        let (mut world, mut source) = World::new();
        world.trust(&[ADA.line(""), BOB.line("valid-before=\"20261123110000Z\" ")].concat());
        source.set_clock(clock(time));
        world.approve(&mut source, BOB);
        let verdict = world.judged(&mut source);
        assert_eq!(verdict.is_met(), is_valid, "{verdict:?}");
        if !is_valid {
            assert_eq!(world.reasons(&mut source), ["expiredKey"]);
        }
        // It is not known when a commit arrived that is older than the daemon.
        let facts = world.polled(&mut source).facts;
        let mut later = world.source("main");
        later.set_clock(clock("2026-11-23T12:00:00Z"));
        later.resume(&super::held::journal(&facts), true).unwrap();
        assert_eq!(world.reasons(&mut later), ["expiredKey"]);
    }
}
