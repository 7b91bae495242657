//! Types of arguments that several commands have.

use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use clap::{Args as ClapArgs, ValueEnum};

use tidegate_model::time::{InvalidDuration, parse_go_duration};

/// A duration such as `30s`, `5m` or `1h30m`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Span(pub Duration);

/// A string that is not a duration that an argument accepts.
#[derive(Debug, thiserror::Error)]
pub(crate) enum InvalidSpan {
    #[error(transparent)]
    Malformed(#[from] InvalidDuration),
    #[error("{0:?} is negative")]
    Negative(String),
    #[error("{0:?} is less than a second")]
    Short(String),
}

impl FromStr for Span {
    type Err = InvalidSpan;

    fn from_str(text: &str) -> Result<Self, InvalidSpan> {
        let span = Duration::try_from(parse_go_duration(text)?);
        span.map(Self).map_err(|_| InvalidSpan::Negative(text.to_owned()))
    }
}

/// Parses a duration of at least a second: shorter intervals would put too much load on others.
pub(crate) fn at_least_a_second(text: &str) -> Result<Span, InvalidSpan> {
    let span: Span = text.parse()?;
    if span.0 < Duration::from_secs(1) { Err(InvalidSpan::Short(text.to_owned())) } else { Ok(span) }
}

/// Whether something is enabled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Switch {
    /// Enable it
    On,
    /// Disable it
    Off,
}

impl Switch {
    /// Returns `true` for [`Switch::On`].
    pub(crate) fn is_on(self) -> bool {
        self == Self::On
    }
}

/// What the operator of the hub lets a repository do.
#[derive(Debug, Clone, Default, ClapArgs)]
pub(crate) struct OperatorArgs {
    /// Let the repository declare the kinds that this file of the daemon allows on the hub ([hub] kinds)
    #[arg(long, env = "TIDEGATE_CONFIG", value_name = "FILE")]
    pub config: Option<PathBuf>,
}

/// How to reach the config repository.
#[derive(Debug, Clone, Default, ClapArgs)]
#[command(next_help_heading = "Repository")]
pub(crate) struct SourceArgs {
    /// Read options from this TOML file; flags take precedence
    #[arg(long, env = "TIDEGATE_CONFIG", value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Follow this config repository: a path, or a file://, http://, https:// or ssh:// URL
    #[arg(long, env = "TIDEGATE_SOURCE", value_name = "URL")]
    pub source: Option<String>,
    /// Follow this branch, tag, or range of version tags such as ">=1.2 <2" [default: main]
    #[arg(long = "ref", visible_alias = "branch", env = "TIDEGATE_REF", value_name = "REF")]
    pub reference: Option<String>,
    /// Use this branch for the journal, instead of the one in tidegate.toml
    #[arg(long, env = "TIDEGATE_JOURNAL_BRANCH", value_name = "BRANCH")]
    pub journal_branch: Option<String>,
    /// Read the access token or password for Git from this file; it is read again at each use, so it may be rotated. Without it,
    /// the environment variable TIDEGATE_GIT_TOKEN may contain the token itself
    #[arg(long, env = "TIDEGATE_GIT_TOKEN_FILE", value_name = "FILE", help_heading = "Access to Git")]
    pub git_token_file: Option<PathBuf>,
    /// Use this user name with the token, instead of the one in the URL or the one that the forge expects
    #[arg(long, env = "TIDEGATE_GIT_USER", value_name = "NAME", help_heading = "Access to Git")]
    pub git_user: Option<String>,
    /// Trust the certificates in this PEM file, in addition to the public ones
    #[arg(long, env = "TIDEGATE_GIT_CA_FILE", value_name = "FILE", help_heading = "Access to Git")]
    pub git_ca_file: Option<PathBuf>,
    /// Use this private key for ssh
    #[arg(long, env = "TIDEGATE_GIT_SSH_KEY_FILE", value_name = "FILE", help_heading = "Access to Git")]
    pub git_ssh_key_file: Option<PathBuf>,
    /// Allow ssh only to the hosts in this file, with their keys
    #[arg(long, env = "TIDEGATE_GIT_KNOWN_HOSTS_FILE", value_name = "FILE", help_heading = "Access to Git")]
    pub git_known_hosts_file: Option<PathBuf>,
}

/// The output formats for programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Output {
    /// JSON
    Json,
    /// YAML
    Yaml,
}

/// How to reach the hub.
#[derive(Debug, Clone, Default, ClapArgs)]
pub(crate) struct HubArgs {
    /// Use this kubeconfig for the hub; without it, KUBECONFIG, ~/.kube/config, or the cluster in which tidegate runs
    #[arg(long, help_heading = "Hub")]
    pub kubeconfig: Option<PathBuf>,
    /// Use this context of the kubeconfig, instead of the current one
    #[arg(long, help_heading = "Hub")]
    pub context: Option<String>,
}
