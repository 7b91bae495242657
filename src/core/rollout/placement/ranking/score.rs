//! Scores of clusters: by the resources that they report as allocatable, and those that add-ons report.
//!
//! # Source
//! `open-cluster-management.io/ocm` pkg/placement/plugins/addon.

use k8s_openapi::apimachinery::pkg::api::resource::Quantity as Text;

use crate::placement::filter::candidate::Candidate;
use crate::placement::input::Input;
use crate::placement::outcome::PluginMessage;
use tidegate_api::condition::Time;
use tidegate_api::ocm::managed_cluster::ManagedCluster;
use tidegate_api::ocm::placement::AddOnScore;
use tidegate_go::quantity::Quantity;

/// Returns the plugin name for complaints about a score.
pub(super) fn plugin(AddOnScore { resource_name, score_name }: &AddOnScore) -> String {
    format!("AddOn/{resource_name}/{score_name}")
}

/// Returns the scores of the candidates, 0 for a missing score, and a warning if some have expired.
///
/// # Shape
/// One score per candidate, in order.
pub(super) fn by_addon(
    candidates: &[Candidate<'_>],
    score: &AddOnScore,
    input: &Input<'_>,
) -> (Vec<Option<i64>>, Option<PluginMessage>) {
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
    let warning = (!expired.is_empty())
        .then(|| PluginMessage::new(plugin(score), format!("AddOnPlacementScores{expired} expired")));
    (scores, warning)
}

/// Returns the scores of the candidates for one resource: -100 for the smallest amount, 100 for the largest.
///
/// # Shape
/// One score per candidate, in order; `None` if the resource is unknown.
pub(super) fn by_resource(candidates: &[Candidate<'_>], resource: &str) -> Vec<Option<i64>> {
    let amounts: Vec<Option<f64>> =
        candidates.iter().map(|candidate| allocatable(candidate.cluster, resource)).collect();
    let known = || amounts.iter().flatten().copied();
    let (least, most) = (known().fold(f64::INFINITY, f64::min), known().fold(f64::NEG_INFINITY, f64::max));
    let score = |amount: f64| {
        if most == least { 100 } else { (((amount - least) / (most - least) - 0.5) * 2.0 * 100.0) as i64 }
    };
    amounts.into_iter().map(|amount| amount.map(score)).collect()
}

fn allocatable(cluster: &ManagedCluster, resource: &str) -> Option<f64> {
    let status = cluster.status.as_ref()?;
    status.capacity.get(resource)?;
    let Text(text) = status.allocatable.get(resource)?;
    text.trim().parse::<Quantity>().ok().map(|quantity| quantity.as_float())
}
