//! `tidegate policy`: the policies of a repository, their tests, and the library.

mod found;
mod library;
mod list;
mod test;

use crate::cli::args::{PolicyArgs, PolicyCommand};
use crate::cli::failure::Failure;

/// Runs one of the commands about policies.
pub(crate) fn run(args: &PolicyArgs) -> Result<(), Failure> {
    match &args.command {
        PolicyCommand::Test(directory) => test::run(directory),
        PolicyCommand::List(directory) => list::run(directory),
        PolicyCommand::Library(library) => library::run(library),
    }
}
