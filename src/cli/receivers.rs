//! `[[notify]]` of the daemon's file: the receivers of notifications.

use std::fmt;
use std::path::PathBuf;

use schemars::JsonSchema;
use serde::Deserialize;

use crate::cli::failure::Failure;
use tidegate_daemon::reconciler::notification::{Address, Event, Protocol, Receiver, parse_address};

/// `[[notify]]`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Notify {
    /// The protocol of the receiver.
    pub kind: Protocol,
    /// The address of the receiver, or of the Matrix homeserver. Addresses of Slack and Teams are secrets, and are given in a file.
    #[serde(default)]
    pub url: Option<String>,
    /// A file with the address of the receiver.
    #[serde(default)]
    pub url_file: Option<PathBuf>,
    /// A file with the secret that signs the notifications of a webhook.
    #[serde(default)]
    pub secret_file: Option<PathBuf>,
    /// A file with the access token of Matrix.
    #[serde(default)]
    pub token_file: Option<PathBuf>,
    /// The identity of the room of Matrix, such as `!abc:example.org`.
    #[serde(default)]
    pub room: Option<String>,
    /// The events of which the receiver is notified; all if not given.
    #[serde(default)]
    pub events: Option<Vec<Event>>,
    /// Names of add-ons, in which `*` matches any string; all add-ons if not given.
    #[serde(default)]
    pub addons: Vec<String>,
    /// The address of the journal's pages, such as `https://git.example.com/platform/fleet/src/branch/tidegate/journal`.
    #[serde(default)]
    pub link: Option<String>,
}

impl Notify {
    /// Returns the files that the settings name.
    pub(super) fn paths(&mut self) -> impl Iterator<Item = &mut PathBuf> {
        [&mut self.url_file, &mut self.secret_file, &mut self.token_file].into_iter().flatten()
    }

    /// Returns the receiver with a number, after it has read its secrets once.
    fn receiver(&self, number: usize) -> Result<Receiver, Failure> {
        let Self { kind, url, url_file, secret_file, token_file, room, events, addons, link } = self;
        let usage = |why: &dyn fmt::Display| Failure::Usage(format!("[[notify]] {number} ({kind}): {why}"));
        let is_secret = matches!(kind, Protocol::Slack | Protocol::Teams);
        let address = match (url, url_file) {
            (Some(_), _) if is_secret => {
                return Err(usage(&format_args!(
                    "the address of {kind} is a secret: write it into a file, and name it in url_file"
                )));
            }
            (Some(url), None) => Address::Plain(parse_address(url).map_err(|why| usage(&format_args!("url: {why}")))?),
            (None, Some(file)) => Address::File(file.clone()),
            (None, None) if is_secret => return Err(usage(&"write url_file, a file with the address")),
            _ => return Err(usage(&"write either url or url_file")),
        };
        let is_matrix = *kind == Protocol::Matrix;
        let rules = [
            (secret_file.is_some() && *kind != Protocol::Webhook, "secret_file is for webhooks only; remove it"),
            (token_file.is_some() != is_matrix, "token_file is needed for matrix, and for nothing else"),
            (room.is_some() != is_matrix, "room is needed for matrix, and for nothing else"),
            (
                room.as_ref().is_some_and(|room| !room.starts_with('!')),
                "room must be the identity of a room, which starts with '!', and not an alias",
            ),
            (events.as_ref().is_some_and(Vec::is_empty), "events is empty; leave it out for all events"),
            (addons.iter().any(String::is_empty), "addons contains an empty name"),
        ];
        if let Some((_, why)) = rules.into_iter().find(|(is_broken, _)| *is_broken) {
            return Err(usage(&why));
        }
        let link = link.as_deref().map(parse_address).transpose();
        let link = link.map_err(|why| usage(&format_args!("link: {why}")))?;
        let receiver = Receiver {
            number,
            protocol: *kind,
            address,
            secret_file: secret_file.clone(),
            token_file: token_file.clone(),
            room: room.clone().unwrap_or_default(),
            events: events.clone().unwrap_or_else(|| Event::ALL.to_vec()),
            addons: addons.clone(),
            link,
        };
        receiver.secrets().map_err(|why| usage(&why))?;
        Ok(receiver)
    }
}

/// Returns the receivers, after it has read their secrets once.
pub(super) fn receivers(settings: &[Notify]) -> Result<Vec<Receiver>, Failure> {
    settings.iter().zip(1..).map(|(setting, number)| setting.receiver(number)).collect()
}
