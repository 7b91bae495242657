//! A forge with its state, its repositories and the time of the request that is answered.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::git::{self, GitError, Identity, Repository};
use super::options::Options;
use super::state::{Account, Role, Store};
use tidegate_model::forge::ForgeKind;
use tidegate_model::time::{Timestamp, to_seconds};

/// The number of the project. Those of forks follow.
const PROJECT_ID: u64 = 1_296_269;

/// A forge.
pub(crate) struct Instance {
    pub(crate) kind: ForgeKind,
    pub(crate) options: Options,
    /// The address of the web server, without a slash at the end.
    pub(crate) origin: String,
    pub(crate) now: Timestamp,
    pub(crate) store: Store,
    pub(crate) main: Repository,
    /// The forks by owner; `None` if the fork was removed.
    pub(crate) forks: BTreeMap<String, Option<Repository>>,
    /// What happened since the last request, for the webhook.
    pub(crate) events: Vec<Event>,
}

/// Something about which a webhook reports.
#[derive(Debug, Clone)]
pub(crate) struct Event {
    pub(crate) kind: EventKind,
    pub(crate) actor: u64,
}

/// What happened.
#[derive(Debug, Clone)]
pub(crate) enum EventKind {
    Push { branch: String, before: String, after: String },
    Opened { pull: u64 },
    Closed { pull: u64 },
    Reopened { pull: u64 },
    Synchronized { pull: u64, before: String },
    Reviewed { pull: u64, review: u64 },
    Dismissed { pull: u64, review: u64 },
    Commented { pull: u64, comment: u64 },
}

impl Instance {
    /// Creates a forge with an empty repository.
    ///
    /// # Errors
    /// If git fails.
    pub(crate) fn create(kind: ForgeKind, options: Options, origin: String) -> Result<Self, GitError> {
        let path = options.directory.join(format!("{}.git", options.project));
        let main = Repository::create(&path, &options.default_branch)?;
        git::check(&options.directory, &options.project)?;
        let now = to_seconds((options.clock)());
        let (store, forks, events) = (Store::default(), BTreeMap::new(), Vec::new());
        Ok(Self { kind, options, origin, now, store, main, forks, events })
    }

    /// Returns the owner of the project.
    pub(crate) fn owner(&self) -> &str {
        self.options.project.split_once('/').map_or("", |(owner, _)| owner)
    }

    /// Returns the name of the project, without its owner.
    pub(crate) fn name(&self) -> &str {
        self.options.project.split_once('/').map_or(&self.options.project, |(_, name)| name)
    }

    /// Returns the number of the project, or of the fork of this owner.
    pub(crate) fn project_id(&self, owner: &str) -> u64 {
        let fork = self.forks.keys().position(|fork| fork == owner);
        fork.map_or(PROJECT_ID, |position| PROJECT_ID + 1 + u64::try_from(position).unwrap_or_default())
    }

    /// Returns `true` if these are the owner and the name of the project.
    pub(crate) fn is_project(&self, owner: &str, name: &str) -> bool {
        self.owner().eq_ignore_ascii_case(owner) && self.name().eq_ignore_ascii_case(name)
    }

    /// Returns the directory for the fork of an owner.
    pub(crate) fn fork_directory(&self, owner: &str) -> PathBuf {
        self.options.directory.join(owner).join(format!("{}.git", self.name()))
    }

    /// Returns the repository of the project, or the fork of this owner.
    pub(crate) fn repository_of(&self, owner: &str) -> Option<&Repository> {
        if owner == self.owner() { Some(&self.main) } else { self.forks.get(owner)?.as_ref() }
    }

    /// Returns the role of an account in the project.
    pub(crate) fn role(&self, account: u64) -> Role {
        self.store.account(account).map_or(Role::None, |account| account.role)
    }

    /// Returns who an account is in commits.
    pub(crate) fn identity(&self, account: u64) -> Identity {
        let name = self.store.account(account).map_or("ghost", |account| &account.login);
        Identity { name: name.to_owned(), email: email(name), at: self.now }
    }

    /// Returns the account with an email address, as forges do for the authors of commits.
    pub(crate) fn account_with_email(&self, address: &str) -> Option<&Account> {
        let has = |account: &&Account| !account.is_gone && email(&account.login).eq_ignore_ascii_case(address);
        self.store.accounts.iter().find(has)
    }

    /// Remembers something for the webhook.
    pub(crate) fn happened(&mut self, kind: EventKind, actor: u64) {
        self.events.push(Event { kind, actor });
    }
}

fn email(login: &str) -> String {
    format!("{login}@example.com")
}
