//! Who vouches for the authors of a change: a commit can be made in anyone's name.

use super::world::{ADA, BOB, CY, MALLORY, Person, World};

const ADDON: &str = "fleet/addons/hello-template/addon.yaml";

/// Someone whose address no alias lists, and who does not sign.
const STRANGER: Person = Person("stranger", None);
/// A forge, which signs what people do on its pages.
const FORGE: Person = Person("noreply", MALLORY.1);

#[test]
fn a_pusher_does_not_approve_the_own_commit_that_names_someone_else_as_its_author() {
    let (mut world, mut source) = World::new();
    world.upgrade(ADA.unsigned(), "0.4.0");
    world.approve(&mut source, CY);
    assert_eq!(world.reasons(&mut source), ["authorsUnknown"]);
    let verdict = world.judged(&mut source);
    let why = verdict.void[0].why.to_string();
    assert!(why.contains("is not signed with a trusted key") && why.contains("sign commits"), "{why}");
    assert!(world.judged_with(&mut source, |rule| rule.by_author = true).is_met());
}

#[test]
fn a_pusher_does_not_approve_the_own_commit_with_an_address_of_no_one() {
    let (mut world, mut source) = World::new();
    world.upgrade(STRANGER, "0.4.0");
    world.approve(&mut source, BOB);
    assert_eq!(world.reasons(&mut source), ["authorsUnknown"]);
}

#[test]
fn one_unsigned_commit_among_signed_ones_is_enough_to_doubt_the_authors() {
    let (mut world, mut source) = World::new();
    world.commit(STRANGER, "prepare", &[("README.md", Some(("100644", "prepared")))]);
    world.upgrade(ADA, "0.4.0");
    world.approve(&mut source, BOB);
    assert_eq!(world.reasons(&mut source), ["authorsUnknown"]);
}

#[test]
fn a_key_that_is_not_trusted_vouches_for_no_author() {
    let (mut world, mut source) = World::new();
    world.upgrade(Person("ada", MALLORY.1), "0.4.0");
    world.approve(&mut source, BOB);
    assert_eq!(world.reasons(&mut source), ["authorsUnknown"]);
}

#[test]
fn the_signature_of_a_forge_does_not_tell_who_made_a_squashed_commit() {
    let (mut world, mut source) = World::new();
    world.trust(&[ADA, BOB, CY, FORGE].map(|person| person.line("")).concat());
    world.upgrade(FORGE, "0.4.0");
    world.approve(&mut source, BOB);
    assert_eq!(world.reasons(&mut source), ["authorsUnknown"]);
}

#[test]
fn claims_count_only_if_the_operator_says_so() {
    let (mut world, mut source) = World::new();
    world.upgrade(ADA.unsigned(), "0.4.0");
    world.approve(&mut source, BOB);
    world.approve(&mut source, ADA);
    assert!(!world.judged(&mut source).is_met());
    let facts = world.polled(&mut source).facts;
    let mut lenient = world.source_of("main", true);
    lenient.resume(&super::held::journal(&facts), true).unwrap();
    let verdict = world.judged(&mut lenient);
    assert!(verdict.is_met(), "{verdict:?}");
    assert_eq!(
        (verdict.have.len(), verdict.have[0].person.as_str()),
        (1, "bob"),
        "Ada is still an author: {verdict:?}"
    );
}

#[test]
fn a_merge_that_only_joins_its_parents_needs_no_signature() {
    let (mut world, mut source) = World::new();
    let text = world.upgraded("0.4.0");
    let upgrade = [(ADDON, Some(("100644", text.as_str())))];
    let side = world.made(ADA, "upgrade", &[&world.tip], &upgrade);
    world.commit(ADA, "unrelated", &[("README.md", Some(("100644", "new")))]);
    let tip = world.tip.clone();
    let merge = world.made(STRANGER, "merge", &[&tip, &side], &upgrade);
    world.move_to(&merge);
    world.approve(&mut source, BOB);
    let verdict = world.judged(&mut source);
    assert!(verdict.is_met(), "{verdict:?}");
}

#[test]
fn a_merge_that_adds_something_or_leaves_something_out_has_an_author() {
    let evil = |text: &str| text.replace("maxFailures: 2%", "maxFailures: 100%");
    for (adds, readme) in [(true, "new"), (false, "old")] {
        let (mut world, mut source) = World::new();
        world.commit(ADA, "readme", &[("README.md", Some(("100644", "old")))]);
        world.polled(&mut source);
        let text = world.upgraded("0.4.0");
        let side = world.made(ADA, "upgrade", &[&world.tip], &[(ADDON, Some(("100644", text.as_str())))]);
        world.commit(ADA, "unrelated", &[("README.md", Some(("100644", "new")))]);
        let text = if adds { evil(&text) } else { text };
        let files = [(ADDON, Some(("100644", text.as_str()))), ("README.md", Some(("100644", readme)))];
        let tip = world.tip.clone();
        let merge = world.made(STRANGER, "merge", &[&tip, &side], &files);
        world.move_to(&merge);
        world.approve(&mut source, BOB);
        assert_eq!(world.reasons(&mut source), ["authorsUnknown"], "{adds}");
    }
}
