//! A fleet that has everything that a revision declares.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::declared::with_declared;
use tidegate_api::fleet::Fleet;
use tidegate_api::ocm::config_reference::ConfigSpecHash;
use tidegate_delivery::status::{Desired, layer};
use tidegate_model::name::version_of;
use tidegate_model::name::{ClusterName, UnitName};
use tidegate_model::time::Timestamp;
use tidegate_plan::report::digest;
use tidegate_plan::{Input, Outlooks, completed};
use tidegate_repository::ClusterContents;

/// Returns the fleet in which every cluster has completed the add-ons that the repository of the input gives it. For a fleet of which
/// only the clusters are known.
pub fn assumed(input: &Input<'_>) -> Fleet {
    let fleet = with_declared(input.fleet, input.repository, None, input.ownership());
    let rendered = ClusterContents::default().of(input.repository, &fleet.clusters);
    let repository = rendered.as_ref().unwrap_or(input.repository);
    let input = Input { repository, fleet: &fleet, now: Timestamp::UNIX_EPOCH, ..*input };
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

/// The version that each cluster has or is getting, and the digest of its configurations.
pub type Reached = BTreeMap<ClusterName, (String, String)>;

/// Returns the fleet in which the clusters have completed what the repository of the input gives them, if the journal says that they have it
/// or are getting it: the fleet may be older. `has` is what clusters have or are getting.
pub fn reached(input: &Input<'_>, has: &BTreeMap<UnitName, Reached>) -> Fleet {
    let fleet = with_declared(input.fleet, input.repository, None, input.ownership());
    let rendered = ClusterContents::default().of(input.repository, &fleet.clusters);
    let repository = rendered.as_ref().unwrap_or(input.repository);
    let outlooks = Outlooks::new(&Input { repository, fleet: &fleet, now: Timestamp::UNIX_EPOCH, ..*input });
    let mut installed = input.fleet.cluster_addons.clone();
    for (name, has) in has {
        let Some(clusters) = installed.get_mut(name) else { continue };
        let placements = outlooks.addon(name).into_iter().flat_map(|outlook| outlook.placements);
        for (cluster, target) in placements.flat_map(|placement| placement.targets) {
            let wanted: Vec<ConfigSpecHash> = target.desired.iter().map(Desired::config).collect();
            let Some(addon) = clusters.get_mut(&cluster).filter(|addon| !addon.has_desired(&wanted)) else {
                continue;
            };
            let template = layer::content(&target.desired);
            let version = template.map(|template| version_of(name, &template.reference.name)).unwrap_or_default();
            let hash = digest(wanted.iter().map(|config| config.spec_hash.as_str()));
            if has.get(&cluster) == Some(&(version, hash)) {
                *addon = Arc::new(completed(input.instance, (name, &cluster), &target.desired, Timestamp::UNIX_EPOCH));
            }
        }
    }
    Fleet { cluster_addons: installed, ..input.fleet.clone() }
}
