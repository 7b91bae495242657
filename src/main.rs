//! The door: parses the command line, runs the command, and turns its outcome into an exit code.

use std::process::ExitCode;

fn main() -> ExitCode {
    tidegate::cli::main()
}
