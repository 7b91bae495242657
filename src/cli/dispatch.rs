//! Parses the command line and dispatches to the commands.

use std::ffi::OsString;
use std::process::ExitCode;

use clap::Parser as _;

use crate::cli::args::{Args, Command};
use crate::cli::commands::{
    adopt, approve, blame, control, crds, demo, doctor, explain, fleet, history, notification, oracle, plan, policy,
    rbac, render, rollback, run, sandbox, schema, status, validate, vendor, verify,
};
use crate::cli::failure::Failure;
use crate::cli::output::stdout::warn_line;

/// Parses the command line and runs the command.
pub fn main() -> ExitCode {
    let arguments = help_asked_for_help(std::env::args_os().collect());
    let is_plan = arguments.get(1).is_some_and(|command| command == "plan");
    let args = match Args::try_parse_from(arguments) {
        Ok(args) => args,
        Err(error) => {
            // There is nowhere left to report a failure.
            let _ = error.print();
            let code = if error.use_stderr() { Failure::Usage(String::new()).code() } else { 0 };
            // Exit code 2 of a plan means that something changes.
            return ExitCode::from(if is_plan { code.min(Failure::Findings.code()) } else { code });
        }
    };
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

/// Returns the arguments without the flag `--help` after the command `help`, which is about help anyway: clap would call the
/// flag an unknown command.
fn help_asked_for_help(arguments: Vec<OsString>) -> Vec<OsString> {
    if arguments.get(1).is_none_or(|command| command != "help") {
        return arguments;
    }
    let mut kept: Vec<OsString> = arguments.into_iter().filter(|flag| flag != "--help" && flag != "-h").collect();
    if kept.len() == 2 {
        kept.push("help".into());
    }
    kept
}

fn dispatch(args: Args) -> Result<(), Failure> {
    match args.command {
        Command::VerifyHistory(args) => verify::run(&args),
        Command::History(args) => history::run(&args),
        Command::Schema(args) => schema::run(&args),
        Command::Validate(args) => validate::run(&args),
        Command::Policy(args) => policy::run(&args),
        Command::Render(args) => render::run(&args),
        Command::Vendor(args) => vendor::run(&args),
        Command::Blame(args) => blame::run(&args),
        Command::Approve(args) => approve::run(args),
        Command::Pause(args) => control::pause(args),
        Command::Resume(args) => control::resume(args),
        Command::Abort(args) => control::abort(args),
        Command::Retry(args) => control::retry(args),
        Command::Quarantine(args) => control::quarantine(args),
        Command::Crds => crds::run(),
        Command::Rbac(args) => rbac::run(&args),
        Command::Oracle(args) => oracle::run(&args),
        Command::Adopt(args) => block_on(adopt::run(args)),
        Command::Run(args) => block_on(run::run(args)),
        Command::Notify(args) => block_on(notification::run(args)),
        Command::Doctor(args) => block_on(doctor::run(args)),
        Command::Demo(args) => block_on(demo::run(args)),
        Command::Sandbox(args) => block_on(sandbox::run(args)),
        Command::Rollback(args) => block_on(rollback::run(args)),
        Command::Plan(args) => block_on(plan::run(args)),
        Command::Rehearse(args) => block_on(plan::rehearse::run(args)),
        Command::Status(args) => block_on(status::run(args)),
        Command::Explain(args) => block_on(explain::run(args)),
        Command::Fleet(args) => block_on(fleet::run(args)),
    }
}

fn block_on(command: impl Future<Output = Result<(), Failure>>) -> Result<(), Failure> {
    let runtime = tokio::runtime::Runtime::new().map_err(|error| Failure::internal(&error))?;
    let outcome = runtime.block_on(command);
    // A fetch that hangs on a dead remote must not delay the exit.
    runtime.shutdown_background();
    outcome
}
