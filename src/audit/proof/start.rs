//! Checks that clusters started only with the approvals that they needed.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::case::{Case, Moment, case};
use super::doubt::{Doubt, revision};
use super::evidence::Evidence;
use super::known::Known;
use super::needed::{Needed, Policies};
use super::seats::{believed, facts};
use super::tracked::Tracked;
use crate::audit::claims::{Claim, Start, Started};
use tidegate_consent::{Approvals, Operator, Subject, Verdict, judge};
use tidegate_journal::record::Sync;
use tidegate_journal::snapshot::Snapshot;
use tidegate_model::digest::Digest;
use tidegate_model::time::Timestamp;
use tidegate_rollout::placement::Selector;

/// Returns the clusters that are judged together: those of one group that started at the same time.
pub(super) fn batches(start: &Start) -> Vec<Vec<&Started>> {
    let mut batches: BTreeMap<_, Vec<&Started>> = BTreeMap::new();
    for cluster in start.clusters.iter().filter(|cluster| !cluster.is_older) {
        batches.entry((&cluster.placement, cluster.index, cluster.at)).or_default().push(cluster);
    }
    batches.into_values().collect()
}

/// Checks that clusters had the approvals that they needed, as things were before or after the commit.
pub(super) fn check(
    claim: &Claim,
    start: &Start,
    clusters: &[&Started],
    known: &Known,
    evidence: &mut dyn Evidence,
) -> Result<(), Doubt> {
    let Some(first) = clusters.first() else { return Ok(()) };
    if returns(start) {
        return Ok(());
    }
    let after = known.now.as_ref().map(|rules| Moment { sync: &claim.sync, pulls: &claim.pulls, rules });
    let before = claim.before.as_deref().zip(known.before(&claim.entry));
    let pulls = &claim.pulls_before;
    let before = before.map(|(sync, rules): (&Sync, &Tracked)| Moment { sync, pulls, rules });
    let mut worst = None;
    for digest in start.digests(first) {
        for moment in [after, before].into_iter().flatten() {
            let batch = Batch { claim, start, clusters, first, digest, moment };
            let doubt = match batch.is_approved(evidence) {
                Ok(()) => return Ok(()),
                Err(doubt) => doubt,
            };
            if matches!((&worst, &doubt), (None, _) | (Some(Doubt::Wrong(_)), Doubt::Unchecked(_))) {
                worst = Some(doubt);
            }
        }
    }
    worst.map_or(Ok(()), Err)
}

/// Returns `true` if the clusters return to the last good digest after a failure, which needs no approval.
fn returns(start: &Start) -> bool {
    let good = start.good.as_ref();
    let rejected = [start.before.as_deref(), Some(&*start.after)].into_iter().flatten();
    let mut rejected = rejected.filter_map(|status| status.rejected.as_ref());
    good.is_some()
        && start.after.digest.as_ref() == good
        && start.was_completed
        && rejected.any(|rejected| rejected.good.as_ref().map(|good| &good.digest) == good)
}

/// Clusters of one group that started at one moment on a digest.
struct Batch<'a> {
    claim: &'a Claim,
    start: &'a Start,
    clusters: &'a [&'a Started],
    first: &'a Started,
    digest: &'a Digest,
    moment: Moment<'a>,
}

impl Batch<'_> {
    fn is_approved(&self, evidence: &mut dyn Evidence) -> Result<(), Doubt> {
        let Self { claim, start, first, digest, moment, .. } = self;
        let case = case(claim, start, digest, moment, evidence)?;
        let seen = |sync: &Sync| sync.seen.as_ref().map(|seen| seen.commit.clone());
        let own = seen(&claim.sync).map(|commit| revision(evidence, &commit)).transpose()?;
        let previous = claim.before.as_deref().and_then(seen).map(|commit| revision(evidence, &commit)).transpose()?;
        let own = own.map(|own| own.basis.clone()).unwrap_or_default();
        let previous = previous.map_or_else(|| own.clone(), |previous| previous.basis.clone());
        let operator = evidence.operator().cloned();
        let policies =
            Policies { case: &case, own: &own.policies, previous: &previous.policies, operator: operator.as_ref() };
        let people = [&own.people, &moment.rules.basis.people];
        let is_defined = |name: &String| people.iter().any(|people| people.members_by_alias().contains_key(name));
        for needed in policies.needed(&start.addon, first) {
            if self.needs(&needed)? {
                is_met(&self.verdict(&case, &needed, evidence)?, &needed, operator.is_some(), is_defined)?;
            }
        }
        Ok(())
    }

    /// Returns `true` if an approval is needed for one of the clusters.
    fn needs(&self, needed: &Needed<'_>) -> Result<bool, Doubt> {
        let Some(selector) = needed.clusters else { return Ok(true) };
        let policy = &needed.policy;
        let unknown =
            |why: String| Doubt::Unchecked(format!("which clusters {policy} selects cannot be checked: {why}"));
        let selector = Selector::labels(selector).map_err(unknown)?;
        let fleet = self.start.fleet.as_ref().and_then(|bytes| Snapshot::read(bytes).ok());
        let fleet = fleet.ok_or_else(|| unknown("the journal has no fleet.yaml with their labels".to_owned()))?.fleet();
        let known = self.clusters.iter().filter_map(|cluster| fleet.clusters.get(&cluster.name));
        Ok(known.into_iter().any(|cluster| selector.matches_labels(cluster)))
    }

    fn verdict(&self, case: &Case, needed: &Needed<'_>, evidence: &mut dyn Evidence) -> Result<Verdict, Doubt> {
        let Self { claim, start, first, digest, moment, .. } = self;
        let Some(instance) = claim.sync.instance.as_ref().map(|instance| instance.id.clone()) else {
            return Err(Doubt::Unchecked("the journal names no instance, so approvals cannot be checked".to_owned()));
        };
        let given = facts(&start.addon, first.at, evidence)?;
        let approvals = Approvals {
            facts: believed(given, start, evidence),
            pulls: moment.pulls.clone(),
            changes: BTreeMap::new(),
            replaced: moment.sync.replaced.clone(),
            operator: Arc::new(Operator::default()),
        };
        let subject = Subject {
            addon: start.addon.clone(),
            digest: (*digest).clone(),
            group: needed.rule.group.clone(),
            instance,
            authors: case.authors.clone(),
            earlier: case.earlier.clone(),
            change: case.change.as_ref().map(|change| change.commit.clone()),
            replaced: moment.sync.replaced.get(&start.addon).and_then(|replaced| replaced.last(digest)),
            reached: reached(start, first, &needed.rule.name),
        };
        Ok(judge(&needed.rule, &case.people, &approvals, &subject, first.at))
    }
}

/// Returns since when the group has waited for an approval; since the start of the rollout if that is not recorded.
fn reached(start: &Start, cluster: &Started, rule: &str) -> Option<Timestamp> {
    let statuses = [start.before.as_deref(), Some(&*start.after)].into_iter().flatten();
    let gates = statuses.clone().flat_map(|status| &status.gates).filter(|gate| {
        gate.placement == cluster.placement && Some(gate.group) == cluster.index && gate.gate.contains(rule)
    });
    let rollouts = statuses.filter_map(|status| status.rollout.as_ref()).map(|rollout| rollout.started);
    gates.map(|gate| gate.since).min().or_else(|| rollouts.min())
}

/// Checks that a verdict is met. `is_defined` returns `true` for an alias that the repository defines.
fn is_met(
    verdict: &Verdict,
    needed: &Needed<'_>,
    has_operator: bool,
    is_defined: impl Fn(&String) -> bool,
) -> Result<(), Doubt> {
    if verdict.is_met() {
        return Ok(());
    }
    let Needed { policy, rule, .. } = needed;
    let missing = verdict.missing.as_ref().map(ToString::to_string).unwrap_or_default();
    let void = verdict.void.iter().map(|void| format!("; the approval by {} does not count: {}", void.by, void.why));
    let why = format!("approval {:?} of {policy} was missing: {missing}{}", rule.name, void.collect::<String>());
    let unknown = verdict.missing.as_ref().map(|missing| missing.unknown.as_slice()).unwrap_or_default();
    if !has_operator && unknown.iter().any(|name| !is_defined(name)) {
        return Err(Doubt::Unchecked(format!(
            "{why}; the daemon's file may define these people: give it with --config"
        )));
    }
    Err(Doubt::Wrong(why))
}
