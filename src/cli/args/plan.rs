//! The arguments of the commands that look ahead.

use clap::{Args as ClapArgs, ValueEnum};

use super::common::{SourceArgs, Span};
use super::fleet::FleetSource;

/// Show what a change will do to the fleet.
#[derive(Debug, Clone, ClapArgs)]
pub(crate) struct PlanArgs {
    /// The change.
    #[command(flatten)]
    pub change: ChangeArgs,
    /// Show only this add-on
    #[arg(long)]
    pub addon: Option<String>,
    /// Print in another format than text for a terminal
    #[arg(short, long, value_enum)]
    pub output: Option<PlanFormat>,
    /// Show the differences of every class, not only of the first ones
    #[arg(long)]
    pub full: bool,
    /// The most characters of the Markdown; longer plans are folded more and more. GitHub accepts 65536, the others more
    #[arg(long, value_name = "NUMBER", default_value_t = 60_000, value_parser = clap::value_parser!(u32).range(200..=10_000_000), help_heading = "Markdown")]
    pub budget: u32,
    /// The repository in the first line of the Markdown, such as platform/fleet, by which a comment is found again
    #[arg(long, value_name = "NAME", help_heading = "Markdown")]
    pub repository: Option<String>,
    /// The number of the pull request in the first line of the Markdown
    #[arg(long, value_name = "NUMBER", help_heading = "Markdown")]
    pub pull_request: Option<u64>,
    /// The https URL of the full plan, to link to
    #[arg(long, value_name = "URL", help_heading = "Markdown")]
    pub full_plan: Option<String>,
}

impl PlanArgs {
    /// Returns the arguments for the plan of a change, as text.
    pub(crate) fn of_change(change: ChangeArgs) -> Self {
        let (addon, output, repository, pull_request, full_plan) = (None, None, None, None, None);
        Self { change, addon, output, full: false, budget: 0, repository, pull_request, full_plan }
    }
}

/// Show when the rollout of a change will end, and with which risk.
#[derive(Debug, Clone, ClapArgs)]
pub(crate) struct RehearseArgs {
    /// Rehearse only this add-on
    pub addon: Option<String>,
    /// The change.
    #[command(flatten)]
    pub change: ChangeArgs,
    /// Print in another format than text for a terminal
    #[arg(short, long, value_enum)]
    pub output: Option<RehearsalFormat>,
    /// Let this share of the clusters fail, such as 2%; without it, as many as in earlier rollouts
    #[arg(long, value_name = "PERCENT", value_parser = percent, help_heading = "Behavior of clusters")]
    pub fail: Option<f64>,
    /// The number of runs
    #[arg(long, default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub runs: u32,
    /// The seed of the draws: the same seed gives the same rehearsal
    #[arg(long, default_value_t = 0)]
    pub seed: u64,
    /// Look for settings with which the rollout is done this long after the merge, such as 24h
    #[arg(long, value_name = "DURATION")]
    pub within: Option<Span>,
}

/// A string that is not a percentage.
#[derive(Debug, thiserror::Error)]
#[error("{0:?} is not a percentage from 0% to 100%")]
struct InvalidPercentage(String);

/// Parses a percentage as a share from 0 to 1.
fn percent(text: &str) -> Result<f64, InvalidPercentage> {
    let number = text.strip_suffix('%').and_then(|number| number.parse::<f64>().ok());
    let number = number.filter(|number| (0.0..=100.0).contains(number));
    number.map(|number| number / 100.0).ok_or_else(|| InvalidPercentage(text.to_owned()))
}

/// Two revisions to compare, and the fleet.
#[derive(Debug, Clone, ClapArgs)]
pub(crate) struct ChangeArgs {
    /// The revision before the change: a branch, tag or commit of the repository, or a directory. Without it, what is in force
    /// according to the journal, or else the tip of the followed branch
    #[arg(long, value_name = "REV|DIR")]
    pub base: Option<String>,
    /// The revision with the change: a branch, tag or commit of the repository, or a directory. Without it, the files of the work tree
    #[arg(long, value_name = "REV|DIR")]
    pub head: Option<String>,
    /// Render this overlay, a directory relative to the root of the repository, instead of the path in tidegate.toml
    #[arg(long, value_name = "DIR")]
    pub overlay: Option<String>,
    /// Where to read the fleet. Without a file or a hub, the fleet in the journal is used, or else the clusters that the repository declares.
    #[command(flatten)]
    pub fleet: FleetSource,
    /// The repository and its journal.
    #[command(flatten)]
    pub source: SourceArgs,
}

/// The formats of a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum PlanFormat {
    /// JSON, as `tidegate schema plan` describes it
    Json,
    /// YAML, the same document
    Yaml,
    /// Markdown, for the comment on a pull request
    Markdown,
    /// HTML, one file without other resources
    Html,
}

/// The formats of a rehearsal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum RehearsalFormat {
    /// JSON, as `tidegate schema rehearsal` describes it
    Json,
    /// YAML, the same document
    Yaml,
    /// HTML, one file without other resources
    Html,
}
