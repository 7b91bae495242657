//! Following the config repository: from the tip of a branch to the repository that is in force.
//!
//! A revision with complaints does not replace what it complains about: a blocked add-on stays on the last revision in which it
//! was good, found in memory or, after a restart, by the commit that the journal names.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::git::{self, Mirror};
use crate::journal::record::Sync;
use crate::journal::revision::Revision;
use crate::journal::{Facts, Journal};
use crate::model::canonical::sha256_hex;
use crate::model::name::AddonName;
use crate::model::revision::CommitId;
use crate::model::tree::Tree;
use crate::repository::{self, Repository};

/// Directory of the journal where it lies on the tracked branch.
pub const STATUS_DIRECTORY: &str = "status/";

/// Why the repository could not be looked at; what is in force stays in force.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The remote could not be reached, or the mirror not be read.
    #[error("the config repository cannot be read")]
    Git(#[source] git::Error),
    /// The branch to follow is not there. An operator names another one, or pushes it.
    #[error("the config repository has no branch {branch}")]
    NoBranch {
        /// The branch.
        branch: String,
    },
}

/// The repository that is in force, and what is to be told of it.
#[derive(Debug, Clone)]
pub struct Followed {
    /// The repository.
    pub repository: Arc<Repository>,
    /// What is to be told.
    pub facts: Arc<Facts>,
}

/// Follows one branch. Its methods block: call them where blocking is allowed.
pub struct Source {
    mirror: Arc<Mirror>,
    branch: String,
    path: String,
    /// The tip that was last looked at, which may be a commit of the journal.
    tip: Option<CommitId>,
    seen: Option<Revision>,
    /// Digest of the files that count, by which commits of the journal itself are told apart.
    content: String,
    applied: Option<CommitId>,
    good: BTreeMap<AddonName, Good>,
    in_force: Option<Arc<Repository>>,
}

/// The last revision in which an add-on was good.
#[derive(Debug, Clone)]
struct Good {
    revision: Revision,
    repository: Arc<Repository>,
}

impl Source {
    /// Follows a branch; `path` overrides what `tidegate.toml` says, if it is not empty.
    pub fn new(mirror: Arc<Mirror>, branch: &str, path: &str) -> Self {
        Self {
            mirror,
            branch: branch.to_owned(),
            path: path.to_owned(),
            tip: None,
            seen: None,
            content: String::new(),
            applied: None,
            good: BTreeMap::new(),
            in_force: None,
        }
    }

    /// Takes up what the journal knew before a restart: which revision each add-on followed.
    ///
    /// # Errors
    /// [`git::Error`] if a commit of the journal is there but cannot be read.
    pub fn resume(&mut self, journal: &Journal) -> Result<(), git::Error> {
        let Some(Sync { applied, addons, .. }) = &journal.sync else { return Ok(()) };
        let mut loaded: BTreeMap<CommitId, Arc<Repository>> = BTreeMap::new();
        let mut load = |commit: &CommitId| -> Result<Option<Arc<Repository>>, git::Error> {
            if let Some(repository) = loaded.get(commit) {
                return Ok(Some(repository.clone()));
            }
            // A rewritten branch may have lost the commit; then there is nothing to hold on to.
            if !self.mirror.obtain(commit)? {
                return Ok(None);
            }
            let tree = self.mirror.tree(commit, "")?;
            let repository = Arc::new(repository::hold(repository::load(&tree, &self.path), &BTreeMap::new(), None));
            loaded.insert(commit.clone(), repository.clone());
            Ok(Some(repository))
        };
        for (name, commit) in addons {
            if let Some(repository) = load(commit)? {
                self.good.insert(name.clone(), Good { revision: revision(&self.mirror, commit)?, repository });
            }
        }
        if let Some(commit) = applied
            && let Some(repository) = load(commit)?
        {
            self.applied = Some(commit.clone());
            self.in_force = Some(repository);
        }
        Ok(())
    }

    /// Fetches, and returns the repository in force if the branch has brought something else.
    ///
    /// # Errors
    /// [`Error`] if the remote cannot be reached or the branch is not there.
    pub fn poll(&mut self) -> Result<Option<Followed>, Error> {
        let tips = self.mirror.fetch(&[&self.branch]).map_err(Error::Git)?;
        let Some(tip) = tips.get(&self.branch) else {
            return Err(Error::NoBranch { branch: self.branch.clone() });
        };
        if self.tip.as_ref() == Some(tip) {
            return Ok(None);
        }
        let tree = self.mirror.tree(tip, "").map_err(Error::Git)?;
        let content = content(&tree);
        if content == self.content {
            self.tip = Some(tip.clone());
            return Ok(None);
        }
        let seen = revision(&self.mirror, tip).map_err(Error::Git)?;
        let followed = self.follow(&tree, seen);
        self.tip = Some(tip.clone());
        self.content = content;
        Ok(Some(followed))
    }

    fn follow(&mut self, tree: &Tree, seen: Revision) -> Followed {
        let loaded = repository::load(tree, &self.path);
        let complaints: Vec<String> = loaded.complaints.iter().map(ToString::to_string).collect();
        if !loaded.complaints.iter().any(|c| c.is_error()) {
            self.applied = Some(seen.commit.clone());
        }
        let good = self.good.iter().map(|(name, good)| (name.clone(), good.repository.clone())).collect();
        let repository = Arc::new(repository::hold(loaded, &good, self.in_force.as_deref()));
        let is_held = |name: &AddonName| repository.held.contains_key(name);
        self.good.retain(|name, _| repository.addons.contains_key(name));
        for name in repository.addons.keys().filter(|name| !is_held(name)) {
            self.good.insert(name.clone(), Good { revision: seen.clone(), repository: repository.clone() });
        }
        self.seen = Some(seen.clone());
        self.in_force = Some(repository.clone());
        let held = self.good.iter().filter(|(name, _)| is_held(name));
        let facts = Facts {
            seen: Some(seen),
            applied: self.applied.clone(),
            addons: self.good.iter().map(|(name, good)| (name.clone(), good.revision.commit.clone())).collect(),
            held: held.map(|(name, good)| (name.clone(), good.revision.clone())).collect(),
            complaints,
            ..Facts::default()
        };
        Followed { repository, facts: Arc::new(facts) }
    }
}

/// Returns the branch that the settings at the tip of a branch name for the journal. Blocks.
///
/// # Errors
/// [`Error`] if the remote cannot be reached or the branch is not there.
pub fn journal_branch(mirror: &Mirror, branch: &str) -> Result<String, Error> {
    let tips = mirror.fetch(&[branch]).map_err(Error::Git)?;
    let tip = tips.get(branch).ok_or_else(|| Error::NoBranch { branch: branch.to_owned() })?;
    let tree = mirror.tree(tip, "").map_err(Error::Git)?;
    Ok(repository::load(&tree, "").repository.settings.journal_branch)
}

fn content(tree: &Tree) -> String {
    let mut text = String::new();
    for (path, bytes) in tree.files.iter().filter(|(path, _)| !path.starts_with(STATUS_DIRECTORY)) {
        text.push_str(path);
        text.push('\0');
        text.push_str(&sha256_hex(bytes));
    }
    for (path, why) in &tree.skipped {
        text.push_str(&format!("{path}\0{why}\0"));
    }
    sha256_hex(text.as_bytes())
}

fn revision(mirror: &Mirror, commit: &CommitId) -> Result<Revision, git::Error> {
    let info = mirror.commit_info(commit)?;
    let message = mirror.log(commit, 1)?.into_iter().next().map(|entry| entry.message).unwrap_or_default();
    let trailer = |line: &str| {
        let (name, value) = line.split_once(": ")?;
        let is_approval = ["Approved-by", "Reviewed-by"].iter().any(|t| t.eq_ignore_ascii_case(name));
        is_approval.then(|| value.trim().to_owned())
    };
    Ok(Revision {
        commit: commit.clone(),
        subject: info.subject,
        author: info.author,
        committer: String::new(),
        time: info.time,
        tag: None,
        merge: None,
        approved_by: message.lines().filter_map(trailer).collect(),
        signature: None,
        reverts: Vec::new(),
    })
}
