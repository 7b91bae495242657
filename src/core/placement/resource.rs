//! Scores by the resources that a cluster reports as allocatable.

use k8s_openapi::apimachinery::pkg::api::resource::Quantity as Text;

use super::candidate::Candidate;
use tidegate_api::ocm::managed_cluster::ManagedCluster;
use tidegate_go::quantity::Quantity;

/// Returns the scores of the candidates for one resource: -100 for the smallest amount, 100 for the largest.
///
/// # Shape
/// One score per candidate, in order; `None` if the resource is unknown.
pub(super) fn scores(candidates: &[Candidate<'_>], resource: &str) -> Vec<Option<i64>> {
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
