//! A forge with a small repository, the real client, and the facts that the client reports.

use std::collections::BTreeMap;
use std::time::Duration;

use tempfile::TempDir;
use tidegate_fake_forge::{ForgeSandbox, Options, Role};
use tidegate_forge::{Forge, Result};
use tidegate_git::{LocalRepository, NewCommit};
use tidegate_model::forge::{Account, ForgeKind, Pull, PullState};
use tidegate_model::revision::CommitId;
use tidegate_model::time::{Timestamp, to_seconds};

use crate::daemon::forge::in_process::client;
use crate::daemon::world::now;
use crate::scratch::tempdir;

/// All forges.
pub(super) const KINDS: [ForgeKind; 3] = [ForgeKind::GitHub, ForgeKind::GitLab, ForgeKind::Gitea];

/// A fact that a forge reports in another way.
pub(super) struct Difference {
    on: ForgeKind,
    fact: usize,
    instead: &'static str,
}

/// Returns that a forge reports something else than the fact with this index, or nothing if that is empty.
pub(super) const fn differs(on: ForgeKind, fact: usize, instead: &'static str) -> Difference {
    Difference { on, fact, instead }
}

/// Plays a story on each forge. The client reports these facts, apart from the differences.
pub(super) async fn same_facts(story: impl AsyncFn(&mut Place), facts: &[&str], differences: &[Difference]) {
    for kind in KINDS {
        let mut place = Place::new(kind).await;
        story(&mut place).await;
        place.forge.assert_clean();
        let mut expected = facts.to_vec();
        for Difference { fact, instead, .. } in differences.iter().filter(|difference| difference.on == kind) {
            expected[*fact] = instead;
        }
        expected.retain(|fact| !fact.is_empty());
        assert_eq!(place.facts, expected, "{kind}");
    }
}

/// A forge with the developers Ada and Bob, the maintainer Cy, the administrator tidegate, and the reader Eve.
pub(super) struct Place {
    pub(super) kind: ForgeKind,
    pub(super) forge: ForgeSandbox,
    pub(super) client: Forge,
    directory: TempDir,
    start: Timestamp,
    /// The numbers of accounts.
    accounts: BTreeMap<String, u64>,
    /// The names of commits in facts.
    commits: BTreeMap<CommitId, String>,
    facts: Vec<String>,
}

impl Place {
    pub(super) async fn new(kind: ForgeKind) -> Self {
        let directory = tempdir();
        let forge = ForgeSandbox::start(kind, Options::new(directory.path().join("forge"), now)).await.unwrap();
        let roles = [
            ("ada", Role::Write),
            ("bob", Role::Write),
            ("cy", Role::Maintain),
            ("tidegate", Role::Admin),
            ("eve", Role::Read),
        ];
        let accounts = roles.map(|(login, role)| (login.to_owned(), forge.add_account(login, role))).into();
        let token = directory.path().join("token");
        std::fs::write(&token, forge.token_of("tidegate")).unwrap();
        let client = client(kind, &forge, &token);
        let (start, commits, facts) = (to_seconds(now()), BTreeMap::new(), Vec::new());
        let mut place = Self { kind, forge, client, directory, start, accounts, commits, facts };
        place.commit("main", "the start");
        place
    }

    /// Adds a fact.
    pub(super) fn note(&mut self, fact: impl Into<String>) {
        self.facts.push(fact.into());
    }

    /// Lets a minute pass.
    pub(super) async fn later(&self) {
        tokio::time::advance(Duration::from_secs(60)).await;
    }

    /// Commits a file of this name to a branch as Ada. A new branch starts at `main`.
    pub(super) fn commit(&mut self, branch: &str, name: &str) -> CommitId {
        let repository = self.directory.path().join("forge/platform/fleet.git");
        let tip = |branch: &str| LocalRepository::open(&repository).unwrap().tip(branch).unwrap();
        if tip(branch).is_none() && branch != "main" {
            self.forge.add_branch(branch).unwrap();
        }
        let commit = NewCommit {
            branch: branch.to_owned(),
            parent: tip(branch),
            files: [(format!("{name}.md"), Some(name.as_bytes().to_vec()))].into(),
            message: name.to_owned(),
            author: "Ada".to_owned(),
            email: "ada@example.com".to_owned(),
            at: now(),
        };
        let commit = tidegate_git::seed(&repository, &commit).unwrap();
        self.call(&commit, name);
        commit
    }

    /// Commits to a new branch, and opens a pull request of Ada's.
    pub(super) fn open(&mut self, branch: &str, name: &str) -> u64 {
        self.commit(branch, name);
        self.forge.open_pull("ada", branch, "main", &format!("Add {name}")).unwrap()
    }

    /// Gives a commit a name.
    pub(super) fn call(&mut self, commit: &CommitId, name: &str) {
        self.commits.insert(commit.clone(), name.to_owned());
    }

    /// Returns the name of a commit.
    pub(super) fn named(&self, commit: &CommitId) -> String {
        self.commits.get(commit).cloned().unwrap_or_else(|| "another commit".to_owned())
    }

    /// Returns when something happened.
    pub(super) fn when(&self, at: Timestamp) -> String {
        let seconds = at.duration_since(self.start);
        assert_eq!(seconds.as_secs() % 60, 0, "{at}");
        format!("minute {}", seconds.as_mins())
    }

    /// Returns a pull request as a fact.
    pub(super) fn pull(&self, pull: &Pull) -> String {
        let state = match &pull.state {
            PullState::Open => "open".to_owned(),
            PullState::Closed => "closed".to_owned(),
            PullState::Merged { by, at } => {
                format!("merged by {} in {}", login(by.as_ref()), at.map_or("?".to_owned(), |at| self.when(at)))
            }
        };
        let page =
            pull.url.strip_prefix(&self.forge.web_url()).is_some_and(|rest| rest.ends_with(&pull.number.to_string()));
        let kind = match (pull.is_fork, pull.is_draft, page) {
            (false, false, true) => "change",
            (true, false, true) => "change of a fork",
            (false, true, true) => "draft",
            _ => "strange change",
        };
        format!(
            "{kind} {}: {:?} by {}, {} of {} into {}, {state}, updated in {}",
            pull.number,
            pull.title,
            login(pull.author.as_ref()),
            self.named(&pull.head),
            pull.head_branch,
            pull.base_branch,
            self.when(pull.updated),
        )
    }

    /// Asks for a pull request, and notes it.
    pub(super) async fn note_pull(&mut self, number: u64) {
        let pull = self.client.pull(number).await.unwrap();
        self.note(self.pull(&pull));
    }

    /// Notes what people said about a pull request.
    pub(super) async fn note_opinions(&mut self, number: u64) {
        let pull = self.client.pull(number).await.unwrap();
        let opinions = self.client.opinions(&pull).await.unwrap();
        if opinions.is_empty() {
            self.note("no opinions");
        }
        for opinion in opinions {
            let commit = opinion.commit.as_ref().map_or("an unknown commit".to_owned(), |commit| self.named(commit));
            let at = opinion.at.map_or("?".to_owned(), |at| self.when(at));
            let dismissed = if opinion.is_dismissed { ", dismissed" } else { "" };
            assert!(opinion.url.starts_with(&self.forge.web_url()), "{}", opinion.url);
            self.note(format!("{} {:?} {commit} in {at}{dismissed}", login(opinion.by.as_ref()), opinion.says));
        }
    }

    /// Returns an account of the forge.
    pub(super) fn account(&self, login: &str) -> Account {
        Account { id: self.accounts[login], login: login.to_owned(), is_bot: false }
    }
}

/// Returns the login of an account.
pub(super) fn login(account: Option<&Account>) -> String {
    account.map_or("no one".to_owned(), |account| account.login.clone())
}

/// Returns which error a request ends with.
pub(super) fn outcome<T>(result: Result<T>) -> &'static str {
    match result {
        Ok(_) => "done",
        Err(error) if error.is_transient() => "failed for now",
        Err(_) => "refused",
    }
}
