//! What people do about a rollout: decisions in control files, approvals, and the changes that approvals are about.

use std::sync::Arc;

use tidegate_consent::{
    Addition, Approvals, Authors, Basis, Change, Fact, People, RulesVoucher, Signature, Signer, Vouched, Written,
};
use tidegate_model::digest::Digest;
use tidegate_model::name::ClusterName;
use tidegate_model::progress::ClusterState;
use tidegate_model::time::Timestamp;
use tidegate_plan::Plan;
use tidegate_repository::{Repository, basis};

use super::world::World;
use tidegate_simulation::declared::{CONTROL, Decision, control};

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
        let (_, repository) = self.declared.last()?;
        repository.addons.get("hello").map(|addon| addon.digest.clone())
    }

    /// Records the change to the digest of a new revision, which Bob may approve.
    pub(super) fn record_change(&mut self, repository: &Repository) {
        let from = self.digest();
        let Some(digest) = repository.addons.get("hello").map(|addon| addon.digest.clone()) else { return };
        if from.as_ref() == Some(&digest) {
            return;
        }
        let people = [("bob".to_owned(), vec!["bob@example.com".to_owned()])].into();
        let people = Arc::new(People::new(people));
        let of = |repository: &Repository| Arc::new(Basis { people: people.clone(), ..basis(repository) });
        let after = of(repository);
        let before = self.declared.last().map_or_else(|| after.clone(), |(_, before)| of(before));
        let change = Change {
            digest,
            commit: format!("{:040x}", self.declared.len()).parse().unwrap(),
            from,
            authors: Authors::Known(Vec::new()),
            rules: vec![Vouched::new(before.clone(), RulesVoucher::Base)],
            before,
            after,
        };
        let mut approvals = Approvals::clone(&self.approvals);
        approvals.changes.entry("hello".parse().unwrap()).or_default().insert(0, change);
        self.approvals = Arc::new(approvals);
    }

    /// Lets Bob approve the digest.
    pub(super) fn approve(&mut self, for_canaries: bool, break_glass: bool) {
        let Some(digest) = self.digest() else { return };
        let signer = Signer { principal: "bob@example.com".to_owned(), key: "SHA256:bob".to_owned() };
        let addition = Addition {
            commit: format!("{:040x}", self.declared.len()).parse().unwrap(),
            committed: self.now,
            seen: None,
            signature: Signature::Good(signer),
            written: Written { by: "bob@example.com".to_owned(), is_again: false, has_only_approvals: true },
        };
        let fact = Fact {
            file: "approvals/hello/all.yaml".to_owned(),
            addon: "hello".parse().unwrap(),
            digest: digest.as_str().to_owned(),
            group: for_canaries.then(|| "canary".to_owned()),
            instance: crate::instance::instance().id,
            by: "bob".to_owned(),
            at: self.now,
            reason: "reviewed".to_owned(),
            break_glass,
            added: vec![addition],
            withdrawn: None,
        };
        let mut approvals = Approvals::clone(&self.approvals);
        approvals.facts.push(fact);
        self.approvals = Arc::new(approvals);
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
