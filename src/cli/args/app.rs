//! The arguments of the commands about applications.

use std::path::PathBuf;

use clap::{Args as ClapArgs, Subcommand};

use super::common::{HubArgs, Output, SourceArgs};
use super::declarations::Format;
use tidegate_model::name::{ApplicationName, InvalidName, NamespacedName};

/// Applications: what they declare, and what became of it.
#[derive(Debug, Clone, ClapArgs)]
pub(crate) struct AppArgs {
    /// What to do.
    #[command(subcommand)]
    pub command: AppCommand,
}

/// The commands about applications.
#[derive(Debug, Clone, Subcommand)]
pub(crate) enum AppCommand {
    /// List the applications: their version, their components, and, from the journal, their clusters and their state
    ///
    /// The exit code is 1 if a declaration has an error.
    List(AppListArgs),
    /// Publish an application as it is: write it to a file, as a revision that does not change any more
    ///
    /// Nothing is committed, and no hub is read or written. The same content is published once.
    Publish(AppPublishArgs),
    /// List the published revisions of an application, with their digests, images and users
    Revisions(AppRevisionsArgs),
    /// Show what differs between what two revisions render to, or a revision and the application as it is
    ///
    /// The exit code is 0, whether something differs or not.
    Diff(AppDiffArgs),
    /// Show what an application declares: its components, policies and steps, and the objects that it makes
    ///
    /// With a journal, also the clusters of each step.
    Show(AppNameArgs),
    /// Print the objects that a cluster, or the clusters of a step, get of an application
    Render(AppRenderArgs),
    /// Show what became of an application: its clusters with their versions and their health, and its last rollouts
    ///
    /// With --cluster, shows the chain from the application to the objects on that cluster, with the first link that does not hold. The
    /// works are read from the hub that --kubeconfig or --context name.
    Status(AppStatusArgs),
    /// Print the ClusterRole that the work agents of clusters lack to apply an application
    ///
    /// Apply it to the clusters: the label of the role adds its rules to those of the agent. It has no wildcards. Nothing is printed if
    /// agents have every right by default, by [applications] granted in tidegate.toml, or by a role with that label among the objects of the
    /// repository. The exit code is 1 if an object needs a right that no role should give.
    ///
    /// With --check, a cluster is asked instead, and only what its agent lacks there is printed.
    Permissions(AppPermissionsArgs),
    /// List works of applications that nothing declares, and what they have left on a cluster
    ///
    /// Reads the hub that --kubeconfig or --context name. If they name a cluster with a work agent, lists its AppliedManifestWorks whose work
    /// is gone from the hub. Nothing is removed. The exit code is 1 if there are orphans, and 3 if not everything can be read.
    Orphans(AppOrphansArgs),
}

/// Where the declarations and the journal are.
#[derive(Debug, Clone, ClapArgs)]
pub(crate) struct AppSourceArgs {
    /// Read the declarations in this directory: the root of a config repository, or an overlay in one. Without --source, the journal is that
    /// of the Git repository around it, as it was last fetched
    #[arg(long, default_value = ".", value_name = "DIR")]
    pub path: PathBuf,
    /// Where to read the journal.
    #[command(flatten)]
    pub journal: SourceArgs,
}

/// List the applications.
#[derive(Debug, Clone, ClapArgs)]
pub(crate) struct AppListArgs {
    /// Print in a format for programs
    #[arg(short, long, value_enum)]
    pub output: Option<Output>,
    /// Where to read.
    #[command(flatten)]
    pub source: AppSourceArgs,
}

/// What a command about revisions reads, and how it prints.
#[derive(Debug, Clone, ClapArgs)]
pub(crate) struct RevisionSourceArgs {
    /// Read the declarations in this directory: the root of a config repository, or an overlay in one
    #[arg(long, default_value = ".", value_name = "DIR")]
    pub path: PathBuf,
    /// Print in a format for programs
    #[arg(short, long, value_enum)]
    pub output: Option<Output>,
}

/// Publish an application.
#[derive(Debug, Clone, ClapArgs)]
pub(crate) struct AppPublishArgs {
    /// The application
    #[arg(value_name = "NAMESPACE/NAME", value_parser = application)]
    pub application: ApplicationName,
    /// The name of the revision; by default the name of the application, `-v`, and the next number
    #[arg(long = "as", value_name = "REVISION")]
    pub name: Option<String>,
    /// Where to read, and where to write.
    #[command(flatten)]
    pub source: RevisionSourceArgs,
}

/// List revisions.
#[derive(Debug, Clone, ClapArgs)]
pub(crate) struct AppRevisionsArgs {
    /// The application
    #[arg(value_name = "NAMESPACE/NAME", value_parser = application)]
    pub application: ApplicationName,
    /// Where to read.
    #[command(flatten)]
    pub source: RevisionSourceArgs,
}

/// Compare revisions.
#[derive(Debug, Clone, ClapArgs)]
pub(crate) struct AppDiffArgs {
    /// A revision as NAMESPACE/NAME, or an application as `application/NAMESPACE/NAME`
    #[arg(value_name = "A")]
    pub before: String,
    /// Another one
    #[arg(value_name = "B")]
    pub after: String,
    /// Where to read.
    #[command(flatten)]
    pub source: RevisionSourceArgs,
}

/// Reads the name of an application, as `NAMESPACE/NAME` or with `application/` before it.
///
/// # Errors
/// [`InvalidName`] for anything else.
fn application(text: &str) -> Result<ApplicationName, InvalidName> {
    match text.parse::<NamespacedName>() {
        Ok(name) => ApplicationName::try_from(&name),
        Err(_) => ApplicationName::try_from(text.to_owned()),
    }
}

/// One application.
#[derive(Debug, Clone, ClapArgs)]
pub(crate) struct AppNameArgs {
    /// The application
    #[arg(value_name = "NAMESPACE/NAME", value_parser = application)]
    pub application: ApplicationName,
    /// Print in a format for programs
    #[arg(short, long, value_enum)]
    pub output: Option<Output>,
    /// Where to read.
    #[command(flatten)]
    pub source: AppSourceArgs,
}

/// Print the role of an application.
#[derive(Debug, Clone, ClapArgs)]
pub(crate) struct AppPermissionsArgs {
    /// The application
    #[arg(value_name = "NAMESPACE/NAME", value_parser = application)]
    pub application: ApplicationName,
    /// Ask the cluster that --kubeconfig or --context name what its work agent may do, with SubjectAccessReviews. Nothing is changed there
    #[arg(long)]
    pub check: bool,
    /// The service account of the work agent that --check asks about
    #[arg(long, value_name = "NAMESPACE/NAME", default_value = AGENT)]
    pub agent: NamespacedName,
    /// Print in a format for programs
    #[arg(short, long, value_enum)]
    pub output: Option<Output>,
    /// The cluster to ask.
    #[command(flatten)]
    pub hub: HubArgs,
    /// Where to read.
    #[command(flatten)]
    pub source: AppSourceArgs,
}

/// The service account of OCM's work agent.
const AGENT: &str = "open-cluster-management-agent/klusterlet-work-sa";

/// Print the objects of an application.
#[derive(Debug, Clone, ClapArgs)]
#[command(group = clap::ArgGroup::new("which").required(true).args(["cluster", "step"]))]
pub(crate) struct AppRenderArgs {
    /// The application
    #[arg(value_name = "NAMESPACE/NAME", value_parser = application)]
    pub application: ApplicationName,
    /// Print what this cluster gets
    #[arg(long)]
    pub cluster: Option<String>,
    /// Print what the clusters of this step get: its number, its name, or the name of its policy
    #[arg(long)]
    pub step: Option<String>,
    /// Give the cluster these labels, as key=value, in addition to those of a declared ManagedCluster
    #[arg(long, requires = "cluster", value_delimiter = ',')]
    pub labels: Vec<String>,
    /// Print in this format
    #[arg(short, long, value_enum, default_value_t)]
    pub output: Format,
    /// Where to read.
    #[command(flatten)]
    pub source: AppSourceArgs,
}

/// Show what became of an application.
#[derive(Debug, Clone, ClapArgs)]
pub(crate) struct AppStatusArgs {
    /// The application
    #[arg(value_name = "NAMESPACE/NAME", value_parser = application)]
    pub application: ApplicationName,
    /// Show the chain to the objects on this cluster
    #[arg(long)]
    pub cluster: Option<String>,
    /// Print in a format for programs
    #[arg(short, long, value_enum)]
    pub output: Option<Output>,
    /// Where to read the works.
    #[command(flatten)]
    pub hub: HubArgs,
    /// Where to read the journal.
    #[command(flatten)]
    pub source: AppSourceArgs,
}

/// List what nothing declares.
#[derive(Debug, Clone, ClapArgs)]
pub(crate) struct AppOrphansArgs {
    /// Print in a format for programs
    #[arg(short, long, value_enum)]
    pub output: Option<Output>,
    /// The hub or the cluster.
    #[command(flatten)]
    pub hub: HubArgs,
    /// Where to read.
    #[command(flatten)]
    pub source: AppSourceArgs,
}
