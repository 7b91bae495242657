//! Checks the changes of digests that the journal records: what they name, and which rules judge them.

use super::decided::{changes_to, decided};
use super::doubt::{Doubt, followed, revision};
use super::evidence::Evidence;
use super::known::Known;
use crate::audit::claims::Claim;
use tidegate_consent::{Approvals, MAX_CHANGES};
use tidegate_model::digest::Digest;
use tidegate_model::followed::DigestChange;
use tidegate_model::name::UnitName;

/// Checks the changes that a commit records and the one before it did not. Returns what is not proven.
pub(super) fn check(claim: &Claim, known: &Known, evidence: &mut dyn Evidence) -> Vec<Doubt> {
    let mut doubts = Vec::new();
    let rules = Approvals::rules();
    for (addon, changes) in claim.sync.changes.iter() {
        let before = claim.before.as_ref().and_then(|before| before.changes.get(addon));
        let before = before.map(Vec::as_slice).unwrap_or_default();
        for change in changes.iter().filter(|change| !before.contains(change)) {
            if is_joined(change, before) {
                continue;
            }
            doubts.extend(recorded(addon, change, claim, evidence).err());
            if *addon != rules {
                doubts.extend(judged_by(addon, change, claim, known, evidence).err());
            }
        }
    }
    doubts
}

/// Checks that a recorded change is one of the followed branch, with these digests.
fn recorded(addon: &UnitName, change: &DigestChange, claim: &Claim, evidence: &mut dyn Evidence) -> Result<(), Doubt> {
    let DigestChange { digest, from, commit, base, rules, seen } = change;
    for named in [Some(commit), base.as_ref(), rules.as_ref(), seen.as_ref()].into_iter().flatten() {
        followed(evidence, named, &claim.sync)?;
    }
    let ends = [(commit, Some(digest)), (base.as_ref().unwrap_or(commit), from.as_ref())];
    for (commit, recorded) in ends {
        let Some(recorded) = recorded else { continue };
        let revision = revision(evidence, commit)?;
        let found =
            if *addon == Approvals::rules() { Some(&revision.basis.rules) } else { revision.digests.get(addon) };
        if found != Some(recorded) {
            let found = found.map_or("no digest", Digest::short);
            let why = format!(
                "the change of {addon} says that revision {} has digest {}; it has {found}",
                commit.short(),
                recorded.short()
            );
            return Err(if revision.is_sound { Doubt::Wrong(why) } else { Doubt::Unchecked(why) });
        }
    }
    Ok(())
}

/// Checks that the rules which judge a change were in force when it was recorded.
fn judged_by(
    addon: &UnitName,
    change: &DigestChange,
    claim: &Claim,
    known: &Known,
    evidence: &mut dyn Evidence,
) -> Result<(), Doubt> {
    let (Some(before), Some(now)) = (known.before.as_ref().or(known.now.as_ref()), &known.now) else {
        return Ok(());
    };
    let Some(rules) = change.rules.as_ref().or(change.base.as_ref()) else {
        return match evidence.is_ancestor(&change.commit, &now.first) {
            Some(false) => Err(Doubt::Wrong(format!(
                "the change of {addon} in revision {} names no revision before it, although there is one",
                change.commit.short()
            ))),
            _ => Ok(()),
        };
    };
    let revision = revision(evidence, rules)?;
    let digest = &revision.basis.rules;
    // Rules that needed no approval judge what comes after them.
    let is_later = now.commit != change.commit && evidence.is_ancestor(&now.commit, &change.commit) == Some(true);
    let is_replaced = is_later && !now.state.approved && now.state.digest != before.state.digest;
    let is_old = *digest == before.state.digest;
    if *digest == now.state.digest || (is_old && !is_replaced) {
        return Ok(());
    }
    // If they were followed together, and no decision was made in between, both judge the change.
    if let Some(seen) = change.seen.as_ref().filter(|_| is_old)
        && self::revision(evidence, seen)?.basis.rules == now.state.digest
    {
        return Ok(());
    }
    if !revision.is_sound {
        let rules = rules.short();
        return Err(Doubt::Unchecked(format!("revision {rules} has errors, so its rules cannot be checked")));
    }
    // Several revisions may have been followed since the last commit.
    let steps = changes_to(&claim.sync, digest, before);
    let mut current = before.clone();
    for step in steps.iter().rev().filter(|_| *digest != before.state.digest) {
        current = decided(claim, &current, step, evidence)?.0;
    }
    if *digest == current.state.digest && *digest != before.state.digest {
        return Ok(());
    }
    Err(Doubt::Wrong(format!(
        "the change of {addon} in revision {} is judged by the rules of revision {}, which were not in force",
        change.commit.short(),
        rules.short()
    )))
}

/// Returns `true` for two old changes of a list that became one, because there are too many.
fn is_joined(change: &DigestChange, before: &[DigestChange]) -> bool {
    if before.len() < MAX_CHANGES {
        return false;
    }
    let (mut newer, mut older) = (false, false);
    for known in before {
        newer |= (&known.digest, &known.commit) == (&change.digest, &change.commit);
        older |= newer
            && (&known.from, &known.base, &known.rules, &known.seen)
                == (&change.from, &change.base, &change.rules, &change.seen);
    }
    newer && older
}
