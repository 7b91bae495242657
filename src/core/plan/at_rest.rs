//! Units at rest: what was found about them is kept until something changes that it depends on.
//!
//! A unit is at rest if all of its clusters are done, nothing is to be written, and time alone changes nothing. Planning it again with the same
//! inputs finds the same, so it is not planned again: a tick costs what has changed. It rests over a commit that changes other units alone.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::context::{Context, Planned};
use crate::input::{Input, PlacementMode};
use crate::report::AddonReport;
use crate::select::Selections;
use crate::unit::rejection;
use crate::upstream::copies::Copies;
use tidegate_api::fleet::Fleet;
use tidegate_api::ocm::managed_cluster::ManagedCluster;
use tidegate_consent::{Approvals, RulesInForce};
use tidegate_delivery::upstream::Delivery;
use tidegate_model::clock_steps::ClockSteps;
use tidegate_model::instance::Instance;
use tidegate_model::name::{ClusterName, UnitName};
use tidegate_model::object::GroupKind;
use tidegate_model::progress::{ClusterState, Phase};
use tidegate_model::revision::CommitId;
use tidegate_model::shared::Shared;
use tidegate_model::unseen::Unseen;
use tidegate_repository::{Repository, Unit};
use tidegate_rollout::gate::checks::Observations;

/// The units at rest, and what they depend on.
#[derive(Debug, Default)]
pub(crate) struct AtRest {
    ground: Option<Ground>,
    fleet: Fleet,
    selections: Selections,
    reports: BTreeMap<UnitName, Shared<AddonReport>>,
}

/// The clusters of a fleet.
type Clusters = BTreeMap<ClusterName, Arc<ManagedCluster>>;

/// What all units depend on, besides the objects on the hub and the time.
#[derive(Debug)]
struct Ground {
    /// Of its units and objects, each unit depends on its own.
    repository: Repository,
    unobserved: BTreeSet<GroupKind>,
    placement_mode: PlacementMode,
    delivery: Delivery,
    instance: Instance,
    revision: Option<CommitId>,
    approvals: Approvals,
    observations: Observations,
    in_force: RulesInForce,
    copies: Copies,
    unseen: Unseen,
    clock: ClockSteps,
}

/// What has not changed, of what only some units depend on.
#[derive(Debug, Clone, Copy)]
struct Known {
    has_same_units: bool,
    /// The objects that are declared for the hub.
    has_same_objects: bool,
    /// No other change is judged, and no other approval counts.
    has_same_changes: bool,
}

impl Known {
    fn is_whole(self) -> bool {
        self.has_same_units && self.has_same_objects && self.has_same_changes
    }
}

impl Ground {
    fn is_of(&self, input: &Input<'_>, in_force: &RulesInForce, copies: &Copies) -> bool {
        self.repository.is_same_ground(input.repository)
            && self.unobserved == *input.unobserved
            && self.placement_mode == input.placement_mode
            && self.delivery == input.delivery
            && self.instance == *input.instance
            && self.approvals.operator == input.approvals.operator
            && self.observations == *input.observations
            && self.in_force == *in_force
            && self.copies == *copies
            && self.unseen == input.past.report.unseen
            && self.clock == input.past.report.clock
    }

    /// Returns what has not changed, of what only some units depend on.
    fn known(&self, input: &Input<'_>) -> Known {
        let (before, now) = (&self.repository, input.repository);
        Known {
            has_same_units: before.addons.is_same(&now.addons),
            has_same_objects: before.objects == now.objects,
            has_same_changes: self.revision.as_ref() == input.revision && self.approvals == *input.approvals,
        }
    }

    fn of(input: &Input<'_>, in_force: &RulesInForce, copies: &Copies) -> Self {
        Self {
            repository: input.repository.clone(),
            unobserved: input.unobserved.clone(),
            placement_mode: input.placement_mode,
            delivery: input.delivery,
            instance: input.instance.clone(),
            revision: input.revision.cloned(),
            approvals: input.approvals.clone(),
            observations: input.observations.clone(),
            in_force: in_force.clone(),
            copies: copies.clone(),
            unseen: input.past.report.unseen.clone(),
            clock: input.past.report.clock.clone(),
        }
    }
}

impl AtRest {
    /// Drops the units that may no longer be at rest.
    pub(crate) fn retain(
        &mut self,
        input: &Input<'_>,
        (selections, copies): (&Selections, &Copies),
        (in_force, has_policies): (&RulesInForce, bool),
    ) {
        let ground = self.ground.take().filter(|ground| ground.is_of(input, in_force, copies));
        if ground.is_none() || input.past.is_old || !self.has_same_hub(input, has_policies) {
            self.reports.clear();
        }
        let known = ground.as_ref().map(|ground| (ground.known(input), &ground.repository.addons));
        let is_declared_as_before = |unit: &UnitName, report: &AddonReport| {
            let now = input.repository.addons.get(unit);
            known.as_ref().is_some_and(|(known, units)| {
                (known.has_same_units || units.get(unit) == now)
                    && (known.has_same_objects || unit.addon().is_none())
                    && (known.has_same_changes || now.is_some_and(|unit| is_good(unit, report)))
            })
        };
        let (before, now) = (&self.fleet, input.fleet);
        let is_selected_as_before = |unit: &UnitName| {
            let placements = input.repository.addons.get(unit).map(|unit| unit.placements());
            let is_same = |name| self.selections.get(&name).zip(selections.get(&name)).is_some_and(|(a, b)| a == b);
            placements.is_some_and(|mut names| names.all(is_same))
        };
        self.reports.retain(|unit, report| {
            let is_reported = input.past.report.addons.get(unit).is_some_and(|before| before.is_same(report));
            is_reported
                && is_declared_as_before(unit, report)
                && is_same(before.cluster_addons.get(unit), now.cluster_addons.get(unit))
                && is_same(before.works.get(unit), now.works.get(unit))
                && is_same(before.role_bindings.get(unit), now.role_bindings.get(unit))
                && unit.addon().is_none_or(|addon| is_same_object(before.addons.get(addon), now.addons.get(addon)))
                && is_selected_as_before(unit)
        });
        self.fleet = now.clone();
        let is_whole = known.is_some_and(|(known, _)| known.is_whole());
        self.ground = ground.filter(|_| is_whole).or_else(|| Some(Ground::of(input, in_force, copies)));
        self.selections.clone_from(selections);
    }

    /// Returns `true` if nothing has changed on the hub that several units depend on.
    fn has_same_hub(&self, input: &Input<'_>, has_policies: bool) -> bool {
        let (before, now) = (&self.fleet, input.fleet);
        before.declared == now.declared
            && before.unreadable == now.unreadable
            && before.tokens == now.tokens
            && (before.clusters.is_same(&now.clusters) || self.are_clusters_alike(&now.clusters, has_policies))
    }

    fn are_clusters_alike(&self, now: &Clusters, has_policies: bool) -> bool {
        let before = &self.fleet.clusters;
        let mut pairs = before.iter().zip(now.iter());
        // Policies select clusters by what [`essence`] leaves out.
        let are_alike = |before, now| !has_policies && essence(before) == essence(now);
        before.len() == now.len()
            && pairs.all(|((a, before), (b, now))| a == b && (Arc::ptr_eq(before, now) || are_alike(before, now)))
    }

    /// Returns what was found about a unit at rest.
    pub(crate) fn get(&self, unit: &UnitName) -> Option<&Shared<AddonReport>> {
        self.reports.get(unit)
    }

    /// Keeps what was found about a unit, if it is at rest. A report that says the same as the last one is replaced by that.
    pub(crate) fn keep(&mut self, context: &Context<'_>, has_leftovers: bool, planned: &mut Planned) {
        let has_work = has_leftovers
            || rejection::is_on_hub(context)
            || !planned.lanes.is_empty()
            || !planned.notices.is_empty()
            || !planned.overrides.is_empty()
            || !planned.requests.is_empty();
        // The next plan would start from this report, so it finds the same only if this one was found from the same report.
        let before = context.input.past.report.addons.get(context.name).filter(|before| **before == planned.report);
        let Some(before) = before else { return };
        planned.report = before.clone();
        if !has_work && is_done(before) {
            self.reports.insert(context.name.clone(), before.clone());
        }
    }
}

/// Returns `true` if all clusters are done, no gate is closed, and time alone changes nothing.
fn is_done(report: &AddonReport) -> bool {
    let AddonReport { phase, removal, gates, approvals, rejected, checks, clusters, look_at, .. } = report;
    *phase == Phase::Completed
        && removal.is_none()
        && gates.is_empty()
        && approvals.is_empty()
        && rejected.is_none()
        && checks.is_empty()
        && look_at.is_none()
        && clusters.values().all(|cluster| cluster.state == ClusterState::Succeeded)
}

/// Returns `true` if the last digest that all clusters completed is that of the unit. It was judged, and is judged by the rules in force alone.
fn is_good(unit: &Unit, report: &AddonReport) -> bool {
    report.last_good.as_ref().is_some_and(|good| good.digest == unit.digest)
}

fn is_same<T>(before: Option<&Shared<T>>, now: Option<&Shared<T>>) -> bool {
    match (before, now) {
        (Some(before), Some(now)) => before.is_same(now),
        (before, now) => before.is_none() && now.is_none(),
    }
}

fn is_same_object<T>(before: Option<&Arc<T>>, now: Option<&Arc<T>>) -> bool {
    before.zip(now).is_some_and(|(before, now)| Arc::ptr_eq(before, now))
}

/// Returns a cluster without the parts that only Placements and policies look at.
fn essence(cluster: &ManagedCluster) -> ManagedCluster {
    let mut essence = cluster.clone();
    essence.metadata.labels = None;
    essence.metadata.managed_fields = None;
    essence.metadata.resource_version = None;
    if let Some(status) = &mut essence.status {
        status.cluster_claims.clear();
        status.capacity.clear();
        status.allocatable.clear();
    }
    essence
}
