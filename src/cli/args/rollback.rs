//! The arguments of `tidegate rollback`.

use clap::Args as ClapArgs;

use super::control::CommitArgs;
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
    /// Push to the followed branch, instead of a new branch for a pull request
    #[arg(long, conflicts_with_all = ["branch", "no_push"])]
    pub push: bool,
    /// How to commit.
    #[command(flatten)]
    pub commit: CommitArgs,
    /// Use this branch for the journal, instead of the one in tidegate.toml
    #[arg(long, env = "TIDEGATE_JOURNAL_BRANCH", value_name = "BRANCH", help_heading = "Repository")]
    pub journal_branch: Option<String>,
}
