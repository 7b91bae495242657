//! Approvals in histories with branches, merges, removed files and rewritten branches.

use super::world::{ADA, BOB, CY, MALLORY, World, digest};

#[test]
fn an_approval_on_a_branch_counts_after_an_honest_merge() {
    let (mut world, mut source) = World::new();
    let now = digest(&world.polled(&mut source));
    let (path, text) = world.approved(&now, "bob");
    let side = world.made(BOB, "approve", &[&world.tip], &[(&path, Some(("100644", &text)))]);
    world.commit(ADA, "unrelated", &[("README.md", Some(("100644", "new")))]);
    let tip = world.tip.clone();
    let merge = world.made(ADA, "merge", &[&tip, &side], &[(&path, Some(("100644", &text)))]);
    world.move_to(&merge);
    let verdict = world.judged(&mut source);
    assert!(verdict.is_met(), "{verdict:?}");
    assert_eq!(verdict.have[0].commit.as_str(), side);
}

#[test]
fn a_merge_cannot_add_an_approval_of_someone_else() {
    let (mut world, mut source) = World::new();
    let now = digest(&world.polled(&mut source));
    let (path, text) = world.approved(&now, "bob");
    let side = world.made(CY, "side", &[&world.tip], &[("x", Some(("100644", "x")))]);
    let tip = world.tip.clone();
    let merge = world.made(ADA, "merge", &[&tip, &side], &[(&path, Some(("100644", &text)))]);
    world.move_to(&merge);
    assert_eq!(world.reasons(&mut source), ["otherSigner"]);
}

#[test]
fn a_moved_copied_or_edited_entry_needs_its_person_again() {
    let (mut world, mut source) = World::new();
    world.approve(&mut source, BOB);
    assert!(world.judged(&mut source).is_met());
    let now = digest(&world.polled(&mut source));
    let path = format!("approvals/hello-template/{}.yaml", now.short());
    let text = world.show(&path);
    let other = format!("approvals/hello-template/{}-2.yaml", now.short());
    world.commit(ADA, "move", &[(&path, None), (&other, Some(("100644", &text)))]);
    assert_eq!(world.reasons(&mut source), ["withdrawn", "otherSigner"]);
    let edited = text.replace("10:0", "10:1");
    world.commit(ADA, "edit", &[(&other, Some(("100644", &edited)))]);
    assert!(!world.judged(&mut source).is_met());
    let glass = text.replace("instance:", "breakGlass: true\n  instance:");
    world.commit(ADA, "edit", &[(&other, Some(("100644", &glass)))]);
    assert!(!world.judged(&mut source).is_met());
}

#[test]
fn a_copy_for_another_digest_does_not_count() {
    let (mut world, mut source) = World::new();
    world.approve(&mut source, BOB);
    let before = digest(&world.polled(&mut source));
    let text = world.show(&format!("approvals/hello-template/{}.yaml", before.short()));
    world.upgrade(ADA, "0.4.0");
    let now = digest(&world.polled(&mut source));
    let copied = text.replace(before.as_str(), now.as_str());
    let path = format!("approvals/hello-template/{}.yaml", now.short());
    world.commit(ADA, "copy", &[(&path, Some(("100644", &copied)))]);
    assert_eq!(world.reasons(&mut source), ["otherSigner", "otherDigest"]);
}

#[test]
fn what_is_not_a_regular_file_at_its_place_does_not_count() {
    let cases: [(&str, &str); 2] = [("100755", "unknownCommit"), ("120000", "")];
    for (mode, reason) in cases {
        let (mut world, mut source) = World::new();
        let now = digest(&world.polled(&mut source));
        let (path, text) = world.approved(&now, "bob");
        let content = if mode == "120000" { "../../x.yaml" } else { text.as_str() };
        world.commit(BOB, "approve", &[(&path, Some((mode, content))), ("x.yaml", Some(("100644", "{}")))]);
        let reasons = world.reasons(&mut source);
        assert_eq!(reasons, if reason.is_empty() { Vec::new() } else { vec![reason] }, "{mode}");
    }
    for directory in
        ["Approvals/hello-template", "approvals", "approvals/Hello-template", "fleet/approvals/hello-template"]
    {
        let (mut world, mut source) = World::new();
        let now = digest(&world.polled(&mut source));
        let (path, text) = world.approved(&now, "bob");
        let other = path.replace("approvals/hello-template", directory);
        world.commit(BOB, "approve", &[(&other, Some(("100644", &text)))]);
        assert!(world.reasons(&mut source).is_empty(), "{directory}");
    }
}

#[test]
fn a_link_to_a_directory_of_approvals_is_not_followed() {
    let (mut world, mut source) = World::new();
    let now = digest(&world.polled(&mut source));
    let (path, text) = world.approved(&now, "bob");
    let other = path.replace("approvals/", "elsewhere/");
    world.commit(BOB, "approve", &[(&other, Some(("100644", &text))), ("approvals", Some(("120000", "elsewhere")))]);
    assert!(world.reasons(&mut source).is_empty());
}

#[test]
fn a_withdrawal_is_final_and_anyone_may_withdraw() {
    for who in [BOB, MALLORY.unsigned()] {
        let (mut world, mut source) = World::new();
        world.approve(&mut source, BOB);
        let path = format!("approvals/hello-template/{}.yaml", digest(&world.polled(&mut source)).short());
        let text = world.show(&path);
        world.commit(who, "withdraw", &[(&path, None)]);
        assert!(!world.judged(&mut source).is_met());
        // The same entry again, and even by Bob, is the withdrawn one.
        world.commit(BOB, "restore", &[(&path, Some(("100644", &text)))]);
        assert_eq!(world.reasons(&mut source), ["withdrawn"]);
        // A new one counts.
        world.approve(&mut source, BOB);
        assert!(world.judged(&mut source).is_met());
    }
}

#[test]
fn a_merge_does_not_bring_back_what_was_withdrawn() {
    let (mut world, mut source) = World::new();
    let approved = world.approve(&mut source, BOB);
    let path = format!("approvals/hello-template/{}.yaml", digest(&world.polled(&mut source)).short());
    let text = world.show(&path);
    let side = world.made(ADA, "side", &[&approved], &[("x", Some(("100644", "x")))]);
    world.commit(BOB, "withdraw", &[(&path, None)]);
    let tip = world.tip.clone();
    let merge = world.made(ADA, "merge", &[&tip, &side], &[(&path, Some(("100644", &text)))]);
    world.move_to(&merge);
    assert_eq!(world.reasons(&mut source), ["withdrawn"]);
}

#[test]
fn a_malformed_file_withdraws_what_it_had() {
    let (mut world, mut source) = World::new();
    world.approve(&mut source, BOB);
    let path = format!("approvals/hello-template/{}.yaml", digest(&world.polled(&mut source)).short());
    let text = world.show(&path);
    world.commit(ADA, "break", &[(&path, Some(("100644", &format!("{text}---\n"))))]);
    assert_eq!(world.reasons(&mut source), ["withdrawn"]);
    let followed = world.polled(&mut source);
    assert!(followed.facts.complaints.iter().any(|complaint| complaint.starts_with(&path)), "{:?}", followed.facts);
    assert!(followed.facts.held.is_empty());
}

#[test]
fn a_rebased_approval_needs_a_signature_of_its_person() {
    let (mut world, mut source) = World::new();
    let base = world.tip.clone();
    let now = digest(&world.polled(&mut source));
    let (path, text) = world.approved(&now, "bob");
    world.approve(&mut source, BOB);
    assert!(world.judged(&mut source).is_met());
    for (who, reason) in [(ADA, "otherSigner"), (BOB.unsigned(), "unsigned"), (MALLORY, "untrustedKey")] {
        // The branch is rewritten: the same change, on another parent.
        let parent = world.made(ADA, &format!("other {}", who.0), &[&base], &[("y", Some(("100644", who.0)))]);
        let rebased = world.made(who, "approve", &[&parent], &[(&path, Some(("100644", &text)))]);
        world.move_to(&rebased);
        assert_eq!(world.reasons(&mut source), [reason]);
    }
    // A history without the approval.
    world.move_to(&base);
    assert!(world.reasons(&mut source).is_empty());
}

#[test]
fn a_shallow_history_is_fetched_until_the_approval_is_found() {
    let (mut world, mut source) = World::new();
    world.approve(&mut source, BOB);
    for number in 0..3 {
        world.commit(ADA, "unrelated", &[("README.md", Some(("100644", &number.to_string())))]);
    }
    // A new mirror starts with the last commit alone.
    let mut other = world.source("main");
    let verdict = world.judged_with(&mut other, |rule| rule.by_author = true);
    assert!(verdict.is_met(), "{verdict:?}");
}

#[test]
fn the_commits_below_a_tag_are_not_known_without_their_history() {
    let (mut world, mut source) = World::new();
    world.approve(&mut source, BOB);
    world.commit(ADA, "unrelated", &[("README.md", Some(("100644", "x")))]);
    world.tag("v1.0.0");
    let mut other = world.source("v1.0.0");
    assert_eq!(world.reasons(&mut other), ["unknownCommit"]);
}
