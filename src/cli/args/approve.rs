//! The arguments of `tidegate approve`.

use clap::Args as ClapArgs;

use super::control::OwnSourceArgs;
use tidegate_model::instance::InstanceId;
use tidegate_model::name::UnitName;

/// Commit an approval of an add-on's current digest.
#[derive(Debug, Clone, ClapArgs)]
pub(crate) struct ApproveArgs {
    /// The add-on
    pub addon: UnitName,
    /// Approve this decision group, instead of the start of the rollout
    #[arg(long, value_name = "NAME")]
    pub group: Option<String>,
    /// Why, for the people who read the file
    #[arg(long)]
    pub reason: Option<String>,
    /// Let clusters start in a freeze and outside a window, too; write why with --reason
    #[arg(long, requires = "reason", conflicts_with = "withdraw")]
    pub break_glass: bool,
    /// Approve although the file has your approval already, because that one does not count
    #[arg(long, conflicts_with = "withdraw")]
    pub again: bool,
    /// Withdraw your approval, instead of giving it
    #[arg(long)]
    pub withdraw: bool,
    /// The person who approves: an alias in [people], an address, or a key as key:SHA256:... [default: the person with the address in
    /// `git config user.email`]
    #[arg(long, value_name = "NAME")]
    pub by: Option<String>,
    /// The instance for which the approval is given [default: the one in the journal]
    #[arg(long, value_name = "ID")]
    pub instance: Option<InstanceId>,
    /// Push to this new branch, for a pull request, instead of the followed branch
    #[arg(long, value_name = "NAME")]
    pub branch: Option<String>,
    /// Push nothing, and leave the commit on a new local branch: the one of --branch, or one with the name of the approval
    #[arg(long)]
    pub no_push: bool,
    /// The repository.
    #[command(flatten)]
    pub source: OwnSourceArgs,
}
