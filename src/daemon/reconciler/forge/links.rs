//! Which pull requests brought the digests that are in force.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::trees::Trees;
use tidegate_forge::{Forge, Result};
use tidegate_model::followed::DigestChange;
use tidegate_model::name::UnitName;
use tidegate_model::revision::CommitId;

/// The most commits of a change that the forge is asked about.
const COMMITS: usize = 100;
/// The most changes of an add-on whose pull requests matter. Approvals are of the newest one.
const CHANGES: usize = 1;
/// How often the forge is asked about a commit to which it links no pull request: it may do so a moment later.
const TRIES: u32 = 3;

/// The pull requests that brought the digests in force, by number, with the revision from which the change of each add-on is counted.
pub(super) type Linked = BTreeMap<u64, BTreeMap<UnitName, CommitId>>;

/// The answers of the forge about commits.
#[derive(Default)]
pub(super) struct Links {
    /// The commits of each change, by its base and commit.
    commits: BTreeMap<(CommitId, CommitId), Vec<CommitId>>,
    pulls: BTreeMap<CommitId, Answered>,
}

/// The answer of the forge about a commit.
#[derive(Default)]
struct Answered {
    numbers: Vec<u64>,
    tries: u32,
}

impl Answered {
    fn is_linked(&self) -> bool {
        !self.numbers.is_empty()
    }

    /// Returns `true` if the forge is not asked again.
    fn is_final(&self) -> bool {
        self.is_linked() || self.tries >= TRIES
    }
}

impl Links {
    /// Returns the pull requests that the forge links to the commits of the newest changes.
    ///
    /// # Errors
    /// The first one of [`Forge`], after it was asked about the other commits, unless no request would succeed.
    pub(super) async fn find(
        &mut self,
        forge: &Forge,
        trees: &Arc<Trees>,
        changes: &BTreeMap<UnitName, Vec<DigestChange>>,
    ) -> Result<Linked> {
        let newest: Vec<(CommitId, CommitId)> =
            newest(changes).map(|(_, base, commit)| (base.clone(), commit.clone())).collect();
        for (base, commit) in &newest {
            self.read_commits(trees, base, commit).await?;
        }
        self.commits.retain(|change, _| newest.contains(change));
        // Several add-ons may have changed with the same commit.
        let known: BTreeSet<CommitId> = self.commits.values().flatten().cloned().collect();
        self.pulls.retain(|commit, _| known.contains(commit));
        let mut failed = None;
        for commit in known {
            let answered = self.pulls.entry(commit.clone()).or_default();
            if answered.is_final() {
                continue;
            }
            match forge.pulls_of(&commit).await {
                Ok(pulls) => {
                    answered.numbers = pulls.into_iter().map(|pull| pull.number).collect();
                    answered.tries += 1;
                }
                Err(error) if error.is_general() => return Err(error),
                // The forge may have an answer for the others.
                Err(error) => failed = failed.or(Some(error)),
            }
        }
        failed.map_or_else(|| Ok(self.known(changes)), Err)
    }

    /// Returns `true` if the forge has answered which pull requests brought the digest of an add-on, or that there are none.
    pub(super) fn are_known(&self, changes: &[DigestChange]) -> bool {
        changes.iter().take(CHANGES).filter_map(|change| Some((change.base.clone()?, change.commit.clone()))).all(
            |change| {
                let commits = self.commits.get(&change);
                // One pull request brings several commits, and some forges link only the last one.
                let is_linked = |commit: &CommitId| self.pulls.get(commit).is_some_and(Answered::is_linked);
                let is_answered = |commit: &CommitId| self.pulls.get(commit).is_some_and(Answered::is_final);
                commits.is_some_and(|commits| commits.iter().any(is_linked) || commits.iter().all(is_answered))
            },
        )
    }

    /// Returns the commits that the forge links to a pull request.
    pub(super) fn commits_of(&self, number: u64) -> impl Iterator<Item = CommitId> {
        let linked = self.pulls.iter().filter(move |(_, answered)| answered.numbers.contains(&number));
        linked.map(|(commit, _)| commit.clone())
    }

    /// Returns the links that are known.
    pub(super) fn known(&self, changes: &BTreeMap<UnitName, Vec<DigestChange>>) -> Linked {
        let mut linked = Linked::new();
        for (addon, base, commit) in newest(changes) {
            let commits = self.commits.get(&(base.clone(), commit.clone())).into_iter().flatten();
            for number in commits.filter_map(|commit| self.pulls.get(commit)).flat_map(|answered| &answered.numbers) {
                linked.entry(*number).or_default().insert(addon.clone(), base.clone());
            }
        }
        linked
    }

    async fn read_commits(&mut self, trees: &Arc<Trees>, base: &CommitId, commit: &CommitId) -> Result<()> {
        let key = (base.clone(), commit.clone());
        if self.commits.contains_key(&key) {
            return Ok(());
        }
        let (base, commit) = key.clone();
        let read = trees.read(move |trees| {
            let mirror = trees.mirror();
            if !mirror.obtain(&base)? || !mirror.obtain(&commit)? {
                return Ok(vec![commit]);
            }
            mirror.ancestry(&base, &commit)?;
            let between = mirror.commits_between(Some(&base), &commit, COMMITS)?;
            Ok(between.into_iter().map(|entry| entry.id).collect())
        });
        self.commits.insert(key, read.await?);
        Ok(())
    }
}

fn newest(changes: &BTreeMap<UnitName, Vec<DigestChange>>) -> impl Iterator<Item = (&UnitName, &CommitId, &CommitId)> {
    changes.iter().flat_map(|(addon, changes)| {
        changes.iter().take(CHANGES).filter_map(move |change| Some((addon, change.base.as_ref()?, &change.commit)))
    })
}
