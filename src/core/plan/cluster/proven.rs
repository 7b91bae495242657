//! Progress without trust in health from before the works were applied.

use crate::context::{Action, Context, Subject};
use tidegate_api::ocm::managed_cluster_addon::ManagedClusterAddOnStatus;
use tidegate_delivery::status::Progress;
use tidegate_delivery::status::proof::{self, Generations};

/// Returns the progress of a cluster, and records when it has applied its works. `reported` has the generations of its workloads, if
/// they are known.
pub(crate) fn proven(
    context: &Context<'_>,
    subject: &Subject<'_>,
    status: &mut ManagedClusterAddOnStatus,
    progress: Progress,
    reported: Option<&Generations>,
) -> Progress {
    // A cluster that was done before was healthy with these works.
    if !matches!(subject.action, Action::Start | Action::Watch) {
        return progress;
    }
    let now = context.input.now;
    proof::note(status, matches!(progress, Progress::Completed | Progress::Unwell { .. }), now);
    match proof::counts_from(status, reported, now).filter(|_| progress == Progress::Completed) {
        Some(until) => Progress::Unproven { until },
        None => progress,
    }
}
