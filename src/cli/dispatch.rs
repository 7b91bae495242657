//! Parses the command line and dispatches to the commands.

use std::process::ExitCode;

use clap::Parser as _;

use crate::cli::args::{Args, Command};
use crate::cli::commands::{
    blame, crds, demo, explain, history, oracle, render, run, sandbox, schema, status, validate, verify,
};
use crate::cli::failure::Failure;
use crate::cli::output::stdout::warn_line;

/// Parses the command line and runs the command.
pub fn main() -> ExitCode {
    let args = Args::parse();
    // Before any TLS connection, to Git or to the hub.
    tidegate_git::install_tls_provider();
    match dispatch(args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            failure.message().iter().for_each(|message| warn_line(message));
            ExitCode::from(failure.code())
        }
    }
}

fn dispatch(args: Args) -> Result<(), Failure> {
    match args.command {
        Command::VerifyHistory(args) => verify::run(&args),
        Command::History(args) => history::run(&args),
        Command::Schema(args) => schema::run(&args),
        Command::Validate(args) => validate::run(&args),
        Command::Render(args) => render::run(&args),
        Command::Blame(args) => blame::run(&args),
        Command::Crds => crds::run(),
        Command::Oracle(args) => oracle::run(&args),
        Command::Run(args) => block_on(run::run(args)),
        Command::Demo(args) => block_on(demo::run(args)),
        Command::Sandbox(args) => block_on(sandbox::run(args)),
        Command::Status(args) => block_on(status::run(args)),
        Command::Explain(args) => block_on(explain::run(args)),
    }
}

fn block_on(command: impl Future<Output = Result<(), Failure>>) -> Result<(), Failure> {
    let runtime = tokio::runtime::Runtime::new().map_err(|error| Failure::internal(&error))?;
    let outcome = runtime.block_on(command);
    // A fetch that hangs on a dead remote must not delay the exit.
    runtime.shutdown_background();
    outcome
}
