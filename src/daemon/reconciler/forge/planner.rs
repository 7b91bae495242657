//! Plans pull requests: what each one will do to the fleet once it is merged. From Git and the observed fleet alone.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::room::{Room, Size};
use super::trees::{Files, Trees};
use crate::reconciler::source::described;
use tidegate_api::fleet::Fleet;
use tidegate_consent::Basis;
use tidegate_git::Error;
use tidegate_model::instance::Instance;
use tidegate_model::merge::merge;
use tidegate_model::name::UnitName;
use tidegate_model::revision::CommitId;
use tidegate_model::time::{SignedDuration, Timestamp, to_seconds};
use tidegate_model::tree::Tree;
use tidegate_repository::{Loaded, NodeBudget, PlanPolicy, Repository, basis, hold, roll_back};
use tidegate_review::policy::{self, Circumstances};
use tidegate_review::proposal::document::{Plan, Revision};
use tidegate_review::proposal::{Held, Request, Side, add_confirmed, propose};

/// What plans of all pull requests have in common.
pub(super) struct Circumstance {
    /// The fleet as observed last.
    pub(super) fleet: Arc<Fleet>,
    /// The instance that will roll changes out.
    pub(super) instance: Instance,
    /// How long a cluster takes, by add-on.
    pub(super) latencies: BTreeMap<UnitName, SignedDuration>,
    /// The repository in force, in which add-ons that failed are as they were before.
    pub(super) in_force: Arc<Repository>,
    /// The removals that are held.
    pub(super) held: Vec<Held>,
    /// The policies of the daemon's own file.
    pub(super) floor: Vec<PlanPolicy>,
    /// The time of the plan.
    pub(super) now: Timestamp,
}

/// The branch that pull requests are merged into.
pub(super) struct Base {
    pub(super) commit: CommitId,
    branch: String,
    tree: Tree,
    size: Size,
    loaded: Loaded,
    repository: Arc<Repository>,
}

/// A pull request, or an entry of a merge queue.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Head {
    /// Its name for people, such as `pull request 42`.
    pub(super) name: String,
    /// Its newest commit.
    pub(super) commit: CommitId,
}

/// The plan of a pull request.
pub(super) struct Planned {
    pub(super) plan: Plan,
    /// The rules that are in force with it.
    pub(super) basis: Basis,
    /// Whether the head is too large. Then, it is planned again only when it changes.
    pub(super) is_too_large: bool,
}

/// What came of planning a head.
pub(super) enum Attempt {
    Planned(Arc<Planned>),
    /// Its commits are not available.
    Absent,
    /// Why it is not read.
    Refused(String),
}

impl Base {
    /// Reads a commit of the branch. Blocks.
    ///
    /// # Errors
    /// [`Error`] if it cannot be read.
    pub(super) fn read(trees: &Trees, commit: &CommitId, branch: &str, in_force: &Repository) -> Result<Self, Error> {
        trees.mirror().obtain(commit)?;
        let tree = trees.mirror().tree(commit, "")?;
        let budget = NodeBudget::default();
        let loaded = trees.load(&tree, &budget);
        let size = Size::of(&tree, &budget);
        let repository = Arc::new(taken_back(hold(loaded.clone(), &BTreeMap::new(), None), in_force));
        Ok(Self { commit: commit.clone(), branch: branch.to_owned(), tree, size, loaded, repository })
    }

    /// Plans the merge of a head into the branch. Blocks.
    ///
    /// The policies of the branch judge it. Those of the head judge only later changes.
    ///
    /// # Errors
    /// [`Error`] if the remote cannot be reached, or the mirror cannot be read.
    pub(super) fn plan(&self, trees: &Trees, head: &Head, given: &Circumstance) -> Result<Attempt, Error> {
        let Some(start) = trees.base(&head.commit, &self.commit)? else { return Ok(Attempt::Absent) };
        let room = Room::Pull(self.size);
        let merged = match (trees.files(&start, Room::Followed)?, trees.files(&head.commit, room)?) {
            (Files::Read(start), Files::Read(head)) => merge(&start, &self.tree, &head),
            (Files::Refused(why), _) | (_, Files::Refused(why)) => return Ok(Attempt::Refused(why)),
        };
        let budget = room.nodes();
        let loaded = trees.load(&merged.tree, &budget);
        let good = self.repository.addons.keys().map(|name| (name.clone(), self.repository.clone())).collect();
        let repository = taken_back(hold(loaded.clone(), &good, Some(&self.repository)), &given.in_force);
        let revision = |name: &str, commit: &CommitId| Revision { name: name.to_owned(), commit: Some(commit.clone()) };
        let mut plan = propose(&Request {
            base: Side {
                revision: revision(&self.branch, &self.commit),
                loaded: &self.loaded,
                repository: &self.repository,
            },
            head: Side { revision: revision(&head.name, &head.commit), loaded: &loaded, repository: &repository },
            fleet: &given.fleet,
            source: "the hub",
            as_of: Some(given.now),
            instance: &given.instance,
            latencies: &given.latencies,
            now: given.now,
            only: None,
        });
        let prune = (&self.repository.settings.prune, &repository.settings.prune);
        add_confirmed(&mut plan, given.held.iter(), prune);
        self.judge(trees, &mut plan, (head, &repository), given)?;
        let mut notices = Vec::new();
        if changes_judges(&self.repository, &repository) {
            notices.push(format!(
                "This change also changes who or what judges changes. The policies and people of {} judge it; its own apply from the next \
                 change.",
                self.branch
            ));
        }
        if let Some(first) = merged.conflicts.first() {
            let others = merged.conflicts.len() - 1;
            let others = if others > 0 { format!(" and {others} more files") } else { String::new() };
            notices.push(format!(
                "{} also changed {first}{others} since this branch was made. The plan shows the version of the branch; rebase it to see \
                 both changes together.",
                self.branch
            ));
        }
        plan.notices.splice(0..0, notices);
        let is_too_large = budget.is_exceeded();
        let mut basis = basis(&repository);
        // Of thousands of clusters, only those that the change is about are remembered.
        basis.clusters.retain(|name, cluster| self.repository.clusters.get(name) != Some(cluster));
        Ok(Attempt::Planned(Arc::new(Planned { plan, basis, is_too_large })))
    }

    /// Adds the policies that the change breaks.
    fn judge(
        &self,
        trees: &Trees,
        plan: &mut Plan,
        (head, repository): (&Head, &Repository),
        given: &Circumstance,
    ) -> Result<(), Error> {
        let of = |repository: &Repository| repository.plan_policies.clone().unwrap_or_default();
        let (mut in_force, next) = (given.floor.clone(), of(repository));
        in_force.extend(of(&self.repository));
        if in_force.is_empty() && next.is_empty() {
            return Ok(());
        }
        let revision =
            |commit: &CommitId| -> Result<_, Error> { Ok(described(commit, &trees.mirror().commit_info(commit)?)) };
        let (base, head) = (revision(&self.commit)?, revision(&head.commit)?);
        let circumstances = Circumstances { now: to_seconds(given.now), base: Some(&base), head: Some(&head) };
        let broken = policy::review(plan, &in_force, &next, &circumstances);
        policy::add(plan, broken);
        Ok(())
    }
}

/// Puts the add-ons back whose digest was rejected, as in the repository in force.
fn taken_back(mut repository: Repository, in_force: &Repository) -> Repository {
    for (name, rollback) in &in_force.rollbacks {
        roll_back(&mut repository, name, &rollback.rejection, Some(in_force));
    }
    repository
}

/// Returns `true` if a change concerns the policies that judge changes, or the people who may approve.
fn changes_judges(base: &Repository, head: &Repository) -> bool {
    base.policies != head.policies
        || base.plan_policies != head.plan_policies
        || base.settings.people != head.settings.people
}
