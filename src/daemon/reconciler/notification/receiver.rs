//! A receiver of notifications: where it is, which secrets it needs, and what it wants to know.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use reqwest::Url;
use schemars::JsonSchema;
use serde::Deserialize;

use super::event::Event;
use super::notice::Notice;
use crate::reconciler::standard_webhook;
use tidegate_model::glob;

/// The protocol of a receiver.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Protocol {
    /// JSON, for any program.
    Webhook,
    /// An incoming webhook of Slack.
    Slack,
    /// A workflow of Microsoft Teams that posts an Adaptive Card.
    Teams,
    /// A room of Matrix.
    Matrix,
}

impl fmt::Display for Protocol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Webhook => "webhook",
            Self::Slack => "slack",
            Self::Teams => "teams",
            Self::Matrix => "matrix",
        })
    }
}

/// An address, which may contain a secret.
#[derive(Clone, PartialEq, Eq)]
pub enum Address {
    /// The address itself.
    Plain(Url),
    /// A file with the address.
    File(PathBuf),
}

/// A receiver.
#[derive(Clone, PartialEq, Eq)]
pub struct Receiver {
    /// Its position in the configuration, from 1.
    pub number: usize,
    /// Its protocol.
    pub protocol: Protocol,
    /// Its address. Of Matrix, that of the homeserver.
    pub address: Address,
    /// A file with the secret that signs the notifications of a webhook.
    pub secret_file: Option<PathBuf>,
    /// A file with the access token of Matrix.
    pub token_file: Option<PathBuf>,
    /// The room of Matrix.
    pub room: String,
    /// The events that it wants to know.
    pub events: Vec<Event>,
    /// Patterns for the names of add-ons; empty for all, and for news that concerns no single add-on.
    pub addons: Vec<String>,
    /// The address of the journal's pages, without a slash at the end.
    pub link: Option<Url>,
}

/// The secrets of a receiver, as they were read for one notification.
#[derive(Clone)]
pub struct Secrets {
    /// The address.
    pub address: Url,
    /// The key that signs notifications.
    pub key: Option<Vec<u8>>,
    /// The access token.
    pub token: Option<String>,
}

/// A string that is not the address of a receiver. It is not shown, since it may be a secret.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("it is not an address that starts with https:// or http://, without a user")]
pub struct InvalidAddress;

/// Which file of secrets cannot be used, and why. The content of a file is not part of it.
#[derive(Debug, thiserror::Error)]
pub enum NoSecret {
    /// The file of a setting cannot be read.
    #[error("{setting} {} cannot be read: {why}", path.display())]
    Unreadable {
        /// The setting.
        setting: &'static str,
        /// The file.
        path: PathBuf,
        /// Why it cannot be read.
        why: io::Error,
    },
    /// The file of a setting is empty.
    #[error("{setting} {} is empty", path.display())]
    Empty {
        /// The setting.
        setting: &'static str,
        /// The file.
        path: PathBuf,
    },
    /// The file of an address contains something else.
    #[error("url_file {}: {why}", path.display())]
    Address {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        why: InvalidAddress,
    },
    /// The key in a file is malformed.
    #[error("secret_file {} {why}", path.display())]
    Key {
        /// The file.
        path: PathBuf,
        /// What is wrong, as the end of a sentence.
        why: &'static str,
    },
    /// The access token has characters that cannot be sent.
    #[error("token_file contains characters that no access token has; write the token alone")]
    Token,
}

impl Receiver {
    /// Returns `true` if the receiver wants to know a notice.
    pub fn wants(&self, notice: &Notice) -> bool {
        let is_named = match &notice.addon {
            Some(addon) => self.addons.iter().any(|pattern| glob::matches(pattern, addon.as_str())),
            None => false,
        };
        self.events.contains(&notice.event) && (self.addons.is_empty() || is_named)
    }

    /// Reads the secrets from their files.
    ///
    /// # Errors
    /// [`NoSecret`]
    pub fn secrets(&self) -> Result<Secrets, NoSecret> {
        let address = match &self.address {
            Address::Plain(url) => url.clone(),
            Address::File(path) => {
                let url = read("url_file", path)?;
                parse_address(&url).map_err(|why| NoSecret::Address { path: path.clone(), why })?
            }
        };
        let key = self.secret_file.as_deref().map(key).transpose()?;
        let token = self.token_file.as_deref().map(|path| read("token_file", path)).transpose()?;
        if token.as_ref().is_some_and(|token| token.contains(|c: char| !c.is_ascii_graphic())) {
            return Err(NoSecret::Token);
        }
        Ok(Secrets { address, key, token })
    }
}

/// Displays as the place in the configuration. Its address may be a secret.
impl fmt::Display for Receiver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[[notify]] {} ({})", self.number, self.protocol)
    }
}

impl fmt::Debug for Receiver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// Parses the address of a receiver.
///
/// # Errors
/// [`InvalidAddress`]
pub fn parse_address(address: &str) -> Result<Url, InvalidAddress> {
    let url = Url::parse(address).map_err(|_| InvalidAddress)?;
    let is_usable = matches!(url.scheme(), "https" | "http") && url.has_host() && url.username().is_empty();
    if is_usable { Ok(url) } else { Err(InvalidAddress) }
}

/// Reads the key that signs notifications: the decoded rest of a secret that starts with `whsec_`, or else its bytes.
fn key(path: &Path) -> Result<Vec<u8>, NoSecret> {
    let secret = read("secret_file", path)?;
    match standard_webhook::key(&secret) {
        Some(key) => key.map_err(|why| NoSecret::Key { path: path.to_owned(), why }),
        None => Ok(secret.into_bytes()),
    }
}

fn read(setting: &'static str, path: &Path) -> Result<String, NoSecret> {
    let content = std::fs::read_to_string(path);
    let content = content.map_err(|why| NoSecret::Unreadable { setting, path: path.to_owned(), why })?;
    match content.trim() {
        "" => Err(NoSecret::Empty { setting, path: path.to_owned() }),
        content => Ok(content.to_owned()),
    }
}
