//! The journal on its remote: a branch that takes a push only on top of what the pusher knows.

use tidegate_journal::Journal;
use tidegate_model::random::Random;
use tidegate_model::time::Timestamp;

/// One commit of the journal.
#[derive(Debug, Clone)]
pub(crate) struct Commit {
    /// The term of the replica that wrote it.
    pub(crate) term: u64,
    /// When it was written, on the clock of the writer. Never before the last one.
    pub(crate) at: Timestamp,
    /// The number of the config commit that it is about.
    pub(crate) followed: usize,
    pub(crate) journal: Journal,
}

/// What becomes of pushes, in thousandths.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Pushes {
    /// How often a push fails.
    pub(crate) lost: u64,
    /// How often it succeeds, but the answer is lost.
    pub(crate) unanswered: u64,
}

/// The answer to a push.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    Accepted,
    /// Someone else has pushed in the meantime.
    Moved,
    /// There was no answer.
    Lost,
}

/// The remote.
#[derive(Debug, Clone, Default)]
pub(crate) struct Remote {
    pub(crate) commits: Vec<Commit>,
}

impl Remote {
    /// Returns when a leader looked at the hub last, according to the journal.
    pub(crate) fn looked_at(&self) -> Option<Timestamp> {
        let last = self.commits.last()?;
        last.journal.sync.as_ref().and_then(|sync| sync.looked).or(Some(last.at))
    }

    /// Adds a commit on top of the first `base` ones, if there are no others.
    pub(crate) fn push(&mut self, base: usize, commit: Commit, pushes: Pushes, random: &mut Random) -> Answer {
        if random.chance(pushes.lost) {
            return Answer::Lost;
        }
        if self.commits.len() != base {
            return Answer::Moved;
        }
        let at = self.commits.last().map_or(commit.at, |last| last.at.max(commit.at));
        self.commits.push(Commit { at, ..commit });
        if random.chance(pushes.unanswered) { Answer::Lost } else { Answer::Accepted }
    }
}
