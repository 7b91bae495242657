//! Taints and tolerations: which clusters are excluded, and when a toleration ends.

use tidegate_api::condition::Time;
use tidegate_api::ocm::managed_cluster::{ManagedCluster, Taint};
use tidegate_api::ocm::placement::ClusterToleration;
use tidegate_model::time::{SignedDuration, Timestamp};

use super::candidate::Candidate;
use crate::placement::input::Input;
use crate::placement::outcome::PluginMessage;

/// Upstream's name for the filter.
pub(in crate::placement) const PLUGIN: &str = "TaintToleration";

/// Until when a cluster or a taint is tolerated. Every end time orders before `Forever`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Until {
    At(Timestamp),
    Forever,
}

/// Keeps the candidates whose taints are all tolerated.
///
/// # Errors
/// A problem about the first toleration that contradicts itself. Without candidates nothing is checked, as in
/// upstream.
pub(in crate::placement) fn filter_by_taints<'a>(
    mut candidates: Vec<Candidate<'a>>,
    input: &Input<'_>,
) -> Result<Vec<Candidate<'a>>, PluginMessage> {
    if candidates.is_empty() {
        return Ok(candidates);
    }
    check(&input.spec.tolerations)?;
    candidates
        .retain(|candidate| tolerated(candidate.cluster, input, || input.decided.contains(candidate.name)).is_some());
    Ok(candidates)
}

/// Returns when the first toleration of a currently decided cluster ends, which is when to schedule again.
pub(in crate::placement) fn first_end(input: &Input<'_>) -> Option<Timestamp> {
    if input.spec.tolerations.iter().all(|toleration| toleration.toleration_seconds.is_none()) {
        return None;
    }
    let tainted = input.clusters.iter().filter(|(_, cluster)| !cluster.spec.taints.is_empty());
    let decided = tainted.filter(|(name, _)| input.decided.contains(*name));
    decided
        .filter_map(|(_, cluster)| match tolerated(cluster, input, || true) {
            Some(Until::At(end)) => Some(end),
            Some(Until::Forever) | None => None,
        })
        .min()
}

fn check(tolerations: &[ClusterToleration]) -> Result<(), PluginMessage> {
    for toleration in tolerations {
        let exists = toleration.operator == "Exists";
        if toleration.key.is_empty() && !exists {
            return Err(PluginMessage::new(PLUGIN, "If the key is empty, operator must be Exists."));
        }
        if exists && !toleration.value.is_empty() {
            return Err(PluginMessage::new(PLUGIN, "If the operator is Exists, the value should be empty."));
        }
    }
    Ok(())
}

/// Returns until when all taints of a cluster are tolerated, or `None` if one is not.
///
/// `decided` is a closure because few taints need its result and the lookup in the decisions is expensive.
fn tolerated(cluster: &ManagedCluster, input: &Input<'_>, decided: impl Fn() -> bool) -> Option<Until> {
    let tolerations = &input.spec.tolerations;
    cluster.spec.taints.iter().try_fold(Until::Forever, |until, taint| {
        let this = match taint.effect.as_str() {
            "PreferNoSelect" => Until::Forever,
            "NoSelectIfNew" if decided() => Until::Forever,
            _ => tolerations.iter().find_map(|toleration| tolerated_by(toleration, taint, input.now))?,
        };
        Some(until.min(this))
    })
}

fn tolerated_by(toleration: &ClusterToleration, taint: &Taint, now: Timestamp) -> Option<Until> {
    let ClusterToleration { key, operator, value, effect, toleration_seconds } = toleration;
    let fits = (effect.is_empty() || *effect == taint.effect)
        && (key.is_empty() || *key == taint.key)
        && match operator.as_str() {
            "" | "Equal" => value == taint.value.as_deref().unwrap_or_default(),
            "Exists" => true,
            _ => false,
        };
    if !fits {
        return None;
    }
    let Some(seconds) = *toleration_seconds else { return Some(Until::Forever) };
    // A taint without a time counts as added in the distant past: every toleration period has ended.
    let Time(added) = taint.time_added.as_ref()?;
    match added.checked_add(SignedDuration::from_secs(seconds)) {
        Ok(end) => (now < end).then_some(Until::At(end)),
        Err(_) => (seconds > 0).then_some(Until::Forever),
    }
}
