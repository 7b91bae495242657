//! The command line as types. The comments are the help that people read.

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
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

const EXIT_CODES: &str = "Exit codes: 0 done; 1 findings, or not done in time; 2 wrong usage; 3 the hub or Git could not be reached; 70 a fault of tidegate itself.";

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Follow a repository and keep a hub as it says, until stopped
    Run(RunArgs),
    /// Show everything on this machine: a repository, a simulated fleet, and an upgrade
    Demo(DemoArgs),
    /// Show how the add-ons stand, from the journal
    Status(StatusArgs),
    /// Tell why the clusters of an add-on are where they are, and what would take them further
    Explain(ExplainArgs),
    /// Tell what was rolled out, when, by whom and how it ended, from any clone of the journal
    History(HistoryArgs),
    /// Check that nobody has changed the journal: every commit, from the first to the last
    VerifyHistory(VerifyArgs),
    /// Print the JSON Schema of a document that Tidegate writes or reads, or the names of all
    Schema(SchemaArgs),
    /// Check a directory of declarations
    Validate(ValidateArgs),
    /// Print what a directory of declarations amounts to
    Render(RenderArgs),
    /// Tell in which file and line a value of a rendered object was written, and what changed it
    Blame(BlameArgs),
    /// Serve the embedded hub alone, for kubectl
    Sandbox(SandboxArgs),
    /// Print the CustomResourceDefinitions of the OCM kinds
    Crds,
    /// Answer recorded cases of one area, one per line of standard input
    #[command(hide = true)]
    Oracle(OracleArgs),
}

/// A span such as `30s`, `5m` or `1h30m`.
#[derive(Debug, Clone, Copy)]
pub struct Span(pub Duration);

impl FromStr for Span {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let span = parse_go_duration(text).map_err(|error| error.to_string())?;
        Duration::try_from(span).map(Self).map_err(|_| format!("{text:?} is negative"))
    }
}

/// Lets a filter for the log pass if it is one.
fn log_filter(text: &str) -> Result<String, String> {
    crate::telemetry::log::check(text).map(|()| text.to_owned())
}

fn instance_name(text: &str) -> Result<String, String> {
    tidegate_model::instance::check_name(text).map(|()| text.to_owned())
}

/// Reads a span that is no burden to others.
pub fn at_least_a_second(text: &str) -> Result<Span, String> {
    let span: Span = text.parse()?;
    if span.0 < Duration::from_secs(1) { Err(format!("{text:?} is less than a second")) } else { Ok(span) }
}

/// Whether something is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Switch {
    /// It is done
    On,
    /// It is not done
    Off,
}

impl Switch {
    /// Returns `true` for [`Switch::On`].
    pub fn is_on(self) -> bool {
        self == Self::On
    }
}

/// Who chooses the clusters of a Placement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Placement {
    /// Tidegate's own scheduler, which writes PlacementDecisions: for hubs without one
    Builtin,
    /// The scheduler of the hub: its PlacementDecisions are read
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
    /// A TOML file that says what these flags do not; they win over it
    #[arg(long, env = "TIDEGATE_CONFIG", value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// The config repository: a path, or a file://, http://, https:// or ssh:// URL
    #[arg(long, env = "TIDEGATE_SOURCE", value_name = "URL")]
    pub source: Option<String>,
    /// What to follow: a branch, a tag, or a range of version tags such as ">=1.2 <2" [default: main]
    #[arg(long = "ref", visible_alias = "branch", env = "TIDEGATE_REF", value_name = "REF")]
    pub reference: Option<String>,
    /// The journal's branch, instead of the one in tidegate.toml
    #[arg(long, env = "TIDEGATE_JOURNAL_BRANCH", value_name = "BRANCH")]
    pub journal_branch: Option<String>,
    /// A file with the access token or password for Git; it is read again at each use, so it may be rotated. Without it, the
    /// environment variable TIDEGATE_GIT_TOKEN may hold the token itself
    #[arg(long, env = "TIDEGATE_GIT_TOKEN_FILE", value_name = "FILE", help_heading = "Access to Git")]
    pub git_token_file: Option<PathBuf>,
    /// The user name that goes with it, instead of the one in the URL or the one that the forge expects
    #[arg(long, env = "TIDEGATE_GIT_USER", value_name = "NAME", help_heading = "Access to Git")]
    pub git_user: Option<String>,
    /// Certificates to trust besides the public ones, as PEM
    #[arg(long, env = "TIDEGATE_GIT_CA_FILE", value_name = "FILE", help_heading = "Access to Git")]
    pub git_ca_file: Option<PathBuf>,
    /// The private key for ssh
    #[arg(long, env = "TIDEGATE_GIT_SSH_KEY_FILE", value_name = "FILE", help_heading = "Access to Git")]
    pub git_ssh_key_file: Option<PathBuf>,
    /// The hosts that ssh may speak to, with their keys
    #[arg(long, env = "TIDEGATE_GIT_KNOWN_HOSTS_FILE", value_name = "FILE", help_heading = "Access to Git")]
    pub git_known_hosts_file: Option<PathBuf>,
}

/// Follow a repository and keep a hub as it says.
///
/// The token for Git may also be given in the environment variable TIDEGATE_GIT_TOKEN.
#[derive(Debug, Clone, ClapArgs)]
pub struct RunArgs {
    /// The repository.
    #[command(flatten)]
    pub source: SourceArgs,
    /// The directory of declarations, instead of the one in tidegate.toml
    #[arg(long, value_name = "DIRECTORY", help_heading = "Repository")]
    pub path: Option<String>,
    /// The kubeconfig of the hub; without it, KUBECONFIG, ~/.kube/config, or the cluster that tidegate runs in
    #[arg(long, help_heading = "Hub")]
    pub kubeconfig: Option<PathBuf>,
    /// The context of the kubeconfig, instead of the current one
    #[arg(long, help_heading = "Hub")]
    pub context: Option<String>,
    /// Who chooses the clusters of a Placement
    #[arg(long, value_enum, default_value_t = Placement::Hub, help_heading = "Hub")]
    pub placement: Placement,
    /// How many writes to the hub may be under way at once
    #[arg(long, default_value_t = 64, value_parser = clap::value_parser!(u16).range(1..=1024), help_heading = "Hub")]
    pub hub_concurrency: u16,
    /// How often Git is looked at, a second at least [default: 10s]
    #[arg(long, value_parser = at_least_a_second, help_heading = "Repository")]
    pub poll: Option<Span>,
    /// For how long changes are gathered into one commit of the journal, a second at least [default: 10s]
    #[arg(long, value_parser = at_least_a_second, help_heading = "Repository")]
    pub journal_interval: Option<Span>,
    /// Where the mirror of the repository is kept; a fresh temporary directory if not given
    #[arg(long, env = "TIDEGATE_STATE_DIR", help_heading = "Repository")]
    pub state_dir: Option<PathBuf>,
    /// A readable name for this instance, which others on the same hub show beside its identity
    #[arg(long, env = "TIDEGATE_INSTANCE_NAME", value_name = "NAME", value_parser = instance_name, help_heading = "Hub")]
    pub instance_name: Option<String>,
    /// Serve /metrics, /healthz, /readyz and, if there is a secret for it, /webhook on this address, such as 0.0.0.0:8080
    #[arg(long, help_heading = "Logs, metrics and events")]
    pub listen: Option<String>,
    /// What to log, in the syntax of RUST_LOG
    #[arg(long, env = "TIDEGATE_LOG", default_value = "info,kube_client=off", value_parser = log_filter, help_heading = "Logs, metrics and events")]
    pub log: String,
    /// How log lines look: text, json, or auto, which is text on a terminal and JSON elsewhere [default: auto]
    #[arg(long, env = "TIDEGATE_LOG_FORMAT", value_name = "FORMAT", help_heading = "Logs, metrics and events")]
    pub log_format: Option<log::Format>,
    /// Whether to write what happens to the hub as Kubernetes Events, too [default: on]
    #[arg(long, value_enum, env = "TIDEGATE_EVENTS", help_heading = "Logs, metrics and events")]
    pub events: Option<Switch>,
}

/// Show everything on this machine.
#[derive(Debug, Clone, ClapArgs)]
pub struct DemoArgs {
    /// Where to put the repository and a clone of it; a fresh temporary directory if not given
    #[arg(long)]
    pub dir: Option<PathBuf>,
    /// How many clusters to simulate
    #[arg(long, default_value_t = 300, value_parser = clap::value_parser!(u32).range(20..=20_000))]
    pub clusters: u32,
    /// End after the first upgrade
    #[arg(long)]
    pub exit_when_done: bool,
    /// Give up if the installation or the upgrade takes longer
    #[arg(long, default_value = "5m")]
    pub timeout: Span,
    /// Serve the hub for kubectl on this loopback port; 0 chooses a free one
    #[arg(long)]
    pub port: Option<u16>,
    /// What to log, in the syntax of RUST_LOG
    #[arg(long, env = "TIDEGATE_LOG", default_value = "warn,kube_client=off,tidegate::reconciler::announce=off", value_parser = log_filter)]
    pub log: String,
}

/// How to print for programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Output {
    /// JSON
    Json,
    /// YAML
    Yaml,
}

/// Show how the add-ons stand, from the journal.
#[derive(Debug, Clone, ClapArgs)]
pub struct StatusArgs {
    /// The repository.
    #[command(flatten)]
    pub source: SourceArgs,
    /// Show one add-on with its clusters
    pub addon: Option<String>,
    /// Print for programs
    #[arg(short, long, value_enum)]
    pub output: Option<Output>,
    /// Print anew whenever the journal changes, until stopped
    #[arg(long)]
    pub watch: bool,
}

/// Tell why the clusters of an add-on are where they are, from the journal.
#[derive(Debug, Clone, ClapArgs)]
pub struct ExplainArgs {
    /// The repository.
    #[command(flatten)]
    pub source: SourceArgs,
    /// The add-on
    pub addon: String,
    /// Only this cluster
    pub cluster: Option<String>,
    /// Print for programs
    #[arg(short, long, value_enum)]
    pub output: Option<Output>,
}

/// Check a directory of declarations.
#[derive(Debug, Clone, ClapArgs)]
pub struct ValidateArgs {
    /// The root of a config repository, or a directory of overlays in one, which alone are checked then
    #[arg(default_value = ".")]
    pub path: PathBuf,
    /// Print for programs
    #[arg(short, long, value_enum)]
    pub output: Option<ReportFormat>,
}

/// How to print complaints for programs.
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

/// How objects are printed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// YAML, as kustomize prints it
    #[default]
    Yaml,
    /// JSON, an array of objects
    Json,
}

/// Print what a directory of declarations amounts to.
#[derive(Debug, Clone, ClapArgs)]
pub struct RenderArgs {
    /// The root of a config repository, or an overlay in one
    #[arg(default_value = ".")]
    pub path: PathBuf,
    /// Render this overlay, a directory relative to PATH, instead of the path in tidegate.toml
    #[arg(long, value_name = "DIR")]
    pub overlay: Option<String>,
    /// How to print
    #[arg(short, long, value_enum, default_value_t)]
    pub output: Format,
    /// Print what this cluster would get, instead of the declared objects
    #[arg(long)]
    pub cluster: Option<String>,
    /// Labels of that cluster, as key=value; a declared ManagedCluster has its own
    #[arg(long, requires = "cluster", value_delimiter = ',')]
    pub labels: Vec<String>,
    /// Only this add-on
    #[arg(long, requires = "cluster")]
    pub addon: Option<String>,
}

/// Tell where a value of a rendered object comes from.
#[derive(Debug, Clone, ClapArgs)]
pub struct BlameArgs {
    /// The object, as kind/name or kind/namespace/name; kind.group where several groups have the kind
    pub object: String,
    /// Which value, as a JSON pointer such as /spec/addonName; without it, every value of the object is told
    #[arg(default_value = "")]
    pub pointer: String,
    /// The root of a config repository, or an overlay in one
    #[arg(long, default_value = ".", value_name = "PATH")]
    pub path: PathBuf,
    /// The overlay, a directory relative to PATH, instead of the path in tidegate.toml
    #[arg(long, value_name = "DIR")]
    pub overlay: Option<String>,
    /// Print for programs
    #[arg(short, long, value_enum)]
    pub output: Option<Output>,
}

/// Serve the embedded hub alone.
#[derive(Debug, Clone, ClapArgs)]
pub struct SandboxArgs {
    /// The loopback address to serve on; port 0 chooses a free one
    #[arg(long, default_value = "127.0.0.1:0")]
    pub listen: SocketAddr,
    /// How many clusters to simulate; with 0 the hub is empty, and nothing but its API is at work
    #[arg(long, default_value_t = 300, value_parser = clap::value_parser!(u32).range(0..=20_000))]
    pub clusters: u32,
    /// Write a kubeconfig to this file once the hub serves
    #[arg(long, value_name = "FILE")]
    pub kubeconfig_out: Option<PathBuf>,
    /// How long a simulated cluster takes to apply a work, at most
    #[arg(long, default_value = "2s")]
    pub delay: Span,
    /// Clusters that never become healthy: names, where * stands for anything
    #[arg(long, value_delimiter = ',')]
    pub fail: Vec<String>,
    /// A TOML file that says what the simulated clusters do: delays, failures, slow starts, flapping, partitions
    #[arg(long, value_name = "FILE", conflicts_with_all = ["delay", "fail"])]
    pub agents: Option<PathBuf>,
}

/// Answer recorded cases.
#[derive(Debug, Clone, ClapArgs)]
pub struct OracleArgs {
    /// What the cases are about
    pub area: Area,
}
