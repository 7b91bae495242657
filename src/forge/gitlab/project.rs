//! A project on GitLab.

use reqwest::Url;
use tidegate_model::forge::Account;

use super::objects::User;
use crate::client::Client;
use crate::error::{Error, Result};
use crate::values::CheckRun;
use crate::wire::{Call, Operation};

/// The entries of a page that are asked for: GitLab's maximum.
pub(super) const PAGE: (&str, &str) = ("per_page", "100");

/// A project on GitLab.
pub(crate) struct GitLab {
    pub(crate) client: Client,
    /// Its path. In an address it is one segment, with encoded slashes.
    project: String,
}

impl GitLab {
    pub(crate) fn new(client: Client, project: String) -> Self {
        Self { client, project }
    }

    /// Returns an address of the project.
    pub(super) fn at(&self, parts: &[&str]) -> Url {
        let all: Vec<&str> = ["projects", &self.project].into_iter().chain(parts.iter().copied()).collect();
        self.client.address().at(&all)
    }

    /// Returns an address of the project with a query.
    pub(super) fn with(&self, parts: &[&str], query: &[(&str, &str)]) -> Url {
        let mut url = self.at(parts);
        url.query_pairs_mut().extend_pairs(query);
        url
    }

    /// Returns the account of the token.
    pub(crate) async fn me(&self) -> Result<Account> {
        let call = Call::get(Operation::Me, self.client.address().at(&["user"]));
        self.client.me(async || self.client.json::<User>(&call).await.map(User::account)).await
    }

    /// GitLab has no check runs.
    pub(crate) async fn check_run(&self, _: Option<u64>, _: &CheckRun) -> Result<u64> {
        Err(Error::Unsupported("GitLab has no check runs; use commit statuses".to_owned()))
    }
}
