//! `tidegate policy`: the policies of a repository, their tests, and the library.

mod found;
mod library;
mod list;
mod test;

use crate::cli::args::{PolicyArgs, PolicyCommand};
use crate::cli::failure::Failure;
use crate::cli::process::Process;

/// Runs one of the commands about policies.
pub(crate) fn run(process: &Process, args: &PolicyArgs) -> Result<(), Failure> {
    match &args.command {
        PolicyCommand::Test(directory) => test::run(process, directory),
        PolicyCommand::List(directory) => list::run(process, directory),
        PolicyCommand::Library(library) => library::run(process, library),
    }
}
