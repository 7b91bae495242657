//! Carries out removals: from the clusters that no placement selects, and from all clusters of an add-on that left the repository.

use std::collections::BTreeMap;
use std::sync::Arc;

use k8s_openapi::apimachinery::pkg::util::intstr::IntOrString;

use super::data;
use super::hooks;
use super::report::departing;
use super::rollout::{Leaving, departures};
use crate::context::Planned;
use crate::hub_objects::ownership::Owner;
use crate::input::Input;
use crate::occupants::Occupants;
use crate::report::PlacementReport;
use crate::report::departure::Departure;
use crate::report::obstacle::Obstacle;
use tidegate_api::key;
use tidegate_api::object_key;
use tidegate_api::ocm::cluster_management_addon::ClusterManagementAddOn;
use tidegate_api::ocm::managed_cluster_addon::ManagedClusterAddOn;
use tidegate_api::ocm::manifest_work::ManifestWork;
use tidegate_api::ocm::rollout_strategy::{RolloutProgressive, RolloutStrategy};
use tidegate_delivery::upstream::recorded;
use tidegate_model::action::{Lane, Stage};
use tidegate_model::action::{Precondition, Write};
use tidegate_model::name::version_of;
use tidegate_model::name::{ApplicationName, ClusterName, NamespacedName, UnitName};
use tidegate_model::plural::first_of;
use tidegate_model::progress::Phase;
use tidegate_model::time::sooner;

/// Adds to the plan of an add-on what happens to the clusters that it leaves.
pub(crate) fn depart(input: &Input<'_>, leaving: &Leaving<'_>, planned: &mut Planned) {
    let departures = departures(input, leaving);
    for (name, addon) in &leaving.clusters {
        let Some(departure) = departures.clusters.get(*name) else { continue };
        let writes = match (departure, leaving.addon) {
            (Departure::Starts, UnitName::AddOn(_)) => removed(leaving.addon, name, addon).into_iter().collect(),
            (Departure::Starts, UnitName::Application(unit)) => taken_back(input, unit, name),
            (Departure::Waits(Obstacle::Data { .. }), unit) => data::marks(input, unit, name),
            _ => Vec::new(),
        };
        if *departure == Departure::Starts || !writes.is_empty() {
            planned.lanes.push(Lane { stage: Stage::Deliver, writes });
        }
        let report = departing(input, leaving.addon, name, addon, departure);
        planned.report.clusters.insert((*name).clone(), report);
    }
    planned.report.look_at = sooner(planned.report.look_at, departures.look_at);
    planned.report.removal = departures.hold;
}

/// Returns a notice about the clusters that keep an add-on because this instance did not install it there.
pub(crate) fn kept(name: &UnitName, clusters: &BTreeMap<&ClusterName, Owner>) -> Option<String> {
    let named = first_of(clusters.keys().map(|cluster| cluster.as_str()), 3);
    (!clusters.is_empty()).then(|| {
        format!("add-on {name} stays on {named}: no placement selects them, and this instance did not install it there")
    })
}

/// Plans the removal of an add-on that left the repository. `obstacle` is the reason why nothing that left it is removed, if there
/// is one.
pub(crate) fn withdrawn(
    (input, occupants): (&Input<'_>, &Occupants<'_>),
    unit: &UnitName,
    obstacle: Option<Obstacle>,
) -> Planned {
    let mut planned = Planned::default();
    let obstacle = obstacle.or_else(|| input.pause(unit).map(Obstacle::paused));
    let on_hub = unit.addon().map(|addon| input.fleet.addons.get(addon));
    let (strategies, version) = match on_hub {
        Some(Some(observed)) => (strategies(input, observed), version(unit, observed)),
        Some(None) => return planned,
        None => (reported(input, unit), String::new()),
    };
    let ownership = input.ownership();
    let (mut clusters, mut foreign) = (BTreeMap::new(), BTreeMap::new());
    for (cluster, addon) in input.fleet.cluster_addons.get(unit).into_iter().flatten() {
        match ownership.of_install(addon) {
            Owner::Ours => drop(clusters.insert(cluster, &**addon)),
            owner => drop(foreign.insert(cluster, owner)),
        }
    }
    let total = clusters.len();
    let obstacle_of_all = obstacle.clone();
    let leaving =
        Leaving { addon: unit, strategies: &strategies, clusters, total, occupants, obstacle: obstacle_of_all };
    depart(input, &leaving, &mut planned);
    planned.notices.extend(kept(unit, &foreign));
    if let Some(addon) = unit.addon() {
        hooks::run(input, addon, &mut planned);
    }
    let report = &mut planned.report;
    let brake = report.removal.clone().filter(|hold| hold.is_open()).map(Obstacle::Brake);
    let held = brake.or(obstacle);
    report.withdrawn = true;
    report.version = version;
    report.phase = if held.is_some() { Phase::Held } else { Phase::Removing };
    report.problem = Some(match &held {
        Some(obstacle) => format!("it left the repository; {obstacle}; {}", obstacle.opens()),
        None => "it left the repository and is being removed from its clusters".to_owned(),
    });
    report.placements = placements(input, unit);
    planned
}

/// Returns the placements as they were last reported, for the groups of the clusters.
fn placements(input: &Input<'_>, name: &UnitName) -> Vec<PlacementReport> {
    let before = input.past.report.addon(name);
    before.map(|report| report.placements.clone()).unwrap_or_default()
}

fn version(name: &UnitName, observed: &ClusterManagementAddOn) -> String {
    let templates = observed.spec.default_configs.iter().filter(|config| config.resource == key::ADDON_TEMPLATES);
    templates.map(|config| version_of(name, &config.name)).next().unwrap_or_default()
}

/// How many clusters lose a unit at once whose strategy is not known.
const AT_ONCE: &str = "10%";

/// Returns strategies for the placements that were last reported: the hub does not have those of a unit without an object of its own. The
/// clusters lose it in the order of their groups, a few at a time.
fn reported(input: &Input<'_>, unit: &UnitName) -> Vec<(String, RolloutStrategy)> {
    let few = RolloutProgressive {
        max_concurrency: Some(IntOrString::String(AT_ONCE.to_owned())),
        ..RolloutProgressive::default()
    };
    let progressive =
        RolloutStrategy { type_: "Progressive".to_owned(), progressive: Some(few), ..RolloutStrategy::default() };
    let known: Vec<String> = placements(input, unit).into_iter().map(|report| report.placement).collect();
    let names = if known.is_empty() { vec![String::new()] } else { known };
    names.into_iter().map(|placement| (placement, progressive.clone())).collect()
}

/// Returns the strategies of an add-on as the hub still has them.
fn strategies(input: &Input<'_>, observed: &ClusterManagementAddOn) -> Vec<(String, RolloutStrategy)> {
    let rules = input.repository.settings.rules();
    let placements = observed.spec.install_strategy.iter().flat_map(|strategy| &strategy.placements);
    placements
        .map(|placement| {
            let name = NamespacedName::new(&placement.namespace, &placement.name);
            let on_hub = input.fleet.placements.get(&name);
            let strategy =
                tidegate_rollout::with_default_concurrency(&placement.rollout_strategy, on_hub.map(|p| &**p), &rules);
            (name.to_string(), strategy)
        })
        .collect()
}

/// Returns the writes that remove an application from a cluster. The work with the record is deleted last, so that the rest is not forgotten.
fn taken_back(input: &Input<'_>, unit: &ApplicationName, cluster: &ClusterName) -> Vec<Write> {
    let works = input.fleet.works.get(unit.as_str()).and_then(|works| works.get(cluster));
    let Some(works) = works else { return Vec::new() };
    let record = recorded(unit, cluster, works).map(|(name, _)| name);
    let ours = data::works(input, &UnitName::Application(unit.clone()), cluster).into_iter();
    let (last, first): (Vec<_>, Vec<_>) = ours.partition(|(name, _)| Some(name.as_str()) == record);
    let deleted = |(name, work): (&String, &Arc<ManifestWork>)| {
        let precondition = Precondition { uid: work.metadata.uid.clone()?, resource_version: None };
        Some(Write::Delete { key: object_key::work(cluster.as_str(), name), precondition })
    };
    first.into_iter().chain(last).filter_map(deleted).collect()
}

/// Returns the write that removes an add-on from a cluster. The hub deletes what belongs to the ManagedClusterAddOn, its works and
/// RoleBindings, but only once its pre-delete hooks have completed; they need both.
fn removed(addon: &UnitName, name: &ClusterName, observed: &ManagedClusterAddOn) -> Option<Write> {
    let precondition = Precondition { uid: observed.metadata.uid.clone()?, resource_version: None };
    let key = object_key::cluster_addon(name.as_str(), addon.as_str());
    Some(Write::Delete { key, precondition })
}
