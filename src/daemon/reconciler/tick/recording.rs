//! Records what plans are made from.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::step::{Observed, revision};
use super::ticker::Ticker;
use crate::reconciler::source::Followed;
use tidegate_model::error_chain::ErrorChain;
use tidegate_model::object::GroupKind;
use tidegate_plan::Plan;
use tidegate_recording::Moment;
use tidegate_rollout::gate::checks::Observations;

impl Ticker {
    /// Records a plan, if plans are recorded. A recording that cannot be written ends; the daemon continues.
    pub(super) fn record_plan(
        &mut self,
        followed: &Followed,
        observed: &Observed,
        (unobserved, observations): (BTreeSet<GroupKind>, Arc<Observations>),
        plan: &Plan,
    ) {
        let Some(recorder) = &mut self.recording else { return };
        let moment = Moment {
            repository: observed.repository.as_ref().clone(),
            fleet: observed.seen.fleet.as_ref().clone(),
            unobserved,
            placement_mode: self.placement_mode,
            delivery: observed.delivery,
            instance: self.memory.instance.clone(),
            revision: revision(followed).cloned(),
            past: self.memory.past.clone(),
            archive: observed.archive.clone(),
            approvals: observed.approvals.clone(),
            observations,
            facts: followed.facts.clone(),
        };
        if let Err(error) = recorder.record(moment, observed.now, plan) {
            tracing::error!("the recording ends: {}; restart the daemon to continue it", ErrorChain(&error));
            self.recording = None;
        }
    }
}
