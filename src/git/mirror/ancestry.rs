//! Determines whether one commit descends from another, fetching as much history as that needs.

use std::num::NonZeroU32;

use gix::ObjectId;

use crate::history::shallow::{Relation, ShallowHistory, trim_boundary};
use crate::request::{Depth, History};
use crate::{Error, Mirror, id};
use tidegate_model::revision::CommitId;

/// How a new commit relates to an old one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ancestry {
    /// They are the same commit.
    Same,
    /// The new commit descends from the old one.
    Ahead,
    /// The new commit is an ancestor of the old one: the branch was moved back.
    Behind,
    /// Neither is an ancestor of the other: the history was rewritten.
    Diverged,
    /// The remote has no more history, and the available history does not answer the question.
    Unknown,
}

/// A depth of history to fetch while two commits are not connected; `None` for all of it.
type Step = Option<NonZeroU32>;

const FIFTY: Step = NonZeroU32::new(50);
const FIVE_HUNDRED: Step = NonZeroU32::new(500);
const FIVE_THOUSAND: Step = NonZeroU32::new(5_000);

/// How deep every fetch looks for the previous tip: 500 commits.
pub(super) const RECENT_STEPS: &[Step] = &[FIFTY, FIVE_HUNDRED];

/// How deep to look when the answer matters: the whole history.
const ALL_STEPS: &[Step] = &[FIFTY, FIVE_HUNDRED, FIVE_THOUSAND, None];

impl Mirror {
    /// Returns `true` if the mirror has a commit with its files. Blocks.
    ///
    /// # Errors
    /// [`Error::Repository`] if the mirror cannot be read.
    pub fn has(&self, commit: &CommitId) -> Result<bool, Error> {
        let Ok(id) = ObjectId::from_hex(commit.as_str().as_bytes()) else { return Ok(false) };
        has(&self.repository(), id)
    }

    /// Fetches one commit by its id, without its history, unless the mirror has it. Blocks.
    ///
    /// Returns `false` if the remote does not have it, or serves only the tips of its branches.
    ///
    /// # Errors
    /// As for [`fetch`](Mirror::fetch).
    pub fn obtain(&self, commit: &CommitId) -> Result<bool, Error> {
        let repository = self.repository();
        let kind = repository.object_hash();
        let id = match ObjectId::from_hex(commit.as_str().as_bytes()) {
            Ok(id) if id.kind() == kind => id,
            _ => return Ok(false),
        };
        let there = has(&repository, id)? || self.deepen(&[id], Depth::ONE)?;
        let repository = self.repository();
        // The remote may have sent an object with that id that is not a commit.
        Ok(there && has(&repository, id)?)
    }

    /// Returns how `new` relates to `old`, fetching history step by step until the answer is known. Blocks.
    ///
    /// A commit that the mirror lacks is fetched. If the remote does not send `old` either, the histories have diverged.
    ///
    /// # Errors
    /// [`Error::UnknownCommit`] if neither the mirror nor the remote has the new commit; otherwise as for
    /// [`fetch`](Mirror::fetch).
    pub fn ancestry(&self, old: &CommitId, new: &CommitId) -> Result<Ancestry, Error> {
        if old == new {
            return Ok(Ancestry::Same);
        }
        if !self.obtain(new)? {
            return Err(Error::UnknownCommit { commit: new.clone() });
        }
        if !self.obtain(old)? && !self.search_tips(old, new)? {
            return Ok(Ancestry::Diverged);
        }
        let repository = self.repository();
        let relation =
            self.connect(id::existing_commit(&repository, old)?, id::existing_commit(&repository, new)?, ALL_STEPS)?;
        Ok(match relation {
            Relation::Same => Ancestry::Same,
            Relation::Ahead => Ancestry::Ahead,
            Relation::Behind => Ancestry::Behind,
            Relation::Diverged => Ancestry::Diverged,
            Relation::Unknown => Ancestry::Unknown,
        })
    }

    /// Looks for a commit that the remote does not send by its id. Some remotes serve only the tips of branches, and the commit
    /// then arrives with the history of a tip that descends from it. A rewritten history is not fetched in full for this.
    fn search_tips(&self, old: &CommitId, new: &CommitId) -> Result<bool, Error> {
        for step in [FIFTY, FIVE_HUNDRED, FIVE_THOUSAND] {
            let new = id::existing_commit(&self.repository(), new)?;
            if !self.deepen(&[new], depth(step))? {
                break;
            }
            if self.has(old)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Fetches history in steps until two commits are connected or known not to be.
    pub(crate) fn connect(&self, old: ObjectId, new: ObjectId, steps: &[Step]) -> Result<Relation, Error> {
        let mut relation = relation(&self.repository(), old, new)?;
        // Usually the new commit descends from the old one, whose own history is then not needed.
        if relation == Relation::Unknown {
            self.deepen(&[new], depth(FIFTY))?;
            relation = self::relation(&self.repository(), old, new)?;
        }
        let mut wanted: &[ObjectId] = &[new, old];
        for step in steps {
            if relation != Relation::Unknown {
                break;
            }
            let depth = depth(*step);
            // After a forced push the remote may no longer send the old commit; it does have the new one.
            if !self.deepen(wanted, depth)? {
                wanted = wanted.get(..1).unwrap_or_default();
                self.deepen(wanted, depth)?;
            }
            relation = self::relation(&self.repository(), old, new)?;
        }
        Ok(relation)
    }

    /// Fetches commits by their ids with history up to `depth`; returns `false` if the remote refuses one of them.
    fn deepen(&self, commits: &[ObjectId], depth: Depth) -> Result<bool, Error> {
        let _transfer = self.lock_transfer();
        let history = if depth == Depth::FULL { History::Complete } else { History::SinceLast };
        let exchange = self.exchange_for(history)?;
        let repository = self.repository();
        let received = exchange.receive_commits(&repository, commits, depth)?;
        trim_boundary(&repository)?;
        self.reopen()?;
        Ok(received)
    }
}

fn depth(step: Step) -> Depth {
    step.map_or(Depth::FULL, Depth::Commits)
}

fn has(repository: &gix::Repository, commit: ObjectId) -> Result<bool, Error> {
    ShallowHistory::of(repository).and_then(|history| history.has(commit)).map_err(Error::local("look up a commit"))
}

fn relation(repository: &gix::Repository, old: ObjectId, new: ObjectId) -> Result<Relation, Error> {
    ShallowHistory::of(repository)
        .and_then(|history| history.relation(old, new))
        .map_err(Error::local("compare two histories"))
}
