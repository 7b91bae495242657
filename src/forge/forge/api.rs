//! A forge, whatever API it has.

use std::sync::Arc;

use reqwest::ClientBuilder;
use tidegate_model::forge::ForgeKind;

use crate::auth::TokenSource;
use crate::client::Client;
use crate::error::{Error, Result};
use crate::gitea::Gitea;
use crate::github::GitHub;
use crate::gitlab::GitLab;
use crate::settings::{Auth, Settings};
use crate::values::Limits;
use crate::wire::{Address, Transport, Usage, Wire};

/// One project on a forge. Clones share one queue of requests, one budget and one cache.
///
/// # Guarantees
/// Requests are sent one at a time, and only to the origin in the settings. Each request is sent once: retries are a decision of
/// the caller. A list is complete, or there is an error. While the forge refuses requests, each call fails at once with
/// [`Error::Limited`].
#[derive(Clone)]
pub struct Forge(pub(super) Arc<Api>);

/// The API that the forge has.
pub(super) enum Api {
    GitHub(GitHub),
    GitLab(GitLab),
    Gitea(Gitea),
}

/// Calls the same method of any API. Its error is freed of tokens.
macro_rules! call {
    ($forge:expr, $api:ident => $call:expr) => {
        match &*$forge.0 {
            $crate::forge::api::Api::GitHub($api) => $call.await,
            $crate::forge::api::Api::GitLab($api) => $call.await,
            $crate::forge::api::Api::Gitea($api) => $call.await,
        }
        .map_err(|error| $forge.client().scrubbed(error))
    };
}

pub(super) use call;

impl Forge {
    /// Creates the client for a project. The caller has installed a TLS provider, and `builder` has its settings for certificates
    /// and proxies. No request is sent.
    ///
    /// # Errors
    /// [`Error::Settings`] if the settings do not fit together.
    pub fn new(settings: Settings, builder: ClientBuilder) -> Result<Self> {
        Self::with(settings, || Transport::http(builder))
    }

    /// Creates the client for a project whose forge this transport reaches. No request is sent.
    ///
    /// # Errors
    /// [`Error::Settings`] if the settings do not fit together.
    pub fn over(settings: Settings, transport: Transport) -> Result<Self> {
        Self::with(settings, || Ok(transport))
    }

    fn with(settings: Settings, transport: impl FnOnce() -> Result<Transport>) -> Result<Self> {
        let Settings { kind, url, project, auth, budget, write_gap, clock } = settings;
        if kind != ForgeKind::GitHub && matches!(auth, Auth::App { .. }) {
            return Err(Error::Settings(format!("only GitHub has Apps; write a token file for {kind}")));
        }
        let wire = Wire::new(kind, Address::new(&url)?, transport()?, budget, clock);
        let client = Client::new(wire, TokenSource::new(auth, &project), write_gap);
        let api = match kind {
            ForgeKind::GitHub => {
                let (owner, name) = owner_and_name(&project)?;
                Api::GitHub(GitHub::new(client, owner, name))
            }
            ForgeKind::GitLab => {
                path_in_group(&project)?;
                Api::GitLab(GitLab::new(client, project))
            }
            ForgeKind::Gitea => {
                let (owner, name) = owner_and_name(&project)?;
                Api::Gitea(Gitea::new(client, owner, name))
            }
        };
        Ok(Self(Arc::new(api)))
    }

    pub(super) fn client(&self) -> &Client {
        match &*self.0 {
            Api::GitHub(api) => &api.client,
            Api::GitLab(api) => &api.client,
            Api::Gitea(api) => &api.client,
        }
    }

    /// Returns the API that the forge has.
    pub fn kind(&self) -> ForgeKind {
        self.client().kind()
    }

    /// Returns the limits of the forge.
    ///
    /// # Source
    /// GitHub and GitLab check them. Gitea has none; its comments get GitHub's limit, and its status texts GitLab's.
    pub fn limits(&self) -> Limits {
        match self.kind() {
            ForgeKind::GitHub => Limits { comment: 65_536, status_text: 140 },
            ForgeKind::GitLab => Limits { comment: 1_000_000, status_text: 255 },
            ForgeKind::Gitea => Limits { comment: 65_536, status_text: 255 },
        }
    }

    /// Returns what was sent so far.
    pub fn usage(&self) -> Usage {
        self.client().usage()
    }
}

impl std::fmt::Debug for Forge {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Forge({})", self.kind())
    }
}

/// Returns `true` if no part of a path is empty or has a special meaning in an address.
pub(super) fn is_path(path: &str) -> bool {
    path.split('/').all(|part| !matches!(part, "" | "." | ".."))
}

/// Splits the path of a project that is not in a group.
fn owner_and_name(project: &str) -> Result<(String, String)> {
    match project.split_once('/') {
        Some((owner, name)) if is_path(project) && !name.contains('/') => Ok((owner.to_owned(), name.to_owned())),
        _ => Err(Error::Settings(format!(
            "{project:?} is not the path of a project; write its owner and name, such as platform/fleet"
        ))),
    }
}

/// Checks the path of a project that is in a group.
fn path_in_group(project: &str) -> Result<()> {
    if is_path(project) && project.contains('/') {
        return Ok(());
    }
    Err(Error::Settings(format!(
        "{project:?} is not the path of a project; write its groups and name, such as group/subgroup/fleet"
    )))
}
