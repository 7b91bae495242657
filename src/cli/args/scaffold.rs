//! The arguments of the commands that write files to begin with.

use std::path::PathBuf;

use clap::{Args as ClapArgs, Subcommand, ValueEnum};

/// Write a config repository to begin with.
#[derive(Debug, Clone, ClapArgs)]
pub(crate) struct InitArgs {
    /// The directory, which is created if it does not exist. It may contain a .git, and nothing else
    #[arg(default_value = ".")]
    pub dir: PathBuf,
    /// The name of the first add-on
    #[arg(long, value_name = "NAME", default_value = "hello")]
    pub addon: String,
    /// The name of the Placement, and of the set of clusters that it selects from
    #[arg(long, value_name = "NAME", default_value = "fleet")]
    pub placement: String,
    /// The namespace of the placement and of configurations on the hub
    #[arg(long, value_name = "NAME", default_value = "fleet-addons")]
    pub namespace: String,
    /// The label of the clusters that get add-ons. Simulated clusters have fleet=demo
    #[arg(long, value_name = "KEY=VALUE", default_value = "fleet=demo")]
    pub clusters: String,
    /// Write a base, and an overlay for each of these hubs
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub overlays: Vec<String>,
    /// Write the pipeline that plans pull requests on this forge
    #[arg(long, value_enum)]
    pub forge: Option<ForgeName>,
    /// With --forge: write a pipeline, too, that looks for newer versions every Monday and opens pull requests for them
    #[arg(long, requires = "forge")]
    pub newer: bool,
    /// Write CODEOWNERS with this user or team, such as @acme/platform; can be repeated
    #[arg(long = "owner", value_name = "NAME")]
    pub owners: Vec<String>,
}

/// A forge, by the files that it reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ForgeName {
    /// GitHub
    Github,
    /// GitLab
    Gitlab,
    /// Gitea
    Gitea,
    /// Forgejo
    Forgejo,
}

/// Commands about add-ons.
#[derive(Debug, Clone, ClapArgs)]
pub(crate) struct AddonArgs {
    /// The command.
    #[command(subcommand)]
    pub command: AddonCommand,
}

/// The commands about add-ons.
#[derive(Debug, Clone, Subcommand)]
pub(crate) enum AddonCommand {
    /// Write the template, configuration and rollout of a new add-on, from plain manifests or from a Helm chart
    New(NewAddonArgs),
}

/// Write the files of a new add-on.
#[derive(Debug, Clone, ClapArgs)]
pub(crate) struct NewAddonArgs {
    /// The name of the add-on
    pub name: String,
    /// What it deploys.
    #[command(flatten)]
    pub content: ContentArgs,
    /// Roll it out to the clusters of this Placement [default: the only one of the repository]
    #[arg(long, value_name = "[NAMESPACE/]NAME")]
    pub placement: Option<String>,
    /// Where it goes.
    #[command(flatten)]
    pub home: HomeArgs,
}

/// What an add-on deploys.
#[derive(Debug, Clone, ClapArgs)]
pub(crate) struct ContentArgs {
    /// A file with Kubernetes manifests, - for the standard input, or a chart such as oci://registry.example.com/charts/name
    #[arg(long, value_name = "FILE|CHART")]
    pub from: String,
    /// The version, which is part of the name of the template; of a chart, the version of the chart [default: 1.0.0, but not for a chart]
    #[arg(long)]
    pub version: Option<String>,
}

/// Where the files of an add-on go.
#[derive(Debug, Clone, ClapArgs)]
pub(crate) struct HomeArgs {
    /// The root of the config repository
    #[arg(long, value_name = "DIRECTORY", default_value = ".")]
    pub repository: PathBuf,
    /// Write to this directory of the repository [default: addons/NAME in the path that it declares]
    #[arg(long, value_name = "DIRECTORY")]
    pub dir: Option<String>,
}

/// Write an add-on with the staged rollout of another tool: KubeFleet's staged update strategies, Argo CD's ApplicationSets with RollingSync,
/// Rancher Fleet's rollout strategies, TALM's ClusterGroupUpgrades, or Sveltos' ClusterPromotions.
///
/// The files get a Placement, a rollout strategy and RolloutPolicies. What the objects deploy is not imported: give its manifests with --from.
/// A field without a counterpart is named, and nothing is written without --partial.
#[derive(Debug, Clone, ClapArgs)]
pub(crate) struct ImportArgs {
    /// The files with the objects of the other tool; - is the standard input
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<String>,
    /// The name of the add-on, of its Placement and of its RolloutPolicies
    #[arg(long, value_name = "NAME")]
    pub addon: String,
    /// What it deploys.
    #[command(flatten)]
    pub content: ContentArgs,
    /// The namespace of the Placement and of the configuration on the hub [default: that of the Placements of the repository]
    #[arg(long, value_name = "NAME")]
    pub namespace: Option<String>,
    /// Who may give the approvals that the objects ask for: an alias of [people] in tidegate.toml, an address or a key; can be repeated
    #[arg(long = "approver", value_name = "NAME")]
    pub approvers: Vec<String>,
    /// The label by which the groups select clusters that the objects choose by name. The command prints which cluster needs which value
    #[arg(long, value_name = "KEY")]
    pub group_label: Option<String>,
    /// Write the files although fields have no counterpart. placement.yaml names them
    #[arg(long)]
    pub partial: bool,
    /// Where it goes.
    #[command(flatten)]
    pub home: HomeArgs,
}

/// Write the YAML files of a repository in house format: two spaces for each level, and no comment lost.
///
/// Values, quotes and order stay, so that nothing is rolled out. Vars of kustomizations, which are deprecated, become replacements if all
/// overlays then render to the same bytes. Left alone are vendor/, approvals/, control/, hidden files, charts, and what `tidegate vendor`
/// renders.
#[derive(Debug, Clone, ClapArgs)]
pub(crate) struct FmtArgs {
    /// The root of the repository
    #[arg(default_value = ".")]
    pub dir: PathBuf,
    /// Write nothing, list the files that are not in house format, and end with exit code 1 if there are some
    #[arg(long)]
    pub check: bool,
}
