//! What people do about a rollout: decisions in control files, approvals, and the changes that approvals are about.

use std::sync::Arc;

use tidegate_model::digest::Digest;
use tidegate_model::name::ClusterName;
use tidegate_model::progress::ClusterState;
use tidegate_model::revision::CommitId;
use tidegate_model::time::Timestamp;
use tidegate_plan::Plan;
use tidegate_repository::Repository;

use super::world::World;
use tidegate_simulation::consent::{Approval, approve, digest, record_change, unit};
use tidegate_simulation::declared::{Decision, control};
use tidegate_simulation::revision::CONTROL;

impl World {
    /// Commits the newest revision again, with another decision.
    pub(super) fn decide(&mut self, decision: Option<Decision>) {
        let (Some(mut revision), Some(digest)) = (self.newest.clone(), self.digest()) else { return };
        revision.files.insert(CONTROL, control(decision, &digest, self.now));
        self.commit(&revision);
        assert!(self.repository.controls.unreadable.is_empty(), "{:?}", self.repository.controls.unreadable);
    }

    /// Returns the digest of the newest revision.
    fn digest(&self) -> Option<Digest> {
        self.declared.last().and_then(|(_, repository)| digest(repository)).cloned()
    }

    /// Records the change to the digest of a new revision.
    pub(super) fn record_change(&mut self, repository: &Repository, commit: &CommitId) {
        let before = self.declared.last().map(|(_, before)| &**before);
        record_change(Arc::make_mut(&mut self.approvals), before, repository, commit);
    }

    /// Lets Bob approve the digest.
    pub(super) fn approve(&mut self, approval: Approval) {
        let Some((commit, repository)) = self.declared.last() else { return };
        let Some(unit) = unit(repository) else { return };
        approve(Arc::make_mut(&mut self.approvals), unit, approval, commit, self.now);
    }
}

/// What a plan decides about a cluster: its state, its version, the reason, and since when it has been a latecomer.
type Decided<'p> = (&'p ClusterName, ClusterState, &'p str, &'p str, Option<Timestamp>);

fn decided(plan: &Plan) -> Vec<Decided<'_>> {
    let addons = plan.report.addons.values().flat_map(|addon| &addon.clusters);
    let clusters = addons.map(|(name, cluster)| {
        (name, cluster.state, cluster.version.as_str(), cluster.reason.as_str(), cluster.joined)
    });
    clusters.collect()
}

/// Asserts that a new process, which knows only the journal, writes the same and has the same reasons.
pub(super) fn assert_same(lived: &Plan, reborn: &Plan, now: Timestamp) {
    let (one, other) = (decided(lived), decided(reborn));
    let different: Vec<_> = one.iter().zip(&other).filter(|(one, other)| one != other).collect();
    assert!(one == other, "at {now}, a new process decides something else: {different:#?}");
    let (one, other) = (lived.lanes.iter().map(|lane| &lane.writes), reborn.lanes.iter().map(|lane| &lane.writes));
    let different: Vec<_> = one.clone().zip(other.clone()).filter(|(one, other)| one != other).collect();
    assert!(one.eq(other), "at {now}, a new process writes something else: {different:#?}");
}

/// Asserts that what is kept from earlier plans changes nothing.
pub(super) fn assert_remembered(kept: &Plan, fresh: &Plan, now: Timestamp) {
    assert!(kept.report == fresh.report, "at {now}, a kept report is out of date: {:#?}", decided(kept));
    let (one, other) = (kept.lanes.iter().map(|lane| &lane.writes), fresh.lanes.iter().map(|lane| &lane.writes));
    assert!(one.eq(other), "at {now}, a plan with kept results writes something else");
    assert_eq!(kept.look_at, fresh.look_at, "at {now}");
    assert_eq!(kept.requests, fresh.requests, "at {now}");
    let rest = |plan: &Plan| (plan.readings.clone(), plan.distrusted.clone(), plan.drifts.clone());
    assert_eq!(rest(kept), rest(fresh), "at {now}");
}
