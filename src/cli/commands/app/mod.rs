//! `tidegate app`: the applications of a repository, what they declare, and what became of it.

mod agent_rights;
mod chain;
mod declared;
mod diff;
mod list;
mod orphans;
mod permissions;
mod publish;
mod recorded;
mod render;
mod revisions;
mod show;
mod shown;
mod status;

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
        AppCommand::Show(args) => show::run(process, &args).await,
        AppCommand::Render(args) => render::run(process, &args),
        AppCommand::Status(args) => status::run(process, &args).await,
        AppCommand::Permissions(args) => permissions::run(process, &args).await,
        AppCommand::Orphans(args) => orphans::run(process, &args).await,
    }
}
