//! The brake on removals, in whole rollouts.

use tidegate_model::progress::ClusterState;

use super::rollouts::{ONE_BY_ONE, commit, joins};
use crate::simulation::world::{Event, World};
use tidegate_simulation::accident::Accident;
use tidegate_simulation::revision::{Revision, Selects};

/// Returns a revision of which at most 40 % of the clusters may be removed at once.
fn revision(selects: Selects) -> Revision {
    Revision { selects, settings: "[prune]\nmax_percent = 40\n", ..Revision::simple(1, ONE_BY_ONE) }
}

#[test]
fn clusters_of_another_instance_do_not_raise_the_limit() {
    let claims = |cluster| (500, Event::Happens(Accident::Claim { cluster }));
    // The other instance takes two of the three clusters that stay.
    for (claimed, removed) in [(vec![], 3), (vec![claims(1), claims(3)], 0)] {
        let events = (2..6).map(|cluster| (0, joins(cluster))).chain(claimed);
        let leave = (600, commit(revision(Selects::Us)));
        let mut world = World::new(revision(Selects::Everybody), events.chain([leave]).collect());
        let plan = world.run(&[]);
        let addon = &plan.report.addons["hello"];
        let states = addon.clusters.values().filter(|report| report.state == ClusterState::Leaving);
        assert_eq!(states.count(), 3 - removed, "{:#?}", addon.clusters);
        assert_eq!(addon.removal.as_ref().map(|hold| (hold.total, hold.limit)), (removed == 0).then_some((4, 2)));
    }
}
