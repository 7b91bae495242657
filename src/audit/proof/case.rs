//! Finds out what judges a digest: the people who may approve it, who made it, and the rules before it.
//!
//! The daemon decides the same in `consent::Judges`. This is written again on purpose, so that a mistake there is noticed here.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::doubt::{Doubt, revision};
use super::evidence::Evidence;
use super::tracked::{Tracked, together};
use crate::audit::claims::{Claim, Start};
use tidegate_consent::{Approvals, Authors, Basis, People, Pulls, Reach, vouched_authors};
use tidegate_journal::record::Sync;
use tidegate_model::digest::Digest;
use tidegate_model::followed::DigestChange;
use tidegate_model::name::UnitName;
use tidegate_model::revision::CommitId;

/// What judges a digest besides the revision that brought it.
pub(super) struct Case {
    /// The change that brought it; `None` if it is not recorded.
    pub(super) change: Option<DigestChange>,
    /// Those who may approve it.
    pub(super) people: Arc<People>,
    /// Who made it.
    pub(super) authors: Authors,
    /// Who made the earlier changes that are judged with it.
    pub(super) earlier: Authors,
    /// The earlier rules.
    pub(super) rules: Vec<Arc<Basis>>,
    /// Whether the earlier policies apply to all groups and placements, because what they select by has changed.
    pub(super) is_moved: bool,
    /// The other add-ons whose objects it takes over.
    pub(super) predecessors: BTreeSet<UnitName>,
}

/// What the journal says at one moment.
#[derive(Clone, Copy)]
pub(super) struct Moment<'a> {
    pub(super) sync: &'a Sync,
    pub(super) pulls: &'a Arc<Pulls>,
    pub(super) rules: &'a Tracked,
}

/// Returns what judges a digest.
pub(super) fn case(
    claim: &Claim,
    start: &Start,
    digest: &Digest,
    moment: &Moment<'_>,
    evidence: &mut dyn Evidence,
) -> Result<Case, Doubt> {
    let recorded = changes(claim, start, digest, moment.sync);
    let chain: Vec<&DigestChange> = recorded.iter().skip_while(|change| change.digest != *digest).collect();
    let mut case = match chain.as_slice() {
        [] => unknown(),
        [last, earlier @ ..] => of_chain((start, moment), digest, last, earlier, evidence)?,
    };
    let name = Approvals::rules();
    let newest = moment.sync.changes.get(&name).and_then(|changes| changes.first());
    let Tracked { state, basis, .. } = moment.rules;
    if newest.is_some_and(|newest| newest.digest != state.digest) {
        case.people = basis.people.clone();
        case.rules.push(basis.clone());
    } else if state.approved {
        case.people = basis.people.clone();
        case.rules = vec![basis.clone()];
    }
    Ok(case)
}

/// Returns the changes of an add-on, newest first. A journal without approvals records none: then the change is the one from the revision
/// that the journal named before.
fn changes(claim: &Claim, start: &Start, digest: &Digest, sync: &Sync) -> Vec<DigestChange> {
    if !sync.changes.is_empty() {
        return sync.changes.get(&start.addon).cloned().unwrap_or_default();
    }
    let Some(commit) = sync.seen.as_ref().map(|seen| seen.commit.clone()) else { return Vec::new() };
    let before = claim.before.as_ref();
    let base = before.and_then(|before| before.addons.get(&start.addon).or(before.seen.as_ref().map(|s| &s.commit)));
    let base = base.filter(|base| **base != commit).cloned();
    let from = start.before.as_ref().and_then(|before| before.digest.clone());
    let from = from.filter(|from| from != digest && base.is_some());
    vec![DigestChange { digest: digest.clone(), from, commit, base, rules: None, seen: None }]
}

/// Returns what judges a change that is not recorded: no one may approve it.
fn unknown() -> Case {
    let authors = Authors::Unknown("the change to this digest is not recorded".to_owned());
    Case {
        change: None,
        people: Arc::default(),
        earlier: authors.clone(),
        authors,
        rules: Vec::new(),
        is_moved: false,
        predecessors: BTreeSet::new(),
    }
}

fn of_chain(
    (start, moment): (&Start, &Moment<'_>),
    digest: &Digest,
    last: &DigestChange,
    earlier: &[&DigestChange],
    evidence: &mut dyn Evidence,
) -> Result<Case, Doubt> {
    let good = start.good.as_ref();
    // What was completed needs no rules of before, if it is really the same.
    let is_good = good == Some(digest) && start.was_completed;
    let good = good.filter(|good| *good != digest);
    let is_first =
        |change: &DigestChange| is_good || change.from.is_none() || (good.is_some() && change.from.as_ref() == good);
    let (mut first, mut rest) = (last, earlier.iter());
    let mut before = Authors::Known(Vec::new());
    while !is_first(first) {
        let Some(change) = rest.next() else { break };
        before = together(before, made(start, change, moment.pulls, evidence));
        first = change;
    }
    if !is_first(first) {
        before = Authors::Unknown("older changes are not recorded".to_owned());
    }
    let own = made(start, last, moment.pulls, evidence);
    let after = revision(evidence, &last.commit)?.basis.clone();
    let from = basis(evidence, first.base.as_ref(), &first.commit)?;
    let judge = basis(evidence, first.rules.as_ref().or(first.base.as_ref()), &first.commit)?;
    let mut rules = vec![judge.clone()];
    if let Some(seen) = &first.seen {
        rules.push(revision(evidence, seen)?.basis.clone());
    }
    let reach = after.addons.get(&start.addon).cloned().unwrap_or_default();
    let reached = from.addons.get(&start.addon);
    let is_moved = !is_good && !from.selects_as_before((&start.addon, reached), &reach, |_, _| true);
    let predecessors =
        if is_good { BTreeSet::new() } else { predecessors(&from, (&start.addon, &reach), moment, evidence) };
    Ok(Case {
        change: Some(last.clone()),
        people: judge.people.clone(),
        authors: together(own, before.clone()),
        earlier: before,
        rules: if is_good { Vec::new() } else { rules },
        is_moved: is_moved || !predecessors.is_empty(),
        predecessors,
    })
}

/// Returns the other add-ons whose objects an add-on takes over: what they wrote in the revision before, or after their last change, if that
/// can be read. What is older may be on no cluster any more.
fn predecessors(
    from: &Basis,
    (addon, reach): (&UnitName, &Reach),
    moment: &Moment<'_>,
    evidence: &mut dyn Evidence,
) -> BTreeSet<UnitName> {
    if from.addons.get(addon).is_some_and(|own| reach.objects.is_subset(&own.objects)) {
        return BTreeSet::new();
    }
    let of_addons = moment.sync.changes.iter().filter(|(name, _)| **name != Approvals::rules());
    let last = of_addons.filter_map(|(name, changes)| Some((name, &changes.first()?.commit)));
    let read = last.filter_map(|(name, commit)| Some((name, revision(evidence, commit).ok()?.basis.clone())));
    let recorded: Vec<(&UnitName, Arc<Basis>)> = read.collect();
    from.predecessors((addon, from.addons.get(addon)), reach, recorded.iter().map(|(name, basis)| (*name, &**basis)))
}

/// Returns what a revision says; what the change itself says if there was no revision before it.
fn basis(evidence: &mut dyn Evidence, commit: Option<&CommitId>, change: &CommitId) -> Result<Arc<Basis>, Doubt> {
    Ok(revision(evidence, commit.unwrap_or(change))?.basis.clone())
}

/// Returns who made a change, according to Git and the pull requests that the journal records.
fn made(start: &Start, change: &DigestChange, pulls: &Pulls, evidence: &mut dyn Evidence) -> Authors {
    let made = evidence.authors(change.base.as_ref(), &change.commit);
    vouched_authors(&made, (&start.addon, &change.digest), pulls)
}
