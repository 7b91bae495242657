//! The arguments of the commands that commit a decision about rollouts.

use std::path::PathBuf;

use clap::{Args as ClapArgs, ValueEnum};

use super::common::SourceArgs;
use tidegate_model::name::{ClusterName, UnitName};
use tidegate_repository::control::{DigestStart, Mode};

/// Pause or resume the rollouts of an add-on, or of all add-ons.
#[derive(Debug, Clone, ClapArgs)]
pub(crate) struct PauseArgs {
    /// Which add-on.
    #[command(flatten)]
    pub subject: SubjectArgs,
    /// How to commit.
    #[command(flatten)]
    pub commit: CommitArgs,
}

/// End the rollout of an add-on's current digest.
#[derive(Debug, Clone, ClapArgs)]
pub(crate) struct AbortArgs {
    /// The add-on
    pub addon: UnitName,
    /// Let the rollout continue, instead of ending it
    #[arg(long)]
    pub release: bool,
    /// The digest whose rollout ends, or its first twelve digits [default: the one in force]
    #[arg(long, conflicts_with = "release")]
    pub digest: Option<DigestStart>,
    /// How to commit.
    #[command(flatten)]
    pub commit: CommitArgs,
}

/// Start clusters again that failed or timed out.
#[derive(Debug, Clone, ClapArgs)]
pub(crate) struct RetryArgs {
    /// The add-on
    pub addon: UnitName,
    /// Only these clusters, separated by commas
    #[arg(long, value_delimiter = ',', value_name = "CLUSTER")]
    pub clusters: Vec<ClusterName>,
    /// The digest with which they start again, or its first twelve digits [default: the one in force]
    #[arg(long)]
    pub digest: Option<DigestStart>,
    /// How to commit.
    #[command(flatten)]
    pub commit: CommitArgs,
}

/// Leave clusters out of the rollouts of an add-on, or of all add-ons.
#[derive(Debug, Clone, ClapArgs)]
pub(crate) struct QuarantineArgs {
    /// Which add-on.
    #[command(flatten)]
    pub subject: SubjectArgs,
    /// These clusters, separated by commas
    #[arg(long, value_delimiter = ',', value_name = "CLUSTER", required_unless_present = "release")]
    pub clusters: Vec<ClusterName>,
    /// What it means for the clusters
    #[arg(long, value_enum, ignore_case = true, default_value_t, conflicts_with = "release")]
    pub mode: ModeArg,
    /// End the quarantine of these clusters, or of all
    #[arg(long)]
    pub release: bool,
    /// How to commit.
    #[command(flatten)]
    pub commit: CommitArgs,
}

/// One add-on, or all.
#[derive(Debug, Clone, ClapArgs)]
pub(crate) struct SubjectArgs {
    /// The add-on
    #[arg(value_name = "ADDON | --all", required_unless_present = "all", conflicts_with = "all")]
    pub addon: Option<UnitName>,
    /// All add-ons
    #[arg(long)]
    pub all: bool,
}

/// What a quarantine means for a cluster.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ModeArg {
    /// It gets the configuration, and counts for nothing
    #[default]
    #[value(name = "Ignore")]
    Ignore,
    /// It gets nothing new
    #[value(name = "Exclude")]
    Exclude,
}

impl From<ModeArg> for Mode {
    fn from(mode: ModeArg) -> Self {
        match mode {
            ModeArg::Ignore => Self::Ignore,
            ModeArg::Exclude => Self::Exclude,
        }
    }
}

/// How a decision is committed.
#[derive(Debug, Clone, ClapArgs)]
pub(crate) struct CommitArgs {
    /// Why, for the people who read the file and the commit
    #[arg(long, value_parser = reason)]
    pub reason: String,
    /// Where to.
    #[command(flatten)]
    pub to: BranchArgs,
}

/// Where a commit goes.
#[derive(Debug, Clone, ClapArgs)]
pub(crate) struct BranchArgs {
    /// Push to this new branch, for a pull request
    #[arg(long, value_name = "NAME")]
    pub branch: Option<String>,
    /// Push nothing, and leave the commit on a new local branch: the one of --branch, or one with the name of the decision
    #[arg(long)]
    pub no_push: bool,
    /// Sign the commit with the key of `user.signingkey`, also if `commit.gpgsign` is not set
    #[arg(long)]
    pub sign: bool,
    /// The repository.
    #[command(flatten)]
    pub source: OwnSourceArgs,
}

/// The repository to commit to. It is reached with the git of the user, so there are no options for access.
#[derive(Debug, Clone, Default, ClapArgs)]
#[command(next_help_heading = "Repository")]
pub(crate) struct OwnSourceArgs {
    /// Read options from this TOML file; flags take precedence
    #[arg(long, env = "TIDEGATE_CONFIG", value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Commit to this config repository: a clone on this machine, or a URL that git can push to
    #[arg(long, alias = "repository", env = "TIDEGATE_SOURCE", value_name = "DIR|URL")]
    pub source: Option<String>,
    /// The branch that the daemon follows [default: main]
    #[arg(long = "ref", env = "TIDEGATE_REF", value_name = "REF")]
    pub reference: Option<String>,
    /// Render this overlay, a directory relative to the root of the repository, instead of the path in tidegate.toml
    #[arg(long, value_name = "DIR")]
    pub overlay: Option<String>,
}

impl OwnSourceArgs {
    /// Returns the same repository for the commands that only read it.
    pub(crate) fn reading(&self) -> SourceArgs {
        SourceArgs {
            config: self.config.clone(),
            source: self.source.clone(),
            reference: self.reference.clone(),
            ..SourceArgs::default()
        }
    }
}

/// A reason that is empty.
#[derive(Debug, thiserror::Error)]
#[error("it is empty; write why")]
pub(super) struct EmptyReason;

/// Parses a reason: any text that is not empty.
pub(super) fn reason(text: &str) -> Result<String, EmptyReason> {
    let text = text.trim();
    if text.is_empty() { Err(EmptyReason) } else { Ok(text.to_owned()) }
}
