//! The process that a command runs in, as far as the command uses it: its output, its clock and its environment.

use std::io::{self, ErrorKind, Write as _};
use std::sync::Arc;

use anstream::adapter::strip_str;
use parking_lot::Mutex;
use tokio::runtime::Runtime;

use super::failure::Failure;
use tidegate_daemon::reconciler::clock::Clock;
use tidegate_daemon::telemetry::log;
use tidegate_fake_forge::ForgeSandbox;
use tidegate_forge::Transport;

/// What a command uses of its process. Tests run commands in their own process and replace all of it.
#[derive(Debug, Clone)]
pub struct Process {
    streams: Streams,
    clock: Clock,
    runtime: fn() -> io::Result<Runtime>,
    forges: fn(&ForgeSandbox) -> Option<Transport>,
}

/// Where a command prints.
#[derive(Debug, Clone)]
enum Streams {
    /// Standard output and standard error.
    Standard,
    /// Memory, for a test.
    Captured(Arc<Mutex<Captured>>),
}

/// What a command has printed, without colors.
#[derive(Debug, Clone, Default)]
pub struct Captured {
    /// Standard output.
    pub output: String,
    /// Standard error.
    pub errors: String,
}

impl Process {
    /// Returns the real process.
    pub fn system() -> Self {
        Self { streams: Streams::Standard, clock: Clock::system(), runtime: Runtime::new, forges: |_| None }
    }

    /// Returns a process whose output is kept in memory, and which has no environment variables. A command is run by a runtime that
    /// `runtime` creates.
    pub fn captured(clock: Clock, runtime: fn() -> io::Result<Runtime>) -> Self {
        Self { streams: Streams::Captured(Arc::default()), clock, runtime, forges: |_| None }
    }

    /// Lets the daemon of a demo reach its forge through a transport that `forges` creates, instead of a network.
    #[must_use]
    pub fn with_forges(self, forges: fn(&ForgeSandbox) -> Option<Transport>) -> Self {
        Self { forges, ..self }
    }

    /// Returns what has been printed to memory; nothing of the real process.
    pub fn printed(&self) -> Captured {
        match &self.streams {
            Streams::Standard => Captured::default(),
            Streams::Captured(captured) => captured.lock().clone(),
        }
    }

    /// Returns `true` if this is the real process, with its environment variables, its signals and its network.
    pub(super) fn is_real(&self) -> bool {
        matches!(self.streams, Streams::Standard)
    }

    /// Returns the clock.
    pub(super) fn clock(&self) -> &Clock {
        &self.clock
    }

    /// Returns the transport to the forge of a demo; `None` for HTTP.
    pub(super) fn transport(&self, forge: &ForgeSandbox) -> Option<Transport> {
        (self.forges)(forge)
    }

    /// Creates the runtime of a command.
    pub(super) fn runtime(&self) -> io::Result<Runtime> {
        (self.runtime)()
    }

    /// Starts the log of the real process. Commands in the process of a test write no log.
    pub(super) fn start_log(&self, filter: &str, format: log::Format) {
        if self.is_real() {
            log::start(filter, format);
        }
    }

    /// Returns `true` if the output can be redrawn in place.
    pub(super) fn is_terminal(&self) -> bool {
        self.is_real() && io::IsTerminal::is_terminal(&io::stdout())
    }

    /// Prints a string as it is. A closed pipe is not a failure; a full disk is.
    pub(super) fn say(&self, text: &str) -> Result<(), Failure> {
        let mut out = match &self.streams {
            Streams::Standard => anstream::stdout().lock(),
            Streams::Captured(captured) => {
                captured.lock().output.push_str(&strip_str(text).to_string());
                return Ok(());
            }
        };
        match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
            Err(error) if error.kind() != ErrorKind::BrokenPipe => {
                Err(Failure::Internal(format!("standard output cannot be written: {error}")))
            }
            _ => Ok(()),
        }
    }

    /// Prints why a command line is wrong, or the help that it requests, and returns the exit code.
    pub(super) fn print_usage(&self, error: &clap::Error) -> u8 {
        let is_wrong = error.use_stderr();
        match &self.streams {
            // There is nowhere left to report a failure.
            Streams::Standard => drop(error.print()),
            Streams::Captured(captured) => {
                let mut captured = captured.lock();
                let stream = if is_wrong { &mut captured.errors } else { &mut captured.output };
                stream.push_str(&error.render().to_string());
            }
        }
        if is_wrong { Failure::Usage(String::new()).code() } else { 0 }
    }

    /// Prints a string and a line break.
    pub(super) fn say_line(&self, text: &str) -> Result<(), Failure> {
        self.say(&format!("{text}\n"))
    }

    /// Prints what is done now to standard error, if that is a terminal. It is for what may take more than a moment.
    pub(super) fn progress(&self, text: &str) {
        if self.is_real() && io::IsTerminal::is_terminal(&io::stderr()) {
            self.warn_line(text);
        }
    }

    /// Prints a line to standard error; an error is ignored.
    pub(super) fn warn_line(&self, text: &str) {
        match &self.streams {
            // There is nowhere left to report a failure.
            Streams::Standard => drop(writeln!(anstream::stderr(), "{text}")),
            Streams::Captured(captured) => {
                captured.lock().errors.push_str(&format!("{}\n", strip_str(text)));
            }
        }
    }
}
