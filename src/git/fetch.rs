//! Fetching: what to request, how much history to fetch, and where to store it.
//!
//! A ref that was never fetched before comes without its history. Later fetches bring every commit since the last one,
//! so the history is complete from the first fetch on, and each fetch transfers only what has changed.

use std::collections::BTreeMap;

use gix::ObjectId;
use gix::bstr::ByteSlice;
use gix::refs::FullName;
use gix::remote::fetch::Shallow;

use super::conversation::{WHOLE, Wish, receive};
use super::shallow::{Histories, heal};
use super::{Error, Mirror, ancestry, id, reference};
use tidegate_model::revision::CommitId;

/// How much history to fetch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum History {
    /// All commits since those already present; only the tip if there are none.
    SinceLast,
    /// The whole history.
    Whole,
}

impl Mirror {
    /// Fetches branches and returns their tips. Blocks.
    ///
    /// A branch that the mirror never had comes without its history; later fetches bring the commits in between. If
    /// there are more than five hundred of them, [`ancestry`](Mirror::ancestry) fetches the rest.
    ///
    /// A branch that was rewritten on the remote is followed. Its old commits stay in the mirror.
    ///
    /// # Shape
    /// One entry for each requested branch that exists on the remote, by its short name; none if the remote is empty.
    ///
    /// # Errors
    /// [`Error::Unreachable`] and [`Error::TimedOut`] are transient. After any error, the mirror still has all it had
    /// before.
    pub fn fetch(&self, branches: &[&str]) -> Result<BTreeMap<String, CommitId>, Error> {
        let tips = self.branches(branches, History::SinceLast)?;
        self.tidy_up();
        Ok(tips)
    }

    /// Fetches branches with their whole history and returns their tips, as [`fetch`](Mirror::fetch) does. Blocks.
    ///
    /// # Errors
    /// As for [`fetch`](Mirror::fetch).
    pub fn fetch_whole(&self, branches: &[&str]) -> Result<BTreeMap<String, CommitId>, Error> {
        let tips = self.branches(branches, History::Whole)?;
        self.tidy_up();
        Ok(tips)
    }

    /// Tidies up and ignores errors: the fetched objects are present in any case, and the next fetch tries again.
    pub(super) fn tidy_up(&self) {
        self.tidy().ok();
    }

    fn branches(&self, branches: &[&str], history: History) -> Result<BTreeMap<String, CommitId>, Error> {
        let names = branches.iter().map(|branch| id::branch(branch)).collect::<Result<Vec<_>, _>>()?;
        let wishes: Vec<Wish> = names.into_iter().map(Wish::new).collect();
        let tips = self.bring(&wishes, history)?;
        let repository = self.repository();
        let named = tips.into_iter().map(|(name, tip)| {
            let tip = id::known(&repository, &id::commit_id(tip))?;
            let short = name.as_bstr().strip_prefix(b"refs/heads/").unwrap_or_default();
            Ok((short.to_str_lossy().into_owned(), id::commit_id(tip)))
        });
        named.collect()
    }

    /// Fetches refs, stores them, and returns the commits that they peel to, by full name.
    pub(super) fn bring(&self, wishes: &[Wish], history: History) -> Result<BTreeMap<FullName, ObjectId>, Error> {
        if wishes.is_empty() {
            return Ok(BTreeMap::new());
        }
        let talking = self.talk();
        let repository = self.repository();
        let before = kept(&repository, wishes)?;
        let connection = self.connection_for(history)?;
        receive(&repository, &connection, wishes, |tips| depth(&repository, &before, tips, history))?;
        heal(&repository)?;
        self.renew()?;
        let repository = self.repository();
        let after = kept(&repository, wishes)?;
        drop((connection, talking));
        for (name, new) in &after {
            match before.get(name) {
                Some(old) if old != new && history == History::SinceLast => self.join(*old, *new, ancestry::NEAR)?,
                _ => continue,
            };
        }
        Ok(after)
    }
}

/// Returns how much history to request, given the tips on the remote.
fn depth(
    repository: &gix::Repository,
    before: &BTreeMap<FullName, ObjectId>,
    tips: &BTreeMap<FullName, ObjectId>,
    history: History,
) -> gix::Result<Shallow> {
    let histories = Histories::of(repository)?;
    let mut all_there = true;
    for tip in tips.values() {
        all_there &= histories.has_peeled(*tip)?;
    }
    let is_known = |name| before.contains_key(name);
    Ok(match history {
        History::Whole if all_there && histories.are_whole() => Shallow::NoChange,
        History::Whole => WHOLE,
        History::SinceLast if all_there => Shallow::NoChange,
        // With a complete local history, the remote can compute exactly what is missing. With a shallow one it cannot:
        // a merge of something older than the shallow boundary would make it send its whole history.
        History::SinceLast if histories.are_whole() && tips.keys().all(is_known) => Shallow::NoChange,
        History::SinceLast => Shallow::DepthAtRemote(std::num::NonZeroU32::MIN),
    })
}

/// Returns the commits that the local copies of the refs point at.
fn kept(repository: &gix::Repository, wishes: &[Wish]) -> Result<BTreeMap<FullName, ObjectId>, Error> {
    let mut kept = BTreeMap::new();
    for wish in wishes {
        if let Some(commit) = reference::value(repository, &wish.kept_as)? {
            kept.insert(wish.name.clone(), commit);
        }
    }
    Ok(kept)
}
