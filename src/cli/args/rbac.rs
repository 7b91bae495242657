//! The arguments of the command that prints the permissions of the daemon.

use clap::{Args as ClapArgs, ValueEnum};

use super::common::OperatorArgs;
use tidegate_delivery::upstream::DeliveryMode;

/// Print the ServiceAccount and the ClusterRole that the daemon needs on a hub, each rule with its reason.
#[derive(Debug, Clone, ClapArgs)]
pub(crate) struct RbacArgs {
    /// Print what a daemon needs with this mode in [delivery]
    #[arg(long, value_enum, default_value_t = Delivery::Auto)]
    pub delivery: Delivery,
    /// What the operator allows.
    #[command(flatten)]
    pub operator: OperatorArgs,
}

/// Who renders add-ons and writes their works.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Delivery {
    /// OCM's add-on manager if it runs, otherwise Tidegate
    Auto,
    /// Tidegate
    Native,
    /// OCM's add-on manager
    Upstream,
}

impl From<Delivery> for DeliveryMode {
    fn from(delivery: Delivery) -> Self {
        match delivery {
            Delivery::Auto => Self::Auto,
            Delivery::Native => Self::Native,
            Delivery::Upstream => Self::Upstream,
        }
    }
}
