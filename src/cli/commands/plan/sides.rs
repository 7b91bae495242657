//! The two revisions that a plan compares.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::past::Known;
use crate::cli::args::ChangeArgs;
use crate::cli::compose;
use crate::cli::failure::Failure;
use crate::cli::journal::opened::{Found, Opened};
use crate::cli::repository::directory;
use tidegate_daemon::reconciler::source;
use tidegate_git::Reference;
use tidegate_kustomize::overlay::overlays;
use tidegate_model::error_chain::ErrorChain;
use tidegate_model::followed;
use tidegate_model::name::UnitName;
use tidegate_model::revision::CommitId;
use tidegate_model::tree::Tree;
use tidegate_repository::{Loaded, OperatorRules, PlanPolicy, Repository, hold, load_with, roll_back};
use tidegate_review::proposal::document::Revision;

/// A revision as read.
pub(super) struct Side {
    pub(super) revision: Revision,
    /// The description of its commit, if it is one.
    pub(super) described: Option<followed::Revision>,
    pub(super) loaded: Loaded,
    /// What is in force with it.
    pub(super) repository: Repository,
}

/// The repository of the source.
pub(super) struct Sources<'a> {
    opened: &'a Opened,
    /// The policies of the configuration file.
    pub(super) floor: Vec<PlanPolicy>,
    /// What the operator lets the repository do on the hub.
    operator: Arc<OperatorRules>,
}

impl<'a> Sources<'a> {
    pub(super) fn of(opened: &'a Opened) -> Result<Self, Failure> {
        Ok(Self { opened, floor: compose::floor(&opened.file)?.policies, operator: opened.file.operator() })
    }

    /// Reads both revisions. Blocks. If `is_first` says so of the head, and no base is named, nothing is in force.
    pub(super) fn read(
        &self,
        args: &ChangeArgs,
        known: &Known,
        is_first: impl Fn(&Repository) -> bool,
    ) -> Result<(Side, Side), Failure> {
        let overlay = args.overlay.as_deref().unwrap_or_default();
        let overlay = overlay.trim_start_matches("./").trim_end_matches('/');
        let load = |tree: &Tree| load_with(tree, overlay, &self.operator);
        let (head, tree) = match &args.head {
            Some(name) => self.named("--head", name)?,
            None => self.work_tree()?,
        };
        let loaded = load(&tree);
        let base = match &args.base {
            Some(name) => Some(self.named("--base", name)?),
            None if is_first(&loaded.repository) => None,
            None => Some(self.in_force(known)?),
        };
        let trees = [Some(&tree), base.as_ref().map(|(_, tree)| tree)];
        if !trees.into_iter().flatten().any(|tree| has_directory(tree, overlay)) {
            return Err(unknown_overlay(overlay, &tree));
        }
        let mut base = match base {
            Some((revision, tree)) => self.described(side(revision, load(&tree), None))?,
            None => nothing(),
        };
        // The revision in force may be older than the one whose policies judge the next change.
        if args.base.is_none()
            && let Some(commit) = &known.policies
        {
            let policies = if base.revision.commit.as_ref() == Some(commit) {
                base.loaded.repository.plan_policies.clone()
            } else {
                load(&self.tree(commit)?).repository.plan_policies
            };
            base.repository.plan_policies = policies.or(base.repository.plan_policies);
        }
        self.take_back(&mut base.repository, known, &load);
        let mut head = self.described(side(head, loaded, Some(&base.repository)))?;
        self.take_back(&mut head.repository, known, &load);
        Ok((base, head))
    }

    /// Puts the add-ons back whose digest was rejected, as the daemon does.
    fn take_back(&self, repository: &mut Repository, known: &Known, load: &impl Fn(&Tree) -> Loaded) {
        for (name, rejection) in &known.rejected {
            let good = rejection.good.as_ref().and_then(|good| self.tree(&good.commit).ok());
            let good = good.map(|tree| hold(load(&tree), &BTreeMap::new(), None));
            roll_back(repository, name, rejection, good.as_ref());
        }
    }

    /// Adds the description of the commit.
    fn described(&self, side: Side) -> Result<Side, Failure> {
        let Some(commit) = &side.revision.commit else { return Ok(side) };
        let info = match &self.opened.found {
            Found::Here { archive: Ok(archive), .. } => archive.commit_info(commit),
            Found::There { mirror, .. } => mirror.commit_info(commit),
            Found::Here { archive: Err(_), .. } => return Ok(side),
        };
        let info = info.map_err(|error| Failure::Usage(ErrorChain(&error).to_string()))?;
        let described = Some(source::described(commit, &info));
        Ok(Side { described, ..side })
    }

    /// Reads a revision of the repository, or else a directory.
    fn named(&self, flag: &str, name: &str) -> Result<(Revision, Tree), Failure> {
        if let Some(commit) = self.commit(name)? {
            return Ok((Revision { name: name.to_owned(), commit: Some(commit.clone()) }, self.tree(&commit)?));
        }
        if Path::new(name).is_dir() {
            let tree = directory::tree(Path::new(name))?;
            return Ok((Revision { name: name.to_owned(), commit: None }, tree));
        }
        Err(Failure::Usage(format!(
            "{flag} {name}: {} has no such branch, tag or commit, and there is no such directory; fetch it with `git fetch origin \
             {name}`, or check the name",
            self.opened.place
        )))
    }

    /// Reads the revision that is in force, or else the tip of the followed branch.
    fn in_force(&self, known: &Known) -> Result<(Revision, Tree), Failure> {
        if let Some(commit) = &known.in_force {
            let missing = |error: &dyn std::error::Error| {
                Failure::Usage(format!(
                    "the revision in force, {}, cannot be read: {}; fetch the history with `git fetch --unshallow`, or name another \
                     revision with --base",
                    commit.short(),
                    ErrorChain(error)
                ))
            };
            let tree = match &self.opened.found {
                Found::Here { archive: Ok(archive), .. } => {
                    archive.tree(commit, "").map_err(|error| missing(&error))?
                }
                Found::There { mirror, .. } => {
                    mirror.obtain(commit).map_err(|error| Failure::git(&error))?;
                    mirror.tree(commit, "").map_err(|error| missing(&error))?
                }
                Found::Here { archive: Err(_), .. } => return Err(self.no_repository()),
            };
            return Ok((Revision { name: "in force".to_owned(), commit: Some(commit.clone()) }, tree));
        }
        let branch = match &self.opened.reference {
            Reference::Branch(name) | Reference::Named(name) => name.as_str(),
            Reference::Tag(_) | Reference::Range(_) => "HEAD",
        };
        match self.commit(branch)? {
            Some(commit) => {
                Ok((Revision { name: branch.to_owned(), commit: Some(commit.clone()) }, self.tree(&commit)?))
            }
            None => Err(Failure::Usage(format!(
                "{} has no journal and no branch {branch}, so it is not known what is in force; name the revision to compare with: --base REV",
                self.opened.place
            ))),
        }
    }

    fn work_tree(&self) -> Result<(Revision, Tree), Failure> {
        let root = match &self.opened.found {
            Found::Here { root, archive } => root_of(root).or_else(|| archive.is_err().then(|| root.clone())),
            Found::There { .. } => None,
        };
        let root = root.ok_or_else(|| {
            Failure::Usage(format!(
                "{} has no work tree on this machine; name the revision with the change: --head REV",
                self.opened.place
            ))
        })?;
        Ok((Revision { name: "work tree".to_owned(), commit: None }, directory::tree(&root)?))
    }

    fn no_repository(&self) -> Failure {
        Failure::Usage(format!(
            "{} is not in a Git repository; name two directories with --base and --head",
            self.opened.place
        ))
    }

    fn commit(&self, name: &str) -> Result<Option<CommitId>, Failure> {
        match &self.opened.found {
            Found::Here { archive: Err(_), .. } => Ok(None),
            Found::Here { archive: Ok(archive), .. } => {
                archive.resolve(name).map_err(|error| Failure::Usage(ErrorChain(&error).to_string()))
            }
            Found::There { mirror, .. } => {
                if let Ok(commit) = name.parse::<CommitId>() {
                    let has_it = mirror.obtain(&commit).map_err(|error| Failure::git(&error))?;
                    return Ok(has_it.then_some(commit));
                }
                let tips = mirror.fetch(&[name]).map_err(|error| Failure::git(&error))?;
                Ok(tips.get(name).cloned())
            }
        }
    }

    fn tree(&self, commit: &CommitId) -> Result<Tree, Failure> {
        let tree = match &self.opened.found {
            Found::Here { archive: Ok(archive), .. } => archive.tree(commit, ""),
            Found::There { mirror, .. } => {
                mirror.obtain(commit).map_err(|error| Failure::git(&error))?;
                mirror.tree(commit, "")
            }
            Found::Here { archive: Err(_), .. } => return Err(self.no_repository()),
        };
        tree.map_err(|error| Failure::Usage(format!("{} cannot be read: {}", commit.short(), ErrorChain(&error))))
    }
}

/// Returns the root of the work tree around a directory; `None` if there is none.
fn root_of(directory: &Path) -> Option<PathBuf> {
    let full = directory.canonicalize().unwrap_or_else(|_| directory.to_owned());
    full.ancestors().find(|place| place.join(".git").exists()).map(Path::to_owned)
}

/// Returns the base of a first rollout.
fn nothing() -> Side {
    let repository = Repository { plan_policies: Some(Vec::new()), ..Repository::default() };
    let loaded = Loaded { repository, complaints: Vec::new(), hub_permissions: Vec::new() };
    side(Revision { name: "nothing".to_owned(), commit: None }, loaded, None)
}

/// Completes a revision. Blocked add-ons of a head stay as they are in the base.
fn side(revision: Revision, loaded: Loaded, base: Option<&Repository>) -> Side {
    let shared = base.map(|base| Arc::new(base.clone()));
    let of_base = base.into_iter().flat_map(|base| base.addons.keys());
    let good: BTreeMap<UnitName, Arc<Repository>> =
        of_base.filter_map(|name| Some((name.clone(), Arc::clone(shared.as_ref()?)))).collect();
    let repository = hold(loaded.clone(), &good, base);
    Side { revision, described: None, loaded, repository }
}

/// Returns `true` if a tree has files below a directory. The empty path means the one that the repository declares.
fn has_directory(tree: &Tree, directory: &str) -> bool {
    let directory = directory.trim_end_matches('/');
    let below = format!("{directory}/");
    matches!(directory, "" | ".") || tree.files.keys().any(|path| path.starts_with(&below))
}

fn unknown_overlay(overlay: &str, tree: &Tree) -> Failure {
    let known = overlays(tree);
    let known = if known.is_empty() {
        "it has no overlays".to_owned()
    } else {
        format!("its overlays are: {}", known.join(", "))
    };
    Failure::Usage(format!("--overlay {overlay}: the repository has no such directory; {known}"))
}
