//! Fetching: what to request, how much history to fetch, and where to store it.
//!
//! A ref that was never fetched before comes without its history. Later fetches bring every commit since the last one,
//! so the history is complete from the first fetch on, and each fetch transfers only what has changed.

use std::collections::BTreeMap;

use gix::ObjectId;
use gix::bstr::ByteSlice;
use gix::refs::FullName;

use super::ancestry;
use crate::history::shallow::{ShallowHistory, trim_boundary};
use crate::request::{Depth, History, Received, RefRequest};
use crate::store::refs;
use crate::{Error, Mirror, id};
use tidegate_model::revision::CommitId;

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
        self.repack_quietly();
        Ok(tips)
    }

    /// Fetches branches with their whole history and returns their tips, as [`fetch`](Mirror::fetch) does. Blocks.
    ///
    /// # Errors
    /// As for [`fetch`](Mirror::fetch).
    pub fn fetch_full_history(&self, branches: &[&str]) -> Result<BTreeMap<String, CommitId>, Error> {
        let tips = self.branches(branches, History::Complete)?;
        self.repack_quietly();
        Ok(tips)
    }

    /// Repacks and ignores errors: the fetched objects are present in any case, and the next fetch tries again.
    pub(super) fn repack_quietly(&self) {
        self.repack().ok();
    }

    fn branches(&self, branches: &[&str], history: History) -> Result<BTreeMap<String, CommitId>, Error> {
        let names = branches.iter().map(|branch| id::branch(branch)).collect::<Result<Vec<_>, _>>()?;
        let requests: Vec<RefRequest> = names.into_iter().map(RefRequest::new).collect();
        let tips = self.fetch_refs(&requests, history)?;
        let repository = self.repository();
        let named = tips.into_iter().map(|(name, tip)| {
            let tip = id::existing_commit(&repository, &id::commit_id(tip))?;
            let short = name.as_bstr().strip_prefix(b"refs/heads/").unwrap_or_default();
            Ok((short.to_str_lossy().into_owned(), id::commit_id(tip)))
        });
        named.collect()
    }

    /// Fetches refs, stores them, and returns the commits that they peel to, by full name.
    pub(super) fn fetch_refs(
        &self,
        requests: &[RefRequest],
        history: History,
    ) -> Result<BTreeMap<FullName, ObjectId>, Error> {
        if requests.is_empty() {
            return Ok(BTreeMap::new());
        }
        let transfer = self.lock_transfer();
        let repository = self.repository();
        let before = local_commits(&repository, requests)?;
        let exchange = self.exchange_for(history)?;
        let received = exchange.receive(&repository, requests, |tips| depth(&repository, &before, tips, history))?;
        if received == Received::Objects {
            trim_boundary(&repository)?;
            self.reopen()?;
        }
        let repository = self.repository();
        let after = local_commits(&repository, requests)?;
        drop((exchange, transfer));
        for (name, new) in &after {
            match before.get(name) {
                Some(old) if old != new && history == History::SinceLast => {
                    self.connect(*old, *new, ancestry::RECENT_STEPS)?
                }
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
) -> gix::Result<Depth> {
    let local = ShallowHistory::of(repository)?;
    let mut all_there = true;
    for tip in tips.values() {
        all_there &= local.has_peeled(*tip)?;
    }
    let is_known = |name| before.contains_key(name);
    Ok(match history {
        History::Complete if all_there && local.is_complete() => Depth::Missing,
        History::Complete => Depth::FULL,
        History::SinceLast if all_there => Depth::Missing,
        // With a complete local history, the remote can compute exactly what is missing. With a shallow one it cannot:
        // a merge of something older than the shallow boundary would make it send its whole history.
        History::SinceLast if local.is_complete() && tips.keys().all(is_known) => Depth::Missing,
        History::SinceLast => Depth::ONE,
    })
}

/// Returns the commits that the local copies of the refs point at.
fn local_commits(repository: &gix::Repository, requests: &[RefRequest]) -> Result<BTreeMap<FullName, ObjectId>, Error> {
    let mut found = BTreeMap::new();
    for request in requests {
        if let Some(commit) = refs::peeled(repository, &request.local_name)? {
            found.insert(request.name.clone(), commit);
        }
    }
    Ok(found)
}
