//! How the add-on of a cluster is at present, once its rollout is completed there.
//!
//! A completed rollout stays completed: whether a new version works was decided when it was new. That an add-on stopped working later is a
//! fact of its own, which changes no decision. It is read from the same evidence in both semantics, and no status is changed by it.

use super::cluster::Planned;
use super::context::Turn;
use super::node::Child;
use super::report::{ClusterReport, UNREACHABLE};
use crate::status::Progress;
use tidegate_api::condition;
use tidegate_api::key;
use tidegate_api::ocm::managed_cluster::ManagedCluster;

/// Notes in the report of a cluster that is done how its add-on is at present: degraded, or unknown because the cluster is unreachable.
pub fn noted(mut report: ClusterReport, child: &Child<'_>, turn: Turn, planned: &Planned) -> ClusterReport {
    if turn != Turn::Keep {
        return report;
    }
    if is_unreachable(child.cluster) {
        UNREACHABLE.clone_into(&mut report.reason);
    } else {
        report.degraded = degraded(child, planned);
    }
    report
}

/// Returns `true` if the hub says that the cluster does not answer. A cluster of which it says nothing counts as reachable.
fn is_unreachable(cluster: &ManagedCluster) -> bool {
    let conditions = cluster.status.as_ref().map_or(&[][..], |status| &status.conditions);
    condition::find(conditions, key::CLUSTER_AVAILABLE).is_some_and(|condition| condition.status != "True")
}

/// Returns why the add-on does not work: strict has looked at every workload, and in both semantics the condition `Available` says so.
fn degraded(child: &Child<'_>, planned: &Planned) -> Option<String> {
    if let Some(Progress::Unwell { why }) = &planned.progress {
        return Some(lasting(why));
    }
    let conditions = child.addon.status.as_ref().map(|status| status.conditions.as_slice()).unwrap_or_default();
    let available = condition::find(conditions, key::AVAILABLE).filter(|available| available.status == "False");
    available.map(|available| lasting(&available.message))
}

/// Returns what stays of the words on a workload while its numbers change: which one it is.
fn lasting(why: &str) -> String {
    let words: Vec<&str> = why.split_whitespace().map(|word| word.trim_end_matches([':', ',', ';'])).collect();
    let workload = words.windows(2).find_map(|pair| match pair {
        [resource @ ("deployments" | "daemonsets"), name] if name.contains('/') => Some(format!("{resource} {name}")),
        _ => None,
    });
    workload.map_or_else(|| "its works are not available".to_owned(), |workload| format!("{workload} is not ready"))
}
