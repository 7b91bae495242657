//! The next phase of components on one cluster.

use super::planned::Planned;
use super::works::cluster_works;
use crate::context::{Action, Context, Subject};
use crate::kept_works::Outline;
use crate::memo::Memo;
use tidegate_api::ocm::managed_cluster_addon::ManagedClusterAddOnStatus;
use tidegate_delivery::Evidence;
use tidegate_delivery::status::{Progress, proof};
use tidegate_delivery::upstream::Opened;

/// Opens the next phase on a cluster that is under way, if everything in the phases before is healthy.
///
/// The record of the phase and the content of the work that has it are written in one patch. So whatever happens to the writes after that,
/// the next plan continues with this phase.
pub(super) fn advance(
    context: &Context<'_>,
    subject: &Subject<'_>,
    (wanted, progress): (&Outline, &Progress),
    (memo, status, planned): (&mut Memo, &mut ManagedClusterAddOnStatus, &mut Planned),
) {
    let Some(waiting) = wanted.waiting.as_ref().filter(|_| matches!(progress, Progress::Next { .. })) else { return };
    if subject.action != Action::Watch {
        return;
    }
    let next = Opened { phase: wanted.opened.phase + 1, ..wanted.opened };
    let works = match cluster_works(context, subject, &status.config_references, next, memo) {
        Ok(works) => works,
        Err(why) => return planned.problem = Some(why),
    };
    if !works.writes.is_empty() {
        // The health of what comes next counts once it is reported for what is written now.
        let evidence = Evidence {
            owner: context.owner,
            cluster: subject.cluster,
            works: works.existing,
            probes: waiting.changing(),
            conditioned: &[],
            has_manifest_applied: true,
        };
        proof::start(status, &tidegate_delivery::generations(&evidence), context.input.now);
    }
    planned.opened = next;
    planned.writes = works.writes;
}
