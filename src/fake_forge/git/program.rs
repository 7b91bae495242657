//! Runs the `git` program, without any configuration of the machine or the user.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use tidegate_model::time::Timestamp;

/// Why a command of `git` did not succeed.
#[derive(Debug, thiserror::Error)]
pub enum GitError {
    /// The program did not start.
    #[error("the git program does not start; install git, and put it on the PATH")]
    Start(#[source] std::io::Error),
    /// The files of a repository cannot be read or written.
    #[error("the files of the repository cannot be read or written; check the permissions of the directory")]
    Files(#[source] std::io::Error),
    /// The program reported an error.
    #[error("`git {arguments}` failed: {message}")]
    Failed {
        /// The arguments.
        arguments: String,
        /// What it printed.
        message: String,
    },
    /// The program that serves repositories over HTTP does not work.
    #[error(
        "`git http-backend`, which serves repositories over HTTP, does not work; install it: some distributions have it in a package of \
         its own, such as git-daemon of Alpine ({0})"
    )]
    NoBackend(String),
}

/// The author or committer of a commit.
#[derive(Debug, Clone)]
pub(crate) struct Identity {
    pub(crate) name: String,
    pub(crate) email: String,
    pub(crate) at: Timestamp,
}

/// Returns a `git` command that reads no configuration outside the repository.
pub(crate) fn command(directory: &Path) -> Command {
    let mut command = Command::new("git");
    command
        .current_dir(directory)
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        .env("HOME", directory)
        .env("LC_ALL", "C")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_CONFIG_GLOBAL", "/dev/null");
    command
}

/// Runs a command, and returns what it printed without the last line break.
///
/// # Errors
/// If the program does not start, or does not exit with 0.
pub(crate) fn run(directory: &Path, arguments: &[&str]) -> Result<String, GitError> {
    let output = output(command(directory).args(arguments), b"")?;
    printed(arguments, &output)
}

/// Runs a command that writes a commit.
///
/// # Errors
/// Those of [`run`].
pub(crate) fn run_as(
    directory: &Path,
    arguments: &[&str],
    author: &Identity,
    committer: &Identity,
    input: &str,
) -> Result<String, GitError> {
    let date = |identity: &Identity| format!("@{} +0000", identity.at.as_second());
    let mut command = command(directory);
    command
        .env("GIT_AUTHOR_NAME", &author.name)
        .env("GIT_AUTHOR_EMAIL", &author.email)
        .env("GIT_AUTHOR_DATE", date(author))
        .env("GIT_COMMITTER_NAME", &committer.name)
        .env("GIT_COMMITTER_EMAIL", &committer.email)
        .env("GIT_COMMITTER_DATE", date(committer))
        .args(arguments);
    printed(arguments, &output(&mut command, input.as_bytes())?)
}

/// Runs a command whose exit code is an answer: `None` if it is not 0.
///
/// # Errors
/// If the program does not start.
pub(crate) fn answer(directory: &Path, arguments: &[&str]) -> Result<Option<String>, GitError> {
    let output = output(command(directory).args(arguments), b"")?;
    Ok(output.status.success().then(|| text(&output.stdout)))
}

/// Runs a command with this input.
///
/// # Errors
/// If the program does not start, or does not read its input.
pub(crate) fn output(command: &mut Command, input: &[u8]) -> Result<Output, GitError> {
    let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = piped.spawn().map_err(GitError::Start)?;
    let stdin = child.stdin.take();
    std::thread::scope(|scope| {
        // The input is written while the output is read: both pipes have a limited size.
        scope.spawn(move || {
            if let Some(mut stdin) = stdin {
                // A program that exits early does not read everything; its exit code and its output are the result.
                stdin.write_all(input).ok();
            }
        });
        child.wait_with_output().map_err(GitError::Start)
    })
}

fn printed(arguments: &[&str], output: &Output) -> Result<String, GitError> {
    if output.status.success() {
        return Ok(text(&output.stdout));
    }
    let message = [text(&output.stderr), text(&output.stdout)].join(" ").trim().to_owned();
    Err(GitError::Failed { arguments: arguments.join(" "), message })
}

fn text(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    text.strip_suffix('\n').unwrap_or(&text).to_owned()
}
