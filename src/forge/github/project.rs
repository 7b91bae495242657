//! A project on GitHub.

use reqwest::Url;
use tidegate_model::forge::Account;

use super::objects::User;
use crate::client::Client;
use crate::error::Result;
use crate::wire::{Call, Operation, garbage};

/// The entries of a page that are asked for: GitHub's maximum.
pub(super) const PAGE: (&str, &str) = ("per_page", "100");

/// A project on GitHub.
pub(crate) struct GitHub {
    pub(crate) client: Client,
    pub(super) owner: String,
    pub(super) name: String,
}

impl GitHub {
    pub(crate) fn new(client: Client, owner: String, name: String) -> Self {
        Self { client, owner, name }
    }

    /// Returns an address of the project.
    pub(super) fn at(&self, parts: &[&str]) -> Url {
        let all: Vec<&str> = ["repos", &self.owner, &self.name].into_iter().chain(parts.iter().copied()).collect();
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
        let ask = async || {
            let user: User = self.client.json(&call).await?;
            user.account().ok_or_else(|| garbage(&call, "the account does not exist"))
        };
        self.client.me(ask).await
    }
}
