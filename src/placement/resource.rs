//! Scores by the resources that a cluster reports as allocatable.

use k8s_openapi::apimachinery::pkg::api::resource::Quantity;

use super::candidate::Candidate;
use crate::api::ocm::managed_cluster::ManagedCluster;

/// Returns the scores of the candidates by one resource: -100 for the least, 100 for the most, 0 where it is not known.
///
/// # Shape
/// One score per candidate, in order.
pub(super) fn scores(candidates: &[Candidate<'_>], resource: &str) -> Vec<i64> {
    let amounts: Vec<Option<f64>> =
        candidates.iter().map(|candidate| allocatable(candidate.cluster, resource)).collect();
    let known = || amounts.iter().flatten().copied();
    let (least, most) = (known().fold(f64::INFINITY, f64::min), known().fold(f64::NEG_INFINITY, f64::max));
    let score = |amount: f64| {
        if most == least { 100 } else { (((amount - least) / (most - least) - 0.5) * 2.0 * 100.0) as i64 }
    };
    amounts.into_iter().map(|amount| amount.map_or(0, score)).collect()
}

fn allocatable(cluster: &ManagedCluster, resource: &str) -> Option<f64> {
    let status = cluster.status.as_ref()?;
    status.capacity.get(resource)?;
    let Quantity(text) = status.allocatable.get(resource)?;
    amount(text)
}

/// Reads a quantity such as `500m`, `16Gi` or `1e3`, or `None` if it is none.
///
/// # Source
/// `k8s.io/apimachinery` pkg/api/resource.
fn amount(text: &str) -> Option<f64> {
    let end = text
        .char_indices()
        .find(|&(i, c)| !(c.is_ascii_digit() || c == '.' || (i == 0 && matches!(c, '+' | '-'))))
        .map_or(text.len(), |(i, _)| i);
    let (number, suffix) = text.split_at_checked(end)?;
    let unit = match suffix {
        "n" => 1e-9,
        "u" => 1e-6,
        "m" => 1e-3,
        "" => 1.0,
        "k" => 1e3,
        "M" => 1e6,
        "G" => 1e9,
        "T" => 1e12,
        "P" => 1e15,
        "E" => 1e18,
        "Ki" => 2_f64.powi(10),
        "Mi" => 2_f64.powi(20),
        "Gi" => 2_f64.powi(30),
        "Ti" => 2_f64.powi(40),
        "Pi" => 2_f64.powi(50),
        "Ei" => 2_f64.powi(60),
        exponent => 10_f64.powi(exponent.strip_prefix(['e', 'E'])?.parse().ok()?),
    };
    let amount = number.parse::<f64>().ok()? * unit;
    amount.is_finite().then_some(amount)
}
