//! Reads the history of the journal: from a clone on this machine, or from a remote repository that is fetched with its
//! whole history.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

use super::format::readable;
use crate::cli::args::SourceArgs;
use crate::cli::failure::Failure;
use crate::cli::journal::opened::{Found, Opened};
use tidegate_daemon::reconciler::source::{self, STATUS_DIRECTORY};
use tidegate_git::{Chain, LocalRepository, Mirror, Reference};
use tidegate_journal::file::JournalFile;
use tidegate_journal::{Journal, headline};
use tidegate_model::chain::{Link, Person};
use tidegate_model::error_chain::ErrorChain;
use tidegate_model::revision::CommitId;
use tidegate_model::time::Timestamp;
use tidegate_model::tree::Tree;

/// The default branch of the journal.
const BRANCH: &str = "tidegate/journal";

/// A journal with its history.
pub(crate) struct History {
    archive: LocalRepository,
    /// The last commit of the followed branch or tag, if the clone has it.
    followed: Option<CommitId>,
    /// The branch that it is on.
    pub branch: String,
    /// Its last commit.
    pub tip: CommitId,
    /// Whether it is in a directory of the followed branch.
    pub is_shared: bool,
    /// Whether the clone lacks older commits.
    pub is_shallow: bool,
    /// The repository, if nothing else keeps its directory.
    _opened: Option<Opened>,
}

impl History {
    /// Opens the journal of a repository: a clone on this machine, by default the one in the current directory, or a remote
    /// one that is fetched. Blocks.
    pub(crate) fn open(args: &SourceArgs) -> Result<Self, Failure> {
        let opened = Opened::open(args)?;
        Ok(Self::of(&opened)?.keeping(opened))
    }

    /// Opens the journal as [`History::open`] does, with the history of the followed branch. Blocks.
    pub(crate) fn open_with_followed(args: &SourceArgs) -> Result<Self, Failure> {
        let opened = Opened::open(args)?;
        Ok(Wanted { opened: &opened, with_followed: true }.history()?.keeping(opened))
    }

    /// Opens the journal of an opened repository, which must be kept as long as the journal is read. Blocks.
    pub(crate) fn of(opened: &Opened) -> Result<Self, Failure> {
        Wanted { opened, with_followed: false }.history()
    }

    fn keeping(self, opened: Opened) -> Self {
        Self { _opened: Some(opened), ..self }
    }

    /// Returns the repository.
    pub(crate) fn archive(&self) -> &LocalRepository {
        &self.archive
    }

    /// Returns the last commit of the followed branch or tag, if the clone has it.
    pub(crate) fn followed(&self) -> Option<CommitId> {
        self.followed.clone()
    }

    /// Returns the directory of the journal; empty if the journal has its own branch.
    fn directory(&self) -> &'static str {
        if self.is_shared { STATUS_DIRECTORY.trim_end_matches('/') } else { "" }
    }

    /// Returns the files of an entry of the journal, by path. Blocks.
    pub(crate) fn files(&self, commit: &CommitId) -> Result<BTreeMap<String, Vec<u8>>, Failure> {
        let tree = self.archive.tree(commit, self.directory()).map_err(|error| Failure::internal(&error))?;
        let prefix = if self.is_shared { STATUS_DIRECTORY } else { "" };
        let inside = |(path, bytes): (String, Vec<u8>)| Some((path.strip_prefix(prefix)?.to_owned(), bytes));
        Ok(tree.files.into_iter().filter_map(inside).collect())
    }

    /// Reads the current journal. Blocks.
    pub(crate) fn journal(&self) -> Result<(Journal, BTreeMap<String, Vec<u8>>), Failure> {
        let files = self.files(&self.tip)?;
        Ok((readable(Journal::read(files.clone()))?, files))
    }

    /// Returns the files of a revision of the followed repository. Blocks.
    pub(crate) fn tree(&self, commit: &CommitId) -> Result<Tree, Failure> {
        self.archive.tree(commit, "").map_err(|error| {
            let why = ErrorChain(&error);
            Failure::Usage(format!(
                "revision {commit} cannot be read from this clone: {why}; fetch the followed branch"
            ))
        })
    }

    /// Returns when the last entry of the journal was written. Blocks.
    pub(crate) fn written(&self) -> Result<Timestamp, Failure> {
        let tip = self.archive.commit_info(&self.tip).map_err(|error| Failure::internal(&error))?;
        Ok(tip.author.time)
    }

    /// Visits the commits of the journal, oldest first. The content of files that are not wanted is left out. Blocks.
    pub(crate) fn walk(&self, wants: fn(&str) -> bool, mut visit: impl FnMut(&Link)) -> Result<(), Failure> {
        let wants_before = |author: &Person, path: &str| {
            author.email != headline::EMAIL || matches!(JournalFile::of(path), Some(JournalFile::Sealed(..)))
        };
        let chain = Chain { tip: &self.tip, directory: self.directory(), wants, wants_before };
        let mut each = |link: Link| {
            visit(&link);
            ControlFlow::Continue(())
        };
        self.archive.walk(&chain, &mut each).map_err(|error| Failure::internal(&error))
    }
}

/// The journal to open.
struct Wanted<'a> {
    opened: &'a Opened,
    /// Whether the history of the followed branch is needed, too.
    with_followed: bool,
}

impl Wanted<'_> {
    fn history(&self) -> Result<History, Failure> {
        let archive = match &self.opened.found {
            Found::Here { root, archive: Ok(_) } => {
                LocalRepository::open(root).map_err(|error| self.opened.unreadable(&error))?
            }
            Found::Here { archive: Err(error), .. } => return Err(self.opened.unreadable(error)),
            Found::There { mirror, .. } => self.fetched(mirror)?,
        };
        let (branch, is_shared, tip) = self.found(&archive)?;
        let is_shallow = archive.is_cut(&tip).map_err(|error| self.opened.unreadable(&error))?;
        let followed = self.followed(&archive);
        Ok(History { archive, followed, branch, tip, is_shared, is_shallow, _opened: None })
    }

    /// Fetches the journal with its whole history.
    fn fetched(&self, mirror: &Mirror) -> Result<LocalRepository, Failure> {
        let unreachable = |error: tidegate_git::Error| Failure::git(&error);
        let named = match &self.opened.journal_branch {
            Some(branch) => Some(branch.clone()),
            None => match source::journal_branch(mirror, &self.opened.reference) {
                Ok(branch) => Some(branch),
                Err(source::Error::Git(error)) => return Err(unreachable(error)),
                Err(source::Error::Nothing { .. } | source::Error::JournalBranch { .. }) => None,
            },
        };
        let journal = named.as_deref().unwrap_or(BRANCH);
        let tracked = self.tracked().filter(|tracked| self.with_followed && *tracked != journal);
        let branches: Vec<&str> = tracked.into_iter().chain([journal]).collect();
        mirror.fetch_full_history(&branches).map_err(unreachable)?;
        Ok(mirror.local_repository())
    }

    /// Returns the followed branch; `None` if a tag or a range is followed.
    fn tracked(&self) -> Option<&str> {
        match &self.opened.reference {
            Reference::Branch(name) | Reference::Named(name) => Some(name),
            Reference::Tag(_) | Reference::Range(_) => None,
        }
    }

    /// Returns the last commit of the followed branch or tag, if the clone has it. Of a range, it is not known which tag was followed.
    fn followed(&self, archive: &LocalRepository) -> Option<CommitId> {
        match &self.opened.reference {
            Reference::Branch(name) => archive.tip(name).ok().flatten(),
            Reference::Named(name) => archive.tip(name).ok().flatten().or_else(|| archive.resolve(name).ok().flatten()),
            Reference::Tag(name) => archive.resolve(&format!("refs/tags/{name}")).ok().flatten(),
            Reference::Range(_) => None,
        }
    }

    /// Returns the journal branch that the settings on the followed branch name, if they can be read.
    fn configured(&self, archive: &LocalRepository) -> Option<String> {
        let tip = archive.tip(self.tracked()?).ok()??;
        Some(
            tidegate_repository::settings_of(archive.read(&tip, tidegate_repository::SETTINGS_FILE).ok()?)
                .journal_branch,
        )
    }

    /// Finds the branch of the journal: the one given on the command line, or else the one in the settings, the default
    /// one, or the one that is checked out.
    fn found(&self, archive: &LocalRepository) -> Result<(String, bool, CommitId), Failure> {
        let tip = |branch: &str| archive.tip(branch).map_err(|error| self.opened.unreadable(&error));
        let head = || archive.head().ok().flatten();
        let candidates: Vec<String> = match &self.opened.journal_branch {
            Some(branch) => vec![branch.clone()],
            None => {
                let mut seen = BTreeSet::new();
                let all = self.configured(archive).into_iter().chain([BRANCH.to_owned()]).chain(head());
                all.filter(|branch| seen.insert(branch.clone())).collect()
            }
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
        let first = candidates.first().map_or(BRANCH, String::as_str);
        let is_named = self.opened.journal_branch.is_some();
        let what = if is_named { "it holds no journal" } else { "none of these branches holds a journal" };
        Err(Failure::Usage(format!(
            "{}: {what}: {looked}; name the journal's branch with --journal-branch, or fetch it with `git fetch origin {first}`",
            self.opened.place
        )))
    }
}
