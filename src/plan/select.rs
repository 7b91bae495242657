//! Placements become groups of clusters: by the built-in scheduler, or by reading what the hub's own decided.

use std::collections::{BTreeMap, BTreeSet};

use super::input::{Input, PlacementMode};
use crate::api::condition::find;
use crate::api::key::PLACEMENT_SATISFIED;
use crate::model::action::Lane;
use crate::model::decision::DecisionGroup;
use crate::model::name::{ClusterName, NamespacedName};
use crate::model::time::Timestamp;
use crate::placement::{self, Code, Tally};

/// The clusters of one Placement.
#[derive(Debug, Default)]
pub struct Selection {
    /// The groups, in order.
    pub groups: Vec<DecisionGroup>,
    /// Why the choice cannot be relied upon; nothing is uninstalled because of such a choice.
    pub problem: Option<String>,
    /// Writes that record the choice on the hub.
    pub lanes: Vec<Lane>,
    /// When a toleration ends.
    pub requeue_at: Option<Timestamp>,
}

impl Selection {
    fn unreliable(problem: String) -> Self {
        Self { problem: Some(problem), ..Self::default() }
    }

    /// Returns the chosen clusters, each with the index of its group.
    pub fn clusters(&self) -> impl Iterator<Item = (&ClusterName, i32)> {
        self.groups.iter().flat_map(|group| group.clusters.iter().map(|cluster| (cluster, group.index)))
    }
}

/// Returns the clusters of every Placement that an add-on asks for.
pub fn selections(input: &Input<'_>, wanted: &BTreeSet<NamespacedName>) -> BTreeMap<NamespacedName, Selection> {
    let decisions = input.fleet.decisions.values().map(|decision| &**decision);
    let tally = Tally::of(decisions);
    wanted
        .iter()
        .map(|name| {
            let selection = match input.placement_mode {
                PlacementMode::Builtin => scheduled(input, name, &tally),
                PlacementMode::Hub => read(input, name),
            };
            (name.clone(), selection)
        })
        .collect()
}

fn read(input: &Input<'_>, name: &NamespacedName) -> Selection {
    if !input.fleet.placements.contains_key(name) {
        return Selection::unreliable(format!("the hub has no Placement {name}"));
    }
    match decided(input, name) {
        // Upstream's scheduler writes at least one decision, even for a Placement that selects nothing.
        Ok(groups) if groups.is_empty() => Selection::unreliable(format!(
            "the hub has no decision for Placement {name}; if it has no scheduler of its own, use --placement builtin"
        )),
        Ok(groups) => Selection { groups, ..Selection::default() },
        Err(error) => Selection::unreliable(error.to_string()),
    }
}

fn decided(input: &Input<'_>, name: &NamespacedName) -> Result<Vec<DecisionGroup>, placement::Error> {
    placement::read_decisions(input.fleet.decisions.values().map(|decision| &**decision), name)
}

fn scheduled(input: &Input<'_>, name: &NamespacedName, tally: &Tally) -> Selection {
    let Some(declared) = input.repository.placements.get(name) else {
        return Selection::unreliable(format!("the repository has no Placement {name}"));
    };
    let observed = input.fleet.placements.get(name);
    if observed.is_some_and(|observed| !placement::wants_scheduling(observed)) {
        // Somebody else decides for this one.
        return read(input, name);
    }
    let outcome = placement::schedule(&placement::Input {
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
    // Without the Placement on the hub there is no owner for the decisions yet; they are written when it has been seen.
    let lanes = observed.map(|observed| placement::decision_writes(&outcome, observed, &input.fleet.decisions));
    let lanes = lanes.unwrap_or_default();
    let requeue_at = outcome.requeue_at;
    if outcome.keep_decisions {
        let problem = match &outcome.code {
            Code::Success | Code::Warning(_) => {
                let satisfied = find(&outcome.status.conditions, PLACEMENT_SATISFIED);
                let why = satisfied.map(|condition| format!(": {}", condition.message)).unwrap_or_default();
                format!("Placement {name} cannot be scheduled{why}")
            }
            Code::Error(why) | Code::Misconfigured(why) => {
                format!("Placement {name} cannot be scheduled: {}", why.message)
            }
        };
        let groups = decided(input, name).unwrap_or_default();
        return Selection { groups, problem: Some(problem), lanes, requeue_at };
    }
    Selection { groups: outcome.groups, problem: None, lanes, requeue_at }
}
