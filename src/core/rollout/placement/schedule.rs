//! One run of the scheduler: from an observation to the clusters that a Placement selects.

use std::cmp::Reverse;

use super::decisions::{group, page};
use super::explanation::{Explanation, Witness};
use super::filter::candidate::{Candidate, Sets};
use super::filter::{predicate, toleration};
use super::input::Input;
use super::outcome::{Code, Outcome, PluginMessage, Ranked};
use super::ranking::prioritizer;
use super::ranking::prioritizer::Totals;
use super::status;
use super::status::Found;
use tidegate_api::key::SCHEDULING_DISABLED;
use tidegate_api::ocm::placement::{Placement, PlacementStatus};
use tidegate_go::label;
use tidegate_model::time::Timestamp;

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
        Err(problem) => return untouched(input, problem),
    };
    witness.offered(&candidates);
    let offered = candidates.len();
    let (selection, mut code) = match select(input, candidates, witness) {
        Ok((selection, warning)) => (selection, warning.map_or(Code::Success, Code::Warning)),
        Err(problem) => (Selection::default(), Code::Misconfigured(problem)),
    };
    witness.chosen(&code);
    let mut by_name: Vec<Candidate<'_>> = selection.ranked.iter().map(|(candidate, _)| *candidate).collect();
    by_name.sort_unstable_by_key(|candidate| candidate.name);
    let strategy = input.spec.decision_strategy.as_ref().and_then(|strategy| strategy.group_strategy.as_ref());
    let division = group::divide(by_name, strategy);
    if let Some(problem) = division.problem {
        code = Code::Misconfigured(problem);
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
        look_at: selection.look_at,
        keep_decisions: matches!(code, Code::Misconfigured(_)) || sets.names_none_that_is_bound(),
        code,
    }
}

/// Returns the outcome for a broken set, which leaves the status of the Placement unchanged, as in upstream.
fn untouched(input: &Input<'_>, problem: PluginMessage) -> Outcome {
    Outcome {
        groups: Vec::new(),
        status: input.status.cloned().unwrap_or_default(),
        decisions: Vec::new(),
        selected: Vec::new(),
        unscheduled: 0,
        look_at: None,
        code: Code::Error(problem),
        keep_decisions: true,
    }
}

#[derive(Default)]
struct Selection<'a> {
    ranked: Vec<(Candidate<'a>, i64)>,
    unscheduled: usize,
    look_at: Option<Timestamp>,
}

fn select<'a>(
    input: &Input<'_>,
    candidates: Vec<Candidate<'a>>,
    witness: &mut impl Witness,
) -> Result<(Selection<'a>, Option<PluginMessage>), PluginMessage> {
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
    Ok((Selection { ranked, unscheduled, look_at: toleration::first_end(input) }, warning))
}

fn check(input: &Input<'_>) -> Result<(), PluginMessage> {
    let misconfigured = |message| Err(PluginMessage::new("", message));
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
