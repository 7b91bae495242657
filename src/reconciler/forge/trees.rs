//! What a commit of a pull request means: the digests of the add-ons that it changes, and who made it. From Git alone.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use parking_lot::Mutex;

use crate::reconciler::source::{Policy, authors};
use tidegate_core::consent::Authors;
use tidegate_core::repository::{Loaded, load};
use tidegate_git::{Error, Mirror};
use tidegate_model::digest::Digest;
use tidegate_model::error_chain::ErrorChain;
use tidegate_model::followed::RevisionFacts;
use tidegate_model::name::AddonName;
use tidegate_model::revision::CommitId;
use tidegate_model::tree::Tree;

/// Number of commits whose digests are remembered.
const REMEMBERED: usize = 256;

/// The digests of the add-ons of a commit.
pub(super) type Digests = BTreeMap<AddonName, Digest>;

/// Reads commits of pull requests. Its methods block.
pub(in crate::reconciler) struct Trees {
    mirror: Arc<Mirror>,
    /// The directory of declarations; empty to use the one in `tidegate.toml`.
    path: String,
    policy: Policy,
    known: Mutex<VecDeque<(CommitId, Arc<Digests>)>>,
}

/// What a commit changes, compared with the followed branch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Changed {
    /// The digests of the add-ons that it changes.
    pub(super) digests: Digests,
    /// Who made the commits up to it that the followed branch does not have.
    pub(super) authors: Authors,
}

impl Trees {
    /// Creates the reader of a mirror.
    pub(in crate::reconciler) fn new(mirror: Arc<Mirror>, path: String, policy: Policy) -> Self {
        Self { mirror, path, policy, known: Mutex::default() }
    }

    /// Reads from Git on a thread where blocking is allowed.
    ///
    /// # Errors
    /// [`tidegate_forge::Error::Unreachable`] if that fails.
    pub(super) async fn read<T: Send + 'static>(
        self: &Arc<Self>,
        read: impl FnOnce(&Self) -> Result<T, Error> + Send + 'static,
    ) -> tidegate_forge::Result<T> {
        let trees = self.clone();
        let failed = |why: String| tidegate_forge::Error::Unreachable(why);
        let read = tokio::task::spawn_blocking(move || read(&trees)).await;
        let read = read.map_err(|error| failed(format!("Git could not be read: {error}")))?;
        read.map_err(|error| failed(ErrorChain(&error).to_string()))
    }

    pub(super) fn mirror(&self) -> &Mirror {
        &self.mirror
    }

    /// Returns what a commit changes since it left the history of a commit of the followed branch; `None` if the commit or the history
    /// between the two is not available.
    ///
    /// # Errors
    /// [`Error`] if the remote cannot be reached, or the mirror cannot be read.
    pub(super) fn changed(&self, commit: &CommitId, followed: &CommitId) -> Result<Option<Changed>, Error> {
        let Some(base) = self.base(commit, followed)? else { return Ok(None) };
        let (before, after) = (self.digests(&base)?, self.digests(commit)?);
        let changes = after.iter().filter(|(name, digest)| before.get(*name) != Some(*digest));
        let digests = changes.map(|(name, digest)| (name.clone(), digest.clone())).collect();
        let authors = authors(&self.mirror, &self.policy, commit, Some(followed))?;
        Ok(Some(Changed { digests, authors }))
    }

    /// Returns what [`Trees::changed`] does. For add-ons whose good state comes from an older revision, because a mistake holds them, the
    /// authors of the commits since then took part as well.
    ///
    /// # Errors
    /// [`Error`] if the remote cannot be reached, or the mirror cannot be read.
    pub(super) fn changed_since(
        &self,
        commit: &CommitId,
        followed: &CommitId,
        facts: &RevisionFacts,
    ) -> Result<Option<Changed>, Error> {
        let Some(mut changed) = self.changed(commit, followed)? else { return Ok(None) };
        let good = |addon: &AddonName| facts.addons.get(addon).or(facts.applied.as_ref());
        let older = changed.digests.keys().filter_map(good).filter(|good| *good != followed);
        for good in older.collect::<BTreeSet<_>>() {
            changed.authors = changed.authors.and(&authors(&self.mirror, &self.policy, commit, Some(good))?);
        }
        Ok(Some(changed))
    }

    /// Returns what a commit changes in some add-ons, each compared with a commit of the followed branch of its own; `None` if none of the
    /// histories between them is available.
    ///
    /// # Errors
    /// [`Error`] if the remote cannot be reached, or the mirror cannot be read.
    pub(super) fn changed_in(
        &self,
        commit: &CommitId,
        bases: &BTreeMap<AddonName, CommitId>,
    ) -> Result<Option<Changed>, Error> {
        let mut all: Option<Changed> = None;
        for (addon, base) in bases {
            let Some(changed) = self.changed(commit, base)? else { continue };
            let Changed { digests, authors } =
                all.get_or_insert_with(|| Changed { digests: Digests::new(), authors: Authors::Known(Vec::new()) });
            digests.extend(changed.digests.into_iter().filter(|(name, _)| name == addon));
            *authors = authors.and(&changed.authors);
        }
        Ok(all)
    }

    /// Returns the commit at which the history of a commit left that of the followed branch; `None` if it is not available.
    pub(super) fn base(&self, commit: &CommitId, followed: &CommitId) -> Result<Option<CommitId>, Error> {
        if !self.mirror.obtain(commit)? || !self.mirror.obtain(followed)? {
            return Ok(None);
        }
        // This fetches until the two histories are connected.
        self.mirror.ancestry(followed, commit)?;
        let base = self.mirror.merge_base(followed, commit)?;
        match base {
            Some(base) if self.mirror.obtain(&base)? => Ok(Some(base)),
            _ => Ok(None),
        }
    }

    /// Returns the files of a commit.
    pub(super) fn tree(&self, commit: &CommitId) -> Result<Tree, Error> {
        self.mirror.tree(commit, "")
    }

    /// Reads declarations.
    pub(super) fn load(&self, tree: &Tree) -> Loaded {
        load(tree, &self.path)
    }

    fn digests(&self, commit: &CommitId) -> Result<Arc<Digests>, Error> {
        if let Some((_, digests)) = self.known.lock().iter().find(|(known, _)| known == commit) {
            return Ok(digests.clone());
        }
        let loaded = self.load(&self.tree(commit)?);
        let addons = loaded.repository.addons.into_iter().map(|(name, addon)| (name, addon.digest));
        let digests = Arc::new(addons.collect::<Digests>());
        let mut known = self.known.lock();
        known.truncate(REMEMBERED - 1);
        known.push_front((commit.clone(), digests.clone()));
        Ok(digests)
    }
}
