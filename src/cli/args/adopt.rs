//! The arguments of the command that turns a hub into a repository.

use std::path::PathBuf;

use clap::Args as ClapArgs;

use super::common::HubArgs;
use tidegate_model::name::AddonName;

/// Turn the add-ons of a running hub into a config repository.
#[derive(Debug, Clone, ClapArgs)]
pub(crate) struct AdoptArgs {
    /// Write the repository to this directory, which must be empty, except for a .git, or not exist
    #[arg(long, value_name = "DIR")]
    pub dir: PathBuf,
    /// Write only this add-on and what it refers to; may be repeated
    #[arg(long = "addon", value_name = "NAME")]
    pub addons: Vec<AddonName>,
    /// Print what would be written, and write nothing
    #[arg(long)]
    pub dry_run: bool,
    /// The hub.
    #[command(flatten)]
    pub hub: HubArgs,
}
