//! `tidegate app`: the applications of a repository, what they declare, and what became of it.

mod declared;
mod list;
mod recorded;

use crate::cli::args::{AppArgs, AppCommand};
use crate::cli::failure::Failure;
use crate::cli::process::Process;

/// Runs one of the commands about applications.
pub(crate) async fn run(process: &Process, args: AppArgs) -> Result<(), Failure> {
    match args.command {
        AppCommand::List(args) => list::run(process, &args).await,
    }
}
