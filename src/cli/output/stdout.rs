//! Prints to standard output and standard error. A closed pipe is not a failure; a full disk is.

use std::io::{ErrorKind, Write as _};

use crate::cli::failure::Failure;

/// Prints a string as it is.
pub(crate) fn say(text: &str) -> Result<(), Failure> {
    let mut out = anstream::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(Failure::Internal(format!("standard output cannot be written: {error}")))
        }
        _ => Ok(()),
    }
}

/// Prints a string and a line break.
pub(crate) fn say_line(text: &str) -> Result<(), Failure> {
    say(&format!("{text}\n"))
}

/// Prints a line to standard error; an error is ignored.
pub(crate) fn warn_line(text: &str) {
    // There is nowhere left to report a failure.
    let _ = writeln!(anstream::stderr(), "{text}");
}
