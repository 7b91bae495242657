//! Turns Placements into groups of clusters: with the built-in scheduler, or by reading the decisions of the hub's own
//! scheduler.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::json;

use super::hub_objects::declare::is_as_declared;
use super::hub_objects::drift;
use super::hub_objects::ownership::Owner;
use super::input::{Distrust, Input, PlacementMode};
use tidegate_api::condition::{Condition, find};
use tidegate_api::key::{PLACEMENT_MISCONFIGURED, PLACEMENT_SATISFIED};
use tidegate_api::object_key;
use tidegate_api::ocm::placement::{Placement, PlacementDecision};
use tidegate_model::action::Lane;
use tidegate_model::decision::DecisionGroup;
use tidegate_model::name::{ClusterName, NamespacedName};
use tidegate_model::object::ObjectKey;
use tidegate_model::shared::Shared;
use tidegate_model::time::{SignedDuration, Timestamp};
use tidegate_rollout::placement::{self, Code, Tally};

/// The clusters of one Placement.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Selection {
    /// The groups, in order.
    pub groups: Vec<DecisionGroup>,
    /// Why the selection is unreliable; nothing is uninstalled because of an unreliable selection.
    pub problem: Option<String>,
    /// Whether nothing may start or be installed either: what is known of the selection is incomplete, contradictory, or outdated.
    pub is_partial: bool,
    /// Writes that record the selection on the hub.
    pub lanes: Vec<Lane>,
    /// When a toleration ends.
    pub look_at: Option<Timestamp>,
    /// The decisions, if they may have been made for a Placement that was not as declared.
    pub distrusted: Option<Distrust>,
}

impl Selection {
    fn unreliable(problem: String) -> Self {
        Self { problem: Some(problem), is_partial: true, ..Self::default() }
    }

    /// Returns the selected clusters, each with the index of its group.
    pub(super) fn clusters(&self) -> impl Iterator<Item = (&ClusterName, i32)> {
        self.groups.iter().flat_map(|group| group.clusters.iter().map(|cluster| (cluster, group.index)))
    }
}

/// The clusters of every Placement.
pub(super) type Selections = BTreeMap<NamespacedName, Shared<Selection>>;

/// Returns the clusters of every Placement that an add-on refers to.
pub(super) fn selections(input: &Input<'_>, wanted: &BTreeSet<NamespacedName>) -> Selections {
    let tally = Tally::of(decisions(input));
    wanted
        .iter()
        .map(|name| {
            let selection = match input.placement_mode {
                PlacementMode::Builtin => scheduled(input, name, &tally),
                PlacementMode::Hub => read(input, name),
            };
            (name.clone(), selection.into())
        })
        .collect()
}

/// Reads what the hub's own scheduler decided. If a reading is incomplete, the last complete one stays in force: no cluster starts
/// or is removed because of it.
fn read(input: &Input<'_>, name: &NamespacedName) -> Selection {
    let Some(placement) = input.fleet.placements.get(name) else {
        return before(input, name, format!("the hub has no Placement {name}"));
    };
    if let Some(why) = failed(placement) {
        return before(input, name, format!("Placement {name} cannot be scheduled: {why}"));
    }
    if let Some(contradiction) = placement::contradiction(placement, decisions(input)) {
        return before(input, name, format!("the decisions of Placement {name} are not complete: {contradiction}"));
    }
    match decided(input, name) {
        // Upstream's scheduler writes at least one decision, even for a Placement that selects nothing.
        Ok(groups) if groups.is_empty() => before(
            input,
            name,
            format!(
                "the hub has no decision for Placement {name}; if it has no scheduler of its own, use --placement builtin"
            ),
        ),
        Ok(groups) => trusted(input, name, groups),
        Err(error) => before(input, name, error.to_string()),
    }
}

/// How long decisions may stay the same after their Placement was repaired before they count as the scheduler's answer. Upstream's
/// scheduler answers a change within seconds, and writes nothing if the decisions stay the same. Minutes leave time for a restart
/// of the scheduler.
const ANSWER: SignedDuration = SignedDuration::from_mins(5);

/// Distrusts decisions that differ from the last reading while the Placement is not as declared, and afterwards until they change:
/// the scheduler may not have seen the repair yet. It gets a while to answer.
fn trusted(input: &Input<'_>, name: &NamespacedName, groups: Vec<DecisionGroup>) -> Selection {
    let key = key(name);
    let (declared, observed) = (input.repository.objects.get(&key), input.fleet.declared.get(&key));
    let Some((declared, observed)) = declared.zip(observed) else {
        return Selection { groups, ..Selection::default() };
    };
    let spec = declared.object.get("spec").cloned().unwrap_or_default();
    let wanted = json!({ "spec": spec });
    let added = drift::drift(observed, &declared.object).map(|drift| drift.to_string());
    let changed = (!is_as_declared(observed, &wanted)).then(|| "its spec is not as declared".to_owned());
    let reading = input.past.readings.get(name);
    let known = input.past.distrusted.get(name).filter(|known| known.spec == spec && known.groups == groups);
    let known = known.filter(|known| input.now < known.until);
    let is_repaired = added.is_none() && changed.is_none();
    let until = match known.filter(|_| is_repaired) {
        Some(known) => known.until,
        None => input.now.checked_add(ANSWER).unwrap_or(Timestamp::MAX),
    };
    let known = known.map(|_| "it was not as declared, and the decisions may date from then".to_owned());
    match added.or(changed).or(known) {
        Some(why) if reading.is_none_or(|reading| *reading != groups) => {
            let problem = format!("the decisions of Placement {name} do not belong to its declaration: {why}");
            let look_at = is_repaired.then_some(until);
            Selection { distrusted: Some(Distrust { spec, groups, until }), look_at, ..before(input, name, problem) }
        }
        _ => Selection { groups, ..Selection::default() },
    }
}

/// Returns the last complete reading, with the reason why there is no newer one.
fn before(input: &Input<'_>, name: &NamespacedName, problem: String) -> Selection {
    let reading = input.past.readings.get(name);
    let what = match reading {
        Some(_) => "the last complete reading stays in force",
        None => "no earlier reading exists",
    };
    let problem = format!("{problem}; {what}, and no cluster starts or is removed");
    Selection { groups: reading.cloned().unwrap_or_default(), ..Selection::unreliable(problem) }
}

/// Returns why the scheduler could not schedule a Placement, according to its status. Upstream's scheduler then empties the
/// decisions.
fn failed(placement: &Placement) -> Option<String> {
    if placement.metadata.deletion_timestamp.is_some() {
        return Some("it is being deleted".to_owned());
    }
    let status = placement.status.as_ref()?;
    let misconfigured = find(&status.conditions, PLACEMENT_MISCONFIGURED).filter(|c| c.status == "True");
    if misconfigured.is_some() || status.number_of_selected_clusters > 0 {
        return misconfigured.map(|condition| condition.message.clone());
    }
    // A decision that was created and not filled yet looks like one that selects no cluster.
    let Some(satisfied) = find(&status.conditions, PLACEMENT_SATISFIED) else {
        return Some("its scheduler has not answered yet".to_owned());
    };
    is_emptied(satisfied).then(|| satisfied.message.clone())
}

/// Reasons of `PlacementSatisfied` with which a scheduler selects no cluster because something that it selects from is missing.
const EMPTIED: [&str; 4] =
    ["NotAllDecisionsScheduled", "NoManagedClusterSetBindings", "NoIntersection", "AllManagedClusterSetsEmpty"];

fn is_emptied(satisfied: &Condition) -> bool {
    satisfied.status == "False" && EMPTIED.contains(&satisfied.reason.as_str())
}

/// Returns a cluster, set or binding that cannot be read, and why: the selection may be wrong without it.
fn unreadable(input: &Input<'_>) -> Option<String> {
    let kinds = ["ManagedCluster", "ManagedClusterSet", "ManagedClusterSetBinding"];
    let (key, why) = input.fleet.unreadable.iter().find(|(key, _)| kinds.contains(&key.kind.as_str()))?;
    Some(format!("{key} on the hub cannot be read: {why}"))
}

fn decided(input: &Input<'_>, name: &NamespacedName) -> Result<Vec<DecisionGroup>, placement::Error> {
    placement::read_decisions(decisions(input), name)
}

fn decisions<'i>(input: &Input<'i>) -> impl Iterator<Item = &'i PlacementDecision> {
    input.fleet.decisions.values().map(|decision| &**decision)
}

/// Returns the key of a Placement.
pub(super) fn key(name: &NamespacedName) -> ObjectKey {
    object_key::placement(&name.namespace, &name.name)
}

fn scheduled(input: &Input<'_>, name: &NamespacedName, tally: &Tally) -> Selection {
    let Some(declared) = input.repository.placements.get(name) else {
        return Selection::unreliable(format!("the repository has no Placement {name}"));
    };
    let observed = input.fleet.placements.get(name);
    let key = key(name);
    let owner = input.fleet.declared.get(&key).map(|object| input.ownership().of_object(object));
    if let Some(mark) = owner.as_ref().and_then(Owner::other) {
        return Selection::unreliable(format!("Placement {name} belongs to {mark}"));
    }
    if observed.is_some_and(|observed| !placement::wants_scheduling(observed)) {
        // Another scheduler decides for this one.
        return read(input, name);
    }
    let mut outcome = placement::schedule(&placement::Input {
        placement: name,
        spec: &declared.spec,
        status: observed.and_then(|p| p.status.as_ref()),
        clusters: &input.fleet.clusters,
        sets: &input.fleet.cluster_sets,
        bindings: &input.fleet.cluster_set_bindings,
        scores: &input.fleet.scores,
        decided: &tally.decided(name),
        balance: &tally.balance(name),
        now: input.now,
    });
    let satisfied = find(&outcome.status.conditions, PLACEMENT_SATISFIED);
    let doubt = unreadable(input);
    // No cluster loses an add-on because a binding, a set or a cluster cannot be read.
    outcome.keep_decisions |=
        doubt.is_some() || (satisfied.is_some_and(is_emptied) && outcome.groups.iter().all(|g| g.clusters.is_empty()));
    // Without the Placement on the hub there is no owner for the decisions yet; they are written once it has been
    // observed.
    let lanes = observed.map(|observed| placement::decision_writes(&outcome, observed, &input.fleet.decisions));
    let lanes = lanes.unwrap_or_default();
    let look_at = outcome.look_at;
    if outcome.keep_decisions {
        let problem = match &outcome.code {
            _ if doubt.is_some() => format!("Placement {name} cannot be scheduled: {}", doubt.unwrap_or_default()),
            Code::Success | Code::Warning(_) => {
                let why = satisfied.map(|condition| format!(": {}", condition.message)).unwrap_or_default();
                format!("Placement {name} cannot be scheduled{why}")
            }
            Code::Error(why) | Code::Misconfigured(why) => {
                format!("Placement {name} cannot be scheduled: {}", why.message)
            }
        };
        let groups = decided(input, name).unwrap_or_default();
        return Selection { groups, problem: Some(problem), lanes, look_at, ..Selection::default() };
    }
    Selection { groups: outcome.groups, lanes, look_at, ..Selection::default() }
}
