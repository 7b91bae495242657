//! The sections of the daemon's configuration file.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, de::Error as _};

use crate::cli::args::{Span, at_least_a_second};
use tidegate_daemon::reconciler::source::{Commits, Rewrites};
use tidegate_daemon::telemetry::log::Format;
use tidegate_delivery::upstream::DeliveryMode;
use tidegate_model::instance;
use tidegate_model::name::NamespacedName;
use tidegate_model::revision::CommitId;
use tidegate_repository::{AllowedKind, allowed_kinds};

/// `[instance]`.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(in crate::cli) struct Instance {
    /// The readable name of the instance. Messages of other instances on the same hub show it with its identity.
    #[serde(deserialize_with = "instance_name")]
    pub name: Option<String>,
}

/// `[replicas]`.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(in crate::cli) struct Replicas {
    /// The Lease on the hub by which replicas elect a leader, as `namespace/name`. Each instance needs its own.
    #[serde(deserialize_with = "lease")]
    #[schemars(with = "Option<String>")]
    pub lease: Option<NamespacedName>,
}

/// `[source]`.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(in crate::cli) struct Source {
    /// Address of the config repository.
    pub url: Option<String>,
    /// What to follow: a branch, a tag, or a range of version tags.
    #[serde(rename = "ref")]
    pub reference: Option<String>,
    /// The directory of declarations, instead of the one in `tidegate.toml`.
    pub path: Option<String>,
    /// How often Git is polled.
    #[serde(deserialize_with = "span")]
    #[schemars(with = "Option<String>")]
    pub poll: Option<Span>,
    /// A file with the access token or password.
    pub token_file: Option<PathBuf>,
    /// The user name for the token.
    pub user: Option<String>,
    /// A PEM file with certificates to trust, in addition to the public ones.
    pub ca_file: Option<PathBuf>,
    /// A file with the private key for ssh.
    pub ssh_key_file: Option<PathBuf>,
    /// A file with the hosts to which ssh may connect, and their keys.
    pub known_hosts_file: Option<PathBuf>,
}

/// `[verify]`.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(in crate::cli) struct Verify {
    /// Which commits must be signed.
    pub commits: Option<Commits>,
    /// Files of trusted keys: allowed signers of ssh, and OpenPGP keyrings.
    pub trusted_keys: Vec<PathBuf>,
    /// What to do if history was rewritten.
    pub rewrites: Rewrites,
}

/// `[approvals]`.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(in crate::cli) struct Approvals {
    /// Whether the authors that commits name are believed, although neither a trusted key nor the forge vouches for them.
    pub claimed_authors: bool,
}

/// `[journal]`.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(in crate::cli) struct Journal {
    /// The branch, instead of the one in `tidegate.toml`.
    pub branch: Option<String>,
    /// How long changes are gathered into one commit.
    #[serde(deserialize_with = "span")]
    #[schemars(with = "Option<String>")]
    pub interval: Option<Span>,
    /// A file with the private ssh key that signs commits.
    pub signing_key_file: Option<PathBuf>,
    /// A commit of the journal that you have checked, such as its last one before commits were signed, or before the key was replaced.
    #[serde(deserialize_with = "commit")]
    #[schemars(with = "Option<String>")]
    pub trusted_commit: Option<CommitId>,
}

/// `[webhook]`.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(in crate::cli) struct Webhook {
    /// The address on which webhooks are received, such as `0.0.0.0:8081`. Nothing else is served there.
    pub listen: Option<String>,
    /// A file with the secret that the forge uses.
    pub secret_file: Option<PathBuf>,
    /// A file with the signing token of GitLab, which starts with `whsec_`.
    pub gitlab_signing_token_file: Option<PathBuf>,
}

/// `[page]`.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(in crate::cli) struct Page {
    /// A file with the token that readers of the page give as a bearer token or as a password. Without it or `proxy`, the page is served only if
    /// `--listen` is a loopback address.
    pub token_file: Option<PathBuf>,
    /// `[page.proxy]`: proxies that authenticate readers, in place of a token.
    pub proxy: Option<PageProxy>,
    /// `[page.tls]`: the certificate with which the page is served.
    pub tls: Option<PageTls>,
}

/// `[page.tls]`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::cli) struct PageTls {
    /// A file with the server certificate and any intermediates, in PEM format.
    pub certificate_file: PathBuf,
    /// A file with the private key in PEM format, not encrypted.
    pub key_file: PathBuf,
}

/// `[page.proxy]`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::cli) struct PageProxy {
    /// The addresses of the proxies, or their networks, such as `10.0.0.7` or `10.1.0.0/16`. No one else may connect.
    pub addresses: Vec<String>,
    /// The header with the name of the reader; `X-Forwarded-User` if not given. The proxy must remove it from the requests of readers.
    #[serde(default = "user_header")]
    pub user_header: String,
    /// The header with the groups of the reader, separated by commas; `X-Forwarded-Groups` if not given. The proxy must remove it from the
    /// requests of readers.
    #[serde(default = "groups_header")]
    pub groups_header: String,
    /// The groups that may see the page; without them, every reader that the proxy lets through.
    #[serde(default)]
    pub groups: Vec<String>,
}

fn user_header() -> String {
    "X-Forwarded-User".to_owned()
}

fn groups_header() -> String {
    "X-Forwarded-Groups".to_owned()
}

fn instance_name<'de, D: Deserializer<'de>>(from: D) -> Result<Option<String>, D::Error> {
    let name = String::deserialize(from)?;
    instance::check_name(&name).map(|()| Some(name)).map_err(D::Error::custom)
}

fn lease<'de, D: Deserializer<'de>>(from: D) -> Result<Option<NamespacedName>, D::Error> {
    String::deserialize(from)?.parse().map(Some).map_err(D::Error::custom)
}

/// `[log]`.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(in crate::cli) struct Log {
    /// The format of log lines: `text`, `json`, or `auto`, which is text on a terminal and JSON elsewhere.
    #[serde(deserialize_with = "log_format")]
    #[schemars(with = "Option<String>", extend("enum" = ["text", "json", "auto"]))]
    pub format: Option<Format>,
}

/// `[delivery]`.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(in crate::cli) struct Delivery {
    /// `auto` (the default): OCM's add-on manager if it runs, otherwise Tidegate. `native`: Tidegate. `upstream`: OCM's add-on manager.
    pub mode: DeliveryMode,
}

/// `[hub]`.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(in crate::cli) struct Hub {
    /// The kinds that a repository may declare, in addition to those of OCM and what they refer to.
    #[serde(deserialize_with = "allowed_kinds")]
    pub kinds: Vec<AllowedKind>,
}

/// `[events]`.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(in crate::cli) struct Events {
    /// Whether news is written to the hub as Kubernetes Events; `true` if not given.
    pub enabled: Option<bool>,
}

/// `[policies]`.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(in crate::cli) struct Policies {
    /// Files of PlanPolicy documents. Every change must obey them, in addition to those of the repository.
    pub files: Vec<PathBuf>,
    /// Files of RolloutPolicy documents. They apply to every rollout, in addition to those of the repository.
    pub rollouts: Vec<PathBuf>,
    /// How long a change of policies, people, labels or annotations of clusters waits until it takes effect without an approval. If not given,
    /// it waits until the rules before it approve it.
    #[serde(deserialize_with = "span")]
    #[schemars(with = "Option<String>")]
    pub delay: Option<Span>,
}

/// `[checks]`.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(in crate::cli) struct Checks {
    /// The origins that checks may ask, such as `https://prometheus.example.com`. If empty, no check that asks a server has a result.
    pub allow: Vec<String>,
}

fn commit<'de, D: Deserializer<'de>>(from: D) -> Result<Option<CommitId>, D::Error> {
    let text = String::deserialize(from)?;
    text.parse().map(Some).map_err(|_| D::Error::custom(format!("{text:?} is no commit; write all of its digits")))
}

fn log_format<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Format>, D::Error> {
    String::deserialize(from)?.parse().map(Some).map_err(D::Error::custom)
}

fn span<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Span>, D::Error> {
    let text = String::deserialize(from)?;
    at_least_a_second(&text).map(Some).map_err(|why| D::Error::custom(format!("{why}; write a span such as \"30s\"")))
}
