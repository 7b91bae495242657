//! The arguments of the commands that serve: the daemon, the demo and the embedded hub.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser as _};
use clap::{Args as ClapArgs, ValueEnum};

use super::common::{HubArgs, Output, SourceArgs, Span, Switch, at_least_a_second};
use tidegate_daemon::telemetry::log;
use tidegate_model::forge::ForgeKind;
use tidegate_model::instance::{InvalidInstanceName, check_name};
use tidegate_model::name::NamespacedName;

/// Checks a log filter.
fn log_filter(text: &str) -> Result<String, log::InvalidFilter> {
    log::check(text).map(|()| text.to_owned())
}

fn instance_name(text: &str) -> Result<String, InvalidInstanceName> {
    check_name(text).map(|()| text.to_owned())
}

/// Which scheduler chooses the clusters of a Placement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Placement {
    /// Use Tidegate's own scheduler, which writes PlacementDecisions; for hubs without a scheduler
    Builtin,
    /// Read the PlacementDecisions of the hub's scheduler
    Hub,
}

impl From<Placement> for tidegate_plan::PlacementMode {
    fn from(placement: Placement) -> Self {
        match placement {
            Placement::Builtin => Self::Builtin,
            Placement::Hub => Self::Hub,
        }
    }
}

/// Follow a repository and keep a hub in sync with it.
///
/// The token for Git may also be given in the environment variable TIDEGATE_GIT_TOKEN.
#[derive(Debug, Clone, ClapArgs)]
pub(crate) struct RunArgs {
    /// The repository.
    #[command(flatten)]
    pub source: SourceArgs,
    /// Read the declarations from this directory, instead of the one in tidegate.toml
    #[arg(long, value_name = "DIRECTORY", help_heading = "Repository")]
    pub path: Option<String>,
    /// The hub.
    #[command(flatten)]
    pub hub: HubArgs,
    /// Select the scheduler that chooses the clusters of a Placement
    #[arg(long, value_enum, env = "TIDEGATE_PLACEMENT", default_value_t = Placement::Hub, help_heading = "Hub")]
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
    /// Elect a leader among the replicas of this daemon by this Lease on the hub
    #[arg(long, env = "TIDEGATE_LEASE", value_name = "NAMESPACE/NAME", help_heading = "Hub")]
    pub lease: Option<NamespacedName>,
    /// Record what every plan is made from in this file, for `tidegate replay`
    #[arg(long, env = "TIDEGATE_RECORD", value_name = "FILE", help_heading = "Logs, metrics and events")]
    pub record: Option<PathBuf>,
    /// Serve /metrics, /healthz and /readyz on this address, such as 0.0.0.0:8080; also the page, if it is a loopback address or [page] token_file
    /// is set
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

/// Check what the daemon would find. The options are those of `run`.
#[derive(Debug, Clone, ClapArgs)]
pub(crate) struct DoctorArgs {
    /// Print in a format for programs
    #[arg(short, long, value_enum)]
    pub output: Option<Output>,
    /// The repository.
    #[command(flatten)]
    pub source: SourceArgs,
    /// The hub.
    #[command(flatten)]
    pub hub: HubArgs,
    /// Check for a daemon with this scheduler
    #[arg(long, value_enum, env = "TIDEGATE_PLACEMENT", default_value_t = Placement::Hub, help_heading = "Hub")]
    pub placement: Placement,
    /// Check for a daemon that writes Kubernetes Events [default: on]
    #[arg(long, value_enum, env = "TIDEGATE_EVENTS", help_heading = "Hub")]
    pub events: Option<Switch>,
    /// Send one test message to each receiver of notifications in the file of --config, too
    #[arg(long)]
    pub notify: bool,
}

/// What the demo shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Scenario {
    /// A broken version stops at the canaries, and a revert heals them
    CanaryFailure,
    /// A broken version stops at the canaries, which return to the last good version by themselves
    Rollback,
    /// After the canaries, the rollout waits until someone other than its author approves it
    Approval,
    /// A change is planned, reviewed and merged on a forge, and approved there again after the canaries
    PullRequest,
}

/// Show everything on this machine.
#[derive(Debug, Clone, ClapArgs)]
pub(crate) struct DemoArgs {
    /// Show this instead of an upgrade that succeeds
    #[arg(long, value_enum)]
    pub scenario: Option<Scenario>,
    /// Install the add-ons of this config repository, and then follow what is pushed to a copy of it
    #[arg(long, value_name = "DIRECTORY", conflicts_with = "scenario")]
    pub repository: Option<PathBuf>,
    /// Use a stand-in for this forge in the scenario pull-request [default: gitea]
    #[arg(long, requires = "scenario", value_parser = PossibleValuesParser::new(["github", "gitlab", "gitea"]).try_map(|name| name.parse::<ForgeKind>()))]
    pub forge: Option<ForgeKind>,
    /// Put the repository and the mirror in this directory; a new temporary directory if not given
    #[arg(long)]
    pub dir: Option<PathBuf>,
    /// Simulate this number of clusters
    #[arg(long, default_value_t = 300, value_parser = clap::value_parser!(u32).range(20..=20_000))]
    pub clusters: u32,
    /// Exit after the upgrade, or at the end of the scenario
    #[arg(long)]
    pub exit_when_done: bool,
    /// Open the page in a browser
    #[arg(long, conflicts_with = "exit_when_done")]
    pub open: bool,
    /// Give up if a step, such as the installation or the upgrade, takes longer
    #[arg(long, default_value = "5m")]
    pub timeout: Span,
    /// Serve the hub for kubectl on this loopback port; 0 chooses a free one
    #[arg(long)]
    pub port: Option<u16>,
    /// Select what to log, in the syntax of RUST_LOG
    #[arg(long, env = "TIDEGATE_LOG", default_value = "warn,kube_client=off,tidegate::reconciler::announce=off", value_parser = log_filter)]
    pub log: String,
}

/// Serve only the embedded hub.
#[derive(Debug, Clone, ClapArgs)]
pub(crate) struct SandboxArgs {
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
