//! The command line as types. The doc comments are the help texts.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use clap::{Args as ClapArgs, Parser, Subcommand, ValueEnum};

use super::audit::{HistoryArgs, SchemaArgs, VerifyArgs};
use crate::oracle::Area;
use crate::telemetry::log;
use tidegate_core::plan;
use tidegate_model::time::parse_go_duration;

/// Rolls out Open Cluster Management add-ons from a Git repository, group by group, and commits the progress back to Git.
///
/// New here? `tidegate demo` shows everything on this machine in a minute: a repository, a hub with 300 simulated clusters, and
/// an upgrade.
#[derive(Debug, Parser)]
#[command(version, max_term_width = 100, after_help = EXIT_CODES)]
pub struct Args {
    /// The command.
    #[command(subcommand)]
    pub command: Command,
}

const EXIT_CODES: &str = "Exit codes: 0 done; 1 findings, or not done in time; 2 wrong usage; 3 the hub or Git could not be reached; 70 internal error.";

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Follow a repository and keep a hub in sync with it, until stopped
    Run(RunArgs),
    /// Show everything on this machine: a repository, a simulated fleet, and an upgrade
    Demo(DemoArgs),
    /// Show the state of the add-ons, from the journal
    Status(StatusArgs),
    /// Explain why the clusters of an add-on are in their state, and what they wait for
    Explain(ExplainArgs),
    /// Show what was rolled out, when, by whom and with which outcome, from any clone of the journal
    History(HistoryArgs),
    /// Check that no one has changed the journal: every commit, from the first to the last
    VerifyHistory(VerifyArgs),
    /// Print the JSON Schema of a document that Tidegate writes or reads, or the names of all schemas
    Schema(SchemaArgs),
    /// Check a directory of declarations
    Validate(ValidateArgs),
    /// Print the objects that a directory of declarations renders to
    Render(RenderArgs),
    /// Show in which file and line a value of a rendered object was written, and what changed it
    Blame(BlameArgs),
    /// Serve only the embedded hub, for kubectl
    Sandbox(SandboxArgs),
    /// Print the CustomResourceDefinitions of the OCM kinds
    Crds,
    /// Answer recorded cases of one area, one per line of standard input
    #[command(hide = true)]
    Oracle(OracleArgs),
}

/// A duration such as `30s`, `5m` or `1h30m`.
#[derive(Debug, Clone, Copy)]
pub struct Span(pub Duration);

impl FromStr for Span {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let span = parse_go_duration(text).map_err(|error| error.to_string())?;
        Duration::try_from(span).map(Self).map_err(|_| format!("{text:?} is negative"))
    }
}

/// Checks a log filter.
fn log_filter(text: &str) -> Result<String, String> {
    crate::telemetry::log::check(text).map(|()| text.to_owned())
}

fn instance_name(text: &str) -> Result<String, String> {
    tidegate_model::instance::check_name(text).map(|()| text.to_owned())
}

/// Parses a duration of at least a second: shorter intervals would put too much load on others.
pub fn at_least_a_second(text: &str) -> Result<Span, String> {
    let span: Span = text.parse()?;
    if span.0 < Duration::from_secs(1) { Err(format!("{text:?} is less than a second")) } else { Ok(span) }
}

/// Whether something is enabled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Switch {
    /// Enable it
    On,
    /// Disable it
    Off,
}

impl Switch {
    /// Returns `true` for [`Switch::On`].
    pub fn is_on(self) -> bool {
        self == Self::On
    }
}

/// Which scheduler chooses the clusters of a Placement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Placement {
    /// Use Tidegate's own scheduler, which writes PlacementDecisions; for hubs without a scheduler
    Builtin,
    /// Read the PlacementDecisions of the hub's scheduler
    Hub,
}

impl From<Placement> for plan::PlacementMode {
    fn from(placement: Placement) -> Self {
        match placement {
            Placement::Builtin => Self::Builtin,
            Placement::Hub => Self::Hub,
        }
    }
}

/// How to reach the config repository.
#[derive(Debug, Clone, Default, ClapArgs)]
#[command(next_help_heading = "Repository")]
pub struct SourceArgs {
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

/// Follow a repository and keep a hub in sync with it.
///
/// The token for Git may also be given in the environment variable TIDEGATE_GIT_TOKEN.
#[derive(Debug, Clone, ClapArgs)]
pub struct RunArgs {
    /// The repository.
    #[command(flatten)]
    pub source: SourceArgs,
    /// Read the declarations from this directory, instead of the one in tidegate.toml
    #[arg(long, value_name = "DIRECTORY", help_heading = "Repository")]
    pub path: Option<String>,
    /// Use this kubeconfig for the hub; without it, KUBECONFIG, ~/.kube/config, or the cluster in which tidegate runs
    #[arg(long, help_heading = "Hub")]
    pub kubeconfig: Option<PathBuf>,
    /// Use this context of the kubeconfig, instead of the current one
    #[arg(long, help_heading = "Hub")]
    pub context: Option<String>,
    /// Select the scheduler that chooses the clusters of a Placement
    #[arg(long, value_enum, default_value_t = Placement::Hub, help_heading = "Hub")]
    pub placement: Placement,
    /// Limit the number of concurrent writes to the hub
    #[arg(long, default_value_t = 64, value_parser = clap::value_parser!(u16).range(1..=1024), help_heading = "Hub")]
    pub hub_concurrency: u16,
    /// Poll Git at this interval, at least a second [default: 10s]
    #[arg(long, value_parser = at_least_a_second, help_heading = "Repository")]
    pub poll: Option<Span>,
    /// Gather changes for this long into one commit of the journal, at least a second [default: 10s]
    #[arg(long, value_parser = at_least_a_second, help_heading = "Repository")]
    pub journal_interval: Option<Span>,
    /// Keep the mirror of the repository in this directory; a new temporary directory if not given
    #[arg(long, env = "TIDEGATE_STATE_DIR", help_heading = "Repository")]
    pub state_dir: Option<PathBuf>,
    /// Give this instance a readable name, which other instances on the same hub show with its identity
    #[arg(long, env = "TIDEGATE_INSTANCE_NAME", value_name = "NAME", value_parser = instance_name, help_heading = "Hub")]
    pub instance_name: Option<String>,
    /// Serve /metrics, /healthz, /readyz and, if a secret for it is configured, /webhook on this address, such as 0.0.0.0:8080
    #[arg(long, help_heading = "Logs, metrics and events")]
    pub listen: Option<String>,
    /// Select what to log, in the syntax of RUST_LOG
    #[arg(long, env = "TIDEGATE_LOG", default_value = "info,kube_client=off", value_parser = log_filter, help_heading = "Logs, metrics and events")]
    pub log: String,
    /// Select the format of log lines: text, json, or auto, which is text on a terminal and JSON elsewhere [default: auto]
    #[arg(long, env = "TIDEGATE_LOG_FORMAT", value_name = "FORMAT", help_heading = "Logs, metrics and events")]
    pub log_format: Option<log::Format>,
    /// Also write news to the hub as Kubernetes Events [default: on]
    #[arg(long, value_enum, env = "TIDEGATE_EVENTS", help_heading = "Logs, metrics and events")]
    pub events: Option<Switch>,
}

/// Show everything on this machine.
#[derive(Debug, Clone, ClapArgs)]
pub struct DemoArgs {
    /// Put the repository and the mirror in this directory; a new temporary directory if not given
    #[arg(long)]
    pub dir: Option<PathBuf>,
    /// Simulate this number of clusters
    #[arg(long, default_value_t = 300, value_parser = clap::value_parser!(u32).range(20..=20_000))]
    pub clusters: u32,
    /// Exit after the first upgrade
    #[arg(long)]
    pub exit_when_done: bool,
    /// Give up if the installation or the upgrade takes longer
    #[arg(long, default_value = "5m")]
    pub timeout: Span,
    /// Serve the hub for kubectl on this loopback port; 0 chooses a free one
    #[arg(long)]
    pub port: Option<u16>,
    /// Select what to log, in the syntax of RUST_LOG
    #[arg(long, env = "TIDEGATE_LOG", default_value = "warn,kube_client=off,tidegate::reconciler::announce=off", value_parser = log_filter)]
    pub log: String,
}

/// The output formats for programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Output {
    /// JSON
    Json,
    /// YAML
    Yaml,
}

/// Show the state of the add-ons, from the journal.
#[derive(Debug, Clone, ClapArgs)]
pub struct StatusArgs {
    /// The repository.
    #[command(flatten)]
    pub source: SourceArgs,
    /// Show one add-on with its clusters
    pub addon: Option<String>,
    /// Print in a format for programs
    #[arg(short, long, value_enum)]
    pub output: Option<Output>,
    /// Print again whenever the journal changes, until stopped
    #[arg(long)]
    pub watch: bool,
}

/// Explain why the clusters of an add-on are in their state, from the journal.
#[derive(Debug, Clone, ClapArgs)]
pub struct ExplainArgs {
    /// The repository.
    #[command(flatten)]
    pub source: SourceArgs,
    /// Explain this add-on
    pub addon: String,
    /// Explain only this cluster
    pub cluster: Option<String>,
    /// Print in a format for programs
    #[arg(short, long, value_enum)]
    pub output: Option<Output>,
}

/// Check a directory of declarations.
#[derive(Debug, Clone, ClapArgs)]
pub struct ValidateArgs {
    /// The root of a config repository, or a directory in one with overlays, to check only those
    #[arg(default_value = ".")]
    pub path: PathBuf,
    /// Print in a format for programs
    #[arg(short, long, value_enum)]
    pub output: Option<ReportFormat>,
}

/// The formats of complaints for programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ReportFormat {
    /// JSON
    Json,
    /// YAML
    Yaml,
    /// SARIF 2.1.0, for GitHub code scanning and viewers
    Sarif,
    /// Workflow commands, which GitHub Actions shows as annotations
    Github,
    /// A Code Quality report for GitLab
    Gitlab,
}

/// The formats of objects.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// YAML, as kustomize prints it
    #[default]
    Yaml,
    /// JSON, an array of objects
    Json,
}

/// Print the objects that a directory of declarations renders to.
#[derive(Debug, Clone, ClapArgs)]
pub struct RenderArgs {
    /// The root of a config repository, or an overlay in one
    #[arg(default_value = ".")]
    pub path: PathBuf,
    /// Render this overlay, a directory relative to PATH, instead of the path in tidegate.toml
    #[arg(long, value_name = "DIR")]
    pub overlay: Option<String>,
    /// Print in this format
    #[arg(short, long, value_enum, default_value_t)]
    pub output: Format,
    /// Print what this cluster would get, instead of the declared objects
    #[arg(long)]
    pub cluster: Option<String>,
    /// Give that cluster these labels, as key=value, in addition to those of a declared ManagedCluster
    #[arg(long, requires = "cluster", value_delimiter = ',')]
    pub labels: Vec<String>,
    /// Print only this add-on
    #[arg(long, requires = "cluster")]
    pub addon: Option<String>,
}

/// Show where a value of a rendered object comes from.
#[derive(Debug, Clone, ClapArgs)]
pub struct BlameArgs {
    /// The object, as kind/name or kind/namespace/name; kind.group if several groups have the kind
    pub object: String,
    /// The value, as a JSON pointer such as /spec/addonName; without it, every value of the object is shown
    #[arg(default_value = "")]
    pub pointer: String,
    /// Read the files from this directory: the root of a config repository, or an overlay in one
    #[arg(long, default_value = ".", value_name = "PATH")]
    pub path: PathBuf,
    /// Render this overlay, a directory relative to PATH, instead of the path in tidegate.toml
    #[arg(long, value_name = "DIR")]
    pub overlay: Option<String>,
    /// Print in a format for programs
    #[arg(short, long, value_enum)]
    pub output: Option<Output>,
}

/// Serve only the embedded hub.
#[derive(Debug, Clone, ClapArgs)]
pub struct SandboxArgs {
    /// Serve on this loopback address; port 0 chooses a free one
    #[arg(long, default_value = "127.0.0.1:0")]
    pub listen: SocketAddr,
    /// Simulate this number of clusters; with 0, the hub is empty and runs no controllers
    #[arg(long, default_value_t = 300, value_parser = clap::value_parser!(u32).range(0..=20_000))]
    pub clusters: u32,
    /// Write a kubeconfig to this file once the hub is served
    #[arg(long, value_name = "FILE")]
    pub kubeconfig_out: Option<PathBuf>,
    /// Limit the time that a simulated cluster takes to apply a work
    #[arg(long, default_value = "2s")]
    pub delay: Span,
    /// Keep these clusters from ever becoming healthy: names, in which * matches anything
    #[arg(long, value_delimiter = ',')]
    pub fail: Vec<String>,
    /// Read the behavior of the simulated clusters from this TOML file: delays, failures, slow starts, flapping, partitions
    #[arg(long, value_name = "FILE", conflicts_with_all = ["delay", "fail"])]
    pub agents: Option<PathBuf>,
}

/// Answer recorded cases.
#[derive(Debug, Clone, ClapArgs)]
pub struct OracleArgs {
    /// The area of the cases
    pub area: Area,
}
