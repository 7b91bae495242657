//! Parses the command line and dispatches to the commands.

use std::ffi::OsString;
use std::process::ExitCode;

use clap::builder::Resettable;
use clap::{CommandFactory as _, FromArgMatches as _, Parser as _};

use crate::cli::args::{Args, Command};
use crate::cli::commands::{
    adopt, app, approve, blame, control, crds, demo, doctor, explain, fleet, fmt, history, manual, mcp, oracle, plan,
    policy, rbac, render, replay, rollback, run, sandbox, scaffold, schema, simulate, status, trust, ui, upgrade,
    validate, vendor,
};
use crate::cli::failure::Failure;
use crate::cli::process::Process;

/// Runs the command of this process.
pub fn main() -> ExitCode {
    ExitCode::from(run(std::env::args_os().collect(), &Process::system()))
}

/// Parses a command line, runs the command, and returns its exit code. The first argument is the name of the program.
pub fn run(arguments: Vec<OsString>, process: &Process) -> u8 {
    let arguments = without_alias(help_asked_for_help(arguments));
    let is_plan = arguments.get(1).is_some_and(|command| command == "plan");
    let args = match parsed(arguments, process) {
        Ok(args) => args,
        Err(error) => {
            let code = process.print_usage(&error);
            // Exit code 2 of a plan means that something changes.
            return if is_plan { code.min(Failure::Findings.code()) } else { code };
        }
    };
    // Before any TLS connection, to Git or to the hub.
    tidegate_git::install_tls_provider();
    match dispatch(args, process) {
        Ok(()) => 0,
        Err(failure) => {
            failure.message().iter().for_each(|message| process.warn_line(message));
            failure.code()
        }
    }
}

/// Parses the arguments, and the environment variables of a process that has them.
fn parsed(arguments: Vec<OsString>, process: &Process) -> Result<Args, clap::Error> {
    if process.is_real() {
        return Args::try_parse_from(arguments);
    }
    let mut matches = without_variables(Args::command()).try_get_matches_from(arguments)?;
    Args::from_arg_matches_mut(&mut matches)
}

/// Returns a command whose options are not read from environment variables.
fn without_variables(command: clap::Command) -> clap::Command {
    command.mut_args(|arg| arg.env(Resettable::Reset)).mut_subcommands(without_variables)
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

/// Returns the arguments with `history --verify` instead of its alias `verify-history`.
fn without_alias(mut arguments: Vec<OsString>) -> Vec<OsString> {
    let is_alias = |argument: Option<&OsString>| argument.is_some_and(|argument| argument == "verify-history");
    if is_alias(arguments.get(1)) {
        arguments.splice(1..2, ["history".into(), "--verify".into()]);
    } else if arguments.get(1).is_some_and(|command| command == "help") && is_alias(arguments.get(2)) {
        arguments.splice(2..3, ["history".into()]);
    }
    arguments
}

fn dispatch(args: Args, process: &Process) -> Result<(), Failure> {
    match args.command {
        Command::History(args) => history::run(process, &args),
        Command::Schema(args) => schema::run(process, &args),
        Command::Validate(args) => validate::run(process, &args),
        Command::Policy(args) => policy::run(process, &args),
        Command::Trust(args) => trust::run(process, &args),
        Command::Render(args) => render::run(process, &args),
        Command::Vendor(args) => vendor::run(process, &args),
        Command::Blame(args) => blame::run(process, &args),
        Command::Approve(args) => approve::run(process, args),
        Command::Pause(args) => control::pause(process, args),
        Command::Resume(args) => control::resume(process, args),
        Command::Abort(args) => control::abort(process, args),
        Command::Retry(args) => control::retry(process, args),
        Command::Quarantine(args) => control::quarantine(process, args),
        Command::Init(args) => scaffold::init(process, &args),
        Command::Addon(args) => scaffold::addon(process, &args),
        Command::App(args) => block_on(process, app::run(process, args)),
        Command::Import(args) => scaffold::import(process, &args),
        Command::Fmt(args) => fmt::run(process, &args),
        Command::Completions(args) => manual::completions(process, &args),
        Command::Man(args) => manual::man(process, &args),
        Command::Crds => crds::run(process),
        Command::Rbac(args) => rbac::run(process, &args),
        Command::Oracle(args) => oracle::run(&args),
        Command::Replay(args) => replay::run(process, &args),
        Command::Simulate(args) => simulate::run(&args),
        Command::Adopt(args) => block_on(process, adopt::run(process, args)),
        Command::Run(args) => block_on(process, run::run(process, args)),
        Command::Doctor(args) => block_on(process, doctor::run(process, args)),
        Command::Demo(args) => block_on(process, demo::run(process, args)),
        Command::Sandbox(args) => block_on(process, sandbox::run(process, args)),
        Command::Upgrade(args) => block_on(process, upgrade::run(process, args)),
        Command::Rollback(args) => block_on(process, rollback::run(process, args)),
        Command::Plan(args) => block_on(process, plan::run(process, args)),
        Command::Rehearse(args) => block_on(process, plan::rehearse::run(process, args)),
        Command::Mcp(args) => block_on(process, mcp::run(process, args)),
        Command::Ui(args) => block_on(process, ui::run(process, args)),
        Command::Status(args) => block_on(process, status::run(process, args)),
        Command::Explain(args) => block_on(process, explain::run(process, args)),
        Command::Fleet(args) => block_on(process, fleet::run(process, args)),
    }
}

fn block_on(process: &Process, command: impl Future<Output = Result<(), Failure>>) -> Result<(), Failure> {
    let runtime = process.runtime().map_err(|error| Failure::internal(&error))?;
    let outcome = runtime.block_on(command);
    // A fetch that hangs on a dead remote must not delay the exit.
    runtime.shutdown_background();
    outcome
}
