//! Words on standard output. A reader that has gone away is no failure; a full disk is one.

use std::io::{ErrorKind, Write as _};

use super::failure::Failure;

/// Prints a text as it is.
pub fn say(text: &str) -> Result<(), Failure> {
    let mut out = anstream::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(Failure::Internal(format!("standard output cannot be written: {error}")))
        }
        _ => Ok(()),
    }
}

/// Prints a text and ends the line.
pub fn say_line(text: &str) -> Result<(), Failure> {
    say(&format!("{text}\n"))
}

/// Says something on standard error; if that is gone too, nobody is there to be told.
pub fn warn_line(text: &str) {
    // There is nowhere left to say that it failed.
    let _ = writeln!(anstream::stderr(), "{text}");
}
