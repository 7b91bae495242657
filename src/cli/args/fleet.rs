//! The arguments of `tidegate fleet`.

use std::path::PathBuf;

use clap::Args as ClapArgs;

use super::common::{HubArgs, Output, SourceArgs};
use tidegate_go::label_selector::LabelSelector;
use tidegate_journal::snapshot::RowState;

/// Show every add-on on every cluster: its version, its configurations, its state, its health and its group.
#[derive(Debug, Clone, ClapArgs)]
pub(crate) struct FleetArgs {
    /// Show only clusters with these labels, in the syntax of kubectl: region=eu,tier!=canary
    #[arg(short, long, value_name = "SELECTOR", value_parser = LabelSelector::parse)]
    pub label: Option<LabelSelector>,
    /// Show only this add-on
    #[arg(long, value_name = "NAME")]
    pub addon: Option<String>,
    /// Show only add-ons in this state: Applied, UnderWay, Overdue, Failed, Waiting, Deleting or Unreported
    #[arg(long, value_name = "STATE")]
    pub state: Option<RowState>,
    /// Print in a format for programs
    #[arg(short, long, value_enum)]
    pub output: Option<Output>,
    /// Where to read the fleet.
    #[command(flatten)]
    pub from: FleetSource,
    /// Where to read the journal.
    #[command(flatten)]
    pub source: SourceArgs,
}

/// Where to read the fleet, if not from the journal.
#[derive(Debug, Clone, Default, ClapArgs)]
pub(crate) struct FleetSource {
    /// Read this fleet.yaml, instead of the one in the journal
    #[arg(long = "fleet", value_name = "FILE", conflicts_with_all = ["kubeconfig", "context"])]
    pub file: Option<PathBuf>,
    /// The hub.
    #[command(flatten)]
    pub hub: HubArgs,
}

impl FleetSource {
    /// Returns `true` if the fleet is read from a hub.
    pub(crate) fn names_hub(&self) -> bool {
        self.hub.kubeconfig.is_some() || self.hub.context.is_some()
    }
}
