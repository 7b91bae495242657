//! What survives a restart.

use tidegate_daemon::reconciler::source::Source;
use tidegate_model::followed::RevisionFacts;

use super::held::journal;
use super::world::{ADA, ADDON, BOB, CY, World};

/// Returns a source that continues from the journal of another one.
fn restarted(world: &World, facts: &RevisionFacts) -> Source {
    let mut restarted = world.source("main");
    restarted.resume(&journal(facts), true).unwrap();
    restarted
}

#[test]
fn the_authors_of_a_change_are_known_after_a_restart() {
    let (mut world, mut source) = World::new();
    world.approve(&mut source, BOB);
    let facts = world.polled(&mut source).facts;
    assert_eq!(facts.changes.values().map(Vec::len).max(), Some(2));
    let mut restarted = restarted(&world, &facts);
    let verdict = world.judged(&mut restarted);
    assert!(verdict.is_met(), "{verdict:?}");
    world.approve(&mut restarted, ADA);
    let verdict = world.judged(&mut restarted);
    assert_eq!(verdict.have.len(), 1, "Ada is still an author: {verdict:?}");
    // Without the record, the authors are those of the first revision that is followed.
    let mut forgetful = world.source("main");
    assert!(world.judged_with(&mut forgetful, |rule| rule.of = vec![CY.0.to_owned()]).have.is_empty());
}

#[test]
fn the_approval_of_a_reverted_digest_does_not_count_again_after_a_restart() {
    for is_reverted_while_it_runs in [true, false] {
        let (mut world, mut source) = World::new();
        world.approve(&mut source, BOB);
        assert!(world.judged(&mut source).is_met());
        let facts = world.polled(&mut source).facts;
        world.upgrade(ADA, "0.4.0");
        let facts = if is_reverted_while_it_runs { world.polled(&mut source).facts } else { facts };
        let mut restarted = restarted(&world, &facts);
        world.polled(&mut restarted);
        world.upgrade(ADA, "0.4.1");
        assert_eq!(world.reasons(&mut restarted), ["replaced"], "{is_reverted_while_it_runs}");
        world.approve(&mut restarted, BOB);
        assert!(world.judged(&mut restarted).is_met(), "{is_reverted_while_it_runs}");
    }
}

#[test]
fn the_approval_of_an_add_on_that_was_removed_does_not_count_when_it_returns() {
    let (mut world, mut source) = World::new();
    world.approve(&mut source, BOB);
    assert!(world.judged(&mut source).is_met());
    let text = world.show(ADDON);
    world.commit(ADA, "remove", &[(ADDON, None)]);
    world.polled(&mut source);
    world.commit(ADA, "add again", &[(ADDON, Some(("100644", text.trim_end())))]);
    assert_eq!(world.reasons(&mut source), ["replaced"]);
}
