//! The door: parses the command line, runs the command, and turns its outcome into an exit code.

use std::process::ExitCode;

use mimalloc::MiMalloc;

/// Trees of objects are made and dropped all the time, on several cores: a third of the time of a write to the embedded hub went into
/// the allocator of the system.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    tidegate::cli::main()
}
