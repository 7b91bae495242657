//! The arguments of `tidegate simulate`.

use clap::Args as ClapArgs;

/// Play random schedules.
#[derive(Debug, Clone, ClapArgs)]
pub(crate) struct SimulateArgs {
    /// The first seed
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Play this number of seeds, on all processors
    #[arg(long, default_value_t = 1_000)]
    pub seeds: u64,
    /// Print what happens in each schedule, and not only in those that break a rule
    #[arg(long)]
    pub trace: bool,
}
