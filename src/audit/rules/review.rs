//! Checks that the journal has the reviews that its verdicts name.

use crate::audit::finding::{Problem, Rule};
use tidegate_consent::{PullRecord, Pulls, ReviewRef, Seat, Standing};
use tidegate_journal::record::AddonStatus;
use tidegate_model::digest::Digest;
use tidegate_model::forge::Says;

/// Returns a problem if a verdict counts a review that is not recorded as an approval of this digest.
pub(in crate::audit) fn problem(status: &AddonStatus, pulls: &Pulls) -> Option<Problem> {
    let digest = status.digest.as_ref()?;
    let verdicts = status.approvals.iter().map(|approval| &approval.verdict);
    let seats = verdicts.flat_map(|verdict| verdict.have.iter().map(move |seat| (verdict.group.as_ref(), seat)));
    let mut unproven = seats.filter_map(|(group, seat)| Some((group, seat, seat.review.as_ref()?)));
    let (_, seat, review) = unproven.find(|(group, seat, review)| {
        let subject = Reviewed { status, digest, group: *group, seat, review };
        !pulls.get(&review.pull).is_some_and(|pull| subject.has_command(pull) || subject.has_review(pull))
    })?;
    let problem = format!(
        "the verdict counts a review of {} on pull request {}, which is not recorded",
        seat.person, review.pull
    );
    let expected = format!("an approval of digest {} in pulls/{}.yaml", digest.short(), review.pull);
    Some(Problem::new(Rule::Gate, problem).expected(expected))
}

/// What a verdict counts.
struct Reviewed<'a> {
    status: &'a AddonStatus,
    digest: &'a Digest,
    group: Option<&'a String>,
    seat: &'a Seat,
    review: &'a ReviewRef,
}

impl Reviewed<'_> {
    /// Returns `true` if a comment approves this digest for this group, on a request of the daemon for it or on a merged pull request of
    /// someone else.
    fn has_command(&self, pull: &PullRecord) -> bool {
        let Self { status, digest, group, review, .. } = self;
        let is_about_this = match &pull.gate {
            Some(gate) => gate.addon == status.addon && gate.digest == **digest && gate.group.as_ref() == *group,
            None => pull.state == Standing::Merged,
        };
        is_about_this
            && pull.commands.iter().any(|command| {
                let is_same = command.by.as_ref() == Some(&review.account) && command.url == review.url;
                let is_whole = !command.is_edited && command.addon == status.addon;
                is_same && is_whole && command.group.as_ref() == *group && command.digest == digest.as_str()
            })
    }

    /// Returns `true` if the last opinion of the account approves a tree with this digest.
    fn has_review(&self, pull: &PullRecord) -> bool {
        let Self { status, digest, group, seat, review } = self;
        let has_said = pull.latest().iter().any(|seen| {
            let opinion = &seen.opinion;
            let is_same = opinion.by.as_ref() == Some(&review.account) && opinion.commit.as_ref() == Some(&seat.commit);
            is_same && opinion.says == Says::Approved && !opinion.is_dismissed
        });
        let is_about_this = match &pull.gate {
            Some(gate) => {
                gate.addon == status.addon
                    && gate.digest == **digest
                    && gate.commit == seat.commit
                    && gate.group.as_ref() == *group
            }
            None => {
                let tree = pull.trees.get(&seat.commit).and_then(|tree| tree.digests.get(&status.addon));
                pull.state == Standing::Merged && tree == Some(*digest)
            }
        };
        has_said && is_about_this
    }
}
