//! The configuration file of the daemon, in TOML. Flags take precedence over it.
//!
//! The trusted keys are configured here, and not in the repository that they verify.

mod sections;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use schemars::JsonSchema;
use serde::Deserialize;

use crate::cli::failure::Failure;
use crate::cli::forge_settings;
use crate::cli::receivers::Notify;
use sections::{Approvals, Checks, Delivery, Events, Hub, Instance, Journal, Log, Policies, Replicas, Source};
pub(super) use sections::{Page, PageProxy, PageTls, Verify, Webhook};
use tidegate_model::position::line_and_column;
use tidegate_repository::{Adopt, OperatorRules};

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
    /// `[page]`: who may see the page.
    pub page: Page,
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

/// A mistake in the file.
#[derive(Debug, thiserror::Error)]
#[error("{line}:{column}: {message}")]
struct Malformed {
    line: usize,
    column: usize,
    message: String,
}

impl File {
    /// Reads the file, if one is given. Paths in it are relative to its directory.
    pub(super) fn read(path: Option<&Path>) -> Result<Self, Failure> {
        let Some(path) = path else { return Ok(Self::default()) };
        let text = std::fs::read_to_string(path).map_err(|error| {
            Failure::Usage(format!("--config {}: {error}; name a TOML file that can be read", path.display()))
        })?;
        let mut file =
            Self::parse(&text).map_err(|complaint| Failure::Usage(format!("{}:{complaint}", path.display())))?;
        let directory = path.parent().unwrap_or(Path::new(""));
        file.paths().for_each(|path| *path = directory.join(&path));
        if let Some(url) = file.source.url.as_mut().filter(|url| is_path(url)) {
            *url = directory.join(&url).to_string_lossy().into_owned();
        }
        Ok(file)
    }

    /// Returns what the operator lets the repository do on the hub.
    pub(super) fn operator(&self) -> Arc<OperatorRules> {
        Arc::new(OperatorRules {
            kinds: self.hub.kinds.clone(),
            adopt: self.adopt.clone(),
            people: self.people.clone(),
        })
    }

    /// Parses the content of the file.
    fn parse(text: &str) -> Result<Self, Malformed> {
        toml::from_str(text).map_err(|error| {
            let (line, column) = line_and_column(text, error.span().map_or(0, |span| span.start));
            Malformed { line, column, message: error.message().replace('\n', " ") }
        })
    }

    fn paths(&mut self) -> impl Iterator<Item = &mut PathBuf> {
        let Self {
            source,
            verify,
            approvals: _,
            journal,
            webhook,
            page,
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
        let tls = page.tls.iter_mut().flat_map(|tls| [&mut tls.certificate_file, &mut tls.key_file]);
        let single = [
            &mut source.token_file,
            &mut source.ca_file,
            &mut source.ssh_key_file,
            &mut source.known_hosts_file,
            &mut journal.signing_key_file,
            &mut webhook.secret_file,
            &mut webhook.gitlab_signing_token_file,
            &mut page.token_file,
        ];
        single
            .into_iter()
            .flatten()
            .chain(&mut verify.trusted_keys)
            .chain(&mut policies.files)
            .chain(&mut policies.rollouts)
            .chain(forge)
            .chain(tls)
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
    use tidegate_daemon::reconciler::source::{Commits, Rewrites};
    use tidegate_daemon::telemetry::log::Format;

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
            [replicas]
            lease = "tidegate/prod"
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
        assert_eq!(file.replicas.lease.as_ref().map(ToString::to_string).as_deref(), Some("tidegate/prod"));
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
        let complaint = |text: &str| File::parse(text).err().unwrap().to_string();
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
