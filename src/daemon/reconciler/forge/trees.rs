//! What a commit of a pull request means: the digests of the add-ons that it changes, and who made it. From Git alone.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use parking_lot::Mutex;

use super::room::{Room, Size};
use crate::reconciler::source::{Policy, authors};
use tidegate_consent::{Approvals, Authors};
use tidegate_git::{Error, Mirror};
use tidegate_model::digest::Digest;
use tidegate_model::error_chain::ErrorChain;
use tidegate_model::followed::RevisionFacts;
use tidegate_model::name::UnitName;
use tidegate_model::revision::CommitId;
use tidegate_model::tree::Tree;
use tidegate_repository::{Loaded, NodeBudget, OperatorRules, basis, load_within};

/// Number of commits whose digests are remembered.
const REMEMBERED: usize = 256;

/// The digests of the add-ons of a commit.
pub(super) type Digests = BTreeMap<UnitName, Digest>;

/// Reads commits of pull requests. Its methods block.
pub(in crate::reconciler) struct Trees {
    mirror: Arc<Mirror>,
    /// The directory of declarations; empty to use the one in `tidegate.toml`.
    path: String,
    /// What the operator lets the repository do on the hub.
    operator: Arc<OperatorRules>,
    policy: Policy,
    known: Mutex<VecDeque<(CommitId, Arc<Known>)>>,
}

/// The files of a commit.
pub(super) enum Files {
    Read(Tree),
    /// Why they are not used: the commit is malformed or too large, and stays so.
    Refused(String),
}

/// What is remembered of a commit.
enum Known {
    Read {
        digests: Digests,
        size: Size,
    },
    /// Why the commit is not used. It is not read again as a pull request.
    Refused(String),
}

/// What a commit changes, compared with the followed branch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Changed {
    /// The digests of the add-ons that it changes, and of the rules if it changes them.
    pub(super) digests: Digests,
    /// Who made the commits up to it that the followed branch does not have.
    pub(super) authors: Authors,
}

impl Trees {
    /// Creates the reader of a mirror.
    pub(in crate::reconciler) fn new(
        mirror: Arc<Mirror>,
        path: String,
        operator: Arc<OperatorRules>,
        policy: Policy,
    ) -> Self {
        Self { mirror, path, operator, policy, known: Mutex::default() }
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
        let refused =
            |why: &str| Ok(Some(Changed { digests: Digests::new(), authors: Authors::Unknown(why.to_owned()) }));
        let before = self.known(&base, Room::Followed)?;
        let (before, size) = match &*before {
            Known::Read { digests, size } => (digests, *size),
            Known::Refused(why) => return refused(why),
        };
        let after = self.known(commit, Room::Pull(size))?;
        let after = match &*after {
            Known::Read { digests, .. } => digests,
            Known::Refused(why) => return refused(why),
        };
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
        let good = |addon: &UnitName| facts.addons.get(addon).or(facts.applied.as_ref());
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
        bases: &BTreeMap<UnitName, CommitId>,
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
    ///
    /// # Errors
    /// [`Error`] if the mirror cannot be read.
    pub(super) fn files(&self, commit: &CommitId, room: Room) -> Result<Files, Error> {
        match self.mirror.tree_within(commit, room.files()) {
            Ok(tree) => Ok(match room.refusal(&tree) {
                Some(why) if room != Room::Followed => Files::Refused(why),
                _ => Files::Read(tree),
            }),
            Err(error @ Error::DuplicateEntry { .. }) => Ok(Files::Refused(error.to_string())),
            Err(error) => Err(error),
        }
    }

    /// Reads declarations, and takes their nodes from a budget.
    pub(super) fn load(&self, tree: &Tree, budget: &NodeBudget) -> Loaded {
        load_within(tree, &self.path, &self.operator, budget)
    }

    /// Returns what a commit declares. A refusal of it as a pull request does not count once the branch contains it.
    fn known(&self, commit: &CommitId, room: Room) -> Result<Arc<Known>, Error> {
        let is_current = |known: &Known| room != Room::Followed || matches!(known, Known::Read { .. });
        if let Some((_, known)) = self.known.lock().iter().find(|(other, known)| other == commit && is_current(known)) {
            return Ok(known.clone());
        }
        let read = Arc::new(match self.files(commit, room)? {
            Files::Read(tree) => self.declared(&tree, room),
            Files::Refused(why) => Known::Refused(why),
        });
        let mut known = self.known.lock();
        known.retain(|(other, _)| other != commit);
        known.truncate(REMEMBERED - 1);
        known.push_front((commit.clone(), read.clone()));
        Ok(read)
    }

    fn declared(&self, tree: &Tree, room: Room) -> Known {
        let budget = room.nodes();
        let loaded = self.load(tree, &budget);
        if budget.is_exceeded() {
            let why = loaded.complaints.iter().find(|complaint| complaint.is_error());
            return Known::Refused(why.map_or_else(|| "it has too many YAML nodes".to_owned(), ToString::to_string));
        }
        let rules = (Approvals::rules(), basis(&loaded.repository).rules);
        let addons = loaded.repository.addons.iter().map(|(name, addon)| (name.clone(), addon.digest.clone()));
        Known::Read { digests: addons.chain([rules]).collect(), size: Size::of(tree, &budget) }
    }
}
