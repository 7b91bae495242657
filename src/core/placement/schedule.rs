//! One run of the scheduler: from an observation to the clusters that a Placement selects.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::candidate::{Candidate, Sets};
use super::explain::{Explanation, Witness};
use super::page::DecisionPage;
use super::prioritizer::Totals;
use super::status::Found;
use super::tally::Balance;
use super::{group, page, predicate, prioritizer, status, toleration};
use tidegate_api::fleet::ClusterScores;
use tidegate_api::key::SCHEDULING_DISABLED;
use tidegate_api::ocm::managed_cluster::ManagedCluster;
use tidegate_api::ocm::managed_cluster_set::{ManagedClusterSet, ManagedClusterSetBinding};
use tidegate_api::ocm::placement::{Placement, PlacementSpec, PlacementStatus};
use tidegate_go::label;
use tidegate_model::decision::DecisionGroup;
use tidegate_model::name::{ClusterName, NamespacedName};
use tidegate_model::time::Timestamp;

/// The input of a run, all from one observation.
#[derive(Debug, Clone, Copy)]
pub struct Input<'a> {
    /// The Placement.
    pub placement: &'a NamespacedName,
    /// The spec of the Placement.
    pub spec: &'a PlacementSpec,
    /// Its observed status, from which the times of unchanged conditions are kept.
    pub status: Option<&'a PlacementStatus>,
    /// All clusters.
    pub clusters: &'a BTreeMap<ClusterName, Arc<ManagedCluster>>,
    /// All cluster sets.
    pub sets: &'a BTreeMap<String, Arc<ManagedClusterSet>>,
    /// All bindings of cluster sets.
    pub bindings: &'a BTreeMap<NamespacedName, Arc<ManagedClusterSetBinding>>,
    /// The scores that add-ons report.
    pub scores: &'a ClusterScores,
    /// The clusters in the current decisions of the Placement; see [`Tally::decided`](super::Tally::decided).
    pub decided: &'a BTreeSet<ClusterName>,
    /// The decisions of the other Placements; see [`Tally::balance`](super::Tally::balance).
    pub balance: &'a Balance<'a>,
    /// The time at which tolerations and scores are judged.
    pub now: Timestamp,
}

/// The result of a run.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    /// The decision groups, in order.
    pub groups: Vec<DecisionGroup>,
    /// The whole status of the Placement.
    pub status: PlacementStatus,
    /// The PlacementDecisions that should exist, in order.
    pub decisions: Vec<DecisionPage>,
    /// The selected clusters, most preferred first.
    pub selected: Vec<Ranked>,
    /// How many clusters are missing from the requested number.
    pub unscheduled: usize,
    /// When a toleration of a decided cluster ends, so that the Placement must be scheduled again.
    pub requeue_at: Option<Timestamp>,
    /// How the run ended.
    pub code: Code,
    /// `true` if the Placement or a set is invalid, or if the Placement names only unbound sets. The existing decisions
    /// must then be kept. The groups above are upstream's result and must not be acted on.
    pub keep_decisions: bool,
}

/// A selected cluster and its score.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ranked {
    /// The cluster.
    pub cluster: ClusterName,
    /// Its total score.
    pub score: i64,
}

/// How a run ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Code {
    /// Everything is valid.
    Success,
    /// Decided on incomplete input, such as expired scores.
    Warning(Complaint),
    /// Something other than the Placement is broken, such as a cluster set.
    Error(Complaint),
    /// The Placement asks for something invalid or impossible.
    Misconfigured(Complaint),
}

/// A problem, and the part of the scheduler that reports it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Complaint {
    /// Upstream's name for the part; empty for the scheduler itself.
    pub plugin: String,
    /// The problem.
    pub message: String,
}

impl Complaint {
    pub(super) fn new(plugin: impl Into<String>, message: impl Into<String>) -> Self {
        Self { plugin: plugin.into(), message: message.into() }
    }
}

/// Returns `true` if a Placement should be scheduled: it is not being deleted, and its scheduling is not disabled.
pub fn wants_scheduling(placement: &Placement) -> bool {
    let annotations = placement.metadata.annotations.as_ref();
    placement.metadata.deletion_timestamp.is_none()
        && annotations.and_then(|annotations| annotations.get(SCHEDULING_DISABLED)).is_none_or(|value| value != "true")
}

/// Schedules one Placement.
pub fn schedule(input: &Input<'_>) -> Outcome {
    run(input, &mut ())
}

/// Schedules one Placement and explains how the decision was reached.
pub fn explain(input: &Input<'_>) -> (Outcome, Explanation) {
    let mut explanation = Explanation::default();
    (run(input, &mut explanation), explanation)
}

fn run(input: &Input<'_>, witness: &mut impl Witness) -> Outcome {
    let sets = Sets::of(input);
    witness.found(&sets);
    let candidates = match sets.candidates(input) {
        Ok(candidates) => candidates,
        Err(complaint) => return untouched(input, complaint),
    };
    witness.offered(&candidates);
    let offered = candidates.len();
    let (selection, mut code) = match select(input, candidates, witness) {
        Ok((selection, warning)) => (selection, warning.map_or(Code::Success, Code::Warning)),
        Err(complaint) => (Selection::default(), Code::Misconfigured(complaint)),
    };
    witness.chosen(&code);
    let mut by_name: Vec<Candidate<'_>> = selection.ranked.iter().map(|(candidate, _)| *candidate).collect();
    by_name.sort_unstable_by_key(|candidate| candidate.name);
    let strategy = input.spec.decision_strategy.as_ref().and_then(|strategy| strategy.group_strategy.as_ref());
    let division = group::divide(by_name, strategy);
    if let Some(complaint) = division.complaint {
        code = Code::Misconfigured(complaint);
    }
    let selected = selection.ranked.len();
    let found = Found { sets: &sets, candidates: offered, selected, unscheduled: selection.unscheduled, code: &code };
    let conditions = status::conditions(input, &found);
    let (decisions, decision_groups) = page::pages(input.placement, &division.groups);
    let ranked = |(candidate, score): (Candidate<'_>, i64)| Ranked { cluster: candidate.name.clone(), score };
    Outcome {
        groups: division.groups,
        status: PlacementStatus {
            number_of_selected_clusters: i32::try_from(selected).unwrap_or(i32::MAX),
            decision_groups,
            conditions,
            last_score_update_time: input.status.and_then(|status| status.last_score_update_time.clone()),
        },
        decisions,
        selected: selection.ranked.into_iter().map(ranked).collect(),
        unscheduled: selection.unscheduled,
        requeue_at: selection.requeue_at,
        keep_decisions: matches!(code, Code::Misconfigured(_)) || sets.names_none_that_is_bound(),
        code,
    }
}

/// Returns the outcome for a broken set, which leaves the status of the Placement unchanged, as in upstream.
fn untouched(input: &Input<'_>, complaint: Complaint) -> Outcome {
    Outcome {
        groups: Vec::new(),
        status: input.status.cloned().unwrap_or_default(),
        decisions: Vec::new(),
        selected: Vec::new(),
        unscheduled: 0,
        requeue_at: None,
        code: Code::Error(complaint),
        keep_decisions: true,
    }
}

#[derive(Default)]
struct Selection<'a> {
    ranked: Vec<(Candidate<'a>, i64)>,
    unscheduled: usize,
    requeue_at: Option<Timestamp>,
}

fn select<'a>(
    input: &Input<'_>,
    candidates: Vec<Candidate<'a>>,
    witness: &mut impl Witness,
) -> Result<(Selection<'a>, Option<Complaint>), Complaint> {
    check(input)?;
    let candidates = predicate::filter(candidates, input)?;
    witness.filtered(predicate::PLUGIN, &candidates);
    let candidates = toleration::filter_by_taints(candidates, input)?;
    witness.filtered(toleration::PLUGIN, &candidates);
    let Totals { scores, warning } = prioritizer::total_scores(&candidates, input, witness)?;
    let mut ranked: Vec<_> = candidates.into_iter().zip(scores).collect();
    // Candidates are sorted by name and the sort is stable: equal scores are ordered by name.
    ranked.sort_by_key(|(_, score)| Reverse(*score));
    let mut unscheduled = 0;
    if let Some(wanted) = input.spec.number_of_clusters {
        let wanted = usize::try_from(wanted).unwrap_or(0);
        ranked.truncate(wanted);
        unscheduled = wanted - ranked.len();
    }
    Ok((Selection { ranked, unscheduled, requeue_at: toleration::first_end(input) }, warning))
}

fn check(input: &Input<'_>) -> Result<(), Complaint> {
    let misconfigured = |message| Err(Complaint::new("", message));
    if input.placement.name.len() > label::MAX_LENGTH {
        let limit = label::MAX_LENGTH;
        return misconfigured(format!(
            "the name of a Placement must be no more than {limit} bytes: its decisions carry it as a label"
        ));
    }
    match input.spec.number_of_clusters {
        Some(wanted) if wanted < 0 => misconfigured(format!("numberOfClusters must not be negative: {wanted}")),
        _ => Ok(()),
    }
}
