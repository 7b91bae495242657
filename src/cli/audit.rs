//! The command line of the audit: histories, their verification, and schemas.

use std::path::PathBuf;

use clap::{Args as ClapArgs, ValueEnum};

use super::args::{Output, SourceArgs};

/// Where a journal's history is read.
#[derive(Debug, Clone, ClapArgs)]
pub struct ArchiveArgs {
    /// A clone on this machine, read in place, or the URL of the config repository, which is fetched whole
    #[arg(long, env = "TIDEGATE_SOURCE", default_value = ".")]
    pub source: String,
    /// The branch that is followed
    #[arg(long, env = "TIDEGATE_BRANCH", default_value = "main")]
    pub branch: String,
    /// The journal's branch, instead of the one in tidegate.toml
    #[arg(long, env = "TIDEGATE_JOURNAL_BRANCH")]
    pub journal_branch: Option<String>,
    /// A file with the access token for Git
    #[arg(long, env = "TIDEGATE_GIT_TOKEN_FILE")]
    pub git_token_file: Option<PathBuf>,
    /// The user name that goes with the token, instead of the one in the URL or x-access-token
    #[arg(long, env = "TIDEGATE_GIT_USER")]
    pub git_user: Option<String>,
}

impl From<&ArchiveArgs> for SourceArgs {
    fn from(args: &ArchiveArgs) -> Self {
        let ArchiveArgs { source, branch, journal_branch, git_token_file, git_user } = args.clone();
        Self { source, branch, journal_branch, git_token_file, git_user }
    }
}

/// Tell what was rolled out, when, by whom and how it ended.
#[derive(Debug, Clone, ClapArgs)]
pub struct HistoryArgs {
    /// Where to read.
    #[command(flatten)]
    pub archive: ArchiveArgs,
    /// Only this add-on, with the details of each rollout
    pub addon: Option<String>,
    /// The life of this cluster, across rollouts and add-ons
    #[arg(long)]
    pub cluster: Option<String>,
    /// Only what was under way since then: a span such as 7d or 12h, a day such as 2026-11-01, or a timestamp
    #[arg(long)]
    pub since: Option<String>,
    /// Print for programs
    #[arg(short, long, value_enum)]
    pub output: Option<Output>,
}

/// Check that nobody has changed the journal.
#[derive(Debug, Clone, ClapArgs)]
pub struct VerifyArgs {
    /// Where to read.
    #[command(flatten)]
    pub archive: ArchiveArgs,
    /// Print for programs
    #[arg(short, long, value_enum)]
    pub output: Option<Output>,
}

/// Print the JSON Schema of a document.
#[derive(Debug, Clone, ClapArgs)]
pub struct SchemaArgs {
    /// Which document; without it, the names are printed
    #[arg(value_enum)]
    pub document: Option<SchemaName>,
}

/// The documents that have a schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum SchemaName {
    /// addons/<add-on>/status.yaml
    Status,
    /// sync.yaml
    Sync,
    /// addons/<add-on>/clusters.yaml
    Clusters,
    /// addons/<add-on>/rollouts/<n>.yaml
    Rollout,
    /// What `tidegate history -o json` prints
    History,
}
