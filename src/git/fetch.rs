//! Fetching: what is asked for, how much of its history comes, and where it is kept.
//!
//! What was never fetched before comes without its history. What was comes with every commit in between, so that the
//! history is whole from the first look on, and costs what has changed.

use std::collections::BTreeMap;

use gix::ObjectId;
use gix::bstr::ByteSlice;
use gix::refs::FullName;
use gix::remote::fetch::Shallow;

use super::conversation::{WHOLE, Wish, receive};
use super::shallow::{Histories, heal};
use super::{Error, Mirror, ancestry, id, reference};
use tidegate_model::revision::CommitId;

/// How much history comes with what is fetched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum History {
    /// Everything since what is there already; nothing if nothing is.
    SinceLast,
    /// All of it.
    Whole,
}

impl Mirror {
    /// Fetches branches and returns their tips. Blocks.
    ///
    /// A branch that the mirror never had comes without its history; later fetches bring the commits in between. If
    /// there are more than five hundred of them, [`ancestry`](Mirror::ancestry) brings the rest.
    ///
    /// A branch that was rewritten on the remote is followed. Its old commits stay in the mirror.
    ///
    /// # Shape
    /// One entry per branch that exists on the remote, by its short name; none if the remote is empty.
    ///
    /// # Errors
    /// [`Error::Unreachable`] and [`Error::TimedOut`] are transient; whatever the error, the mirror holds what it held.
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

    /// Tidies without a word: what was fetched is there all the same, and the next fetch tries again.
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

    /// Fetches references, keeps them, and returns the commits that they point at in the end, by their full names.
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

/// Returns how much history to ask for, when the tips on the remote are known.
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
        // With a whole history here, the remote can tell exactly what is missing. With an edge it cannot: one merge of
        // something older than the edge, and it would send everything that there is.
        History::SinceLast if histories.are_whole() && tips.keys().all(is_known) => Shallow::NoChange,
        History::SinceLast => Shallow::DepthAtRemote(std::num::NonZeroU32::MIN),
    })
}

/// Returns the commits at which the references are kept here.
fn kept(repository: &gix::Repository, wishes: &[Wish]) -> Result<BTreeMap<FullName, ObjectId>, Error> {
    let mut kept = BTreeMap::new();
    for wish in wishes {
        if let Some(commit) = reference::value(repository, &wish.kept_as)? {
            kept.insert(wish.name.clone(), commit);
        }
    }
    Ok(kept)
}
