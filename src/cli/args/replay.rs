//! The arguments of `replay`.

use std::path::PathBuf;

use clap::Args as ClapArgs;

/// Make the plans of a recording again.
#[derive(Debug, Clone, ClapArgs)]
pub(crate) struct ReplayArgs {
    /// The file that `run --record` wrote
    pub file: PathBuf,
    /// Show what this plan writes
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u64).range(1..))]
    pub tick: Option<u64>,
}

/// A recording to read the state from.
#[derive(Debug, Clone, Default, ClapArgs)]
#[command(next_help_heading = "Recording")]
pub(crate) struct RecordingArgs {
    /// Read the state from this file, which `run --record` wrote, instead of the journal
    #[arg(long, value_name = "FILE", conflicts_with = "source")]
    pub recording: Option<PathBuf>,
    /// Read the state after this plan, as `tidegate replay` numbers them [default: the last one]
    #[arg(long, value_name = "NUMBER", requires = "recording", value_parser = clap::value_parser!(u64).range(1..))]
    pub tick: Option<u64>,
}
