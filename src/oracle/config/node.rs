//! One placement of an add-on with its own clusters, or the clusters that no placement has.

use std::collections::{BTreeMap, BTreeSet};

use super::refusal::Refusal;
use tidegate_api::ocm::managed_cluster_addon::ManagedClusterAddOn;
use tidegate_api::ocm::rollout_strategy::RolloutStrategy;
use tidegate_core::plan::rollout_status;
use tidegate_core::rollout::{self, ClusterStatus, Decision, Status};
use tidegate_core::status::{Desired, Layers, NoDesiredConfig, State, Tally, layer, state};
use tidegate_model::decision::DecisionGroup;
use tidegate_model::name::NamespacedName;
use tidegate_model::semantics::Semantics;
use tidegate_model::time::{SignedDuration, Timestamp};

/// One placement with its clusters, or the clusters that no placement has.
#[derive(Debug)]
pub(super) struct Node<'a> {
    /// `None` for clusters that no placement has.
    pub(super) placed: Option<Placed>,
    /// The configurations that the clusters should have, unless they have their own.
    pub(super) layers: Layers,
    /// The clusters that have the add-on, by name.
    pub(super) children: BTreeMap<&'a str, Child<'a>>,
}

/// A placement with its decisions.
#[derive(Debug)]
pub(super) struct Placed {
    pub(super) name: NamespacedName,
    pub(super) strategy: RolloutStrategy,
    pub(super) groups: Vec<DecisionGroup>,
    /// The clusters that the placement selects.
    pub(super) selected: BTreeSet<String>,
    /// Those of them that no later placement took over along with their add-on.
    pub(super) configured: BTreeSet<String>,
}

/// One cluster that has the add-on.
#[derive(Debug)]
pub(super) struct Child<'a> {
    pub(super) addon: &'a ManagedClusterAddOn,
    pub(super) desired: Vec<Desired>,
    pub(super) state: State,
}

/// The clusters in the rollout of a node, and how many timed out.
#[derive(Debug, Default)]
pub(super) struct Verdict {
    pub(super) rollout: BTreeSet<String>,
    pub(super) timed_out: usize,
    pub(super) recheck_after: Option<SignedDuration>,
}

impl<'a> Node<'a> {
    pub(super) fn new(placed: Option<Placed>, layers: Layers) -> Self {
        Self { placed, layers, children: BTreeMap::new() }
    }

    /// Adds a cluster, and determines its progress with what it should have here.
    pub(super) fn add(&mut self, addon: &'a ManagedClusterAddOn) -> Result<(), NoDesiredConfig> {
        let desired = self.layers.overlaid(layer::assigned_own(addon)).to_vec();
        let state = state::compat(addon, &desired)?;
        let cluster = addon.metadata.namespace.as_deref().unwrap_or_default();
        self.children.insert(cluster, Child { addon, desired, state });
        Ok(())
    }

    /// Asks the rollout engine. Clusters without a placement all start at once.
    pub(super) fn decided(&self, now: Timestamp) -> Result<Verdict, Refusal> {
        let existing: Vec<ClusterStatus> =
            self.children.iter().map(|(name, child)| rollout_status(name, child.state)).collect();
        let Some(placed) = &self.placed else {
            let open = existing.into_iter().filter(|status| status.status != Status::Succeeded);
            return Ok(Verdict { rollout: open.map(|status| status.cluster).collect(), ..Verdict::default() });
        };
        let input = rollout::Input { strategy: &placed.strategy, groups: &placed.groups, existing: &existing, now };
        let Decision { rollout, timed_out, recheck_after, .. } =
            rollout::decide(&input, Semantics::Compat).map_err(Refusal::Strategy)?;
        let rollout = rollout.into_iter().map(|status| status.cluster).collect();
        Ok(Verdict { rollout, timed_out: timed_out.len(), recheck_after })
    }

    /// Counts the clusters of a placement.
    pub(super) fn tally(&self, verdict: &Verdict) -> Tally {
        let tally = Tally {
            selected: self.placed.as_ref().map_or(0, |placed| placed.selected.len()),
            configured: self.placed.as_ref().map_or(0, |placed| placed.configured.len()),
            timed_out: verdict.timed_out,
            ..Tally::default()
        };
        let clusters = self.children.iter();
        tally.compat(clusters.map(|(name, child)| (child.addon, child.state, verdict.rollout.contains(*name))))
    }
}
