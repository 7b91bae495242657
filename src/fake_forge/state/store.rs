//! Everything that the forge remembers, apart from its repositories.

use std::collections::BTreeMap;

use super::account::{Account, App, Team, Token};
use super::pull::PullRecord;
use super::records::{CheckRunRecord, CommentRecord, DeploymentRecord, PushRecord, StatusRecord};

/// The state of the forge.
#[derive(Debug, Default)]
pub(crate) struct Store {
    pub(crate) accounts: Vec<Account>,
    pub(crate) tokens: Vec<Token>,
    pub(crate) teams: Vec<Team>,
    pub(crate) apps: Vec<App>,
    pub(crate) pulls: BTreeMap<u64, PullRecord>,
    pub(crate) comments: Vec<CommentRecord>,
    /// The pushes whose accounts are known, oldest first.
    pub(crate) pushes: Vec<PushRecord>,
    pub(crate) statuses: Vec<StatusRecord>,
    pub(crate) check_runs: Vec<CheckRunRecord>,
    pub(crate) deployments: Vec<DeploymentRecord>,
    /// The branches when a request was last answered; a difference is a push.
    pub(crate) branches: BTreeMap<String, String>,
    last_id: u64,
}

impl Store {
    /// Returns a number that nothing else has.
    pub(crate) fn next_id(&mut self) -> u64 {
        self.last_id += 1;
        self.last_id
    }

    /// Returns the number of the next pull request.
    pub(crate) fn next_number(&self) -> u64 {
        self.pulls.keys().next_back().copied().unwrap_or_default() + 1
    }

    /// Returns an account that was not removed.
    pub(crate) fn account(&self, id: u64) -> Option<&Account> {
        self.accounts.iter().find(|account| account.id == id && !account.is_gone)
    }

    /// Returns the account with a login; forges ignore its case.
    pub(crate) fn account_named(&self, login: &str) -> Option<&Account> {
        self.accounts.iter().find(|account| account.login.eq_ignore_ascii_case(login) && !account.is_gone)
    }

    /// Returns the team with a name.
    pub(crate) fn team_named(&self, name: &str) -> Option<&Team> {
        self.teams.iter().find(|team| team.name == name)
    }

    /// Returns the newest status of each context of a commit, by context.
    pub(crate) fn latest_statuses(&self, commit: &str) -> Vec<&StatusRecord> {
        let mut latest: BTreeMap<String, &StatusRecord> = BTreeMap::new();
        for status in self.statuses.iter().filter(|status| status.commit == commit) {
            latest.insert(status.context.to_lowercase(), status);
        }
        latest.into_values().collect()
    }

    /// Returns the statuses of a commit, newest first.
    pub(crate) fn statuses_of<'a>(&'a self, commit: &'a str) -> impl Iterator<Item = &'a StatusRecord> {
        self.statuses.iter().rev().filter(move |status| status.commit == commit)
    }

    /// Returns the pushes to a branch, oldest first.
    pub(crate) fn pushes_to<'a>(&'a self, branch: &'a str) -> impl DoubleEndedIterator<Item = &'a PushRecord> {
        self.pushes.iter().filter(move |push| push.branch == branch)
    }

    /// Returns the comments of a pull request, oldest first.
    pub(crate) fn comments_of(&self, pull: u64) -> impl Iterator<Item = &CommentRecord> {
        self.comments.iter().filter(move |comment| comment.pull == pull)
    }
}
