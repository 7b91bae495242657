//! A fleet that has everything that a revision declares.

use std::sync::Arc;

use super::propose::with_declared;
use crate::plan::{Input, Outlooks, completed};
use tidegate_api::fleet::Fleet;
use tidegate_model::time::Timestamp;

/// Returns the fleet in which every cluster has completed the add-ons that the repository of the input gives it. For a fleet of which
/// only the clusters are known.
pub fn assumed(input: &Input<'_>) -> Fleet {
    let fleet = with_declared(input.fleet, input.repository, None);
    let input = Input { fleet: &fleet, now: Timestamp::UNIX_EPOCH, ..*input };
    let outlooks = Outlooks::new(&input);
    let mut installed = fleet.cluster_addons.clone();
    for name in input.repository.addons.keys() {
        let placements = outlooks.addon(name).into_iter().flat_map(|outlook| outlook.placements);
        let clusters = placements.flat_map(|placement| placement.targets).map(|(cluster, target)| {
            let addon = completed(input.instance, (name, &cluster), &target.desired, input.now);
            (cluster, Arc::new(addon))
        });
        installed.insert(name.clone(), clusters.collect());
    }
    Fleet { cluster_addons: installed, ..fleet }
}
