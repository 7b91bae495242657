//! What survives a restart.

use super::held::journal;
use super::world::{ADA, BOB, CY, World};

#[test]
fn the_authors_of_a_change_are_known_after_a_restart() {
    let (mut world, mut source) = World::new();
    world.approve(&mut source, BOB);
    let facts = world.polled(&mut source).facts;
    assert_eq!(facts.changes.values().map(Vec::len).max(), Some(2));
    let journal = journal(&facts);
    let mut restarted = world.source("main");
    restarted.resume(&journal, true).unwrap();
    let verdict = world.judged(&mut restarted);
    assert!(verdict.is_met(), "{verdict:?}");
    world.approve(&mut restarted, ADA);
    let verdict = world.judged(&mut restarted);
    assert_eq!(verdict.have.len(), 1, "Ada is still an author: {verdict:?}");
    // Without the record, the authors are those of the first revision that is followed.
    let mut forgetful = world.source("main");
    assert!(world.judged_with(&mut forgetful, |rule| rule.of = vec![CY.0.to_owned()]).have.is_empty());
}
