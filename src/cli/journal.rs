//! The journal as commands see it: read from the remote, without a hub.

use std::sync::Arc;

use super::args::SourceArgs;
use super::failure::Failure;
use super::wire::{self, StateDir};
use crate::git::{self, Mirror};
use crate::journal::Journal;
use crate::journal::record::AddonStatus;
use crate::reconciler::journaling::files_below;
use crate::reconciler::source::{self, STATUS_DIRECTORY, journal_branch};

/// Reads the journal of one repository, as often as asked.
pub struct Reader {
    mirror: Arc<Mirror>,
    source: SourceArgs,
    /// The mirror lies in it.
    _state: StateDir,
}

impl Reader {
    /// Opens a mirror of the repository in a directory of its own.
    pub async fn open(source: &SourceArgs) -> Result<Self, Failure> {
        let state = StateDir::of(None)?;
        let remote = wire::remote(source)?;
        let directory = state.mirror();
        let opened = tokio::task::spawn_blocking(move || Mirror::open(&directory, remote)).await;
        let mirror = opened.map_err(|error| Failure::internal(&error))?.map_err(|error| Failure::internal(&error))?;
        Ok(Self { mirror: Arc::new(mirror), source: source.clone(), _state: state })
    }

    /// Fetches and reads the journal.
    pub async fn read(&self) -> Result<Journal, Failure> {
        let look = tokio::task::spawn_blocking({
            let (mirror, source) = (self.mirror.clone(), self.source.clone());
            move || look(&mirror, &source)
        });
        look.await.map_err(|error| Failure::internal(&error))?
    }
}

/// Returns an add-on of the journal.
pub fn addon<'a>(journal: &'a Journal, name: &str) -> Result<&'a AddonStatus, Failure> {
    journal.addons.get(name).ok_or_else(|| {
        let known: Vec<_> = journal.addons.keys().map(ToString::to_string).collect();
        Failure::Usage(format!("the journal has no add-on {name:?}; it has: {}", known.join(", ")))
    })
}

fn look(mirror: &Mirror, source: &SourceArgs) -> Result<Journal, Failure> {
    let unreachable = |error: git::Error| Failure::unreachable(&error, "check --source, --branch and the token");
    let branch = match &source.journal_branch {
        Some(branch) => branch.clone(),
        None => journal_branch(mirror, &source.branch).map_err(|error| match error {
            source::Error::Git(error) => unreachable(error),
            source::Error::NoBranch { branch } => {
                Failure::Usage(format!("the repository has no branch {branch}; name one with --branch"))
            }
        })?,
    };
    let prefix = if branch == source.branch { STATUS_DIRECTORY } else { "" };
    let tips = mirror.fetch(&[&branch]).map_err(unreachable)?;
    let tip = tips.get(&branch).ok_or_else(|| {
        Failure::Usage(format!(
            "the repository has no journal yet: branch {branch} does not exist; has `tidegate run` been started?"
        ))
    })?;
    let files = files_below(mirror, tip, prefix).map_err(unreachable)?;
    let journal = Journal::read(files);
    if journal.files.keys().all(|path| path != "sync.yaml" && !path.starts_with("addons/")) {
        return Err(Failure::Usage(format!(
            "branch {branch} holds no journal; name the right one with --journal-branch"
        )));
    }
    Ok(journal)
}
