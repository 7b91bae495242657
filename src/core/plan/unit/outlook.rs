//! What an add-on has to do on a fleet: which clusters should have it and with which configurations, as the decisions about it
//! start from.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::Value;

use super::membership::Membership;
use super::placement;
use super::ruling;
use crate::cluster::assumed::fresh;
use crate::cluster::rendering::content;
use crate::context::{Context, has_begun};
use crate::input::Input;
use crate::node::{Child, Node};
use crate::occupants::Occupants;
use crate::refusal::{Refusal, refusal};
use crate::select::{self, Selections};
use crate::upstream::copies::{self, Copies};
use tidegate_api::fleet::Fleet;
use tidegate_api::key;
use tidegate_api::ocm::addon_deployment_config::AddOnDeploymentConfigSpec;
use tidegate_api::ocm::rollout_strategy::RolloutStrategy;
use tidegate_delivery::WorkOwner;
use tidegate_delivery::status::{Desired, layer};
use tidegate_delivery::upstream::Views;
use tidegate_model::decision::DecisionGroup;
use tidegate_model::name::{ClusterName, NamespacedName, UnitName};
use tidegate_repository::Unit;
use tidegate_rollout::ClusterStatus;

/// The add-ons of a repository on a fleet.
#[derive(Debug)]
pub struct Outlooks<'a> {
    input: Input<'a>,
    fleet: Fleet,
    copies: Copies,
    selections: Selections,
}

/// What one add-on has to do on a fleet.
#[derive(Debug, Default)]
pub struct Outlook {
    /// Its placements, in the order of the declaration; one without a name for clusters chosen by hand.
    pub placements: Vec<PlacementOutlook>,
    /// Why nothing is done for it.
    pub refusal: Option<Refusal>,
}

/// What one placement of an add-on has to do.
#[derive(Debug, Clone)]
pub struct PlacementOutlook {
    /// The Placement; `None` for clusters chosen by hand.
    pub placement: Option<NamespacedName>,
    /// The index of its step. Its clusters start once those of all earlier steps are done.
    pub step: usize,
    /// The name of its step; empty if it has none.
    pub step_name: String,
    /// The rollout strategy, with the default concurrency.
    pub strategy: RolloutStrategy,
    /// The groups, as the rollout engine reads them.
    pub groups: Vec<DecisionGroup>,
    /// The statuses of its clusters, as the rollout engine reads them.
    pub statuses: Vec<ClusterStatus>,
    /// The configurations of clusters without their own.
    pub desired: Vec<Desired>,
    /// The clusters that belong to it, and what they should have.
    pub targets: BTreeMap<ClusterName, Target>,
    /// How many clusters that it selects belong to another placement, or would if two could not contest them, by the index of that one.
    pub overlaps: BTreeMap<usize, usize>,
    /// The clusters whose add-on another instance owns, each with that instance.
    pub foreign: Vec<(ClusterName, String)>,
    /// Why the selection of clusters is unreliable.
    pub problem: Option<String>,
    /// Whether nothing may start because of that.
    pub is_partial: bool,
}

/// What one cluster should have.
#[derive(Debug, Clone)]
pub struct Target {
    /// Its configurations.
    pub desired: Arc<Vec<Desired>>,
    /// Index of its decision group.
    pub group: Option<i32>,
    /// The AddOnTemplate; `None` if it has none, or its content is not known.
    pub template: Option<Arc<Value>>,
    /// The spec of the AddOnDeploymentConfig.
    pub config: Option<Arc<AddOnDeploymentConfigSpec>>,
    /// Whether the AddOnDeploymentConfig is the cluster's own, not one of its placement.
    pub has_own_config: bool,
    /// The annotation of the cluster with registries that replace those of images.
    pub registries: Option<String>,
}

impl<'a> Outlooks<'a> {
    /// Selects the clusters of all add-ons.
    pub fn new(input: &Input<'a>) -> Self {
        let view = Views::default().fleet(input.fleet);
        let copies = copies::copies(input, input.fleet);
        let fleet = view.unwrap_or_else(|| input.fleet.clone());
        let placements = input.repository.addons.values().flat_map(|addon| addon.placements()).collect();
        let selections = select::selections(&Input { fleet: &fleet, ..*input }, &placements);
        Self { input: *input, fleet, copies, selections }
    }

    /// Returns what an add-on has to do; `None` if the repository does not have it.
    ///
    /// The ManagedClusterAddOns that native delivery creates before a cluster starts count as created.
    pub fn addon(&self, name: &UnitName) -> Option<Outlook> {
        let (name, addon) = self.input.repository.addons.get_key_value(name)?;
        let input = Input { fleet: &self.fleet, ..self.input };
        let owner = WorkOwner::of(name, input.instance.id.as_str());
        // Whether something is in the way is not asked here.
        let occupants = Occupants::new(&self.selections);
        let context = self.context((&input, &occupants), (name, addon, &owner));
        let membership = Membership::of(&context);
        let mut installed = self.fleet.cluster_addons.get(name).cloned().unwrap_or_default();
        if context.is_native() {
            let by_hand = addon.overrides.keys().filter(|cluster| membership.requires(&context, cluster));
            for cluster in membership.owners.keys().copied().chain(by_hand) {
                if self.fleet.clusters.contains_key(cluster) {
                    installed.entry(cluster.clone()).or_insert_with(|| Arc::new(fresh(input.instance, name, cluster)));
                }
            }
        }
        // The decisions below need only the clusters and the add-on itself.
        let fleet = Fleet {
            clusters: self.fleet.clusters.clone(),
            cluster_addons: [(name.clone(), installed)].into(),
            ..Fleet::default()
        };
        let input = Input { fleet: &fleet, ..self.input };
        let context = self.context((&input, &occupants), (name, addon, &owner));
        let membership = Membership::of(&context);
        let nodes = placement::nodes(&context, &membership, &context.defaults());
        let overlaps = |index: usize, node: &Node<'_>| {
            let selection = node.placement.as_ref().and_then(|placement| self.selections.get(placement));
            let owners = selection.into_iter().flat_map(|selection| selection.clusters());
            let mut lost = BTreeMap::new();
            for owner in owners.filter_map(|(cluster, _)| membership.owners.get(cluster)).filter(|o| **o != index) {
                *lost.entry(*owner).or_default() += 1;
            }
            lost
        };
        let placements = nodes.into_iter().enumerate().map(|(index, node)| {
            let overlaps = overlaps(index, &node);
            let (step, step_name) = (addon.turn(index).step, addon.step(index).to_owned());
            PlacementOutlook { step, step_name, ..outlook(&context, node, overlaps) }
        });
        let refusal = refusal(&Input { fleet: &self.fleet, ..self.input }, name);
        Some(Outlook { placements: placements.collect(), refusal })
    }

    fn context<'c>(
        &'c self,
        (input, occupants): (&'c Input<'c>, &'c Occupants<'c>),
        (name, unit, owner): (&'c UnitName, &'c Unit, &'c WorkOwner),
    ) -> Context<'c> {
        let rules = input.repository.settings.rules();
        let (copies, selections) = (&self.copies, &self.selections);
        let has_begun = has_begun(input, name, unit);
        Context {
            input,
            reported: self.input.fleet,
            copies,
            rules,
            selections,
            occupants,
            name,
            unit,
            owner,
            has_begun,
        }
    }
}

fn outlook(context: &Context<'_>, node: Node<'_>, overlaps: BTreeMap<usize, usize>) -> PlacementOutlook {
    let statuses = ruling::statuses(context, &node);
    let foreign = node.foreign.iter().map(|(cluster, mark)| ((*cluster).clone(), mark.to_string())).collect();
    // Clusters share few lists of configurations.
    let mut known: BTreeMap<Vec<Desired>, Target> = BTreeMap::new();
    let of_placement = node.desired.to_vec();
    let mut target = |child: Child<'_>| {
        let registries = child.cluster.metadata.annotations.as_ref();
        let registries = registries.and_then(|annotations| annotations.get(key::IMAGE_REGISTRIES)).cloned();
        let Child { desired, group, .. } = child;
        let target = known.entry(desired.into_inner()).or_insert_with_key(|desired| {
            let find = |resource| layer::first(desired, resource);
            let object = |desired: &Desired| content(context, &desired.reference, &desired.spec_hash);
            let config = find(key::ADDON_DEPLOYMENT_CONFIGS);
            Target {
                desired: Arc::new(desired.clone()),
                group: None,
                template: layer::content(desired).and_then(object).map(|template| Arc::clone(&template.object)),
                config: config.and_then(object).and_then(|config| config.deployment_config.clone()),
                has_own_config: config.is_some_and(|config| !of_placement.contains(config)),
                registries: None,
            }
        });
        Target { group, registries, ..target.clone() }
    };
    let targets = node.children.into_iter().map(|child| (child.name.clone(), target(child))).collect();
    PlacementOutlook {
        placement: node.placement,
        step: 0,
        step_name: String::new(),
        desired: of_placement,
        strategy: node.strategy,
        groups: node.groups,
        statuses,
        targets,
        overlaps,
        foreign,
        problem: node.problem,
        is_partial: node.is_partial,
    }
}
