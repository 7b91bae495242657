//! Who made a change: no one who had a part in it may approve it.

use std::collections::BTreeSet;

use tidegate_consent::{Authors, RulesInForce};

use super::world::{ADA, BOB, CY, MALLORY, NAME, Person, World, digest, good_digest};
use tidegate_signature::SigningKey;

/// Upgrades with a commit of two people and a message, and returns why Bob cannot approve it; empty if he can.
fn after(author: Person, committer: Person, message: &str) -> Vec<String> {
    let (mut world, mut source) = World::new();
    let text = world.upgraded("0.4.0");
    let tree = world.tree(&world.tip, &[("fleet/addons/hello-template/addon.yaml", Some(("100644", &text)))]);
    let payload = world.payload(author, committer, &tree, &[&world.tip], message);
    let signature = committer.1.map(|key| SigningKey::read(key).unwrap().sign(payload.as_bytes()).unwrap());
    let commit = world.write(&payload, signature.as_deref());
    world.move_to(&commit);
    world.approve(&mut source, BOB);
    if world.judged(&mut source).is_met() { Vec::new() } else { world.reasons(&mut source) }
}

#[test]
fn everyone_who_had_a_part_in_a_change_is_an_author() {
    assert!(after(ADA, ADA, "upgrade").is_empty());
    assert!(after(ADA, CY, "upgrade").is_empty());
    let author = ["author".to_owned()];
    assert_eq!(after(BOB, ADA, "upgrade"), author, "as author");
    assert_eq!(after(ADA, BOB, "upgrade"), author, "as committer");
    assert_eq!(after(ADA, BOB.unsigned(), "upgrade"), author, "as committer without a signature");
    assert_eq!(after(ADA, Person("ada", BOB.1), "upgrade"), author, "as signer");
    assert_eq!(after(ADA, ADA, "upgrade\n\nCo-authored-by: Bob <bob@example.com>"), author, "as co-author");
    assert_eq!(after(ADA, ADA, "upgrade\n\nCo-Authored-By: B <BOB@Example.com>"), author, "in other letters");
    assert_eq!(after(ADA, ADA, "upgrade\n\nco-authored-by: B <bob@home.example>"), author, "by another address");
    assert_eq!(after(Person("BOB", None), ADA, "upgrade"), author, "as author in other letters");
    // Not a trailer, and another address.
    assert!(after(ADA, ADA, "upgrade with bob@example.com").is_empty());
    assert!(after(Person("bob+git", None), ADA, "upgrade").is_empty());
}

#[test]
fn all_commits_of_one_push_belong_to_the_change() {
    let (mut world, mut source) = World::new();
    world.commit(BOB, "prepare", &[("README.md", Some(("100644", "prepared")))]);
    world.upgrade(ADA, "0.4.0");
    world.approve(&mut source, BOB);
    assert_eq!(world.reasons(&mut source), ["author"]);
}

#[test]
fn commits_on_a_merged_branch_belong_to_the_change() {
    let (mut world, mut source) = World::new();
    let side = world.made(BOB, "side", &[&world.tip], &[("README.md", Some(("100644", "side")))]);
    let text = world.upgraded("0.4.0");
    let tip = world.tip.clone();
    let files = [("fleet/addons/hello-template/addon.yaml", Some(("100644", text.as_str())))];
    let merge = world.made(ADA, "merge", &[&tip, &side], &files);
    world.move_to(&merge);
    world.approve(&mut source, BOB);
    assert_eq!(world.reasons(&mut source), ["author"]);
}

#[test]
fn an_approval_on_the_branch_of_the_change_does_not_make_its_giver_an_author() {
    let (mut world, mut source) = World::new();
    // Bob approves on the branch, before the daemon sees any of it.
    let text = world.upgraded("0.4.0");
    let files = [("fleet/addons/hello-template/addon.yaml", Some(("100644", text.as_str())))];
    let upgrade = world.made(ADA, "upgrade", &[&world.tip], &files);
    let mut preview = world.source("main");
    let tip = world.tip.clone();
    world.move_to(&upgrade);
    let now = digest(&world.polled(&mut preview));
    let (path, text) = world.approved(&now, "bob");
    world.move_to(&tip);
    let approval = world.made(BOB, "approve", &[&upgrade], &[(&path, Some(("100644", &text)))]);
    world.move_to(&approval);
    let verdict = world.judged(&mut source);
    assert!(verdict.is_met(), "{verdict:?}");
}

#[test]
fn a_commit_that_also_changes_something_else_makes_an_author() {
    let (mut world, mut source) = World::new();
    let text = world.upgraded("0.4.0");
    let files = [
        ("fleet/addons/hello-template/addon.yaml", Some(("100644", text.as_str()))),
        ("control/README.md", Some(("100644", "x"))),
    ];
    world.commit(BOB, "upgrade", &files);
    world.approve(&mut source, BOB);
    assert_eq!(world.reasons(&mut source), ["author"]);
}

#[test]
fn changes_since_a_settled_digest_are_judged_together() {
    let (mut world, mut source) = World::new();
    let first = digest(&world.polled(&mut source));
    world.upgrade(BOB, "0.4.0");
    let second = digest(&world.polled(&mut source));
    let text = world.show("fleet/addons/hello-template/addon.yaml");
    let text = text.replace("hello-template-0.4.0", "hello-template-0.4.1") + "# more\n";
    world.commit(CY, "upgrade", &[("fleet/addons/hello-template/addon.yaml", Some(("100644", &text)))]);
    let followed = world.polled(&mut source);
    let (addon, third) = (NAME.parse().unwrap(), digest(&followed));
    let judges =
        |digest, good| followed.approvals.of(&addon, digest, &good_digest(&addon, good), &RulesInForce::Followed);
    let emails = |good| match judges(&third, good).authors().clone() {
        Authors::Known(authors) => authors.into_iter().flat_map(|author| author.emails).collect::<BTreeSet<_>>(),
        Authors::Unknown(why) => [why].into(),
    };
    assert_eq!(emails(Some(&second)), ["cy@example.com".to_owned()].into());
    // The last change returned to the first digest, of which the first two changes are a part.
    assert_eq!(first, third);
    let everyone = ["ada", "bob", "cy"].map(|name| format!("{name}@example.com"));
    assert_eq!(emails(None), everyone.into());
    let unknown = tidegate_model::digest::Digest::of(b"unknown");
    assert!(matches!(judges(&unknown, None).authors(), Authors::Unknown(_)));
}

#[test]
fn whoever_merges_types_trailers_that_approve_nothing() {
    let (mut world, mut source) = World::new();
    world.trust(&[ADA, BOB, CY, MALLORY].map(|person| person.line("")).concat());
    let text = world.upgraded("0.4.0");
    let files = [("fleet/addons/hello-template/addon.yaml", Some(("100644", text.as_str())))];
    let side = world.made(ADA, "upgrade", &[&world.tip], &files);
    let tip = world.tip.clone();
    let merge = world.made(MALLORY, "Merge #1\n\nApproved-by: Bob <bob@example.com>", &[&tip, &side], &files);
    world.move_to(&merge);
    assert!(world.reasons(&mut source).is_empty(), "a trailer is not even an approval that does not count");
}

#[test]
fn the_authors_of_a_change_that_drops_commits_are_unknown() {
    let (mut world, mut source) = World::new();
    let begin = world.tip.clone();
    let first = digest(&world.polled(&mut source));
    world.upgrade(CY, "0.4.0");
    let second = digest(&world.polled(&mut source));
    world.move_to(&begin);
    let followed = world.polled(&mut source);
    assert_eq!(digest(&followed), first);
    let addon = NAME.parse().unwrap();
    match followed.approvals.of(&addon, &first, &good_digest(&addon, Some(&second)), &RulesInForce::Followed).authors()
    {
        Authors::Unknown(why) => assert!(why.ends_with("and no commit says who moved the branch"), "{why}"),
        Authors::Known(authors) => panic!("no one is named for the commit that is gone: {authors:?}"),
    }
}
