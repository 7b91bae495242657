//! The arguments of `tidegate rollback` and `tidegate upgrade`.

use std::path::PathBuf;

use clap::Args as ClapArgs;

use super::control::{BranchArgs, reason};
use super::vendor::DownloadArgs;
use tidegate_model::name::UnitName;

/// Take an add-on back to an earlier rollout.
#[derive(Debug, Clone, ClapArgs)]
pub(crate) struct RollbackArgs {
    /// The add-on
    pub addon: UnitName,
    /// The number of the rollout to return to, as `tidegate history` prints it [default: the last one that was completed with another
    /// digest]
    #[arg(long, value_name = "NUMBER")]
    pub to: Option<u32>,
    /// Why, for the people who read the commit
    #[arg(long, value_parser = reason)]
    pub reason: String,
    /// How to propose it.
    #[command(flatten)]
    pub proposal: ProposalArgs,
}

/// Let an add-on have another version.
#[derive(Debug, Clone, ClapArgs)]
pub(crate) struct UpgradeArgs {
    /// The add-on
    #[arg(required_unless_present = "check")]
    pub addon: Option<UnitName>,
    /// The version, for which the repository has a template
    #[arg(required_unless_present = "check")]
    pub version: Option<String>,
    /// Only look for newer versions of what the current directory uses: charts and bases in vendor.lock, and images of the templates in use.
    /// The exit code is 1 if there are some
    #[arg(long, conflicts_with_all = ["addon", "version", "push"])]
    pub check: bool,
    /// With --check: open a pull request for each add-on and base with newer versions, on the forge of --config. The exit code is 1 only if
    /// something newer has none
    #[arg(long, requires = "check", conflicts_with_all = ["branch", "no_push"])]
    pub open: bool,
    /// With --open: render newer charts with this program, helm 3 or 4
    #[arg(long, env = "TIDEGATE_HELM", value_name = "PROGRAM", default_value = "helm")]
    pub helm: PathBuf,
    /// Why, for the people who read the commit
    #[arg(long, value_parser = reason)]
    pub reason: Option<String>,
    /// How to propose it.
    #[command(flatten)]
    pub proposal: ProposalArgs,
    /// How servers are reached.
    #[command(flatten)]
    pub download: DownloadArgs,
}

/// How a change is proposed: on a branch for a pull request, if nothing else is said.
#[derive(Debug, Clone, ClapArgs)]
pub(crate) struct ProposalArgs {
    /// Push to the followed branch, instead of a new branch for a pull request
    #[arg(long, conflicts_with_all = ["branch", "no_push"])]
    pub push: bool,
    /// Where to.
    #[command(flatten)]
    pub to: BranchArgs,
    /// Use this branch for the journal, instead of the one in tidegate.toml
    #[arg(long, env = "TIDEGATE_JOURNAL_BRANCH", value_name = "BRANCH", help_heading = "Repository")]
    pub journal_branch: Option<String>,
}
