//! Where the journal's history is read: a clone on this machine in place, or a repository that is fetched whole.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::Path;

use super::args::SourceArgs;
use super::audit::ArchiveArgs;
use super::failure::Failure;
use super::wire::{self, StateDir};
use crate::git::{self, Archive, Chain, Mirror};
use crate::journal::{Journal, headline};
use crate::model::chain::{Link, Person};
use crate::model::revision::CommitId;
use crate::reconciler::source::STATUS_DIRECTORY;
use crate::repository;

/// The branch that the journal has where nothing else is said.
const BRANCH: &str = "tidegate/journal";

/// A journal with its history.
pub struct History {
    archive: Archive,
    /// The branch that it is on.
    pub branch: String,
    /// Its last commit.
    pub tip: CommitId,
    /// Whether it lies in a directory of the tracked branch.
    pub is_shared: bool,
    /// Whether the clone lacks older commits.
    pub is_shallow: bool,
    /// The mirror lies in it.
    _state: Option<StateDir>,
}

impl History {
    /// Opens the journal of a repository. Blocks.
    pub fn open(args: &ArchiveArgs) -> Result<Self, Failure> {
        let is_here = Path::new(&args.source).exists();
        let (archive, state) = if is_here { (here(args)?, None) } else { fetched(args).map(|(a, s)| (a, Some(s)))? };
        let (branch, is_shared, tip) = found(&archive, args)?;
        let is_shallow = archive.is_shallow().map_err(|error| unreadable(args, &error))?;
        Ok(Self { archive, branch, tip, is_shared, is_shallow, _state: state })
    }

    /// Returns the directory of the journal; empty for the root of a branch of its own.
    fn directory(&self) -> &'static str {
        if self.is_shared { STATUS_DIRECTORY.trim_end_matches('/') } else { "" }
    }

    /// Reads the journal as it stands. Blocks.
    pub fn journal(&self) -> Result<(Journal, BTreeMap<String, Vec<u8>>), Failure> {
        let tree = self.archive.tree(&self.tip, self.directory()).map_err(|error| Failure::internal(&error))?;
        let prefix = if self.is_shared { STATUS_DIRECTORY } else { "" };
        let inside = |(path, bytes): (String, Vec<u8>)| Some((path.strip_prefix(prefix)?.to_owned(), bytes));
        let files: BTreeMap<_, _> = tree.files.into_iter().filter_map(inside).collect();
        Ok((Journal::read(files.clone()), files))
    }

    /// Walks along the commits of the journal, the oldest first; of files that are not wanted, the content is left out. Blocks.
    pub fn walk(&self, wants: fn(&str) -> bool, mut visit: impl FnMut(&Link)) -> Result<(), Failure> {
        let wants_before = |author: &Person, path: &str| author.email != headline::EMAIL || path.contains("/rollouts/");
        let chain = Chain { tip: &self.tip, directory: self.directory(), wants, wants_before };
        let mut each = |link: Link| {
            visit(&link);
            ControlFlow::Continue(())
        };
        self.archive.walk(&chain, &mut each).map_err(|error| Failure::internal(&error))
    }
}

fn unreadable(args: &ArchiveArgs, error: &git::Error) -> Failure {
    let failure = Failure::internal(error);
    let why = if let Failure::Internal(why) = failure { why } else { String::new() };
    Failure::Usage(format!(
        "{} cannot be read as a Git repository: {why}; give a clone or a URL with --source",
        args.source
    ))
}

fn here(args: &ArchiveArgs) -> Result<Archive, Failure> {
    Archive::open(&args.source).map_err(|error| unreadable(args, &error))
}

/// Fetches both branches whole.
fn fetched(args: &ArchiveArgs) -> Result<(Archive, StateDir), Failure> {
    let source = SourceArgs::from(args);
    let state = StateDir::of(None)?;
    let remote = wire::remote(&source)?;
    let mirror = Mirror::open(state.mirror(), remote).map_err(|error| Failure::internal(&error))?;
    let hint = "check --source and the token; a clone on this machine needs neither";
    let fetch = |branch: &str| mirror.fetch(&[branch]).map_err(|error| Failure::unreachable(&error, hint));
    fetch(&args.branch)?;
    let named = args.journal_branch.clone().or_else(|| configured(&mirror.archive(), &args.branch));
    fetch(named.as_deref().unwrap_or(BRANCH))?;
    Ok((mirror.archive(), state))
}

/// Returns the branch that the settings of the tracked branch name, if they can be read.
fn configured(archive: &Archive, tracked: &str) -> Option<String> {
    let tip = archive.tip(tracked).ok()??;
    let tree = archive.tree(&tip, "").ok()?;
    Some(repository::load(&tree, "").repository.settings.journal_branch)
}

/// Finds the branch of the journal: the named one, the one of the settings, the usual one, or the one that is checked out.
fn found(archive: &Archive, args: &ArchiveArgs) -> Result<(String, bool, CommitId), Failure> {
    let tip = |branch: &str| archive.tip(branch).map_err(|error| unreadable(args, &error));
    let named = args.journal_branch.clone();
    let is_named = named.is_some();
    let head = || archive.head().ok().flatten();
    let candidates: Vec<String> = match named {
        Some(branch) => vec![branch],
        None => configured(archive, &args.branch).into_iter().chain([BRANCH.to_owned()]).chain(head()).collect(),
    };
    for branch in &candidates {
        let Some(tip) = tip(branch)? else { continue };
        let holds = |path: &str| archive.read(&tip, path).is_ok_and(|file| file.is_some());
        if holds("sync.yaml") {
            return Ok((branch.clone(), false, tip));
        }
        if holds(&format!("{STATUS_DIRECTORY}sync.yaml")) {
            return Ok((branch.clone(), true, tip));
        }
    }
    let looked = candidates.join(", ");
    let what = if is_named { "it holds no journal" } else { "none of these branches holds a journal" };
    Err(Failure::Usage(format!(
        "{}: {what}: {looked}; name the journal's branch with --journal-branch, or fetch it with `git fetch origin {BRANCH}`",
        args.source
    )))
}
