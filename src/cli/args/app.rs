//! The arguments of the commands about applications.

use std::path::PathBuf;

use clap::{Args as ClapArgs, Subcommand};

use super::common::{Output, SourceArgs};
use tidegate_model::name::{ApplicationName, InvalidName, NamespacedName};

/// Applications: what they declare, and what became of it.
#[derive(Debug, Clone, ClapArgs)]
pub(crate) struct AppArgs {
    /// What to do.
    #[command(subcommand)]
    pub command: AppCommand,
}

/// The commands about applications.
#[derive(Debug, Clone, Subcommand)]
pub(crate) enum AppCommand {
    /// List the applications: their version, their components, and, from the journal, their clusters and their state
    ///
    /// The exit code is 1 if a declaration has an error.
    List(AppListArgs),
    /// Publish an application as it is: write it to a file, as a revision that does not change any more
    ///
    /// Nothing is committed, and no hub is read or written. The same content is published once.
    Publish(AppPublishArgs),
    /// List the published revisions of an application, with their digests, images and users
    Revisions(AppRevisionsArgs),
    /// Show what differs between what two revisions render to, or a revision and the application as it is
    ///
    /// The exit code is 0, whether something differs or not.
    Diff(AppDiffArgs),
}

/// Where the declarations and the journal are.
#[derive(Debug, Clone, ClapArgs)]
pub(crate) struct AppSourceArgs {
    /// Read the declarations in this directory: the root of a config repository, or an overlay in one. Without --source, the journal is that
    /// of the Git repository around it, as it was last fetched
    #[arg(long, default_value = ".", value_name = "DIR")]
    pub path: PathBuf,
    /// Where to read the journal.
    #[command(flatten)]
    pub journal: SourceArgs,
}

/// List the applications.
#[derive(Debug, Clone, ClapArgs)]
pub(crate) struct AppListArgs {
    /// Print in a format for programs
    #[arg(short, long, value_enum)]
    pub output: Option<Output>,
    /// Where to read.
    #[command(flatten)]
    pub source: AppSourceArgs,
}

/// What a command about revisions reads, and how it prints.
#[derive(Debug, Clone, ClapArgs)]
pub(crate) struct RevisionSourceArgs {
    /// Read the declarations in this directory: the root of a config repository, or an overlay in one
    #[arg(long, default_value = ".", value_name = "DIR")]
    pub path: PathBuf,
    /// Print in a format for programs
    #[arg(short, long, value_enum)]
    pub output: Option<Output>,
}

/// Publish an application.
#[derive(Debug, Clone, ClapArgs)]
pub(crate) struct AppPublishArgs {
    /// The application
    #[arg(value_name = "NAMESPACE/NAME", value_parser = application)]
    pub application: ApplicationName,
    /// The name of the revision; by default the name of the application, `-v`, and the next number
    #[arg(long = "as", value_name = "REVISION")]
    pub name: Option<String>,
    /// Where to read, and where to write.
    #[command(flatten)]
    pub source: RevisionSourceArgs,
}

/// List revisions.
#[derive(Debug, Clone, ClapArgs)]
pub(crate) struct AppRevisionsArgs {
    /// The application
    #[arg(value_name = "NAMESPACE/NAME", value_parser = application)]
    pub application: ApplicationName,
    /// Where to read.
    #[command(flatten)]
    pub source: RevisionSourceArgs,
}

/// Compare revisions.
#[derive(Debug, Clone, ClapArgs)]
pub(crate) struct AppDiffArgs {
    /// A revision as NAMESPACE/NAME, or an application as `application/NAMESPACE/NAME`
    #[arg(value_name = "A")]
    pub before: String,
    /// Another one
    #[arg(value_name = "B")]
    pub after: String,
    /// Where to read.
    #[command(flatten)]
    pub source: RevisionSourceArgs,
}

/// Reads the name of an application, as `NAMESPACE/NAME` or with `application/` before it.
///
/// # Errors
/// [`InvalidName`] for anything else.
fn application(text: &str) -> Result<ApplicationName, InvalidName> {
    match text.parse::<NamespacedName>() {
        Ok(name) => ApplicationName::try_from(&name),
        Err(_) => ApplicationName::try_from(text.to_owned()),
    }
}
