//! Checks the approvals that the verdicts in `status.yaml` count against those in the repository.

use super::doubt::{Doubt, no_branch};
use super::evidence::Evidence;
use crate::audit::claims::{Claim, Start};
use tidegate_consent::{Fact, Seat, Signature, Signer, Verdict};
use tidegate_model::digest::Digest;
use tidegate_model::name::UnitName;
use tidegate_model::time::Timestamp;

/// Returns the approvals of an add-on as they were at a time.
pub(super) fn facts(addon: &UnitName, at: Timestamp, evidence: &mut dyn Evidence) -> Result<Vec<Fact>, Doubt> {
    let given = evidence.given().ok_or_else(no_branch)?;
    let own = given.iter().filter(|given| given.fact.addon == *addon).map(|given| {
        // What was withdrawn later counted until then.
        let is_withdrawn = given.withdrawn.is_some_and(|withdrawn| withdrawn <= at);
        let withdrawn = given.fact.withdrawn.clone().filter(|_| is_withdrawn);
        Fact { withdrawn, ..given.fact.clone() }
    });
    Ok(own.collect())
}

/// Returns the approvals with the signers that the journal names, if it is not known which keys are trusted.
pub(super) fn believed(mut facts: Vec<Fact>, start: &Start, evidence: &dyn Evidence) -> Vec<Fact> {
    if evidence.has_keys() {
        return facts;
    }
    let seats: Vec<&Seat> = verdicts(start).flat_map(|verdict| &verdict.have).collect();
    for addition in facts.iter_mut().flat_map(|fact| &mut fact.added) {
        let seat = seats.iter().find(|seat| seat.review.is_none() && seat.commit == addition.commit);
        if let (Some(seat), Signature::Unknown(_)) = (seat, &addition.signature) {
            addition.signature = Signature::Good(Signer { principal: seat.signer.clone(), key: seat.key.clone() });
        }
    }
    facts
}

/// Checks that the repository has the approvals in files that the verdicts count.
pub(super) fn check(claim: &Claim, start: &Start, evidence: &mut dyn Evidence) -> Vec<Doubt> {
    let Some(digest) = &start.after.digest else { return Vec::new() };
    let counted = start.after.approvals.iter().map(|approval| &approval.verdict);
    let seats = counted.flat_map(|verdict| verdict.have.iter().map(move |seat| (verdict, seat)));
    let mut doubts = Vec::new();
    for (verdict, seat) in seats.filter(|(_, seat)| seat.review.is_none()) {
        let facts = match facts(&start.addon, claim.entry.at, evidence) {
            Ok(facts) => believed(facts, start, evidence),
            Err(doubt) => return vec![doubt],
        };
        if !evidence.has_keys() {
            let why = "who signed the approvals: the journal is believed; give the keys of those who approve with --trusted-keys";
            doubts.push(Doubt::Unchecked(why.to_owned()));
        }
        doubts.extend(is_given(verdict, seat, digest, &facts, evidence).err());
    }
    doubts
}

fn is_given(
    verdict: &Verdict,
    seat: &Seat,
    digest: &Digest,
    facts: &[Fact],
    evidence: &mut dyn Evidence,
) -> Result<(), Doubt> {
    let commit = seat.commit.short();
    let group = verdict.group.as_ref().map_or_else(String::new, |group| format!(" for group {group}"));
    let what = format!("the verdict on {:?} counts an approval by {}{group}", verdict.rule, seat.person);
    if evidence.is_followed(&seat.commit).is_none() {
        return Err(Doubt::Unchecked(format!("{what}, in commit {commit}, which is not in this clone")));
    }
    let is_this = |fact: &&Fact| digest.as_str().starts_with(&fact.digest) && fact.group == verdict.group;
    let additions = facts.iter().filter(is_this).flat_map(|fact| &fact.added);
    let mut additions = additions.filter(|addition| addition.commit == seat.commit).peekable();
    if additions.peek().is_none() {
        return Err(Doubt::Wrong(format!("{what}, but commit {commit} of the followed branch adds no such approval")));
    }
    let is_good = |signature: &Signature| matches!(signature, Signature::Good(signer) if signer.key == seat.key);
    if !additions.any(|addition| is_good(&addition.signature)) {
        let why = format!("{what}, but commit {commit} is not signed with the key {}, or it is not trusted", seat.key);
        return Err(Doubt::Wrong(why));
    }
    Ok(())
}

fn verdicts(start: &Start) -> impl Iterator<Item = &Verdict> {
    let statuses = start.before.as_deref().into_iter().chain([&*start.after]);
    statuses.flat_map(|status| &status.approvals).map(|approval| &approval.verdict)
}
