//! Checks that the journal has the reviews that its verdicts name.

use crate::audit::results::finding::{Problem, Rule};
use tidegate_core::consent::{PullRecord, Pulls, ReviewRef, Seat, Standing};
use tidegate_core::journal::record::AddonStatus;
use tidegate_model::digest::Digest;
use tidegate_model::forge::Says;

/// Returns a problem if a verdict counts a review that is not recorded as an approval of this digest.
pub(in crate::audit) fn problem(status: &AddonStatus, pulls: &Pulls) -> Option<Problem> {
    let digest = status.digest.as_ref()?;
    let seats = status.approvals.iter().flat_map(|approval| &approval.verdict.have);
    let mut unproven = seats.filter_map(|seat| Some((seat, seat.review.as_ref()?)));
    let (seat, review) = unproven.find(|(seat, review)| {
        let recorded = pulls.get(&review.pull).is_some_and(|pull| approves(pull, seat, review, status, digest));
        !recorded
    })?;
    let problem = format!(
        "the verdict counts a review of {} on pull request {}, which is not recorded",
        seat.person, review.pull
    );
    let expected = format!("an approval of digest {} in pulls/{}.yaml", digest.short(), review.pull);
    Some(Problem::new(Rule::Gate, problem).expected(expected))
}

fn approves(pull: &PullRecord, seat: &Seat, review: &ReviewRef, status: &AddonStatus, digest: &Digest) -> bool {
    let is_command = pull.commands.iter().any(|command| {
        let is_same = command.by.as_ref() == Some(&review.account) && command.url == review.url && !command.is_edited;
        is_same && command.addon == status.addon && command.digest == digest.as_str()
    });
    if is_command {
        return true;
    }
    let latest = pull.latest();
    let has_said = latest.iter().any(|seen| {
        let opinion = &seen.opinion;
        let is_same = opinion.by.as_ref() == Some(&review.account) && opinion.commit.as_ref() == Some(&seat.commit);
        is_same && opinion.says == Says::Approved && !opinion.is_dismissed
    });
    let is_about_this = match &pull.gate {
        Some(gate) => gate.addon == status.addon && gate.digest == *digest && gate.commit == seat.commit,
        None => {
            let tree = pull.trees.get(&seat.commit);
            pull.state == Standing::Merged && tree.is_some_and(|tree| tree.digests.get(&status.addon) == Some(digest))
        }
    };
    has_said && is_about_this
}
