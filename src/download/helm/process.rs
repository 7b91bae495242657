//! Runs a program that may hang, or print without end.

use std::io::{self, Read};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

/// How often it is checked whether a program that has closed its output has ended.
const POLL: Duration = Duration::from_millis(5);

/// Most bytes of the messages that are kept.
const MESSAGE_BYTES: u64 = 64 << 10;

/// What a program printed.
pub(super) struct Ran {
    pub(super) status: ExitStatus,
    pub(super) output: Vec<u8>,
    pub(super) messages: Vec<u8>,
}

/// Why there is no complete output.
#[derive(Debug)]
pub(super) enum Stopped {
    /// It did not end in time.
    TimedOut,
    /// It printed too much.
    TooLarge,
    /// It could not be started, or its output not be read.
    Failed(io::Error),
}

/// Runs a program without input, and returns what it printed. A program that exceeds a limit is killed.
pub(super) fn run(command: &mut Command, time: Duration, bytes: u64) -> Result<Ran, Stopped> {
    let deadline = Instant::now() + time;
    let command = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(Stopped::Failed)?;
    let output = child.stdout.take().map(|from| read(from, bytes + 1));
    let messages = child.stderr.take().map(|from| read(from, MESSAGE_BYTES));
    let outcome = wait(&mut child, output, bytes, deadline);
    if outcome.is_err() {
        // It may have ended in the meantime.
        let _ = child.kill();
        let _ = child.wait();
    }
    let (status, output) = outcome?;
    // A process that it left behind may keep the stream open.
    let messages = messages.and_then(|messages| messages.recv_timeout(Duration::from_secs(1)).ok());
    Ok(Ran { status, output, messages: messages.and_then(Result::ok).unwrap_or_default() })
}

fn wait(
    child: &mut Child,
    output: Option<Receiver<io::Result<Vec<u8>>>>,
    bytes: u64,
    deadline: Instant,
) -> Result<(ExitStatus, Vec<u8>), Stopped> {
    let left = || deadline.saturating_duration_since(Instant::now());
    let output = match output.map(|output| output.recv_timeout(left())) {
        Some(Ok(output)) => output.map_err(Stopped::Failed)?,
        Some(Err(RecvTimeoutError::Timeout)) => return Err(Stopped::TimedOut),
        Some(Err(RecvTimeoutError::Disconnected)) | None => Vec::new(),
    };
    if u64::try_from(output.len()).map_or(true, |length| length > bytes) {
        return Err(Stopped::TooLarge);
    }
    loop {
        match child.try_wait().map_err(Stopped::Failed)? {
            Some(status) => return Ok((status, output)),
            None if left().is_zero() => return Err(Stopped::TimedOut),
            None => std::thread::sleep(POLL),
        }
    }
}

/// Reads a stream to its end in a thread, and keeps at most this many bytes. A stream that is longer is drained only if it is the one
/// for messages, so that the program is not blocked; the caller kills the program otherwise.
fn read(from: impl Read + Send + 'static, bytes: u64) -> Receiver<io::Result<Vec<u8>>> {
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || {
        let (mut from, mut kept) = (from, Vec::new());
        let read = from.by_ref().take(bytes).read_to_end(&mut kept);
        let is_full = bytes == MESSAGE_BYTES && kept.len() as u64 == bytes;
        // The receiver may have given up.
        let _ = sender.send(read.map(|_| kept));
        if is_full {
            let _ = io::copy(&mut from, &mut io::sink());
        }
    });
    receiver
}
