//! Nothing that the rules before it did not let through is ever on a cluster, whatever is pushed; and what is approved arrives.

use std::cell::RefCell;
use std::collections::BTreeMap;

use proptest::prelude::*;

use super::content::{Content, Guard};
use super::history::{Step, honest, hostile};
use super::votes::{Person, Subject, Vote};
use super::world::World;

thread_local! {
    /// The beginning of all histories: the first revision is on the clusters.
    static SETTLED: RefCell<BTreeMap<Guard, World>> = RefCell::default();
}

pub(super) fn settled(guard: Guard) -> World {
    SETTLED.with_borrow_mut(|worlds| worlds.entry(guard).or_insert_with(|| World::settled(guard)).again())
}

/// Plays a history to its end. Returns the step after which a cluster had something that no honest person approved.
pub(super) fn infection(guard: Guard, steps: &[Step]) -> Option<String> {
    let mut world = settled(guard);
    for (n, step) in steps.iter().chain([&Step::Settle]).enumerate() {
        world.play(step);
        // A rule for one add-on says nothing about another one.
        let infected = world.infected(|addon| guard != Guard::Addon || addon != "extra");
        // Without a gate before them, canaries may get anything.
        if infected.iter().any(|cluster| guard != Guard::Rest || cluster != "c0") {
            return Some(format!(
                "after step {n}, {infected:?} have something that no one approved: {:#?}",
                world.report()
            ));
        }
    }
    None
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn nothing_that_no_honest_person_approved_is_ever_on_a_cluster((guard, steps) in hostile()) {
        let found = infection(guard, &steps);
        prop_assert!(found.is_none(), "{}", found.unwrap_or_default());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn an_upgrade_that_two_people_approve_arrives_everywhere((guard, steps) in honest()) {
        let mut world = settled(guard);
        steps.iter().for_each(|step| world.play(step));
        let content = Content { policy: world.source.newest().content.policy, ..world.source.newest().content.mended(99) };
        let image = content.image();
        world.commit(Person::Ada, content, false);
        for of in [Subject::Rules, Subject::Addon] {
            for by in [Person::Bob, Person::Cy] {
                world.vote(Vote::Honest { by, of });
            }
        }
        world.settle();
        prop_assert!(world.has_everywhere(&image), "{:#?}", world.report());
    }
}
