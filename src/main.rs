//! The entry point: parses the command line, runs the command, and turns its outcome into an exit code.

use std::process::ExitCode;

use mimalloc::MiMalloc;

/// Trees of objects are created and dropped all the time, on several cores: with the system allocator, allocation took a
/// third of the time of a write to the embedded hub.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    tidegate::cli::main()
}
