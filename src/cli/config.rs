//! The configuration file of the daemon, in TOML. Flags take precedence over it.
//!
//! The trusted keys are configured here, and not in the repository that they verify.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, de::Error as _};

use crate::cli::args::{Span, at_least_a_second};
use crate::cli::failure::Failure;
use crate::cli::forge_settings;
use crate::cli::receivers::Notify;
use tidegate_daemon::reconciler::source::{Commits, Rewrites};
use tidegate_daemon::telemetry::log::Format;
use tidegate_delivery::upstream::DeliveryMode;
use tidegate_model::instance;
use tidegate_model::name::NamespacedName;
use tidegate_model::position::line_and_column;
use tidegate_model::revision::CommitId;
use tidegate_repository::{Adopt, AllowedKind, OperatorRules, allowed_kinds};

/// The settings in the file. A setting that is left out has its default.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(super) struct File {
    /// `[source]`: the config repository, and how to reach it.
    pub source: Source,
    /// `[verify]`: which revisions are trusted.
    pub verify: Verify,
    /// `[approvals]`: what the operator lets count for approvals.
    pub approvals: Approvals,
    /// `[journal]`: where and how the journal is kept.
    pub journal: Journal,
    /// `[webhook]`: which webhooks may make the daemon poll Git at once.
    pub webhook: Webhook,
    /// `[instance]`: the name of this instance.
    pub instance: Instance,
    /// `[replicas]`: how several processes of this daemon elect a leader.
    pub replicas: Replicas,
    /// `[log]`: how the daemon writes its log.
    pub log: Log,
    /// `[delivery]`: who renders add-ons and writes their works.
    pub delivery: Delivery,
    /// `[policies]`: the rules that every change must obey.
    pub policies: Policies,
    /// `[hub]`: what a repository may declare on the hub.
    pub hub: Hub,
    /// `[adopt]`: whose objects are taken over if the repository declares them.
    pub adopt: Adopt,
    /// `[events]`: the Kubernetes Events that the daemon writes to the hub.
    pub events: Events,
    /// `[forge]`: the forge on which changes are reviewed.
    pub forge: Option<forge_settings::Section>,
    /// `[people]`: people whom no repository can redefine, with their addresses, keys and accounts by alias.
    pub people: BTreeMap<String, Vec<String>>,
    /// `[checks]`: the servers that the checks of policies may ask.
    pub checks: Checks,
    /// `[[notify]]`: the receivers of notifications.
    pub notify: Vec<Notify>,
}

/// `[instance]`.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Instance {
    /// The readable name of the instance. Messages of other instances on the same hub show it with its identity.
    #[serde(deserialize_with = "instance_name")]
    pub name: Option<String>,
}

/// `[replicas]`.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Replicas {
    /// The Lease on the hub by which replicas elect a leader, as `namespace/name`. Each instance needs its own.
    #[serde(deserialize_with = "lease")]
    #[schemars(with = "Option<String>")]
    pub lease: Option<NamespacedName>,
}

/// `[source]`.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Source {
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
pub(super) struct Verify {
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
pub(super) struct Approvals {
    /// Whether the authors that commits name are believed, although neither a trusted key nor the forge vouches for them.
    pub claimed_authors: bool,
}

/// `[journal]`.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Journal {
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
pub(super) struct Webhook {
    /// The address on which webhooks are received, such as `0.0.0.0:8081`. Nothing else is served there.
    pub listen: Option<String>,
    /// A file with the secret that the forge uses.
    pub secret_file: Option<PathBuf>,
    /// A file with the signing token of GitLab, which starts with `whsec_`.
    pub gitlab_signing_token_file: Option<PathBuf>,
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
pub(super) struct Log {
    /// The format of log lines: `text`, `json`, or `auto`, which is text on a terminal and JSON elsewhere.
    #[serde(deserialize_with = "log_format")]
    #[schemars(with = "Option<String>", extend("enum" = ["text", "json", "auto"]))]
    pub format: Option<Format>,
}

/// `[delivery]`.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Delivery {
    /// `auto` (the default): OCM's add-on manager if it runs, otherwise Tidegate. `native`: Tidegate. `upstream`: OCM's add-on manager.
    pub mode: DeliveryMode,
}

/// `[hub]`.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Hub {
    /// The kinds that a repository may declare, in addition to those of OCM and what they refer to.
    #[serde(deserialize_with = "allowed_kinds")]
    pub kinds: Vec<AllowedKind>,
}

/// `[events]`.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Events {
    /// Whether news is written to the hub as Kubernetes Events; `true` if not given.
    pub enabled: Option<bool>,
}

/// `[policies]`.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Policies {
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
pub(super) struct Checks {
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

impl File {
    /// Reads the file, if one is given. Paths in it are relative to its directory.
    pub(super) fn read(path: Option<&Path>) -> Result<Self, Failure> {
        let Some(path) = path else { return Ok(Self::default()) };
        let text = std::fs::read_to_string(path).map_err(|error| {
            Failure::Usage(format!("--config {}: {error}; name a TOML file that can be read", path.display()))
        })?;
        let mut file = Self::parse(&text).map_err(|why| Failure::Usage(format!("{}:{why}", path.display())))?;
        let directory = path.parent().unwrap_or(Path::new(""));
        file.paths().for_each(|path| *path = directory.join(&path));
        if let Some(url) = file.source.url.as_mut().filter(|url| is_path(url)) {
            *url = directory.join(&url).to_string_lossy().into_owned();
        }
        Ok(file)
    }

    /// Returns what the operator lets the repository do on the hub.
    pub(super) fn operator(&self) -> Arc<OperatorRules> {
        Arc::new(OperatorRules { kinds: self.hub.kinds.clone(), adopt: self.adopt.clone() })
    }

    /// Parses the content of the file; an error message starts with line and column.
    fn parse(text: &str) -> Result<Self, String> {
        toml::from_str(text).map_err(|error| {
            let (line, column) = line_and_column(text, error.span().map_or(0, |span| span.start));
            format!("{line}:{column}: {}", error.message().replace('\n', " "))
        })
    }

    fn paths(&mut self) -> impl Iterator<Item = &mut PathBuf> {
        let Self {
            source,
            verify,
            approvals: _,
            journal,
            webhook,
            policies,
            notify: receivers,
            forge,
            instance: _,
            replicas: _,
            log: _,
            delivery: _,
            hub: _,
            adopt: _,
            events: _,
            checks: _,
            people: _,
        } = self;
        let forge = forge.iter_mut().flat_map(|forge| {
            let key = forge.app.as_mut().map(|app| &mut app.key_file);
            forge.token_file.iter_mut().chain(key)
        });
        let single = [
            &mut source.token_file,
            &mut source.ca_file,
            &mut source.ssh_key_file,
            &mut source.known_hosts_file,
            &mut journal.signing_key_file,
            &mut webhook.secret_file,
            &mut webhook.gitlab_signing_token_file,
        ];
        single
            .into_iter()
            .flatten()
            .chain(&mut verify.trusted_keys)
            .chain(&mut policies.files)
            .chain(&mut policies.rollouts)
            .chain(forge)
            .chain(receivers.iter_mut().flat_map(Notify::paths))
    }
}

/// Returns `true` if an address is a path on this machine: neither a URL nor `user@host:path`.
fn is_path(url: &str) -> bool {
    !url.contains("://") && url.split('/').next().is_none_or(|first| !first.contains(':'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_setting_is_read_and_paths_are_relative_to_the_file() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("daemon.toml");
        let text = r#"
            [source]
            url = "https://git.example.com/fleet.git"
            ref = ">=1.2 <2"
            path = "overlays/prod"
            poll = "30s"
            token_file = "token"
            user = "oauth2"
            ca_file = "/etc/ca.pem"
            ssh_key_file = "id"
            known_hosts_file = "known_hosts"
            [verify]
            commits = "every"
            trusted_keys = ["allowed_signers", "keyring.asc"]
            rewrites = "signed"
            [journal]
            branch = "status"
            interval = "5s"
            signing_key_file = "journal-key"
            [webhook]
            secret_file = "secret"
            gitlab_signing_token_file = "signing-token"
            [log]
            format = "text"
            [events]
            enabled = false
            [policies]
            files = ["floor.yaml"]
            [hub]
            kinds = [
              { kind = "ConfigMap", namespaces = ["shop"] },
              { kind = "ClusterRole", group = "rbac.authorization.k8s.io", names = ["reader"] },
            ]
            [adopt]
            instances = ["3f2a9c0d1e2f3a4b"]
            objects = [{ kind = "Namespace", name = "shop" }]
        "#;
        std::fs::write(&path, text).unwrap();
        let file = File::read(Some(&path)).unwrap_or_else(|failure| panic!("{failure:?}"));
        assert_eq!(file.source.token_file, Some(directory.path().join("token")));
        assert_eq!(file.source.ca_file.as_deref(), Some(Path::new("/etc/ca.pem")));
        assert_eq!(file.verify.trusted_keys[1], directory.path().join("keyring.asc"));
        assert_eq!((file.verify.commits, file.verify.rewrites), (Some(Commits::Every), Rewrites::Signed));
        assert_eq!(file.journal.interval.map(|span| span.0.as_secs()), Some(5));
        assert_eq!(file.webhook.secret_file, Some(directory.path().join("secret")));
        assert_eq!(file.webhook.gitlab_signing_token_file, Some(directory.path().join("signing-token")));
        assert_eq!(file.policies.files, [directory.path().join("floor.yaml")]);
        assert_eq!((file.log.format, file.events.enabled), (Some(Format::Text), Some(false)));
        let operator = file.operator();
        assert_eq!((operator.kinds.len(), operator.kinds[0].namespaces.as_slice()), (2, &["shop".to_owned()][..]));
        assert_eq!((operator.adopt.instances.len(), operator.adopt.objects[0].name.as_str()), (1, "shop"));
    }

    #[test]
    fn the_path_of_a_local_repository_is_relative_to_the_file() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("daemon.toml");
        let url = |text: &str| {
            std::fs::write(&path, format!("[source]\nurl = {text:?}\n")).unwrap();
            File::read(Some(&path)).unwrap_or_else(|failure| panic!("{failure:?}")).source.url.unwrap()
        };
        assert_eq!(url("fleet.git"), directory.path().join("fleet.git").to_string_lossy());
        for kept in ["/srv/fleet.git", "https://git.example.com/fleet.git", "git@git.example.com:fleet.git"] {
            assert_eq!(url(kept), kept);
        }
    }

    #[test]
    fn mistakes_are_reported_with_line_and_column() {
        let complaint = |text: &str| File::parse(text).err().unwrap_or_default();
        assert!(
            complaint("[source]\nurl = 3\n").starts_with("2:7: invalid type"),
            "{}",
            complaint("[source]\nurl = 3\n")
        );
        let unknown = complaint("[verify]\ncommit = \"tip\"\n");
        assert!(unknown.starts_with("2:1: unknown field `commit`, expected one of `commits`"), "{unknown}");
        let word = complaint("[verify]\nrewrites = \"never\"\n");
        assert!(word.contains("unknown variant `never`, expected one of `accept`, `refuse`, `signed`"), "{word}");
        assert!(complaint("[source]\npoll = \"soon\"\n").contains("write a span such as \"30s\""));
        assert!(complaint("[source\n").starts_with("1:"));
        let work =
            complaint("[hub]\nkinds = [{ kind = \"ManifestWork\", group = \"work.open-cluster-management.io\" }]\n");
        assert!(work.starts_with("2:9: ManifestWork.work.open-cluster-management.io cannot be allowed: "), "{work}");
        let all = complaint("[hub]\nkinds = [{ kind = \"ClusterRole\", group = \"rbac.authorization.k8s.io\" }]\n");
        assert!(all.contains("so the entry needs names = [...]"), "{all}");
        let format = complaint("[log]\nformat = \"xml\"\n");
        assert!(format.contains("\"xml\" is not a log format; write text, json or auto"), "{format}");
    }
}
