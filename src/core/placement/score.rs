//! Scores that add-ons report for clusters.
//!
//! # Source
//! `open-cluster-management.io/ocm` pkg/placement/plugins/addon.

use super::candidate::Candidate;
use super::input::Input;
use super::outcome::Complaint;
use tidegate_api::condition::Time;
use tidegate_api::ocm::placement::AddOnScore;

/// Returns the plugin name for complaints about a score.
pub(super) fn plugin(AddOnScore { resource_name, score_name }: &AddOnScore) -> String {
    format!("AddOn/{resource_name}/{score_name}")
}

/// Returns the scores of the candidates, 0 for a missing score, and a warning if some have expired.
///
/// # Shape
/// One score per candidate, in order.
pub(super) fn scores(
    candidates: &[Candidate<'_>],
    score: &AddOnScore,
    input: &Input<'_>,
) -> (Vec<Option<i64>>, Option<Complaint>) {
    let AddOnScore { resource_name, score_name } = score;
    let mut expired = String::new();
    let scores = candidates.iter().map(|candidate| {
        let reported = input.scores.get(candidate.name).and_then(|scores| scores.get(resource_name));
        let Some(status) = reported.and_then(|object| object.status.as_ref()) else { return Some(0) };
        if status.valid_until.as_ref().is_some_and(|Time(until)| input.now > *until) {
            expired.push_str(&format!(" {}/{resource_name}", candidate.name));
            return Some(0);
        }
        // If several scores have the same name, the last one counts.
        let value = status.scores.iter().rev().find(|item| item.name == *score_name).map_or(0, |item| item.value);
        Some(i64::from(value))
    });
    let scores = scores.collect();
    let warning =
        (!expired.is_empty()).then(|| Complaint::new(plugin(score), format!("AddOnPlacementScores{expired} expired")));
    (scores, warning)
}
