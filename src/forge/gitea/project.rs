//! A project on Gitea or Forgejo.

use reqwest::Url;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use tidegate_model::forge::Account;

use super::objects::User;
use crate::client::{Client, Numbered, known};
use crate::error::{Error, Result};
use crate::values::{CheckRun, Deployment, FoundDeployment, State};
use crate::wire::{Call, Operation, garbage};

/// The entries of a page that are asked for. It is the default of `[api] MAX_RESPONSE_ITEMS`.
const PAGE: usize = 50;

/// A project on Gitea or Forgejo.
pub(crate) struct Gitea {
    pub(crate) client: Client,
    owner: String,
    name: String,
    /// The number of entries of a full page, once it is known; the inner value is `None` if the forge does not tell.
    page: tokio::sync::OnceCell<Numbered>,
}

#[derive(Deserialize)]
struct ApiSettings {
    max_response_items: usize,
}

impl Gitea {
    pub(crate) fn new(client: Client, owner: String, name: String) -> Self {
        Self { client, owner, name, page: tokio::sync::OnceCell::new() }
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

    /// Reads a whole list.
    pub(super) async fn list<T: DeserializeOwned>(&self, call: Call) -> Result<Vec<T>> {
        self.list_until(call, |_| false).await
    }

    /// Reads a list up to the page with an entry that ends it.
    pub(super) async fn list_until<T: DeserializeOwned>(
        &self,
        mut call: Call,
        is_last: impl Fn(&T) -> bool,
    ) -> Result<Vec<T>> {
        let pages = self.pages().await?;
        let limit = pages.size.unwrap_or(PAGE).to_string();
        call.url.query_pairs_mut().append_pair("limit", &limit);
        self.client.numbered(&call, pages, is_last).await
    }

    /// Returns the size of pages. It is a setting of the forge, and a page may have fewer entries because some are hidden, so that
    /// the end of a list can only be calculated.
    async fn pages(&self) -> Result<Numbered> {
        let ask = async || {
            let call = Call::get(Operation::Access, self.client.address().at(&["settings", "api"]));
            match known(self.client.json::<ApiSettings>(&call).await)? {
                Ok(ApiSettings { max_response_items: 0 }) => Err(garbage(&call, "max_response_items is 0")),
                Ok(settings) => Ok(Numbered { size: Some(settings.max_response_items.min(PAGE)) }),
                Err(_) => Ok(Numbered { size: None }),
            }
        };
        self.page.get_or_try_init(ask).await.copied()
    }

    /// Returns the account of the token.
    pub(crate) async fn me(&self) -> Result<Account> {
        let call = Call::get(Operation::Me, self.client.address().at(&["user"]));
        let ask = async || {
            let user: User = self.client.json(&call).await?;
            user.account().ok_or_else(|| garbage(&call, "the account has no ID"))
        };
        self.client.me(ask).await
    }

    /// Gitea has no check runs.
    pub(crate) async fn check_run(&self, _: Option<u64>, _: &CheckRun) -> Result<u64> {
        Err(unsupported("check runs"))
    }

    /// Gitea has no deployments.
    pub(crate) async fn deployment(&self, _: &Deployment) -> Result<u64> {
        Err(unsupported("deployments"))
    }

    /// Gitea has no deployments.
    pub(crate) async fn latest_deployment(&self, _: &str, _: &str) -> Result<Option<FoundDeployment>> {
        Err(unsupported("deployments"))
    }

    /// Gitea has no deployments.
    pub(crate) async fn replace_deployment(&self, _: u64, _: &str) -> Result<()> {
        Err(unsupported("deployments"))
    }

    /// Gitea has no deployments.
    pub(crate) async fn deployment_state(&self, _: u64, _: &str, _: State, _: &str, _: Option<&str>) -> Result<()> {
        Err(unsupported("deployments"))
    }
}

fn unsupported(what: &str) -> Error {
    Error::Unsupported(format!("Gitea and Forgejo have no {what}; use commit statuses"))
}
