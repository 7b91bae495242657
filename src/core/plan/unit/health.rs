//! The current health of an add-on on a cluster where its rollout is complete.
//!
//! A completed rollout stays complete: whether a new version works was decided when it was new. If an add-on stops working later,
//! that is reported separately and changes no decision. Both semantics use the same evidence, and neither changes a status because
//! of it.

use crate::cluster::planned::Planned;
use crate::context::Action;
use crate::node::Child;
use crate::report::{ClusterReport, UNREACHABLE, lasting};
use tidegate_api::condition;
use tidegate_api::key;
use tidegate_delivery::status::Progress;

/// Adds the current health of the add-on to the report of a cluster that is done: degraded, or unknown because the cluster is
/// unreachable.
pub(crate) fn noted(mut report: ClusterReport, child: &Child<'_>, action: Action, planned: &Planned) -> ClusterReport {
    if action != Action::Keep {
        return report;
    }
    if child.cluster.is_unreachable() {
        UNREACHABLE.clone_into(&mut report.reason);
    } else {
        report.degraded = degraded(child, planned);
    }
    report
}

/// Returns why the add-on does not work: strict has checked every workload, and both semantics use the condition `Available`.
fn degraded(child: &Child<'_>, planned: &Planned) -> Option<String> {
    if let Some(Progress::Unwell { why }) = &planned.progress {
        return Some(lasting(why));
    }
    let conditions = child.addon.status.as_ref().map(|status| status.conditions.as_slice()).unwrap_or_default();
    let available = condition::find(conditions, key::AVAILABLE).filter(|available| available.status == "False");
    available.map(|available| lasting(&available.message))
}
