//! `tidegate app`: the applications of a repository, what they declare, and what became of it.

mod declared;
mod diff;
mod list;
mod publish;
mod recorded;
mod revisions;

use crate::cli::args::{AppArgs, AppCommand};
use crate::cli::failure::Failure;
use crate::cli::process::Process;

/// Runs one of the commands about applications.
pub(crate) async fn run(process: &Process, args: AppArgs) -> Result<(), Failure> {
    match args.command {
        AppCommand::List(args) => list::run(process, &args).await,
        AppCommand::Publish(args) => publish::run(process, &args),
        AppCommand::Revisions(args) => revisions::run(process, &args),
        AppCommand::Diff(args) => diff::run(process, &args),
    }
}
